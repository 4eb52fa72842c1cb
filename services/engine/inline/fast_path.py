"""Fast path of moves on inline states, which programs make by the million.

A request can be read in two ways. The general way (`InlineCalls`) parses any request as a message of its game, and
names what is wrong with it. The fast path takes a request of only a seat, a state that is cached, a move and perhaps a
seed, and leaves state and move as bytes, by which it finds them decoded. All other requests, and all errors, it leaves
to the general way; its responses are equal to the byte.
"""

from __future__ import annotations

from typing import Final, Generic

from fireside.match.v1.encoded_pb2 import EncodedApplyRequest
from google.protobuf.message import DecodeError

from engine_core.errors import GameError
from engine_core.match import Match
from services.engine.codec import Codec, M, O, S, V
from services.engine.inline.state_cache import StateCache
from services.engine.requests.checks import SEED_MOST
from services.engine.responses import INLINE, Responses
from services.grpc_server.errors import ServiceError

MOVES_MOST: Final = 4096
"""How many decoded moves are cached."""
MOVE_BYTES_MOST: Final = 64
"""A longer encoding is not cached."""


class InlineMoves(Generic[S, M, O, V]):
    """Moves on inline states of one version of a game."""

    def __init__(
        self, codec: Codec[S, M, O, V], responses: Responses[S, M, O, V], states: StateCache[S, M, O, V]
    ) -> None:
        self._codec: Final = codec
        self._responses: Final = responses
        self._states: Final = states
        self._moves: Final[dict[bytes, M]] = {}

    def fast_apply(self, request: bytes) -> bytes | None:
        """The response to the bytes of an `ApplyRequest`; None where they need the general way."""
        try:
            return self._apply(request)
        except (GameError, ServiceError, DecodeError):
            return None  # the general way says why

    def _apply(self, request: bytes) -> bytes | None:
        fields = EncodedApplyRequest.FromString(request)
        fields.DiscardUnknownFields()
        # A request with other fields, or with a field twice, is longer than what was parsed of it.
        if fields.ByteSize() != len(request) or not fields.HasField("seat") or fields.seat < 0 or not fields.move:
            return None
        seat, seed = fields.seat, fields.seed
        if len(seed) > SEED_MOST:
            return None
        position = self._states.get(fields.state)
        if position is None:
            return None
        match = Match(self._codec.game, self._codec.game.copy(position.state), position.luck(seed))
        return self.play(match, seat, self._move(fields.move), seat)

    def play(self, match: Match[S, M, O, V], seat: int, move: M, observer: int) -> bytes:
        """Make a move, and nature's that follow it; the response to an observer. Raises what `Match.play` raises."""
        codec = self._codec
        entries = match.play(seat, move)
        events = [codec.write_event(entry, observer) for entry in entries]
        state = codec.write_inline_state(match.state)
        self._states.put(state, match.state)
        return self._responses.step(0, self._responses.match(match, observer, INLINE), events, state)

    def _move(self, data: bytes) -> M:
        move = self._moves.get(data)
        if move is None:
            move = self._codec.decode_move(self._codec.messages.move.FromString(data))
            if len(self._moves) < MOVES_MOST and len(data) <= MOVE_BYTES_MOST:
                self._moves[data] = move
        return move
