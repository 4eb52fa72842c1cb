"""Encoded positions: inline states and moves as the numbers of `engine_core.encodings`, for programs that learn."""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import Any, Final, Generic, Protocol, cast

from fireside.match.v1 import game_field_numbers as fields
from google.protobuf.message import Message

from engine_core.encodings import Encoding, encoding_of
from engine_core.game import Turn
from engine_core.match import Match
from services.engine.codec import Codec, M, O, S, V
from services.engine.wire import Writer

MAX_ENCODINGS: Final = 64
"""Cached encodings of a game: one for each number of seats and options in use."""


class _StateMessage(Protocol):
    options: Message


class EncodedPositions(Generic[S, M, O, V]):
    """Encodes positions of one version of a game."""

    def __init__(self, codec: Codec[S, M, O, V]) -> None:
        self._codec: Final = codec
        self._encoding: Final = lru_cache(MAX_ENCODINGS)(self._new_encoding)

    def encoding(self, message: Message, state: S) -> Encoding:
        """The encoding for the seats of a state and the options of its message.

        Raises `InvalidOption` if the game has none.
        """
        options = cast(_StateMessage, message).options
        return self._encoding(self._codec.game.seat_count(state), options.SerializeToString(deterministic=True))

    def write(self, encoding: Encoding, match: Match[S, M, O, V], encoded_state: bytes) -> bytes:
        """An `EncodedPosition`."""
        state, phase = match.state, match.phase()
        out = Writer()
        out.data(fields.EncodedPosition.STATE, encoded_state)
        if isinstance(phase, Turn):
            seat = phase.seats[0]
            out.explicit(fields.EncodedPosition.SEAT, seat)
            out.data(fields.EncodedPosition.OBSERVATION, encoding.encode(state, seat))
            out.numbers(fields.EncodedPosition.LEGAL_ACTIONS, encoding.legal_actions(state, seat))
        out.number(fields.EncodedPosition.ACTION_COUNT, encoding.action_count)
        if match.is_over():
            out.flag(fields.EncodedPosition.OVER, True)
            returns = encoding.returns(state)
            out.data(fields.EncodedPosition.RETURNS, struct.pack(f"<{len(returns)}d", *returns))
        return out.to_bytes()

    def _new_encoding(self, seat_count: int, options: bytes) -> Encoding:
        message: Any = self._codec.messages.state()
        message.options.ParseFromString(options)
        return encoding_of(self._codec.game, seat_count, self._codec.decode_options(message.options))
