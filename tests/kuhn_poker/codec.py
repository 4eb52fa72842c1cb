"""The codec of Kuhn poker. Cards and actions are counted from 0 in the rules and from 1 in messages."""

from __future__ import annotations

from typing import cast

from fireside.kuhn_poker.v1 import field_numbers as fields
from fireside.kuhn_poker.v1 import kuhn_poker_bot_service_pb2 as bots
from fireside.kuhn_poker.v1 import kuhn_poker_log_pb2 as log
from fireside.kuhn_poker.v1 import kuhn_poker_pb2 as pb
from fireside.kuhn_poker.v1 import kuhn_poker_service_pb2 as verbs
from google.protobuf.message import Message

from engine_core.game import Game, Move
from services.engine.codec import Codec, Messages
from services.engine.codecs.move_kinds import move_kind
from services.engine.codecs.ranges import move_number, require, state_number
from services.engine.wire import Writer
from tests.kuhn_poker.rules import (
    ANTE,
    CARDS,
    FOLDS,
    NO_CARD,
    NO_SEAT,
    SEATS,
    SHOWDOWNS,
    STAKE,
    Act,
    Deal,
    KuhnOptions,
    KuhnPoker,
    KuhnState,
    KuhnView,
    Show,
)

KING = len(CARDS)
LONGEST = 3
"""Actions of a match at most."""


class KuhnPokerCodec(Codec[KuhnState, Move, KuhnOptions, KuhnView]):
    """Converts Kuhn poker to its messages and back."""

    title = "Kuhn Poker"
    game: Game[KuhnState, Move, KuhnOptions, KuhnView] = KuhnPoker()
    service = verbs.DESCRIPTOR.services_by_name["KuhnPokerService"]
    bot_service = bots.DESCRIPTOR.services_by_name["KuhnPokerBotService"]
    messages = Messages(move=pb.Move, event=log.Event, log_entry=log.LogEntry, state=pb.State, view=pb.View)

    def decode_options(self, message: Message) -> KuhnOptions:
        return KuhnOptions()

    def encode_options(self, options: KuhnOptions) -> Message:
        return pb.Options()

    def encode_components(self) -> Message:
        return pb.Components(cards=[pb.CARD_JACK, pb.CARD_QUEEN, pb.CARD_KING], ante=ANTE, bet=STAKE)

    def write_state(self, state: KuhnState) -> bytes:
        out = Writer()
        out.data(fields.State.OPTIONS, b"")
        out.numbers(fields.State.CARDS, state.cards, 1)
        out.numbers(fields.State.ACTIONS, state.actions, 1)
        out.flag(fields.State.SHOWN, state.shown)
        if state.seat_that_left != NO_SEAT:
            out.explicit(fields.State.LEFT, state.seat_that_left)
        return out.to_bytes()

    def decode_state(self, message: Message) -> KuhnState:
        state = cast(pb.State, message)
        require(len(state.cards) == SEATS, "cards", f"{SEATS}, one a seat")
        require(len(state.actions) <= LONGEST, "actions", f"at most {LONGEST}")
        cards = [state_number(card, 0, KING, "cards") - 1 for card in state.cards]
        actions = [state_number(action, 1, 2, "actions") - 1 for action in state.actions]
        left = state_number(state.left, 0, SEATS - 1, "left") if state.HasField("left") else NO_SEAT
        return KuhnState(cards, actions, state.shown, left)

    def check(self, state: KuhnState) -> None:
        dealt = [card for card in state.cards if card != NO_CARD]
        complete = [*SHOWDOWNS, *FOLDS]
        possible = [line[:length] for line in complete for length in range(len(line) + 1)]
        require(len(set(dealt)) == len(dealt), "cards", "a card is there once")
        require(state.cards[0] != NO_CARD or state.cards[1] == NO_CARD, "cards", "seat 0 is dealt first")
        require(state.actions in possible, "actions", "no seat could act so")
        require(not state.actions or len(dealt) == SEATS, "actions", "none until both seats have cards")
        require(not state.shown or state.actions in SHOWDOWNS, "shown", "at a showdown only")
        ended = state.shown or state.actions in FOLDS
        require(state.seat_that_left == NO_SEAT or not ended, "left", "nobody leaves a match that is over")

    def write_move(self, move: Move) -> bytes:
        out = Writer()
        if isinstance(move, Act):
            out.explicit(fields.Move.ACTION, move.action + 1)
            return out.to_bytes()
        if isinstance(move, Deal):
            place = out.begin(fields.Move.DEAL)
            out.number(pb.Move.Deal.SEAT_FIELD_NUMBER, move.seat)
            out.number(pb.Move.Deal.CARD_FIELD_NUMBER, move.card + 1)
        else:
            place = out.begin(fields.Move.SHOW)
            out.numbers(pb.Move.Show.CARDS_FIELD_NUMBER, cast(Show, move).cards, 1)
        out.end(place)
        return out.to_bytes()

    def decode_move(self, message: Message) -> Move:
        move = cast(pb.Move, message)
        kind = move_kind(move)
        if kind == "action":
            return Act(move_number(move.action, 1, 2, "action") - 1)
        if kind == "deal":
            seat = move_number(move.deal.seat, 0, SEATS - 1, "deal.seat")
            return Deal(seat, move_number(move.deal.card, 0, KING, "deal.card") - 1)
        move_number(len(move.show.cards), SEATS, SEATS, "show.cards")
        first, second = [move_number(card, 1, KING, "show.cards") - 1 for card in move.show.cards]
        return Show(first, second)

    def write_view(self, view: KuhnView) -> bytes:
        out = Writer()
        out.numbers(fields.View.CARDS, view.cards, 1)
        out.numbers(fields.View.ACTIONS, view.actions, 1)
        out.numbers(fields.View.PAID, view.paid)
        if view.seat_that_left != NO_SEAT:
            out.explicit(fields.View.LEFT, view.seat_that_left)
        return out.to_bytes()
