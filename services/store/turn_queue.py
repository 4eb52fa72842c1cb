"""The turns of hosted seats, in the queues from which the workers of the bots service take them.

The step of a match that asks a hosted seat queues the turn, in one script, and the match itself keeps what it owes: so
a queue that is lost, in whatever way, is filled again. Each turn is one worker's until it is done; when its worker
falls silent, it is queued again. Whether a turn is still owed only the match tells: two workers may well have the same
one, and one of them makes the move. The order of a queue, and its keys, are described in `turns_put.lua`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple, Protocol, cast

from services.bots.costs import cost_of
from services.grpc_server.call_metrics import timed
from services.store.redis import Argument, Reply, ResponseError
from services.store.scripts import Script, turn_script

WAIT_SECONDS: Final = 0.5
"""How long to wait for a turn, well below the time in which the store must answer."""
TAKEOVER_MS: Final = 5000
"""After so long without a word of its worker, a turn is queued again."""
KEEP_SECONDS: Final = 1.0
"""How often a worker says that it still has what it has."""
WRONG_TYPE: Final = "WRONGTYPE"
"""The error of a key that something else has overwritten: the next script that takes or puts a turn drops it."""


class Turn(NamedTuple):
    """The choice that a hosted seat owes since revision `asked` of a match."""

    rules_version: str
    match_id: str
    seat: int
    asked: int
    bot: str
    caller: str = ""
    """Who began the match, without blanks; empty where that is not known, and then the match is alone."""

    @property
    def queue(self) -> str:
        """Where it waits."""
        return cost_of(self.bot).queue

    @property
    def server(self) -> str:
        """The server that is asked for the choice."""
        return cost_of(self.bot).server

    def text(self) -> str:
        """How it is written, for `turns_put.lua`, too: its queue, cost, caller and server, then what it is."""
        cost = cost_of(self.bot)
        shared = f"{cost.queue} {cost.milliseconds} {self.caller or self.match_id} {cost.server}"
        return f"{shared} {self.rules_version} {self.match_id} {self.seat} {self.asked} {self.bot}"

    @staticmethod
    def parse(text: str) -> Turn:
        """The turn that `text` writes so. Raises `ValueError`."""
        _, _, caller, _, rules_version, match_id, seat, asked, bot = text.split(" ", 8)
        return Turn(rules_version, match_id, int(seat), int(asked), bot, "" if caller == match_id else caller)


class Execute(Protocol):
    """Executes a command. Raises `StoreUnavailable`, `StoreFull`, and `ResponseError` for a fault of the command."""

    async def __call__(self, *arguments: Argument) -> Reply: ...


class Evaluate(Protocol):
    """Lets the store run a script on keys with arguments, with the same errors."""

    async def __call__(self, script: Script, keys: list[str], arguments: Sequence[Argument]) -> Reply: ...


class TurnQueue:
    """One queue. Every operation raises `StoreUnavailable` or `StoreFull`."""

    def __init__(self, name: str, execute: Execute, evaluate: Evaluate, wait: Execute) -> None:
        """`wait` executes commands that block, on a connection of their own."""
        self._name: Final = name
        self._execute: Final = execute
        self._evaluate: Final = evaluate
        self._wait: Final = wait
        self._take: Final = Script(turn_script("turns_take.lua"))
        self._keep: Final = Script(turn_script("turns_keep.lua"))
        self._written: Final[dict[Turn, str]] = {}
        """How turns that were taken are written: another release may reckon their costs differently."""

    async def take(self, most: int, full: Collection[str] = ()) -> list[Turn]:
        """The turns that come first, `most` at the most, none of servers that are `full`."""
        answer = await self._evaluate(self._take, [self._name], [TAKEOVER_MS, most, *full])
        texts = [text.decode() for text in cast(list[bytes], answer)]
        taken = [Turn.parse(text) for text in texts]
        self._written.update(zip(taken, texts, strict=True))
        return taken

    async def wait(self) -> bool:
        """Whether there may be something to take: True at once when a turn is queued, and False after a while."""
        try:
            return await self._wait("BLPOP", f"{self._name}:bell", str(WAIT_SECONDS)) is not None
        except ResponseError as error:
            return _is_overwritten(error)

    async def pass_on(self) -> None:
        """Let another worker know of a turn that one has been waited for."""
        try:
            await self._execute("LPUSH", f"{self._name}:bell", "1")
        except ResponseError as error:
            _is_overwritten(error)

    async def keep(self, turns: Sequence[Turn]) -> None:
        """Say that these turns are still being played."""
        if turns:
            await self._evaluate(self._keep, [self._name], [TAKEOVER_MS, *map(self._text, turns)])

    @timed
    async def done(self, turn: Turn) -> None:
        """Let a turn go for good."""
        try:
            await self._execute("ZREM", f"{self._name}:taken", self._text(turn))
        except ResponseError as error:
            _is_overwritten(error)
        self._written.pop(turn, None)

    def _text(self, turn: Turn) -> str:
        return self._written.get(turn) or turn.text()


def _is_overwritten(error: ResponseError) -> bool:
    if error.kind != WRONG_TYPE:
        raise error
    return True
