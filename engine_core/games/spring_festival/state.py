"""The state of a Spring Festival match, its options and its seats."""

from __future__ import annotations

from typing import Final

from engine_core.errors import InvalidOption
from engine_core.game import Options, ReduceValue, State, reduce_value
from engine_core.games.spring_festival import compositions, stages
from engine_core.games.spring_festival.components import FIRST_STORE_TILE, NO_TILE, PILES, SIGNS, STORE_TILES
from engine_core.games.spring_festival.display import Display, empty_display
from engine_core.games.spring_festival.squares import NO_SQUARE

MIN_SEATS: Final = 2
MAX_SEATS: Final = 4

NO_SEAT: Final = -1
NO_SIGN: Final = -1

SIGN_NONE: Final = "none"
SIGN_RANDOM: Final = "random"
SIGN_CHOICES: Final[list[str]] = [SIGN_NONE, SIGN_RANDOM, *SIGNS]


class SpringFestivalOptions(Options):
    """Options of a match.

    `sign` is `none`, `random` or the name of one of the twelve. With `extra_compositions` there are 36 cards of each
    kind instead of 24. `first_seat` is active first; `NO_SEAT` lets nature draw it (FW-13).
    """

    def __init__(self, sign: str = SIGN_NONE, extra_compositions: bool = False, first_seat: int = NO_SEAT) -> None:
        self.sign: Final = sign
        self.extra_compositions: Final = extra_compositions
        self.first_seat: Final = first_seat

    def check(self, seat_count: int) -> None:
        """Raise `InvalidOption` if a match of `seat_count` seats cannot have these options."""
        if not MIN_SEATS <= seat_count <= MAX_SEATS:
            raise InvalidOption("seats", f"Spring Festival is for {MIN_SEATS} to {MAX_SEATS} seats, not {seat_count}")
        if self.sign not in SIGN_CHOICES:
            raise InvalidOption("options.sign", f"one of {', '.join(SIGN_CHOICES)}, not {self.sign!r}")
        if self.first_seat != NO_SEAT and not 0 <= self.first_seat < seat_count:
            raise InvalidOption("options.firstSeat", f"0 to {seat_count - 1}, not {self.first_seat}")


class SpringFestivalSeat:
    """A seat.

    `tile` is the one just taken from the store, `placement` the square chosen for it, sealed until all seats have
    chosen. `cards` are the composition cards in hand, ascending; `completed` those completed, in order.
    """

    def __init__(self, display: Display, cards: list[int], completed: list[int]) -> None:
        self.display: Final = display
        self.cards: Final = cards
        self.completed: Final = completed
        self.tile = NO_TILE
        self.placement = NO_SQUARE
        self.applause = 0
        self.has_launched = False
        self.has_left = False

    def __reduce__(self) -> ReduceValue:
        return reduce_value(self, ["display", "cards", "completed"])

    def copy(self) -> SpringFestivalSeat:
        """An independent copy of the seat."""
        copied = SpringFestivalSeat(self.display.copy(), self.cards[:], self.completed[:])
        copied.tile = self.tile
        copied.placement = self.placement
        copied.applause = self.applause
        copied.has_launched = self.has_launched
        copied.has_left = self.has_left
        return copied


class SpringFestivalState(State):
    """A complete position of a match, secrets included.

    `seats_to_move` is a mask, derived from the other fields. `undrawn`, `undrawn_patterns` and `undrawn_colours` are
    what nature still has to draw, ascending; `top_tiles` the open tiles of the store by pile. `discards` are tiles that
    nobody took, `replaced` tiles that another was put over. `round` is 0 in the setup. `composing_seat` is the seat
    whose turn it is to complete compositions. Copies share the lists that nature draws from, so draws make new ones.
    """

    def __init__(
        self,
        options: SpringFestivalOptions,
        seats: list[SpringFestivalSeat],
        undrawn: list[int],
        undrawn_patterns: list[int],
        undrawn_colours: list[int],
        top_tiles: list[int],
        discards: list[int],
        replaced: list[int],
    ) -> None:
        self.options: Final = options
        self.seats: Final = seats
        self.undrawn = undrawn
        self.undrawn_patterns = undrawn_patterns
        self.undrawn_colours = undrawn_colours
        self.top_tiles: Final = top_tiles
        self.discards: Final = discards
        self.replaced: Final = replaced
        self.stage = stages.SETUP_STORE
        self.seats_to_move = 0
        self.round = 0
        self.active_seat = NO_SEAT
        self.composing_seat = NO_SEAT
        self.offset = 0
        self.sign = NO_SIGN
        self.reason = ""

    def __reduce__(self) -> ReduceValue:
        return reduce_value(
            self,
            ["options", "seats", "undrawn", "undrawn_patterns", "undrawn_colours", "top_tiles", "discards", "replaced"],
        )

    def copy(self) -> SpringFestivalState:
        """An independent copy of the state."""
        copied = SpringFestivalState(
            self.options,
            [seat.copy() for seat in self.seats],
            self.undrawn,
            self.undrawn_patterns,
            self.undrawn_colours,
            self.top_tiles[:],
            self.discards[:],
            self.replaced[:],
        )
        copied.stage = self.stage
        copied.seats_to_move = self.seats_to_move
        copied.round = self.round
        copied.active_seat = self.active_seat
        copied.composing_seat = self.composing_seat
        copied.offset = self.offset
        copied.sign = self.sign
        copied.reason = self.reason
        return copied

    def pile(self, kind: int) -> list[int]:
        """The composition cards of a kind that are still to be drawn."""
        return self.undrawn_patterns if kind == compositions.PATTERN else self.undrawn_colours


def starting_state(seat_count: int, options: SpringFestivalOptions) -> SpringFestivalState:
    """The position before anything is drawn. Raises `InvalidOption`."""
    options.check(seat_count)
    state = SpringFestivalState(
        options,
        [SpringFestivalSeat(empty_display(), [], []) for _ in range(seat_count)],
        list(range(FIRST_STORE_TILE, FIRST_STORE_TILE + STORE_TILES)),
        compositions.pile(compositions.PATTERN, options.extra_compositions),
        compositions.pile(compositions.COLOUR, options.extra_compositions),
        [NO_TILE] * PILES,
        [],
        [],
    )
    if options.sign in SIGNS:
        state.sign = SIGNS.index(options.sign)
    state.active_seat = options.first_seat
    return state
