"""Encoding of Kuhn poker: pass and bet as actions, and the cards and actions that a seat sees as numbers."""

from __future__ import annotations

from typing import Any, Final

from engine_core.encodings import Encoding, relative
from engine_core.encodings.actions import ActionTable, Block, argument
from engine_core.encodings.layout import Layout
from engine_core.game import Game, Options
from tests.kuhn_poker.rules import BET, CARDS, NO_CARD, NO_SEAT, PASS, SEATS, Act, KuhnState, KuhnView

MAX_ACTIONS: Final = 3
ACTIONS: Final = ActionTable([Block(Act, [argument([PASS, BET])])])


class KuhnEncoding(Encoding):
    """The numbers of Kuhn poker."""

    max_moves = MAX_ACTIONS
    max_chance_outcomes = len(CARDS)

    def __init__(self, game: Game[Any, Any, Any, Any], seat_count: int, options: Options) -> None:
        layout = Layout()
        self.cards: Final = layout.add("cards", SEATS * len(CARDS), 1, "the known card of each seat is 1")
        self.acts: Final = layout.add("actions", MAX_ACTIONS * 2, 1, "pass or bet is 1, for each action so far")
        self.paid: Final = layout.add("paid", SEATS, 2, "chips that each seat has paid")
        self.left: Final = layout.add("left", SEATS, 1, "1 for a seat whose player has left")
        super().__init__(game, seat_count, options, ACTIONS, layout)

    def encode(self, state: KuhnState, seat: int) -> bytes:
        view: KuhnView = self.game.view(state, seat)
        row = bytearray(self.layout.size)
        for number, card in enumerate(view.cards):
            if card != NO_CARD:
                row[self.cards + relative(number, seat, SEATS) * len(CARDS) + card] = 1
        for number, action in enumerate(view.actions):
            row[self.acts + number * 2 + action] = 1
        for number, chips in enumerate(view.paid):
            row[self.paid + relative(number, seat, SEATS)] = chips
        if view.seat_that_left != NO_SEAT:
            row[self.left + relative(view.seat_that_left, seat, SEATS)] = 1
        return bytes(row)


def encoding(game: Game[Any, Any, Any, Any], seat_count: int, options: Options) -> KuhnEncoding:
    """The encoding of Kuhn poker."""
    return KuhnEncoding(game, seat_count, options)
