"""Encoding of Fire Bulls: the table of its actions, and the layout of observations."""

from __future__ import annotations

from typing import Any, Final

from engine_core import packed
from engine_core.encodings import Encoding, relative
from engine_core.encodings.actions import ActionTable, Block, each
from engine_core.encodings.layout import Features, Layout
from engine_core.game import Game, Options
from engine_core.games.fire_bulls import components, moves, stages
from engine_core.games.fire_bulls.state import GENERAL_WON, FireBullsOptions
from engine_core.games.fire_bulls.view import NO_HAND, FireBullsSeatView, FireBullsView

BULLS: Final = len(components.ATTACK_CARDS)
CARDS: Final = components.POINT_KINDS
PLACES: Final = components.DIRECTIONS + 1
"""Directions, and 0 for none."""
MOST_IN_DECK: Final = 54
MOST_OF_A_CARD: Final = 10
MAX_TURN_MOVES: Final = 64
"""More than the moves of any turn: 3 captures with their powers and stops, 4 prices, and cards released.

A hand is at most 8 cards at the start of a turn, and gets at most 3 bonus cards, 3 of Bos and 4 of the general.
"""


def _payments(profile: str) -> list[int]:
    """All payments of a profile, for whatever card."""
    tables = moves.payment_tables(profile)
    return sorted({payment for payments in tables.payments for payment in payments})


def _table(profile: str) -> ActionTable:
    payments = _payments(profile)
    directions = each(components.ALL_DIRECTIONS)
    cards = each(list(range(CARDS)))
    bulls = each(list(range(BULLS)))
    return ActionTable(
        [
            Block(moves.Take, [bulls]),
            Block(moves.Draw, []),
            Block(moves.Step, [directions]),
            Block(moves.Attack, [directions, each(payments)]),
            Block(moves.AttackGeneral, [each(moves.payment_tables(profile).payments[components.GENERAL])]),
            Block(moves.Capture, [each(payments)]),
            Block(moves.Stop, []),
            Block(moves.Power, [each([0, 1])]),
            Block(moves.Price, [cards]),
            Block(moves.Release, [bulls]),
            Block(moves.Pass, []),
        ]
    )


_TABLES: Final[dict[str, ActionTable]] = {}


def _action_table(profile: str) -> ActionTable:
    if profile not in _TABLES:
        _TABLES[profile] = _table(profile)
    return _TABLES[profile]


class FireBullsEncoding(Encoding):
    """The numbers of Fire Bulls."""

    def __init__(self, game: Game[Any, Any, Any, Any], seat_count: int, options: FireBullsOptions) -> None:
        layout = Layout()
        self.stage: Final = layout.add("stage", stages.OVER + 1, 1, "what happens next, one of the stages is 1")
        self.active: Final = layout.add("active", seat_count, 1, "the active seat is 1, relative to the observer")
        self.places: Final = layout.add("places", seat_count * PLACES, 1, "the direction of each seat's pawn is 1")
        self.colours: Final = layout.add("colours", seat_count * 5, 1, "the colour of each seat is 1")
        self.hand_sizes: Final = layout.add("hand_sizes", seat_count, MOST_IN_DECK, "bulls in each hand")
        self.hand: Final = layout.add("hand", BULLS, MOST_OF_A_CARD, "the observer's bulls by kind")
        self.known: Final = layout.add("known_cards", seat_count * BULLS, MOST_OF_A_CARD, "bulls known to be in a hand")
        self.victory: Final = layout.add("victory", seat_count * CARDS, 8, "captured point cards by seat and kind")
        self.won: Final = layout.add("won_this_turn", CARDS, 8, "those of the active seat that are of this turn")
        self.penalty: Final = layout.add("penalty", seat_count * CARDS, 1, "the card that a seat lost at the end is 1")
        self.left: Final = layout.add("left", seat_count, 1, "1 for a seat whose player has left")
        self.squares: Final = layout.add("squares", components.SQUARES * CARDS, 1, "the card of each square is 1")
        self.piles: Final = layout.add("piles", components.PILES, components.PILE_SIZE, "cards left in each pile")
        self.undrawn: Final = layout.add("undrawn", CARDS, 8, "point cards not yet turned up, by kind")
        self.removed: Final = layout.add("removed", CARDS, 8, "point cards out of the game, by kind")
        self.general: Final = layout.add(
            "general", GENERAL_WON + 1, 1, "where the general is: 1 hidden, 2 aside, 3 won"
        )
        self.general_winner: Final = layout.add("general_winner", seat_count, 1, "the seat that won the general is 1")
        self.deck_size: Final = layout.add("deck_size", 1, MOST_IN_DECK, "bulls in the Qi deck")
        self.deck_at_most: Final = layout.add("deck_at_most", BULLS, MOST_OF_A_CARD, "most bulls of a kind in the deck")
        self.discards: Final = layout.add("discards", BULLS, MOST_OF_A_CARD, "discarded bulls by kind")
        self.reserve: Final = layout.add("reserve", BULLS, MOST_OF_A_CARD, "bulls of the Reserve by kind")
        self.exhaustions: Final = layout.add("exhaustions", 1, components.EXHAUSTIONS_TO_END, "exhaustions so far")
        quiet = components.QUIET_TURNS_PER_SEAT * seat_count
        self.quiet_turns: Final = layout.add("quiet_turns", 1, quiet, "quiet turns in a row")
        self.direction: Final = layout.add("direction", PLACES, 1, "the direction of the attack is 1, 0 without one")
        self.captures: Final = layout.add("captures", 1, 3, "cards captured in this attack")
        self.capture_limit: Final = layout.add("capture_limit", 1, 3, "most cards of this attack")
        self.owed: Final = layout.add("warriors_owed", 1, components.WARRIORS, "prices still to be paid")
        self.power: Final = layout.add("power", CARDS, 1, "the card whose power may be used is 1")
        super().__init__(game, seat_count, options, _action_table(options.profile), layout)
        # Each turn takes a card off the deck, of which there are 3 times 54 at most, captures one of 54, or is quiet.
        turns = (components.EXHAUSTIONS_TO_END + 1) * MOST_IN_DECK * (quiet + 1)
        self.max_moves = turns * MAX_TURN_MOVES
        self.max_chance_outcomes = CARDS

    def encode(self, view: FireBullsView, seat: int) -> Features:
        features = Features(self.layout.size)
        features.put(self.stage + view.stage, 1)
        if view.active_seat >= 0:
            features.put(self.active + relative(view.active_seat, seat, self.seat_count), 1)
            features.put_bytes(self.won, view.seats[view.active_seat].won_this_turn)
        for number, each_seat in enumerate(view.seats):
            self._encode_seat(features, each_seat, relative(number, seat, self.seat_count))
        for square, card in enumerate(view.squares):
            if card != components.EMPTY:
                features.put(self.squares + square * CARDS + card, 1)
        features.put_bytes(self.piles, view.piles)
        features.put_bytes(self.undrawn, view.undrawn)
        features.put_bytes(self.removed, view.removed)
        features.put(self.general + view.general_place, 1)
        if view.general_winner >= 0:
            features.put(self.general_winner + relative(view.general_winner, seat, self.seat_count), 1)
        features.put(self.deck_size, view.deck_size)
        features.put_all(self.deck_at_most, packed.unpack(view.deck_at_most, BULLS))
        features.put_all(self.discards, packed.unpack(view.discards, BULLS))
        features.put_all(self.reserve, packed.unpack(view.reserve, BULLS))
        features.put(self.exhaustions, view.exhaustions)
        features.put(self.quiet_turns, view.quiet_turns)
        features.put(self.direction + view.direction, 1)
        features.put(self.captures, view.captures)
        features.put(self.capture_limit, view.capture_limit)
        features.put(self.owed, view.warriors_owed)
        if view.power_card != components.EMPTY:
            features.put(self.power + view.power_card, 1)
        return features

    def _encode_seat(self, features: Features, seat: FireBullsSeatView, number: int) -> None:
        """Encode a seat, the `number`-th clockwise of the observer."""
        features.put(self.places + number * PLACES + seat.place, 1)
        features.put(self.colours + number * 5 + seat.colour, 1)
        features.put(self.hand_sizes + number, seat.hand_size)
        if seat.hand != NO_HAND:
            features.put_all(self.hand, packed.unpack(seat.hand, BULLS))
        features.put_all(self.known + number * BULLS, packed.unpack(seat.known_cards, BULLS))
        features.put_bytes(self.victory + number * CARDS, seat.victory)
        if seat.penalty != components.EMPTY:
            features.put(self.penalty + number * CARDS + seat.penalty, 1)
        features.put(self.left + number, int(seat.has_left))


def encoding(game: Game[Any, Any, Any, Any], seat_count: int, options: Options) -> FireBullsEncoding:
    """The encoding of Fire Bulls with a number of seats and options."""
    assert isinstance(options, FireBullsOptions)
    return FireBullsEncoding(game, seat_count, options)
