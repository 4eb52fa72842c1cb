"""The state of a Fire Bulls match, its options and its seats."""

from __future__ import annotations

from typing import Final

from engine_core.errors import InvalidOption
from engine_core.game import Options, ReduceValue, State, reduce_value
from engine_core.games.fire_bulls import components, stages
from engine_core.games.fire_bulls.moves import PaymentTables, payment_tables

MIN_SEATS: Final = 2
MAX_SEATS: Final = 5

# Places of the general.
GENERAL_HIDDEN: Final = 1
GENERAL_ASIDE: Final = 2
GENERAL_WON: Final = 3

NO_SEAT: Final = -1


class FireBullsOptions(Options):
    """Options of a match.

    `profile` is `merged`, `fr` or `it`. `colours` gives each seat one of the five colours (0 blue to 4 green), all
    different; empty for that order by seat (FB-01). `first_seat` begins; `NO_SEAT` lets nature draw it (FB-08).
    """

    def __init__(self, profile: str = "merged", colours: tuple[int, ...] = (), first_seat: int = NO_SEAT) -> None:
        self.profile: Final = profile
        self.colours: Final = colours
        self.first_seat: Final = first_seat

    def check(self, seat_count: int) -> None:
        """Raise `InvalidOption` if a match of `seat_count` seats cannot have these options."""
        if not MIN_SEATS <= seat_count <= MAX_SEATS:
            raise InvalidOption("seats", f"Fire Bulls is for {MIN_SEATS} to {MAX_SEATS} seats, not {seat_count}")
        if self.profile not in components.RULES_BY_PROFILE:
            raise InvalidOption(
                "options.profile", f"one of {', '.join(components.RULES_BY_PROFILE)}, not {self.profile!r}"
            )
        if self.colours:
            self._check_colours(seat_count)
        if self.first_seat != NO_SEAT and not 0 <= self.first_seat < seat_count:
            raise InvalidOption("options.firstSeat", f"0 to {seat_count - 1}, not {self.first_seat}")

    def _check_colours(self, seat_count: int) -> None:
        if len(self.colours) != seat_count or len(set(self.colours)) != seat_count:
            raise InvalidOption(
                "options.colours", f"a different colour for each of the {seat_count} seats, or none at all"
            )
        if not set(self.colours) <= set(range(len(components.COLOURS))):
            raise InvalidOption("options.colours", f"colours are {', '.join(components.COLOURS)}")


class FireBullsSeat:
    """A seat. Attack cards are packed counts; `victory` counts its point cards by kind.

    `known_cards` are publicly known to be in the hand; `deck_at_most` is the seat's upper bound of the cards in the
    deck (FB-90). `place` is a direction, 0 before the pawn is placed. `penalty` is the card lost at the end or `EMPTY`.
    """

    def __init__(
        self,
        colour: int,
        place: int,
        hand: int,
        known_cards: int,
        deck_at_most: int,
        victory: bytes,
        penalty: int,
        has_left: bool,
    ) -> None:
        self.colour: Final = colour
        self.place = place
        self.hand = hand
        self.known_cards = known_cards
        self.deck_at_most = deck_at_most
        self.victory = victory
        self.penalty = penalty
        self.has_left = has_left

    def __reduce__(self) -> ReduceValue:
        return reduce_value(
            self, ["colour", "place", "hand", "known_cards", "deck_at_most", "victory", "penalty", "has_left"]
        )

    def copy(self) -> FireBullsSeat:
        """An independent copy of the seat."""
        return FireBullsSeat(
            self.colour,
            self.place,
            self.hand,
            self.known_cards,
            self.deck_at_most,
            self.victory,
            self.penalty,
            self.has_left,
        )


class FireBullsState(State):
    """A complete position of a match, secrets included.

    Attack cards are packed counts; `undrawn`, `removed` and `won_this_turn` count point cards by kind; squares are
    numbered from the near row, left to right, and hold a point card or `EMPTY`. `won_this_turn` are the cards that the
    active seat won this turn; `drew_or_captured` is false while the turn is quiet (FB-27). `pending_draws` counts the
    cards that nature still has to draw in the present stage, or the opponents that it still has to pick from.
    """

    def __init__(
        self,
        options: FireBullsOptions,
        seats: list[FireBullsSeat],
        squares: list[int],
        piles: bytes,
        undrawn: bytes,
        removed: bytes,
        won_this_turn: bytes,
    ) -> None:
        self.options: Final = options
        self.profile_rules: Final[components.ProfileRules] = components.RULES_BY_PROFILE[options.profile]
        self.payment_tables: Final[PaymentTables] = payment_tables(options.profile)
        self.seats: Final = seats
        self.squares: Final = squares
        self.piles = piles
        self.undrawn = undrawn
        self.removed = removed
        self.won_this_turn = won_this_turn
        self.stage = stages.SETUP_YEN
        self.active_seat = NO_SEAT
        self.general_place = GENERAL_HIDDEN
        self.general_winner = NO_SEAT
        self.deck: int = components.FULL_DECK
        self.discards = 0
        self.reserve = 0
        self.deck_at_most: int = components.FULL_DECK
        self.rebuilds = 0
        self.exhaustions = 0
        self.quiet_turns = 0
        self.drew_or_captured = False
        self.direction = 0
        self.captures = 0
        self.capture_limit = 0
        self.warriors_owed = 0
        self.power_card = components.EMPTY
        self.pending_draws = 0
        self.reason = ""

    def __reduce__(self) -> ReduceValue:
        return reduce_value(
            self,
            ["options", "seats", "squares", "piles", "undrawn", "removed", "won_this_turn"],
            ["profile_rules", "payment_tables"],
        )

    def copy(self) -> FireBullsState:
        """An independent copy of the state."""
        copied = FireBullsState(
            self.options,
            [seat.copy() for seat in self.seats],
            self.squares[:],
            self.piles,
            self.undrawn,
            self.removed,
            self.won_this_turn,
        )
        copied.stage = self.stage
        copied.active_seat = self.active_seat
        copied.general_place = self.general_place
        copied.general_winner = self.general_winner
        copied.deck = self.deck
        copied.discards = self.discards
        copied.reserve = self.reserve
        copied.deck_at_most = self.deck_at_most
        copied.rebuilds = self.rebuilds
        copied.exhaustions = self.exhaustions
        copied.quiet_turns = self.quiet_turns
        copied.drew_or_captured = self.drew_or_captured
        copied.direction = self.direction
        copied.captures = self.captures
        copied.capture_limit = self.capture_limit
        copied.warriors_owed = self.warriors_owed
        copied.power_card = self.power_card
        copied.pending_draws = self.pending_draws
        copied.reason = self.reason
        return copied

    def clear_attack(self) -> None:
        """Clear what belongs to the attack of the turn."""
        self.direction = 0
        self.captures = 0
        self.capture_limit = 0
        self.won_this_turn = components.NO_POINT_CARDS


def starting_state(seat_count: int, options: FireBullsOptions) -> FireBullsState:
    """The position before anything is drawn. Raises `InvalidOption`."""
    options.check(seat_count)
    colours = options.colours or tuple(range(seat_count))
    return FireBullsState(
        options,
        [
            FireBullsSeat(colour, 0, 0, 0, components.FULL_DECK, components.NO_POINT_CARDS, components.EMPTY, False)
            for colour in colours
        ],
        [components.EMPTY] * components.SQUARES,
        bytes([components.PILE_SIZE] * components.PILES),
        bytes(components.POINT_COUNTS),
        components.NO_POINT_CARDS,
        components.NO_POINT_CARDS,
    )
