"""A watched match: the latest log lines that this process has read, and the positions of its watchers."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple

from engine_core.errors import StaleRevision
from engine_core.game import View
from engine_core.match import AnyMatch
from services.grpc_server.errors import LinesLost, StoreUnavailable, UnknownMatch
from services.store.matches.steps import Snapshot
from services.store.matches.store import Store

CACHED_LINES: Final = 256
"""Number of the latest lines of a watched match that are cached, for watchers that are nearly up to date."""
LINES_PER_READ: Final = 128
"""Number of lines in one read from the store, for a watcher that lags further."""
CACHED_POSITIONS: Final = 4
"""Number of positions of a watched match that are cached; one takes 10 KiB at most."""
RETRY_SECONDS: Final = 0.2
"""Pause before the next attempt after the store was unavailable."""

IsOver = Callable[[Snapshot], bool]
ObservedEvent = tuple[bytes, bytes]
"""The encoded event of a line as one observer may see it, and that observer's head after it."""


class CurrentTurn(NamedTuple):
    """The turn of a match, or its end, as one observer is sent it."""

    key: tuple[int, ...]
    """What differs from turn to turn: a stream sends a turn once."""
    response: bytes
    is_own: bool = False
    """Whether the observer's seat is to move."""
    is_last: bool = False
    """Whether the match is over."""
    view: View | None = None
    """The view of the observer, for the sentences of the legal moves in the response; None without any."""


class WatchedLine:
    """A line of a log; its event and head are cached for the next watcher with the same view."""

    def __init__(self, revision: int, data: bytes) -> None:
        self.revision: Final = revision
        self.data: Final = data
        self._events: Final[dict[int, ObservedEvent]] = {}
        self.clauses: Final[dict[tuple[int, str, tuple[str, ...]], tuple[str, ...]]] = {}
        """What the move brought, by observer, language and names of players, as far as a watcher here needed it."""

    def observed(
        self, observer: int, head: bytes, observe: Callable[[bytes, int, bytes], ObservedEvent]
    ) -> ObservedEvent:
        """The event of the line for an observer and the head after it, by `observe`; `head` is that before it."""
        event = self._events.get(observer)
        if event is None:
            event = self._events[observer] = observe(self.data, observer, head)
        return event


class WatchedMatch:
    """A match as far as this process has read it: lines `start + 1` to `end` are cached."""

    def __init__(self, match_id: str, revision: int, is_over: IsOver, seating: bytes = b"") -> None:
        self.match_id: Final = match_id
        self.watchers = 0
        self.start = self.end = revision
        self.over = False
        self.failure: Exception | None = None
        self.seating = seating
        """Who has the seats, as stored."""
        self.published = revision
        """The last revision that was received on the match's channel."""
        self.in_progress: Final[list[int]] = []
        """The revisions of steps that this process is storing now."""
        self.changed: Final = asyncio.Event()
        self.current_turns: Final[dict[tuple[int, object], CurrentTurn]] = {}
        """The turn at `end` by observer and kind of stream, cached for the next watcher with the same view."""
        self.positions: Final[dict[int, AnyMatch]] = {}
        """The latest positions, by revision, from which watchers with texts played the log on; never changed."""
        self.reading: asyncio.Task[None] | None = None
        self.read_again = False
        self._is_over: Final = is_over
        self._cached_lines: Final[deque[WatchedLine]] = deque()

    @property
    def last(self) -> WatchedLine | None:
        """The line at `end`, if it is cached."""
        return self._cached_lines[-1] if self._cached_lines else None

    def update(self, after: int, last: WatchedLine | None, snapshot: Snapshot, lines: list[bytes]) -> None:
        """Add lines that were read after revision `after`; others may have been added since the read began.

        `last` was the cached line `after + 1`: a store with another line there has lost lines that it acknowledged.
        """
        self.set_seating(snapshot.seating)
        if snapshot.revision < after + (last is not None):
            self.fail(StaleRevision(self.end, snapshot.revision))
        elif last is not None and not lines:
            self.fail(UnknownMatch(self.match_id))  # it has expired meanwhile
        elif last is not None and lines[0] != last.data:
            self.fail(LinesLost(self.end, snapshot.revision))
        elif snapshot.revision >= self.end:
            self.add(lines[self.end - after :], over=self._is_over(snapshot))

    def set_seating(self, seating: bytes) -> None:
        """Set who has the seats now, and wake the watchers if it has changed."""
        if self.seating != seating:
            self.seating = seating
            self.current_turns.clear()
            self._wake()

    def add(self, lines: list[bytes], *, over: bool) -> None:
        """Add the next lines, and wake the watchers."""
        self._cached_lines.extend(WatchedLine(self.end + number, line) for number, line in enumerate(lines, 1))
        self.end += len(lines)
        if lines:
            self.current_turns.clear()
        while len(self._cached_lines) > CACHED_LINES:
            self.start = self._cached_lines.popleft().revision
        self.over = over
        self._wake()

    def fail(self, error: Exception) -> None:
        """End every watcher with an error."""
        self.failure = error
        self._wake()

    def _wake(self) -> None:
        self.changed.set()
        self.changed.clear()  # those who waited are woken all the same

    def contradicts(self, after: int, lines: list[bytes]) -> bool:
        """Whether the cache has different lines than these after a revision."""
        return any(
            self.start < revision <= self.end and self._cached_lines[revision - self.start - 1].data != line
            for revision, line in enumerate(lines, after + 1)
        )

    def after(self, revision: int) -> list[WatchedLine]:
        """The lines after a revision that is at least `start`."""
        missing = self.end - revision
        return [
            self._cached_lines[index] for index in range(len(self._cached_lines) - missing, len(self._cached_lines))
        ]


class Watcher:
    """The position of one stream in a watched match. It holds no lines, so that slow streams take no memory."""

    def __init__(self, watched: WatchedMatch, store: Store, after: int, seating: bytes, delay: int = 0) -> None:
        self.revision = after
        self._delay: Final = delay
        self._seating = seating
        self._watched: Final = watched
        self._store: Final = store

    @property
    def end(self) -> int:
        """The last revision of the match that this process has read and the watcher may see."""
        return max(0, self._watched.end - self._delay) if self.is_late else self._watched.end

    @property
    def is_late(self) -> bool:
        """Whether the watcher gets lines with a delay, since the match is in play."""
        return self._delay > 0 and not self._watched.over

    @property
    def read_revision(self) -> int:
        """The last revision of the match that this process has read."""
        return self._watched.end

    @property
    def current_turns(self) -> dict[tuple[int, object], CurrentTurn]:
        """The turn at `end`, by observer and kind of stream, as far as a watcher of this process needed it."""
        return self._watched.current_turns

    @property
    def positions(self) -> dict[int, AnyMatch]:
        """Positions of the match that watchers with texts have reached, by revision, to be read only."""
        return self._watched.positions

    def add_position(self, match: AnyMatch) -> None:
        """Add a position, and forget the oldest ones."""
        positions = self._watched.positions
        positions[match.revision] = match
        while len(positions) > CACHED_POSITIONS:
            del positions[next(iter(positions))]

    @property
    def seats_changed(self) -> bool:
        """Whether others have seats of the match now than the stream knows."""
        return self._watched.seating != self._seating

    def set_seating(self, seating: bytes) -> None:
        """Set who has the seats, as the stream knows it now."""
        self._seating = seating
        self._watched.set_seating(seating)

    async def pause(self) -> None:
        """Wait before the next attempt after the store was unavailable. Raises what `lines` raises."""
        await asyncio.sleep(RETRY_SECONDS)
        if self._watched.failure is not None:
            raise self._failure(self._watched.failure)

    def _failure(self, error: Exception) -> Exception:
        """The error as the watcher may see it: one about lost lines has the revision of the match."""
        return LinesLost(self.revision, self.end) if self.is_late and isinstance(error, StaleRevision) else error

    async def reach_start(self) -> None:
        """Wait until this process has read the revision after which the watcher begins. Raises what `lines` raises.

        The match was read from the store for this watcher: others that watch it here may have read less of it.
        """
        while self._watched.failure is None:
            if self.revision <= self.end:
                return
            await self._watched.changed.wait()
        raise self._failure(self._watched.failure)

    async def lines(self) -> list[WatchedLine]:
        """Wait for the next lines; none if the seats have changed, or the match is over and all have been returned.

        Raises `EngineStopping`, `UnknownMatch` if the match has expired, `StaleRevision` or `LinesLost` if the store
        lost lines.
        """
        watched = self._watched
        while watched.failure is None:
            if self.seats_changed:
                return []
            if self.revision < self.end:
                return await self._next()
            if watched.over:
                return []
            await watched.changed.wait()
        raise self._failure(watched.failure)

    async def _next(self) -> list[WatchedLine]:
        watched = self._watched
        if self.revision >= watched.start:
            lines = watched.after(self.revision)[: min(LINES_PER_READ, self.end - self.revision)]
        else:
            lines = await self._stored()
        if not lines:
            raise UnknownMatch(watched.match_id)
        self.revision = lines[-1].revision
        return lines

    async def _stored(self) -> list[WatchedLine]:
        """The next lines from the store, with retries until it responds; none after `end`, which `lines` waits for."""
        while True:
            with suppress(StoreUnavailable):
                count = min(LINES_PER_READ, self.end - self.revision)
                data = await self._store.lines(self._watched.match_id, self.revision, count)
                return [WatchedLine(self.revision + number, line) for number, line in enumerate(data, 1)]
            await self.pause()
