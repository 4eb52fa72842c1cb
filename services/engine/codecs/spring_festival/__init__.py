"""Codec of Spring Festival. Tiles and cards are counted from 0 in the rules and from 1 in messages."""

from __future__ import annotations

from typing import Final, cast

from fireside.spring_festival.v1 import spring_festival_bot_service_pb2 as bots
from fireside.spring_festival.v1 import spring_festival_log_pb2 as log
from fireside.spring_festival.v1 import spring_festival_pb2 as pb
from fireside.spring_festival.v1 import spring_festival_service_pb2 as verbs
from google.protobuf.message import Message

from engine_core.game import Game, Move
from engine_core.games.spring_festival import consistency
from engine_core.games.spring_festival.rules import SpringFestival
from engine_core.games.spring_festival.state import SpringFestivalOptions, SpringFestivalState
from engine_core.games.spring_festival.view import SpringFestivalView
from services.engine.codec import Codec, Messages
from services.engine.codecs.spring_festival.components import encode_components
from services.engine.codecs.spring_festival.moves import decode_move, write_move
from services.engine.codecs.spring_festival.options import decode_options, write_options
from services.engine.codecs.spring_festival.states import decode_state, write_state
from services.engine.codecs.spring_festival.views import write_view


class SpringFestivalCodec(Codec[SpringFestivalState, Move, SpringFestivalOptions, SpringFestivalView]):
    """Converts Spring Festival to its messages and back."""

    title = "Spring Festival"
    game: Game[SpringFestivalState, Move, SpringFestivalOptions, SpringFestivalView] = SpringFestival()
    service = verbs.DESCRIPTOR.services_by_name["SpringFestivalService"]
    bot_service = bots.DESCRIPTOR.services_by_name["SpringFestivalBotService"]
    messages = Messages(move=pb.Move, event=log.Event, log_entry=log.LogEntry, state=pb.State, view=pb.View)

    def decode_options(self, message: Message) -> SpringFestivalOptions:
        return decode_options(cast(pb.Options, message))

    def encode_options(self, options: SpringFestivalOptions) -> Message:
        return pb.Options.FromString(write_options(options))

    def encode_components(self) -> Message:
        return encode_components()

    def write_state(self, state: SpringFestivalState) -> bytes:
        return write_state(state)

    def decode_state(self, message: Message) -> SpringFestivalState:
        return decode_state(cast(pb.State, message))

    def check(self, state: SpringFestivalState) -> None:
        consistency.check(state)

    def write_move(self, move: Move) -> bytes:
        return write_move(move)

    def decode_move(self, message: Message) -> Move:
        return decode_move(cast(pb.Move, message))

    def write_view(self, view: SpringFestivalView) -> bytes:
        return write_view(view)


CODECS: Final = [SpringFestivalCodec()]
"""One codec for each version of the rules, the oldest first."""
