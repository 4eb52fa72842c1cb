"""Moves on inline states: made for programs that make them by the million.

A request can be read in two ways. The careful one takes any request as a message, and says what is wrong with it
(`Servicer.apply`). The quick one takes bytes as every library writes them, of a request that names a seat, a state that
is known and a move, and perhaps a seed: no message is made of it. Whatever is otherwise, it leaves to the careful one;
what it answers is the same to the last byte.
"""

from __future__ import annotations

from typing import Final, Generic

from fireside.match.v1.encoded_pb2 import EncodedApplyRequest
from google.protobuf.message import DecodeError

from engine_core.errors import GameError
from engine_core.match import Match
from services.engine.codec import Codec, M, O, S, V
from services.engine.inline.state_cache import StateCache
from services.engine.request_checks import SEED_MOST
from services.engine.responses import INLINE, Responses
from services.grpc_server.errors import ServiceError

MOVES_MOST: Final = 4096
"""How many moves are kept decoded."""
MOVE_BYTES_MOST: Final = 64
"""A longer one is kept by nobody."""


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
        """The answer to an `ApplyRequest`; None where it is to be read with care."""
        try:
            return self._answer(request)
        except (GameError, ServiceError, DecodeError):
            return None  # and the careful way says why

    def _answer(self, request: bytes) -> bytes | None:
        fields = EncodedApplyRequest.FromString(request)
        fields.DiscardUnknownFields()
        # Only a request with other fields, or with one twice, is longer than what was read of it.
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
        """Make a move, and nature's that follow it; the answer to who made it. Raises what `Match.play` raises."""
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
