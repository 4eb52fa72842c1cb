"""Steps of stored matches: made on the match as it was left here, or else as the store has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, TypeVar

from engine_core.errors import GameError, StaleRevision
from engine_core.game import Move, Options, State, View
from engine_core.match import Entry, Match
from runtime.telemetry import metrics
from services.engine.codec import Codec
from services.engine.matches import idempotency
from services.engine.matches.repository import MatchRepository
from services.engine.matches.stored_match import StoredMatch
from services.engine.requests import ApplyRequest, LeaveRequest, NamedRequest
from services.engine.responses import Responses
from services.engine.seats import observer_of, own_seat
from services.grpc_server.auth import Claim
from services.grpc_server.errors import PermissionDenied, ServiceError
from services.store.match_store import LostRace

S = TypeVar("S", bound=State)
M = TypeVar("M", bound=Move)
O = TypeVar("O", bound=Options)  # noqa: E741
V = TypeVar("V", bound=View)

ResponseBuilder = Callable[[StoredMatch[S, M, O, V], int, list[Entry]], bytes]
"""What a seat is told of its step."""
ATTEMPTS: Final = 16
"""How often a move that lost a race is tried on the position that the winner left."""


class StoredMoves(Generic[S, M, O, V]):
    """Moves, and leaving, in the stored matches of one version of a game."""

    def __init__(
        self, codec: Codec[S, M, O, V], responses: Responses[S, M, O, V], matches: MatchRepository[S, M, O, V]
    ) -> None:
        self._codec: Final = codec
        self._responses: Final = responses
        self._matches: Final = matches

    async def make(
        self, request: ApplyRequest, move: M, claim: Claim, build_response: ResponseBuilder[S, M, O, V]
    ) -> bytes:
        """Make a move, or only check it, and say what came of it; a request that comes again gets the first answer.

        The loser of a race tries again on the position that the winner left, unless that makes it stale.
        """
        stored = None
        guess = None if request.validate_only else self._matches.checkout_cached(request.match_id)
        if guess is not None:
            try:
                return await self._try(request, guess, move, claim, build_response, guessed=True)
            except LostRace as lost:
                stored = self._matches.reload_after_conflict(lost, guess)
            except (GameError, PermissionDenied):
                pass  # by what the store has, it may well be right
        if stored is None:
            stored, found = await self._matches.checkout(request.match_id, idempotency.request_key(request, claim.seat))
            if found is not None:
                own_seat(request, stored, claim)
                self._matches.put(stored)
                return self._first_response(request, found)
        for _ in range(ATTEMPTS):
            try:
                return await self._try(request, stored, move, claim, build_response)
            except LostRace as lost:
                stale = StaleRevision(lost.answers, lost.snapshot.revision)
                stored = self._matches.reload_after_conflict(lost, stored)
        raise stale

    async def _try(
        self,
        request: ApplyRequest,
        stored: StoredMatch[S, M, O, V],
        move: M,
        claim: Claim,
        build_response: ResponseBuilder[S, M, O, V],
        *,
        guessed: bool = False,
    ) -> bytes:
        """Make the move and store it, or only check it. Raises `LostRace` when the match has gone on meanwhile."""
        match = stored.match
        try:
            seat = own_seat(request, stored, claim)
            check_revision(request, match, seat)
            if request.validate_only:
                match.check_move(seat, move)
                return self._checked(stored, seat)
            entries = [*self._matches.renewed(stored), *match.play(seat, move)]
        except (GameError, ServiceError):
            self._matches.put(stored)  # which is as it was
            raise
        await self._matches.set_deadline(stored)
        answer = build_response(stored, seat, entries)
        found = await self._matches.commit(
            stored, entries, idempotency.stored_response(request, seat, answer), guessed=guessed
        )
        if found is not None:
            return self._first_response(request, found)
        self._matches.put(stored)
        return answer

    def _checked(self, stored: StoredMatch[S, M, O, V], seat: int) -> bytes:
        answer = self._responses.match(stored.match, seat, stored.facts)
        self._matches.put(stored)
        return self._responses.step(stored.match.revision, answer, [], None)

    def _first_response(self, request: NamedRequest, found: bytes) -> bytes:
        metrics.REPEATS.labels(self._codec.game.name).inc()
        return idempotency.first_response(request, found)

    async def leave(self, request: LeaveRequest, claim: Claim) -> bytes:
        """Take a player out of the match; who loses a race tries again on what the winner left."""
        stored, found = await self._matches.checkout(request.match_id, idempotency.request_key(request, claim.seat))
        if found is not None:
            observer_of(stored, claim)
            self._matches.put(stored)
            return self._first_response(request, found)
        for _ in range(ATTEMPTS):
            try:
                return await self._leave(request, stored, observer_of(stored, claim))
            except LostRace as lost:
                stale = StaleRevision(lost.answers, lost.snapshot.revision)
                stored = self._matches.reload_after_conflict(lost, stored)
        raise stale

    async def _leave(self, request: LeaveRequest, stored: StoredMatch[S, M, O, V], seat: int) -> bytes:
        entries = [*self._matches.renewed(stored), *stored.match.leave(seat)]
        await self._matches.set_deadline(stored)
        answer = self.stepped(stored, seat, entries)
        found = await self._matches.commit(stored, entries, idempotency.stored_response(request, seat, answer))
        if found is not None:
            return self._first_response(request, found)
        self._matches.put(stored)
        return answer

    def stepped(self, stored: StoredMatch[S, M, O, V], seat: int, entries: list[Entry]) -> bytes:
        """What a seat is told of a step: the match, and what happened."""
        events = [added.event(seat) for added in stored.written(self._codec, entries)]
        match = self._responses.match(stored.match, seat, stored.facts)
        return self._responses.step(stored.match.revision, match, events, None)


def check_revision(request: ApplyRequest, match: Match[S, M, O, V], seat: int) -> None:
    """Raises `StaleRevision` where the request expects a revision that has passed for the seat."""
    if request.HasField("expected_revision"):
        match.check_revision(seat, request.expected_revision)
