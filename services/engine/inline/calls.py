"""Calls on inline states: the caller sends the whole state and gets the next one back, and nothing is stored."""

from __future__ import annotations

from typing import Final, Generic, cast

from google.protobuf.message import Message

from engine_core.game import NATURE, SPECTATOR
from engine_core.match import Match
from services.engine.codec import Codec, M, O, S, V
from services.engine.inline.encoded import EncodedPositions
from services.engine.inline.fast_path import InlineMoves
from services.engine.inline.state_cache import StateCache, luck
from services.engine.presentation.views import copy_if_wanted, offer_entries
from services.engine.requests import checks
from services.engine.requests.messages import ApplyRequest, NewGameRequest, PositionRequest
from services.engine.requests.seats import check_expected_revision, requested_mover
from services.engine.responses import INLINE, Responses


class InlineCalls(Generic[S, M, O, V]):
    """Serves the calls on inline states of one version of a game."""

    def __init__(self, codec: Codec[S, M, O, V], responses: Responses[S, M, O, V]) -> None:
        self._codec: Final = codec
        self._game: Final = codec.game
        self._responses: Final = responses
        self._states: Final = StateCache(codec)
        self._moves: Final = InlineMoves(codec, responses, self._states)
        self._encoded: Final = EncodedPositions(codec)
        self.fast_apply: Final = self._moves.fast_apply
        """Fast path of `apply_to_state`, on the bytes of an `ApplyRequest`; None if they need the general path."""

    def new_game(self, state: S, request: NewGameRequest) -> bytes:
        """Begin a match in its initial state."""
        manual = checks.is_chance_manual(request, request.client_seed, "clientSeed")
        drawn = None if manual else luck(request.client_seed, self._codec.write_state(state))
        match = Match(self._game, state, drawn)
        match.begin()
        return self._responses.new_game(match, INLINE, [])

    def match(self, request: PositionRequest) -> Match[S, M, O, V]:
        """The match of an inline state; it must not be changed."""
        return Match(self._game, self._states.get_or_decode(request.state, _canonical(request.state)).state, None)

    def apply_to_state(self, request: ApplyRequest) -> tuple[Match[S, M, O, V], bytes]:
        """Make a move, or only validate it; the match after it, and the response."""
        match, seat, move = self._requested_step(request)
        observer = SPECTATOR if seat == NATURE else seat
        if request.validate_only:
            match.check_move(seat, move)
            return match, self._responses.step(0, self._responses.match(match, observer, INLINE), [], None)
        before = copy_if_wanted(self._game, match.state)
        entries = match.play(seat, move)
        offer_entries(self._game, before, entries, observer)
        response = self._moves.response(match, entries, observer)
        return match, response + self._responses.next_turn(match, seat) if request.next else response

    def encoded_step(self, request: ApplyRequest) -> tuple[Match[S, M, O, V], bytes]:
        """Make a move, if the request has one; the match after it, and its `EncodedPosition`."""
        if request.WhichOneof("choice") is None:
            match = self.match(request)
        else:
            match, seat, move = self._requested_step(request)
            if request.validate_only:
                match.check_move(seat, move)
            else:
                match.play(seat, move)
        state = self._codec.write_inline_state(match.state)
        self._states.put(state, match.state)
        return match, self._encoded.write(self._encoded.encoding(request.state, match.state), match, state)

    def _requested_step(self, request: ApplyRequest) -> tuple[Match[S, M, O, V], int, M]:
        """The match of an inline state, which may be changed, with the seat or nature that moves, and the move."""
        checks.check_texts(request)
        canonical = _canonical(request.state)
        manual = checks.is_chance_manual(request, request.seed, "seed")
        position = self._states.get_or_decode(request.state, canonical)  # shared: it is copied before a move
        if request.WhichOneof("choice") == "action":
            move = cast(M, self._encoded.encoding(request.state, position.state).move(request.action))
        else:
            move = checks.requested_move(self._codec, request)
        match = Match(self._game, self._game.copy(position.state), None if manual else position.luck(request.seed))
        seat = requested_mover(request, self._game.seat_count(match.state))
        check_expected_revision(request, match, seat)
        return match, seat, move


def _canonical(state: Message) -> bytes:
    """The canonical bytes of a state without unknown fields, from which seeded draws follow."""
    state.DiscardUnknownFields()  # else a client with newer protos would get other draws
    return state.SerializeToString(deterministic=True)
