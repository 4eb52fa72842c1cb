"""Turn queue: turns of hosted seats, which workers of the bots service claim and play.

The script that stores a step also queues the turns of hosted seats that follow, and the match stores which turns it
owes, so that a lost queue can be filled again. One worker claims a turn until it is done; the turn is queued again if
the worker stops renewing its claim. Only the match decides whether a turn is still owed: if two workers have the same
turn, only one of their moves is accepted. `turns/put.lua` describes the order of a queue and its keys.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple, Protocol, cast

from services.bots.costs import cost_of
from services.grpc_server.call_metrics import timed
from services.store.redis import Argument, Reply, ResponseError
from services.store.scripts import Script, turn_script

WAIT_SECONDS: Final = 0.5
"""Time for which a worker blocks until a turn is queued, well below the store's timeout."""
TAKEOVER_MS: Final = 5000
"""Time without renewal after which a claimed turn is queued again."""
RENEW_SECONDS: Final = 1.0
"""Interval at which a worker renews its claims."""
WRONG_TYPE: Final = "WRONGTYPE"
"""Error code of a key overwritten by another type; the next script that takes or puts a turn deletes the key."""


class HostedTurn(NamedTuple):
    """A move that a hosted seat owes, and the revision of its match since when."""

    rules_version: str
    match_id: str
    seat: int
    revision: int
    bot: str
    caller: str = ""
    """The caller that created the match, without blanks; if empty, the match counts as a caller of its own."""

    @property
    def queue(self) -> str:
        """The name of its queue."""
        return cost_of(self.bot).queue

    @property
    def server(self) -> str:
        """The server of the bot; its number of concurrent turns is limited."""
        return cost_of(self.bot).server

    def text(self) -> str:
        """The turn as stored in Redis and parsed by `turns/put.lua`: queue, cost, caller, server, then the turn."""
        cost = cost_of(self.bot)
        shared = f"{cost.queue} {cost.milliseconds} {self.caller or self.match_id} {cost.server}"
        return f"{shared} {self.rules_version} {self.match_id} {self.seat} {self.revision} {self.bot}"

    @staticmethod
    def parse(text: str) -> HostedTurn:
        """The turn of a stored text. Raises `ValueError`."""
        _, _, caller, _, rules_version, match_id, seat, revision, bot = text.split(" ", 8)
        return HostedTurn(rules_version, match_id, int(seat), int(revision), bot, "" if caller == match_id else caller)


class Execute(Protocol):
    """Executes a command. Raises `StoreUnavailable`, `StoreFull`, and `ResponseError` for a fault of the command."""

    async def __call__(self, *arguments: Argument) -> Reply: ...


class Evaluate(Protocol):
    """Runs a script on keys with arguments. Raises the same errors."""

    async def __call__(self, script: Script, keys: list[str], arguments: Sequence[Argument]) -> Reply: ...


class TurnQueue:
    """A queue of turns. Every operation raises `StoreUnavailable` or `StoreFull`."""

    def __init__(self, name: str, execute: Execute, evaluate: Evaluate, wait: Execute) -> None:
        """`wait` executes commands that block, on a connection of their own."""
        self._name: Final = name
        self._execute: Final = execute
        self._evaluate: Final = evaluate
        self._execute_blocking: Final = wait
        self._claim_script: Final = Script(turn_script("turns/take.lua"))
        self._renew_script: Final = Script(turn_script("turns/renew.lua"))
        self._stored_texts: Final[dict[HostedTurn, str]] = {}
        """Stored texts of claimed turns, which cannot be made again: another release may have computed the costs."""

    async def claim(self, turns_most: int, full_servers: Collection[str] = ()) -> list[HostedTurn]:
        """Claim at most `turns_most` turns, the first ones, but none whose server is in `full_servers`."""
        answer = await self._evaluate(self._claim_script, [self._name], [TAKEOVER_MS, turns_most, *full_servers])
        texts = [text.decode() for text in cast(list[bytes], answer)]
        claimed = [HostedTurn.parse(text) for text in texts]
        self._stored_texts.update(zip(claimed, texts, strict=True))
        return claimed

    async def wait(self) -> bool:
        """Block until a turn is queued; False if none was within `WAIT_SECONDS`."""
        try:
            return await self._execute_blocking("BLPOP", f"{self._name}:bell", str(WAIT_SECONDS)) is not None
        except ResponseError as error:
            return _is_overwritten(error)

    async def wake_another_worker(self) -> None:
        """Wake another blocked worker, for a turn that this one was woken for but does not take."""
        try:
            await self._execute("LPUSH", f"{self._name}:bell", "1")
        except ResponseError as error:
            _is_overwritten(error)

    async def renew(self, turns: Sequence[HostedTurn]) -> None:
        """Renew the claims on turns that are being played."""
        if turns:
            await self._evaluate(self._renew_script, [self._name], [TAKEOVER_MS, *map(self._text, turns)])

    @timed
    async def done(self, turn: HostedTurn) -> None:
        """Remove a turn that was played or is no longer owed."""
        try:
            await self._execute("ZREM", f"{self._name}:taken", self._text(turn))
        except ResponseError as error:
            _is_overwritten(error)
        self._stored_texts.pop(turn, None)

    def _text(self, turn: HostedTurn) -> str:
        return self._stored_texts.get(turn) or turn.text()


def _is_overwritten(error: ResponseError) -> bool:
    if error.kind != WRONG_TYPE:
        raise error
    return True
