"""A watched match as far as this process knows it, and those who follow it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from engine_core.errors import StaleRevision
from services.grpc_server.errors import LinesLost, StoreUnavailable, UnknownMatch
from services.store.match_store import Snapshot, Store

TAIL: Final = 256
"""How many of the latest lines of a watched match are kept for those who are nearly up to date."""
BATCH: Final = 128
"""How many lines a watcher that is further behind reads at a time."""
AGAIN_SECONDS: Final = 0.2
"""How long to wait before a store that did not answer is asked again."""

IsOver = Callable[[Snapshot], bool]
Shown = tuple[bytes, bytes]
"""An event as an observer is sent it, and the observer's head after it."""


class Line:
    """A line of a log; what an observer sees of it, and its head, are cached for the next one that sees the same."""

    def __init__(self, revision: int, data: bytes) -> None:
        self.revision: Final = revision
        self.data: Final = data
        self._shown: Final[dict[int, Shown]] = {}

    def shown(self, observer: int, head: bytes, show: Callable[[bytes, int, bytes], Shown]) -> Shown:
        """What `show` makes of the line for an observer whose head was `head` before it."""
        shown = self._shown.get(observer)
        if shown is None:
            shown = self._shown[observer] = show(self.data, observer, head)
        return shown


class Topic:
    """A watched match as far as this process has read it: `end` is its last line, the tail lies behind `start`."""

    def __init__(self, match_id: str, revision: int, is_over: IsOver) -> None:
        self.match_id: Final = match_id
        self.watchers = 0
        self.start = self.end = revision
        self.over = False
        self.failure: Exception | None = None
        self.heard = revision
        """The last revision that there were news of."""
        self.expected: Final[list[int]] = []
        """The revisions that the steps come to that are being made here."""
        self.news = asyncio.Event()
        self.reading: asyncio.Task[None] | None = None
        self.again = False
        self._is_over: Final = is_over
        self._tail: Final[deque[Line]] = deque()

    @property
    def last(self) -> Line | None:
        """The line at the end, if it is known here."""
        return self._tail[-1] if self._tail else None

    def take(self, after: int, last: Line | None, snapshot: Snapshot, lines: list[bytes]) -> None:
        """Learn what the store has behind a revision, from which on more may have been added meanwhile.

        `last` was the line that came then: where the store has another one there, it has lost what it acknowledged.
        """
        if snapshot.revision < after + (last is not None):
            self.fail(StaleRevision(self.end, snapshot.revision))
        elif last is not None and not lines:
            self.fail(UnknownMatch(self.match_id))  # it has expired since
        elif last is not None and lines[0] != last.data:
            self.fail(LinesLost(self.end, snapshot.revision))
        elif snapshot.revision >= self.end:
            self.add(lines[self.end - after :], over=self._is_over(snapshot))

    def add(self, lines: list[bytes], *, over: bool) -> None:
        """Learn the next lines."""
        self._tail.extend(Line(self.end + number, line) for number, line in enumerate(lines, 1))
        self.end += len(lines)
        while len(self._tail) > TAIL:
            self.start = self._tail.popleft().revision
        self.over = over
        self._tell()

    def fail(self, error: Exception) -> None:
        """Let every watcher end with an error."""
        self.failure = error
        self._tell()

    def _tell(self) -> None:
        self.news.set()
        self.news = asyncio.Event()

    def contradicts(self, after: int, lines: list[bytes]) -> bool:
        """Whether other lines than these are known here behind a revision."""
        return any(
            self.start < revision <= self.end and self._tail[revision - self.start - 1].data != line
            for revision, line in enumerate(lines, after + 1)
        )

    def behind(self, revision: int) -> list[Line]:
        """The lines behind a revision that lies in the tail."""
        missing = self.end - revision
        return [self._tail[index] for index in range(len(self._tail) - missing, len(self._tail))]


class Watcher:
    """One who follows a match; it holds its place and no lines, so however slow it is, it takes no room."""

    def __init__(self, topic: Topic, store: Store, after: int) -> None:
        self.revision = after
        self._topic: Final = topic
        self._store: Final = store

    @property
    def end(self) -> int:
        """The last revision that is known here of the match."""
        return self._topic.end

    async def lines(self) -> list[Line]:
        """The next lines, once there are some; none when the match is over and all is told.

        Raises `EngineStopping`, `UnknownMatch` when the match has expired, `StaleRevision` when the store lost lines.
        """
        topic = self._topic
        while topic.failure is None:
            if self.revision < topic.end:
                return await self._next()
            if topic.over:
                return []
            await topic.news.wait()
        raise topic.failure

    async def _next(self) -> list[Line]:
        topic = self._topic
        if self.revision >= topic.start:
            lines = topic.behind(self.revision)[:BATCH]
        else:
            lines = await self._stored()
        if not lines:
            raise UnknownMatch(topic.match_id)
        self.revision = lines[-1].revision
        return lines

    async def _stored(self) -> list[Line]:
        """What the store has behind the place; it is asked until it answers."""
        while True:
            with suppress(StoreUnavailable):
                data = await self._store.lines(self._topic.match_id, self.revision, BATCH)
                return [Line(self.revision + number, line) for number, line in enumerate(data, 1)]
            await asyncio.sleep(AGAIN_SECONDS)
            if self._topic.failure is not None:
                raise self._topic.failure
