"""Codec of Fireship. Islands, kinds and colours are counted from 0 in the rules and from 1 in messages."""

from __future__ import annotations

from typing import Final, cast

from fireside.fireship.v1 import fireship_bot_service_pb2 as bots
from fireside.fireship.v1 import fireship_log_pb2 as log
from fireside.fireship.v1 import fireship_pb2 as pb
from fireside.fireship.v1 import fireship_service_pb2 as verbs
from google.protobuf.message import Message

from engine_core.game import Game, Move
from engine_core.games.fireship import consistency
from engine_core.games.fireship.rules import Fireship
from engine_core.games.fireship.state import FireshipOptions, FireshipState
from engine_core.games.fireship.view import FireshipView
from services.engine.codec import Codec, Messages
from services.engine.codecs.fireship.components import encode_components
from services.engine.codecs.fireship.moves import decode_move, write_move
from services.engine.codecs.fireship.options import decode_options, encode_options
from services.engine.codecs.fireship.states import decode_state, write_state
from services.engine.codecs.fireship.views import write_view


class FireshipCodec(Codec[FireshipState, Move, FireshipOptions, FireshipView]):
    """Converts Fireship to its messages and back."""

    title = "Fireship - The GAME"
    game: Game[FireshipState, Move, FireshipOptions, FireshipView] = Fireship()
    service = verbs.DESCRIPTOR.services_by_name["FireshipService"]
    bot_service = bots.DESCRIPTOR.services_by_name["FireshipBotService"]
    messages = Messages(move=pb.Move, event=log.Event, log_entry=log.LogEntry, state=pb.State, view=pb.View)

    def decode_options(self, message: Message) -> FireshipOptions:
        return decode_options(cast(pb.Options, message))

    def encode_options(self, options: FireshipOptions) -> Message:
        return encode_options(options)

    def encode_components(self) -> Message:
        return encode_components()

    def write_state(self, state: FireshipState) -> bytes:
        return write_state(state)

    def decode_state(self, message: Message) -> FireshipState:
        return decode_state(cast(pb.State, message))

    def check(self, state: FireshipState) -> None:
        consistency.check(state)

    def write_move(self, move: Move) -> bytes:
        return write_move(move)

    def decode_move(self, message: Message) -> Move:
        return decode_move(cast(pb.Move, message))

    def write_view(self, view: FireshipView) -> bytes:
        return write_view(view)


CODECS: Final = [FireshipCodec()]
"""One codec for each version of the rules, the oldest first."""
