"""The turns of hosted seats, in the line in which the workers of the bots service take them.

A line is a Redis stream with a consumer group. The step of a match that asks a hosted seat puts the turn into the line,
in one script, so no turn is made and not told. Each turn is in the hands of one worker until it says that it is done;
what a worker that fell silent had in its hands, another takes over. A turn that is done is deleted: what a line holds
is what waits. Whether a turn still stands only the match tells: workers may well both have one, and one makes the move.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol, cast

from services.bots.allowed import is_remote
from services.counts import timed
from services.pipe import Refused, Reply, Word

Entries = list[tuple[bytes, list[bytes] | None]]
"""Each with its id and its fields, names and values in turn; none where it was deleted."""

THINKING: Final = "fireside:turns:thinking"
"""The line of bots that think in processes of the workers."""
REMOTE: Final = "fireside:turns:remote"
"""The line of bots that are asked over the network."""
GROUP: Final = "bots"
FIRST: Final = "0-0"
"""The place before the first turn of a line."""
WAIT_MS: Final = 500
"""How long to wait for a turn, well below the time in which the store must answer."""
TAKEOVER_MS: Final = 5000
"""After so long without a word of its worker, a turn may be taken over."""
KEEP_SECONDS: Final = 1.0
"""How often a worker says that it still has what it has."""
FORGET_MS: Final = 60 * 60 * 1000
"""After so long in silence, a worker that has no turn is forgotten."""


class Turn(NamedTuple):
    """The choice that a hosted seat owes since revision `asked` of a match."""

    rules_version: str
    match_id: str
    seat: int
    asked: int
    bot: str

    @property
    def line(self) -> str:
        """The stream that it goes into."""
        return REMOTE if is_remote(self.bot) else THINKING

    def text(self) -> str:
        """How it is written into a line."""
        return f"{self.rules_version} {self.match_id} {self.seat} {self.asked} {self.bot}"

    @staticmethod
    def parse(text: str) -> Turn:
        """The turn that `text` writes so."""
        rules_version, match_id, seat, asked, bot = text.split(" ", 4)
        return Turn(rules_version, match_id, int(seat), int(asked), bot)


class Taken(NamedTuple):
    """A turn in the hands of a worker; `entry` names it in its line."""

    entry: bytes
    turn: Turn


class Ask(Protocol):
    """Asks the store. Raises `StoreUnavailable`, `StoreFull`, and `Refused` for what is wrong with the command."""

    async def __call__(self, *words: Word) -> Reply: ...


class Line:
    """One line as one worker sees it. Every operation raises `StoreUnavailable` or `StoreFull`."""

    def __init__(self, ask: Ask, wait: Ask, stream: str, worker: str) -> None:
        """`wait` asks what others must not wait behind."""
        self._ask: Final = ask
        self._wait: Final = wait
        self._stream: Final = stream
        self._worker: Final = worker
        self._looked_to: bytes | str = FIRST
        """Up to where the turns of others were looked through."""

    async def begin(self) -> None:
        """Make the line if there is none, with its group; forget workers that are long gone."""
        try:
            await self._ask("XGROUP", "CREATE", self._stream, GROUP, "0", "MKSTREAM")
        except Refused as error:
            if error.kind != "BUSYGROUP":
                raise
        consumers = cast(list[list[bytes | int]], await self._ask("XINFO", "CONSUMERS", self._stream, GROUP))
        for words in consumers:
            consumer = dict(zip(words[::2], words[1::2], strict=True))
            if not consumer[b"pending"] and int(consumer[b"idle"]) > FORGET_MS:
                await self._forget(cast(bytes, consumer[b"name"]))

    async def take(self, most: int) -> list[Taken]:
        """At most so many turns that nobody has taken yet; waits for the first, but not for long.

        A line that has been lost with its store is begun again.
        """
        words = ("XREADGROUP", "GROUP", GROUP, self._worker, "COUNT", most, "BLOCK", WAIT_MS)
        try:
            read = await self._wait(*words, "STREAMS", self._stream, ">")
        except Refused as error:
            if error.kind != "NOGROUP":
                raise
            await self.begin()
            return []
        return [taken for _, entries in cast(list[tuple[bytes, Entries]], read or []) for taken in _taken(entries)]

    async def take_over(self, most: int) -> list[Taken]:
        """At most so many turns that a worker took and has not spoken of for `TAKEOVER_MS`.

        Each call goes on where the last one ended, so that turns which nobody can play keep none from coming round.
        """
        words = ("XAUTOCLAIM", self._stream, GROUP, self._worker, TAKEOVER_MS, self._looked_to, "COUNT", most)
        claimed = cast(tuple[bytes, Entries], await self._ask(*words))
        self._looked_to = claimed[0]
        return _taken(claimed[1])

    async def keep(self, taken: Sequence[Taken]) -> None:
        """Say that these turns are still in good hands."""
        entries = [each.entry for each in taken]
        if entries:
            await self._ask("XCLAIM", self._stream, GROUP, self._worker, 0, *entries, "JUSTID")

    @timed
    async def done(self, taken: Taken) -> None:
        """Let a turn go for good."""
        await self._ask("XACK", self._stream, GROUP, taken.entry)
        await self._ask("XDEL", self._stream, taken.entry)

    async def leave(self) -> None:
        """Be forgotten; to be called with no turn in hand."""
        await self._forget(self._worker)

    async def _forget(self, worker: bytes | str) -> None:
        await self._ask("XGROUP", "DELCONSUMER", self._stream, GROUP, worker)


def _taken(entries: Entries) -> list[Taken]:
    """What the entries hold; one that was cut off the line's end meanwhile has nothing."""
    return [Taken(entry, Turn.parse(_turn(fields))) for entry, fields in entries if fields]


def _turn(fields: list[bytes]) -> str:
    return dict(zip(fields[::2], fields[1::2], strict=True))[b"turn"].decode()
