"""Codec of Fire Bulls. Kinds of cards are counted from 0 in the rules and from 1 in messages."""

from __future__ import annotations

from typing import Final, cast

from fireside.fire_bulls.v1 import fire_bulls_bot_service_pb2 as bots
from fireside.fire_bulls.v1 import fire_bulls_log_pb2 as log
from fireside.fire_bulls.v1 import fire_bulls_pb2 as pb
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from google.protobuf.message import Message

from engine_core.game import Game, Move
from engine_core.games.fire_bulls import consistency
from engine_core.games.fire_bulls.rules import FireBulls
from engine_core.games.fire_bulls.state import FireBullsOptions, FireBullsState
from engine_core.games.fire_bulls.view import FireBullsView
from services.engine.codec import Codec, Messages
from services.engine.codecs.fire_bulls.components import encode_components
from services.engine.codecs.fire_bulls.moves import decode_move, write_move
from services.engine.codecs.fire_bulls.options import decode_options, encode_options
from services.engine.codecs.fire_bulls.states import decode_state, write_state
from services.engine.codecs.fire_bulls.views import Views


class FireBullsCodec(Codec[FireBullsState, Move, FireBullsOptions, FireBullsView]):
    """Converts Fire Bulls to its messages and back."""

    title = "Fire Bulls"
    game: Game[FireBullsState, Move, FireBullsOptions, FireBullsView] = FireBulls()
    service = verbs.DESCRIPTOR.services_by_name["FireBullsService"]
    bot_service = bots.DESCRIPTOR.services_by_name["FireBullsBotService"]
    messages = Messages(move=pb.Move, event=log.Event, log_entry=log.LogEntry, state=pb.State, view=pb.View)

    def __init__(self) -> None:
        super().__init__()
        self._views: Final = Views()

    def decode_options(self, message: Message) -> FireBullsOptions:
        return decode_options(cast(pb.Options, message))

    def encode_options(self, options: FireBullsOptions) -> Message:
        return encode_options(options)

    def encode_components(self) -> Message:
        return encode_components()

    def write_state(self, state: FireBullsState) -> bytes:
        return write_state(state)

    def decode_state(self, message: Message) -> FireBullsState:
        return decode_state(cast(pb.State, message))

    def check(self, state: FireBullsState) -> None:
        consistency.check(state)

    def write_move(self, move: Move) -> bytes:
        return write_move(move)

    def decode_move(self, message: Message) -> Move:
        return decode_move(cast(pb.Move, message))

    def write_view(self, view: FireBullsView) -> bytes:
        return self._views.write(view)


CODECS: Final = [FireBullsCodec()]
"""One codec for each version of the rules, the oldest first."""
