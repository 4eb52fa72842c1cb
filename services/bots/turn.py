"""Plays the turn of a hosted seat: calls the bot and makes its move exactly once, even if several workers try."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Iterable
from random import Random
from typing import Any, Final

from engine_core.errors import IllegalMove
from engine_core.game import Move
from engine_core.match import Entry
from runtime.telemetry import call_context, metrics
from services.bots.bot_process import BotProcesses
from services.bots.bot_task import BotTask
from services.bots.costs import QUICK_QUEUE, THINKING_QUEUE
from services.bots.imported.bots import ImportedBotLimits, ImportedBots
from services.bots.imported.names import is_imported
from services.bots.remote.allowed import is_remote
from services.bots.remote.bot_call import BotCall
from services.bots.remote.failure import UNREACHABLE, BotFailed
from services.bots.remote.remote_bots import RemoteBots
from services.bots.settings import BotSettings
from services.engine.codecs import AnyCodec
from services.engine.matches.repository import MatchRepository
from services.engine.matches.stored_match import StoredMatch
from services.engine.records.signing import SigningKeys
from services.grpc_server.errors import UnknownMatch
from services.store.matches.steps import LostRace
from services.store.matches.store import Store
from services.store.turns.queue import HostedTurn

logger = logging.getLogger(__name__)

AnyStored = StoredMatch[Any, Any, Any, Any]
DEADLINE_MARGIN_SECONDS: Final = 0.25
"""A bot must answer this long before its seat's deadline, which leaves time to store the move."""
MIN_TIME_LIMIT: Final = 0.05
"""Least time limit of a bot, even if its seat's deadline is nearer."""


class UnknownRules(Exception):
    """The turn's rules version is unknown to this worker; another worker may know it."""


class HostedSeats:
    """Plays turns of hosted seats: a bot that fails makes the default move, and leaves after too many failures."""

    def __init__(self, codecs: Iterable[AnyCodec], store: Store, settings: BotSettings) -> None:
        self._codecs: Final = {codec.rules_version: codec for codec in codecs}
        signing = SigningKeys(settings.signing_keys, store)
        self._matches: Final = {name: MatchRepository(codec, store, signing) for name, codec in self._codecs.items()}
        self._store: Final = store
        self._settings: Final = settings
        self._processes: Final = {queue: BotProcesses(settings.processes) for queue in (QUICK_QUEUE, THINKING_QUEUE)}
        self._remote: Final = RemoteBots(settings.allow, settings.secret)
        self._imported: Final = ImportedBots(ImportedBotLimits(settings.move_seconds, settings.bot_memory))

    async def play(self, turn: HostedTurn) -> None:
        """Let the bot choose and make its move, if the turn is still current. Raises `UnknownRules`, `ServiceError`."""
        if turn.rules_version not in self._matches:
            raise UnknownRules(turn.rules_version)
        matches = self._matches[turn.rules_version]
        try:
            is_done = False
            while not is_done:
                stored, _ = await matches.checkout(turn.match_id)
                is_done = not _is_current(stored, turn) or await self._play(matches, stored, turn)
        except UnknownMatch:
            pass  # the match has expired

    async def _play(self, matches: MatchRepository[Any, Any, Any, Any], stored: AnyStored, turn: HostedTurn) -> bool:
        """Choose and make the move; False if other moves have made the choice illegal meanwhile."""
        failure = None
        choice: Move | None = None
        bot = _metric_label(turn.bot)
        call_context.begin(match_id=turn.match_id, game=stored.header.game)
        try:
            with metrics.BOT_CHOICE_SECONDS.labels(bot).time():
                choice = await self._choose(stored, turn)
        except BotFailed as error:
            failure = error
            metrics.BOT_FAILURES.labels(bot, error.kind).inc()
        while True:
            try:
                entries = matches.begin_epoch_if_store_restarted(stored)
                entries += (
                    self._apply_failure(stored, turn.seat) if choice is None else stored.match.play(turn.seat, choice)
                )
                await matches.commit(
                    stored, entries, None, metrics.MOVED_BY_DEFAULT if choice is None else metrics.MOVED_BY_BOT
                )
                metrics.BOT_TURNS.labels(bot).inc()
                break
            except IllegalMove:
                return False
            except LostRace as lost:
                stored = matches.reload_after_conflict(lost, stored)
            if not _is_current(stored, turn):
                return True
        if failure is not None:
            _log_failure(turn, failure, stored)
        return True

    async def _choose(self, stored: AnyStored, turn: HostedTurn) -> Move:
        codec = self._codecs[turn.rules_version]
        seconds = await self._time_limit(stored, turn.seat)
        if is_remote(turn.bot):
            return await self._remote_choice(BotCall(codec, stored.match, turn.seat, stored.facts), turn.bot, seconds)
        if is_imported(turn.bot):
            return await self._imported_choice(stored, turn, seconds)
        state = codec.write_state(stored.match.state)
        task = BotTask(codec.rules_version, state, turn.seat, turn.bot, secrets.randbits(128))
        move: Move = codec.game.parse(await self._processes[turn.queue].choose(task, seconds))
        return move

    async def _remote_choice(self, bot_call: BotCall[Move], bot: str, seconds: float) -> Move:
        try:
            remote = self._remote.client_of(bot)
        except ValueError as error:
            raise BotFailed(UNREACHABLE, str(error)) from None
        return await remote.choose(bot_call, seconds)

    async def _imported_choice(self, stored: AnyStored, turn: HostedTurn, seconds: float) -> Move:
        if turn.bot not in self._settings.imported_bots:
            raise BotFailed(UNREACHABLE, "it may not be imported here")
        match, random = stored.match, Random(secrets.randbits(128))
        return await asyncio.to_thread(
            self._imported.choose, turn.bot, match.game, match.state, turn.seat, random, seconds
        )

    async def _time_limit(self, stored: AnyStored, seat: int) -> float:
        """Time limit of the bot: the configured one, or what the clock leaves its seat, if that is less."""
        seconds, deadline_ms = self._settings.move_seconds, stored.facts.deadline_of(seat)
        if not deadline_ms:
            return seconds
        left = (deadline_ms - await self._store.now_ms()) / 1000 - DEADLINE_MARGIN_SECONDS
        return max(MIN_TIME_LIMIT, min(seconds, left))

    def _apply_failure(self, stored: AnyStored, seat: int) -> list[Entry]:
        """Apply a failure of the bot to the match: make the default move, or leave after too many failures."""
        failures = stored.bot_failures[seat] = stored.bot_failures.get(seat, 0) + 1
        match = stored.match
        if failures >= self._settings.failures:
            return match.leave(seat)
        return match.play(seat, match.game.default_move(match.state, seat))

    async def close(self) -> None:
        """End the bot processes and close the connections to remote bots."""
        for processes in self._processes.values():
            processes.close()
        await asyncio.to_thread(self._imported.close)
        await self._remote.close()


def _metric_label(bot: str) -> str:
    """The metric label of a bot: without options or addresses, which would make too many labels."""
    return metrics.REMOTE_BOT_LABEL if is_remote(bot) else bot.partition(":")[0]


def _is_current(stored: AnyStored, turn: HostedTurn) -> bool:
    """Whether the seat still has to move at the turn's revision; not if another worker has made the move."""
    match = stored.match
    if stored.seating.waiting or stored.facts.seats[turn.seat].bot != turn.bot:  # another has the seat now
        return False
    return turn.seat in match.to_move() and match.turn_began_at(turn.seat) == turn.revision


def _log_failure(turn: HostedTurn, failure: BotFailed, stored: AnyStored) -> None:
    """Log a failure, without any text of the bot's answer."""
    left = stored.match.game.has_left(stored.match.state, turn.seat)
    logger.warning(
        "the bot %r of seat %d of match %s failed (%s) and %s",
        turn.bot,
        turn.seat,
        turn.match_id,
        failure.kind,
        "left" if left else "made the default move",
    )
