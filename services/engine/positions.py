"""Calls that read one position: its legal moves, score, match, picture, hint, fork and samples."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Generic

from google.protobuf.message import Message

from engine_core.game import SPECTATOR
from engine_core.match import Match
from services.engine.codec import Codec, M, O, S, V
from services.engine.hints.hints import Hints
from services.engine.inline.batch import BatchCalls
from services.engine.inline.calls import InlineCalls
from services.engine.matches.moves import StoredMoves
from services.engine.matches.repository import MatchRepository
from services.engine.matches.shown import ShownPositions
from services.engine.matches.stored_match import StoredMatch
from services.engine.presentation.pictures import PictureCalls
from services.engine.requests import checks
from services.engine.requests.checks import is_inline
from services.engine.requests.messages import (
    ForkRequest,
    GetMatchRequest,
    GetPictureRequest,
    HintRequest,
    LegalMovesRequest,
    RevisionRequest,
    SampleRequest,
    ScoreRequest,
)
from services.engine.requests.seats import (
    authorized_observer,
    observer_of,
    requested_mover,
    requested_observer,
    requested_seat,
)
from services.engine.responses import Responses, StoredFacts, repeated_field
from services.engine.scores import score_of
from services.engine.tables.calls import TableCalls
from services.grpc_server.auth import Claim, SeatTokens
from services.grpc_server.errors import MatchNotOver


class PositionCalls(Generic[S, M, O, V]):
    """Serves the calls that read one position, inline or of a stored match."""

    def __init__(
        self,
        codec: Codec[S, M, O, V],
        responses: Responses[S, M, O, V],
        inline: InlineCalls[S, M, O, V],
        matches: MatchRepository[S, M, O, V],
        shown: ShownPositions[S, M, O, V],
        stored_moves: StoredMoves[S, M, O, V],
        tables: TableCalls[S, M, O, V],
        tokens: SeatTokens,
        hints: Hints[S, M, O, V],
        pictures: PictureCalls[S, M, O, V],
        batch_calls: BatchCalls[S, M, O, V],
    ) -> None:
        self._game: Final = codec.game
        self._responses: Final = responses
        self._inline: Final = inline
        self._matches: Final = matches
        self._shown: Final = shown
        self._stored_moves: Final = stored_moves
        self._tables: Final = tables
        self._tokens: Final = tokens
        self._hints: Final = hints
        self._pictures: Final = pictures
        self._batch_calls: Final = batch_calls

    async def legal_moves(self, request: LegalMovesRequest, authorization: str) -> bytes:
        """The legal moves of a seat; none, and no error, when it is not to move."""
        if is_inline(request):
            checks.check_no_revision(request)
            match = self._inline.match(request)
            return self._responses.legal_moves(match, requested_mover(request, self._game.seat_count(match.state)), 0)
        checks.check_no_nature(request)
        claim = await self._tokens.claim(authorization)
        stored, match, _ = await self._at_revision(request, claim)
        return self._responses.legal_moves(match, authorized_observer(request, stored, claim), match.revision)

    async def score(self, request: ScoreRequest, authorization: str) -> Message:
        """Points and ranks as they are now."""
        if is_inline(request):
            checks.check_no_revision(request)
            return score_of(self._inline.match(request), self._responses.score)
        claim = await self._tokens.claim(authorization)
        _, match, _ = await self._at_revision(request, claim)
        return score_of(match, self._responses.score)

    async def match(self, request: GetMatchRequest, authorization: str) -> bytes:
        """The match as the caller may see it."""
        claim = await self._tokens.claim(authorization)
        stored, match, facts = await self._at_revision(request, claim)
        observer = authorized_observer(request, stored, claim)
        if stored.match.is_over() and not request.HasField("revision"):  # a finished match does not change meanwhile
            facts = replace(facts, rematch=await self._tables.rematch_of(stored))
        return repeated_field([self._responses.match(match, observer, facts)])

    async def picture(self, request: GetPictureRequest, authorization: str) -> bytes:
        """A picture of a position as the caller may see it."""
        self._pictures.check(request)
        if is_inline(request):
            checks.check_no_revision(request)
            state = self._inline.match(request).state
            observer = requested_observer(request, self._game.seat_count(state))
            return await self._pictures.picture(request, state, observer, ())
        claim = await self._tokens.claim(authorization)
        stored, match, facts = await self._at_revision(request, claim)
        observer = authorized_observer(request, stored, claim)
        return await self._pictures.picture(request, match.state, observer, facts.seats)

    async def hint(self, request: HintRequest, authorization: str) -> Message:
        """The value of each legal move of a seat, from what it knows. Raises `Busy` for a caller with many hints."""
        evaluator = self._hints.evaluator(request)
        async with self._hints.queues.turn():
            state, revision, seat = await self._hint_position(request, authorization)
            return await self._hints.hint(request, evaluator, state, revision, seat)

    async def _hint_position(self, request: HintRequest, authorization: str) -> tuple[S, int, int]:
        """The position of a hint, which nobody changes, its revision, and the seat; in a match in play it is logged."""
        if is_inline(request):
            checks.check_no_revision(request)
            state = self._inline.match(request).state
            return state, 0, requested_seat(request, self._game.seat_count(state))
        claim = await self._tokens.claim(authorization)
        stored, match, _ = await self._at_revision(request, claim)
        if not stored.match.is_over():
            if match.revision != stored.shown_revision(observer_of(stored, claim)):
                raise MatchNotOver(request.match_id)
            return await self._stored_moves.log_hint(request, authorization)
        # The record of a finished match is open to all who may see it, so they may ask for any seat.
        own = observer_of(stored, claim)
        is_own = own != SPECTATOR and not request.HasField("seat")
        return match.state, match.revision, own if is_own else requested_seat(request, len(stored.facts.seats))

    async def fork(self, request: ForkRequest, authorization: str) -> bytes:
        """A position of a finished match as an inline state."""
        claim = await self._tokens.claim(authorization)
        stored, match, _ = await self._at_revision(request, claim)
        if not stored.match.is_over():
            raise MatchNotOver(request.match_id)
        return self._responses.replay(match, observer_of(stored, claim))

    async def sample(self, request: SampleRequest, authorization: str) -> bytes:
        """Full states consistent with an observer's view; of a stored match only for the token's own seat."""
        checks.check_sample(request)
        if is_inline(request):
            match = self._inline.match(request)
            seat = requested_observer(request, self._game.seat_count(match.state))
            return await self._batch_calls.sample(request, match.state, seat)
        claim = await self._tokens.claim(authorization)
        stored, _ = await self._matches.checkout(request.match_id)
        observer = authorized_observer(request, stored, claim)
        shown = await self._shown.at(stored, observer)
        return await self._batch_calls.sample(request, shown.match.state, observer)

    async def _at_revision(
        self, request: RevisionRequest, claim: Claim | None
    ) -> tuple[StoredMatch[S, M, O, V], Match[S, M, O, V], StoredFacts]:
        """The match, to be read only, and its position and facts at the revision of a request, or as shown now.

        Raises what `ShownPositions.at` and `observer_of` raise.
        """
        checks.check_revision(request.revision, "revision")
        stored = await self._matches.peek(request.match_id)
        revision = request.revision if request.HasField("revision") else None
        match, facts = await self._shown.at(stored, observer_of(stored, claim), revision)
        return stored, match, facts
