"""Moves and leaving in stored matches: made on the cached or the stored match, and retried after a lost race."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, NamedTuple

from engine_core.errors import GameError, StaleRevision
from engine_core.match import Entry
from runtime.telemetry import metrics
from services.engine.codec import Codec, M, O, S, V
from services.engine.matches.idempotency import IdempotencyKey, idempotency_key
from services.engine.matches.repository import MatchRepository
from services.engine.matches.stored_match import StoredMatch
from services.engine.presentation.views import copy_if_wanted, offer_entries
from services.engine.requests.checks import MAX_REQUEST_ID_LENGTH, check_stored_apply, check_text
from services.engine.requests.messages import ApplyRequest, HintRequest, LeaveRequest
from services.engine.requests.seats import authorized_seat, check_expected_revision, check_is_seat, observer_of
from services.engine.responses import Responses
from services.grpc_server.auth import SeatTokens
from services.grpc_server.errors import MatchWaiting, PermissionDenied, ServiceError, Unauthenticated
from services.store.matches.steps import LostRace

ResponseBuilder = Callable[[StoredMatch[S, M, O, V], int, list[Entry]], bytes]
"""Builds the response to a step from the match after it, the seat that made it, and the new log entries."""
MAX_COMMIT_ATTEMPTS: Final = 16
"""Attempts to store a step that each time loses the race against another step."""


class Command(NamedTuple, Generic[S, M, O, V]):
    """A step that a request asks for, applicable at any revision of its match."""

    match_id: str
    key: IdempotencyKey
    authorize: Callable[[StoredMatch[S, M, O, V]], int]
    """Returns the seat for which the caller may act. Raises `PermissionDenied`, `Unauthenticated` or `UnknownMatch`."""
    play: Callable[[StoredMatch[S, M, O, V], int], list[Entry]]
    """Makes the step of that seat and returns the new log entries. Raises `GameError`."""
    build_response: ResponseBuilder[S, M, O, V]


class StoredMoves(Generic[S, M, O, V]):
    """Makes moves in the stored matches of one version of a game, and lets seats leave."""

    def __init__(
        self,
        codec: Codec[S, M, O, V],
        responses: Responses[S, M, O, V],
        matches: MatchRepository[S, M, O, V],
        tokens: SeatTokens,
    ) -> None:
        self._codec: Final = codec
        self._responses: Final = responses
        self._matches: Final = matches
        self._tokens: Final = tokens

    async def apply_to_match(
        self, request: ApplyRequest, move: M, authorization: str, build_response: ResponseBuilder[S, M, O, V]
    ) -> bytes:
        """Make a move, or only validate it; a repeated request gets the first response.

        Raises `StaleRevision` if another step came first and the move was chosen for an older revision.
        """
        claim = check_is_seat(await self._tokens.claim(authorization), "Apply")
        check_stored_apply(request)

        def authorize(stored: StoredMatch[S, M, O, V]) -> int:
            seat = authorized_seat(request, stored, claim)
            if stored.seating.waiting:
                raise MatchWaiting(stored.match_id)
            return seat

        def play(stored: StoredMatch[S, M, O, V], seat: int) -> list[Entry]:
            check_expected_revision(request, stored.match, seat)
            if request.validate_only:
                stored.match.check_move(seat, move)
                return []
            return [*self._matches.begin_epoch_if_store_restarted(stored), *stored.match.play(seat, move)]

        command = Command(request.match_id, idempotency_key(request, claim.seat), authorize, play, build_response)
        stored = None
        cached = None if request.validate_only else self._matches.checkout_cached(request.match_id)
        if cached is not None:
            try:
                return await self._attempt(command, cached, guessed=True)
            except LostRace as lost:
                stored = self._matches.reload_after_conflict(lost, cached)
            except (GameError, PermissionDenied, Unauthenticated, MatchWaiting):
                pass  # the stored match may be newer, and allow the move
        return await (self._execute(command) if stored is None else self._retry(command, stored))

    async def leave(self, request: LeaveRequest, authorization: str) -> bytes:
        """Let the token's seat leave the match; a repeated request gets the first response."""
        claim = check_is_seat(await self._tokens.claim(authorization), "Leave")
        check_text(request.request_id, MAX_REQUEST_ID_LENGTH, "requestId")

        def authorize(stored: StoredMatch[S, M, O, V]) -> int:
            seat = observer_of(stored, claim)
            if stored.seating.waiting:
                raise MatchWaiting(stored.match_id)
            return seat

        def play(stored: StoredMatch[S, M, O, V], seat: int) -> list[Entry]:
            return [*self._matches.begin_epoch_if_store_restarted(stored), *stored.match.leave(seat)]

        key = idempotency_key(request, claim.seat)
        return await self._execute(Command(request.match_id, key, authorize, play, self.step_response))

    async def log_hint(self, request: HintRequest, authorization: str) -> tuple[S, int, int]:
        """Log that the token's seat asks for a hint, once a turn; the position, its revision and the seat.

        The position is a copy. Raises `PermissionDenied` in a match without hints, `NotYourTurn`, `MatchOver`, and what
        `authorized_seat` raises.
        """
        claim = check_is_seat(await self._tokens.claim(authorization), "Hint in a match in play")
        asked: list[tuple[S, int, int]] = []

        def authorize(stored: StoredMatch[S, M, O, V]) -> int:
            seat = authorized_seat(request, stored, claim)
            if stored.seating.waiting:
                raise MatchWaiting(stored.match_id)
            if not stored.header.hints:
                raise PermissionDenied("the match was started without hints")
            return seat

        def play(stored: StoredMatch[S, M, O, V], seat: int) -> list[Entry]:
            return [*self._matches.begin_epoch_if_store_restarted(stored), *stored.ask_hint(seat)]

        def copy(stored: StoredMatch[S, M, O, V], seat: int, entries: list[Entry]) -> bytes:
            asked[:] = [(self._codec.game.copy(stored.match.state), stored.match.revision, seat)]
            return b""

        await self._execute(Command(request.match_id, IdempotencyKey("", "", b""), authorize, play, copy))
        return asked[0]

    async def _execute(self, command: Command[S, M, O, V]) -> bytes:
        """Execute a command on the current match, unless it was executed before."""
        stored, record = await self._matches.checkout(command.match_id, command.key.key)
        if record is None:
            return await self._retry(command, stored)
        command.authorize(stored)  # a repeated request has to be authorized too
        self._matches.put(stored)
        return self._repeated(command, record)

    async def _retry(self, command: Command[S, M, O, V], stored: StoredMatch[S, M, O, V]) -> bytes:
        """Execute a command; after a lost race again, on the match that the other step left."""
        for _ in range(MAX_COMMIT_ATTEMPTS):
            try:
                return await self._attempt(command, stored)
            except LostRace as lost:
                stale = StaleRevision(lost.base_revision, lost.snapshot.revision)
                stored = self._matches.reload_after_conflict(lost, stored)
        raise stale

    async def _attempt(
        self, command: Command[S, M, O, V], stored: StoredMatch[S, M, O, V], *, guessed: bool = False
    ) -> bytes:
        """Make the step and store it. Raises `LostRace` if another step was stored first."""
        try:
            seat = command.authorize(stored)
            before = copy_if_wanted(self._codec.game, stored.match.state)
            entries = command.play(stored, seat)
        except (GameError, ServiceError):
            self._matches.put(stored)  # unchanged
            raise
        if not entries:  # `validate_only`, or a second hint in a turn
            self._matches.put(stored)
            return command.build_response(stored, seat, [])
        await self._matches.deadlines.update(stored)  # before the response is built, since it shows the deadline
        response = command.build_response(stored, seat, entries)
        record = await self._matches.commit(stored, entries, command.key.record(response), guessed=guessed)
        if record is not None:
            return self._repeated(command, record)
        offer_entries(self._codec.game, before, entries, seat)
        self._matches.put(stored)
        return response

    def _repeated(self, command: Command[S, M, O, V], record: bytes) -> bytes:
        metrics.REPEATED_MOVES.labels(self._codec.game.name).inc()
        return command.key.first_response(record)

    def step_response(self, stored: StoredMatch[S, M, O, V], seat: int, entries: list[Entry]) -> bytes:
        """The response to a step: the match as the seat sees it, and the events."""
        events = [added.event(seat) for added in stored.add_to_log(self._codec, entries)]
        match = self._responses.match(stored.match, seat, stored.facts)
        return self._responses.step(stored.match.revision, match, events, None)

    def turn_response(self, stored: StoredMatch[S, M, O, V], seat: int, entries: list[Entry]) -> bytes:
        """The response to a step with the legal moves of the seat's next turn."""
        return self.step_response(stored, seat, entries) + self._responses.next_turn(stored.match, seat)


def no_response(stored: StoredMatch[S, M, O, V], seat: int, entries: list[Entry]) -> bytes:
    """Response builder of a choice in a `Play` stream, which sends its events and the next turn anyway."""
    return b""
