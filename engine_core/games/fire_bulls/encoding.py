"""Encoding of Fire Bulls: the table of its actions, and the layout of observations."""

from __future__ import annotations

from typing import Any, Final

from engine_core import packed
from engine_core.encodings import Encoding, relative
from engine_core.encodings.actions import ActionTable, Block, argument
from engine_core.encodings.layout import BYTES, Layout, add_counts, one_hot_table
from engine_core.game import Game, Options
from engine_core.games.fire_bulls import components, moves, stages
from engine_core.games.fire_bulls.components import NO_POINT_CARDS
from engine_core.games.fire_bulls.state import GENERAL_WON, FireBullsOptions, FireBullsSeat, FireBullsState

BULLS: Final = len(components.ATTACK_CARDS)
CARDS: Final = components.POINT_KINDS
PLACES: Final = components.DIRECTIONS + 1
"""Directions, and 0 for none."""
COLOURS: Final = len(components.COLOURS)
STAGES: Final = one_hot_table(stages.OVER + 1)
DIRECTIONS: Final = one_hot_table(PLACES)
SEAT_COLOURS: Final = one_hot_table(COLOURS)
POINT_CARDS: Final = one_hot_table(CARDS)
"""By kind; `EMPTY` is the last."""
GENERAL_PLACES: Final = one_hot_table(GENERAL_WON + 1)
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


def _actions(profile: str) -> ActionTable:
    payments = _payments(profile)
    directions = argument(components.ALL_DIRECTIONS)
    cards = argument(list(range(CARDS)))
    bulls = argument(list(range(BULLS)))
    return ActionTable(
        [
            Block(moves.Take, [bulls]),
            Block(moves.Draw, []),
            Block(moves.Step, [directions]),
            Block(moves.Attack, [directions, argument(payments)]),
            Block(moves.AttackGeneral, [argument(moves.payment_tables(profile).payments[components.GENERAL])]),
            Block(moves.Capture, [argument(payments)]),
            Block(moves.Stop, []),
            Block(moves.Power, [argument([0, 1])]),
            Block(moves.Price, [cards]),
            Block(moves.Release, [bulls]),
            Block(moves.Pass, []),
        ]
    )


ACTIONS: Final = {profile: _actions(profile) for profile in components.RULES_BY_PROFILE}
"""The table of each profile."""


class FireBullsEncoding(Encoding):
    """The numbers of Fire Bulls. `encode` writes the slices in the order in which the constructor adds them."""

    def __init__(self, game: Game[Any, Any, Any, Any], seat_count: int, options: FireBullsOptions) -> None:
        layout = Layout()
        quiet = components.QUIET_TURNS_PER_SEAT * seat_count
        layout.add("stage", stages.OVER + 1, 1, "what happens next, one of the stages is 1")
        layout.add("active", seat_count, 1, "the active seat is 1, relative to the observer")
        layout.add("hand", BULLS, MOST_OF_A_CARD, "the observer's bulls by kind")
        for seat in range(seat_count):
            layout.add(f"place_{seat}", PLACES, 1, "the direction of the seat's pawn is 1")
            layout.add(f"colour_{seat}", COLOURS, 1, "the colour of the seat is 1")
            layout.add(f"hand_size_{seat}", 1, MOST_IN_DECK, "bulls in the seat's hand")
            layout.add(f"known_cards_{seat}", BULLS, MOST_OF_A_CARD, "bulls known to be in its hand")
            layout.add(f"victory_{seat}", CARDS, MOST_OF_A_CARD, "its captured point cards by kind")
            layout.add(f"won_this_turn_{seat}", CARDS, MOST_OF_A_CARD, "those of them that are of this turn")
            layout.add(f"penalty_{seat}", CARDS, 1, "the card that it lost at the end is 1")
            layout.add(f"left_{seat}", 1, 1, "1 if the seat's player has left")
        for square in components.SQUARE_NAMES:
            layout.add(f"square_{square}", CARDS, 1, "the card on the square is 1")
        layout.add("piles", components.PILES, components.PILE_SIZE, "cards left in each pile")
        layout.add("undrawn", CARDS, MOST_OF_A_CARD, "point cards not yet turned up, by kind")
        layout.add("removed", CARDS, MOST_OF_A_CARD, "point cards out of the game, by kind")
        layout.add("general", GENERAL_WON + 1, 1, "where the general is: 1 hidden, 2 aside, 3 won")
        layout.add("general_winner", seat_count, 1, "the seat that won the general is 1")
        layout.add("deck_size", 1, MOST_IN_DECK, "bulls in the Qi deck")
        layout.add("deck_at_most", BULLS, MOST_OF_A_CARD, "most bulls of a kind in the deck")
        layout.add("discards", BULLS, MOST_OF_A_CARD, "discarded bulls by kind")
        layout.add("reserve", BULLS, MOST_OF_A_CARD, "bulls of the Reserve by kind")
        layout.add("exhaustions", 1, components.EXHAUSTIONS_TO_END, "exhaustions so far")
        layout.add("quiet_turns", 1, quiet, "quiet turns in a row")
        layout.add("direction", PLACES, 1, "the direction of the attack is 1, 0 without one")
        layout.add("captures", 1, 3, "cards captured in this attack")
        layout.add("capture_limit", 1, 3, "most cards of this attack")
        layout.add("warriors_owed", 1, components.WARRIORS, "prices still to be paid")
        layout.add("power", CARDS, 1, "the card whose power may be used is 1")
        super().__init__(game, seat_count, options, ACTIONS[options.profile], layout)
        # Each turn takes a card off the deck, of which there are 3 times 54 at most, captures one of 54, or is quiet.
        turns = (components.EXHAUSTIONS_TO_END + 1) * MOST_IN_DECK * (quiet + 1)
        self.max_moves = turns * MAX_TURN_MOVES
        self.max_chance_outcomes = CARDS
        self._seats: Final = one_hot_table(seat_count)

    def encode(self, state: FireBullsState, seat: int) -> bytes:
        count = self.seat_count
        active, winner = state.active_seat, state.general_winner
        own = state.seats[seat]
        pieces = [STAGES[state.stage], self._seats[relative(active, seat, count) if active >= 0 else count]]
        add_counts(pieces, own.hand, BULLS)
        for number in range(seat, seat + count):
            place = number if number < count else number - count
            _add_seat(pieces, state.seats[place], state.won_this_turn if place == active else NO_POINT_CARDS)
        for card in state.squares:
            pieces.append(POINT_CARDS[card])
        pieces += [
            state.piles,
            state.undrawn,
            state.removed,
            GENERAL_PLACES[state.general_place],
            self._seats[relative(winner, seat, count) if winner >= 0 else count],
            BYTES[packed.size(state.deck)],
        ]
        add_counts(pieces, own.deck_at_most, BULLS)
        add_counts(pieces, state.discards, BULLS)
        add_counts(pieces, state.reserve, BULLS)
        pieces += [
            BYTES[state.exhaustions],
            BYTES[state.quiet_turns],
            DIRECTIONS[state.direction],
            BYTES[state.captures],
            BYTES[state.capture_limit],
            BYTES[state.warriors_owed],
            POINT_CARDS[state.power_card],
        ]
        return b"".join(pieces)


def _add_seat(pieces: list[bytes], seat: FireBullsSeat, won_this_turn: bytes) -> None:
    pieces += [DIRECTIONS[seat.place], SEAT_COLOURS[seat.colour], BYTES[packed.size(seat.hand)]]
    add_counts(pieces, seat.known_cards, BULLS)
    pieces += [seat.victory, won_this_turn, POINT_CARDS[seat.penalty], BYTES[seat.has_left]]


def encoding(game: Game[Any, Any, Any, Any], seat_count: int, options: Options) -> FireBullsEncoding:
    """The encoding of Fire Bulls with a number of seats and options."""
    assert isinstance(options, FireBullsOptions)
    return FireBullsEncoding(game, seat_count, options)
