"""Clock poller: finds stored matches whose time is up, and plays the default moves.

Every engine polls. One of them claims a match for a while, plays the default moves and commits them like any other
step: if another step was stored first, perhaps the player's, that commit loses its race and changes nothing.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from engine_core.errors import EndlessPlay
from engine_core.game import MAX_DEFAULTS
from engine_core.match import Entry, Match
from runtime.telemetry import metrics
from services.engine.codec import M, O, S, V
from services.engine.matches.repository import MatchRepository
from services.engine.matches.stored_match import StoredMatch
from services.grpc_server.errors import ServiceError, UnknownMatch
from services.store.matches.steps import LostRace
from services.store.matches.store import Store

logger = logging.getLogger(__name__)

POLL_SECONDS: Final = 0.25
"""Mean time between polls; it varies, so that engines do not poll all at once."""
RETRY_SECONDS: Final = 5.0
"""Pause after a failure of the store."""
CLAIM_MS: Final = 5000
"""Duration of a claim: if the engine crashes, another one can claim the match afterwards."""
MAX_CLAIMED_MATCHES: Final = 32
MAX_TIME_OUT_ATTEMPTS: Final = 16
"""Attempts on a match that other steps change meanwhile, before it is left to the next claim."""

AnyRepository = MatchRepository[Any, Any, Any, Any]


class ClockPoller:
    """Polls, in a task of its own, for matches whose time is up."""

    def __init__(self, games: Sequence[AnyRepository], store: Store) -> None:
        self._games: Final = games
        self._store: Final = store
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start polling."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Stop polling. A step that was sent is stored; a match that was only claimed is left to another engine."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        while True:
            try:
                while await self.play_due():
                    pass
                pause = POLL_SECONDS
            except ServiceError as error:
                logger.warning("the store is unavailable to the clocks: %s", error)
                pause = RETRY_SECONDS
            except Exception:
                logger.exception("the clocks failed")
                pause = RETRY_SECONDS
            await asyncio.sleep(pause * random.uniform(0.5, 1.5))  # so that engines spread out

    async def play_due(self) -> int:
        """Poll once: claim due matches and play their default moves; the number of matches."""
        now_ms = await self._store.now_ms()
        return sum([await self._play_due(matches, now_ms) for matches in self._games])

    async def _play_due(self, matches: AnyRepository, now_ms: int) -> int:
        due = await self._store.claim_due(matches.rules_version, now_ms, now_ms + CLAIM_MS, MAX_CLAIMED_MATCHES)
        for match_id in due:
            try:
                await self.check_match(matches, match_id, now_ms)
            except (ServiceError, asyncio.CancelledError):
                raise
            except Exception:  # an error in one match must not stop the clocks of the others
                logger.exception("the default moves of a match failed")
        return len(due)

    async def check_match(self, matches: AnyRepository, match_id: str, now_ms: int) -> None:
        """Play the default moves of a match if its time is up, and correct its entry in the index of deadlines."""
        try:
            deadline_ms = await _next_deadline(matches, match_id, now_ms)
        except UnknownMatch:
            deadline_ms = 0
        await self._store.correct_deadline(matches.rules_version, match_id, deadline_ms)


async def _next_deadline(matches: AnyRepository, match_id: str, now_ms: int) -> int:
    """Play the moves that are due; the next deadline of the match. Raises `UnknownMatch`.

    If every attempt loses its race, the match is due again at once.
    """
    for _ in range(MAX_TIME_OUT_ATTEMPTS):
        stored, _ = await matches.checkout(match_id)
        if not 0 < stored.facts.next_deadline_ms <= now_ms:
            return stored.facts.next_deadline_ms
        with suppress(LostRace):  # another step changed the match: check again
            entries = [*matches.begin_epoch_if_store_restarted(stored), *_play_due_moves(stored, now_ms)]
            await matches.commit(stored, entries, None, metrics.MOVED_BY_DEFAULT)
    return now_ms


def _play_due_moves(stored: StoredMatch[S, M, O, V], now_ms: int) -> list[Entry]:
    """Play the end of the match's time, or the default moves of a choice's time; the new log entries."""
    match, facts = stored.match, stored.facts
    if 0 < facts.match_deadline_ms <= now_ms:
        stored.stop_match_clock()
        return match.play_time_up()
    if facts.times:
        return time_out_seats(match, [seat for seat in match.to_move() if facts.times[seat].deadline_ms <= now_ms])
    return time_out(match)


def time_out_seats(match: Match[S, M, O, V], seats: Sequence[int]) -> list[Entry]:
    """Play one default move of each of these seats, which have deadlines of their own; the new log entries.

    A seat whose turn ends by the move of one before it is not due any more.
    """
    turns = {seat: match.turn_began_at(seat) for seat in seats}
    entries: list[Entry] = []
    for seat, began in turns.items():
        if seat in match.to_move() and match.turn_began_at(seat) == began:
            entries += match.play(seat, match.game.default_move(match.state, seat))
    return entries


def time_out(match: Match[S, M, O, V]) -> list[Entry]:
    """Play the default move of each seat that still owes a choice; the new log entries.

    A phase in which a seat owes several choices is played to its end, since its time is over for all of them.

    Raises `EndlessPlay` if it does not end.
    """
    phase = match.phase_start
    entries: list[Entry] = []
    steps = 0
    while match.phase_start == phase and match.to_move():
        steps += 1
        if steps > MAX_DEFAULTS:
            raise EndlessPlay(match.game.name, "a phase whose time is up", MAX_DEFAULTS)
        seat = match.to_move()[0]
        entries += match.play(seat, match.game.default_move(match.state, seat))
    return entries
