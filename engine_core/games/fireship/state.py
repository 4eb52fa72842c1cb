"""The state of a Fireship match, its options and its seats."""

from __future__ import annotations

from typing import Final

from engine_core.errors import InvalidOption
from engine_core.game import Move, Options, ReduceValue, State, reduce_value
from engine_core.games.fireship import components, stages
from engine_core.games.fireship.board import BASES, IS_SEA, ISLANDS, PORTS, SQUARES
from engine_core.games.fireship.moves import CLASSES, MARKS, pawn_code

MIN_SEATS: Final = 2
MAX_SEATS: Final = 4
MAX_PAWNS_ON_SEA: Final = 2
"""Most pawns on a square of the sea (FS-23)."""

NO_SEAT: Final = -1
NO_PAWN: Final = -1

BOARD_SHARED: Final = 1 << components.WHITE + 1
ALL_SHARED: Final = 2 * BOARD_SHARED - 1


class FireshipOptions(Options):
    """Options of a match.

    `rounds` 0 stands for the default of the number of seats (FS-103). `colours` gives each seat a corner, clockwise;
    empty for the default (FS-03).
    """

    def __init__(
        self,
        fortification: bool = True,
        rounds: int = 0,
        movement_dice: int = 2,
        island_supports_attack: bool = False,
        colours: tuple[int, ...] = (),
    ) -> None:
        self.fortification: Final = fortification
        self.rounds: Final = rounds
        self.movement_dice: Final = movement_dice
        self.island_supports_attack: Final = island_supports_attack
        self.colours: Final = colours

    def check(self, seat_count: int) -> None:
        """Raise `InvalidOption` if a match of `seat_count` seats cannot have these options."""
        if not MIN_SEATS <= seat_count <= MAX_SEATS:
            raise InvalidOption("seats", f"Fireship is for {MIN_SEATS} to {MAX_SEATS} seats, not {seat_count}")
        if self.rounds and not components.MIN_ROUNDS <= self.rounds <= components.MAX_ROUNDS:
            raise InvalidOption(
                "options.rounds", f"{components.MIN_ROUNDS} to {components.MAX_ROUNDS}, not {self.rounds}"
            )
        if self.movement_dice not in components.MOVEMENT_DICE:
            raise InvalidOption("options.movementDice", f"2 or 3, not {self.movement_dice}")
        if self.colours:
            self._check_colours(seat_count)

    def with_defaults(self, seat_count: int) -> FireshipOptions:
        """A copy with all defaults filled in for a number of seats."""
        return FireshipOptions(
            self.fortification,
            self.rounds or components.DEFAULT_ROUNDS[seat_count],
            self.movement_dice,
            self.island_supports_attack,
            self.colours or components.DEFAULT_COLOURS[seat_count],
        )

    def _check_colours(self, seat_count: int) -> None:
        if len(self.colours) != seat_count or not set(self.colours) <= set(range(len(components.COLOURS))):
            raise InvalidOption(
                "options.colours", f"one of {', '.join(components.COLOURS)} for each of the {seat_count} seats"
            )
        corners = [(colour - self.colours[0]) % len(components.COLOURS) for colour in self.colours]
        if corners != sorted(set(corners)):
            raise InvalidOption("options.colours", "different corners, in clockwise order")


class FireshipSeat:
    """A seat. `hand` and `deck_at_most`, its upper bound of the cards in the deck (FS-116), are packed counts.

    `badges` counts in the order of `BADGES`. While there are `turns_to_skip`, the pawns are swallowed.
    `passes_turn` is set by the answer `pass_turn`; `answer` is the sealed answer of the current round, 0 for none.
    `eliminated_in_turn` is the turn in which the seat went out, 0 while it is in the match.
    """

    def __init__(self, colour: int, badges: list[int]) -> None:
        self.colour: Final = colour
        self.hand = 0
        self.deck_at_most: int = components.FULL_DECK
        self.badges = badges
        self.anti_skull = True
        self.fog = False
        self.turns_to_skip = 0
        self.passes_turn = False
        self.answer = 0
        self.eliminated_in_turn = 0
        self.has_left = False
        self.first_throw = 0

    def __reduce__(self) -> ReduceValue:
        return reduce_value(self, ["colour", "badges"])

    def copy(self) -> FireshipSeat:
        """An independent copy of the seat."""
        copied = FireshipSeat(self.colour, self.badges[:])
        copied.hand = self.hand
        copied.deck_at_most = self.deck_at_most
        copied.anti_skull = self.anti_skull
        copied.fog = self.fog
        copied.turns_to_skip = self.turns_to_skip
        copied.passes_turn = self.passes_turn
        copied.answer = self.answer
        copied.eliminated_in_turn = self.eliminated_in_turn
        copied.has_left = self.has_left
        copied.first_throw = self.first_throw
        return copied


class Declared:
    """A move on the stack: made by a seat, or by nature for it, and possibly cancelled before it takes effect."""

    def __init__(self, seat: int, move: Move) -> None:
        self.seat: Final = seat
        self.move: Final = move

    def __reduce__(self) -> ReduceValue:
        return reduce_value(self, ["seat", "move"])


class FireshipState(State):
    """A complete position of a match, secrets included.

    `options` have all defaults filled in. Pawns lie in one ascending list of packed pawns for each colour, white last;
    `kind_counts` counts them by kind, `pawn_counts` by square, and `power_on_square` adds up the powers of a colour's
    pawns on a square of the sea. `stack` holds the current action, and above it the responses, each to the one below.
    `contest` is the mask of the seats that still throw for the first turn, `seats_to_answer` that of the seats that owe
    a response, `pending_dice` counts the dice to be thrown. Copies share the board until one changes it (copy on
    write): `_shared` is the mask of the colours whose lists are shared, with `BOARD_SHARED` for those of all colours.
    """

    def __init__(
        self,
        options: FireshipOptions,
        seats: list[FireshipSeat],
        seat_of_colour: list[int],
        pawns: list[list[int]],
        kind_counts: list[list[int]],
        pawn_counts: list[int],
        power_on_square: list[list[int]],
        owners: list[int],
        rings: list[int],
        badge_stock: list[int],
        stack: list[Declared],
        dice: list[int],
    ) -> None:
        self.options: Final = options
        self.seats: Final = seats
        self.seat_of_colour: Final = seat_of_colour
        self.pawns = pawns
        self.kind_counts = kind_counts
        self.pawn_counts = pawn_counts
        self.power_on_square = power_on_square
        self._shared = 0
        self.owners = owners
        self.rings = rings
        self.badge_stock = badge_stock
        self.stack = stack
        self.dice = dice
        self.stage = stages.FIRST_THROW
        self.active_seat = NO_SEAT
        self.first_seat = NO_SEAT
        self.round = 1
        self.turn = 0
        self.thrower = 0
        self.contest = (1 << len(seats)) - 1
        self.pending_dice: int = options.movement_dice
        self.points = 0
        self.chosen_pawn = NO_PAWN
        self.has_acted = False
        self.has_fortified = False
        self.defence_bonus = 0
        self.seats_to_answer = 0
        self.deck: int = components.FULL_DECK
        self.discards = 0
        self.deck_at_most: int = components.FULL_DECK
        self.rebuilds = 0
        self.time_is_up = False
        self.reason = ""

    def __reduce__(self) -> ReduceValue:
        return reduce_value(
            self,
            [
                "options",
                "seats",
                "seat_of_colour",
                "pawns",
                "kind_counts",
                "pawn_counts",
                "power_on_square",
                "owners",
                "rings",
                "badge_stock",
                "stack",
                "dice",
            ],
        )

    def copy(self) -> FireshipState:
        """An independent copy of the state."""
        copied = FireshipState(
            self.options,
            [seat.copy() for seat in self.seats],
            self.seat_of_colour,
            self.pawns,
            self.kind_counts,
            self.pawn_counts,
            self.power_on_square,
            self.owners[:],
            self.rings[:],
            self.badge_stock[:],
            self.stack[:],
            self.dice[:],
        )
        self._shared = copied._shared = ALL_SHARED
        copied.stage = self.stage
        copied.active_seat = self.active_seat
        copied.first_seat = self.first_seat
        copied.round = self.round
        copied.turn = self.turn
        copied.thrower = self.thrower
        copied.contest = self.contest
        copied.pending_dice = self.pending_dice
        copied.points = self.points
        copied.chosen_pawn = self.chosen_pawn
        copied.has_acted = self.has_acted
        copied.has_fortified = self.has_fortified
        copied.defence_bonus = self.defence_bonus
        copied.seats_to_answer = self.seats_to_answer
        copied.deck = self.deck
        copied.discards = self.discards
        copied.deck_at_most = self.deck_at_most
        copied.rebuilds = self.rebuilds
        copied.time_is_up = self.time_is_up
        copied.reason = self.reason
        return copied

    def is_swallowed(self, owner: int) -> bool:
        """Whether the pawns of a colour are swallowed: out of play while its seat skips a turn (FS-90)."""
        seat = self.seat_of_colour[owner]
        return seat >= 0 and self.seats[seat].turns_to_skip > 0

    def is_fogged(self, owner: int) -> bool:
        """Whether a colour is under fog and must not be attacked (FS-83)."""
        seat = self.seat_of_colour[owner]
        return seat >= 0 and self.seats[seat].fog

    def put_pawn(self, owner: int, pawn: int) -> None:
        """Put a pawn on its square."""
        self._copy_shared(owner)
        pawns = self.pawns[owner]
        place = len(pawns)
        while place > 0 and pawns[place - 1] > pawn:
            place -= 1
        pawns.insert(place, pawn)
        self._change_counts(owner, pawn, 1)

    def take_pawn(self, owner: int, pawn: int) -> None:
        """Take a pawn off its square."""
        self._copy_shared(owner)
        self.pawns[owner].remove(pawn)
        self._change_counts(owner, pawn, -1)

    def clear_marks(self, owner: int) -> None:
        """Remove the marks of a colour's pawns."""
        if not any(pawn % MARKS for pawn in self.pawns[owner]):
            return
        self._copy_shared(owner)
        pawns = self.pawns[owner]
        for number, pawn in enumerate(pawns):
            pawns[number] = pawn - pawn % MARKS

    def _copy_shared(self, owner: int) -> None:
        """Copy the lists of a colour that other copies of the state share, before they change."""
        if self._shared & BOARD_SHARED:
            self.pawns = self.pawns[:]
            self.kind_counts = self.kind_counts[:]
            self.power_on_square = self.power_on_square[:]
            self.pawn_counts = self.pawn_counts[:]
        if self._shared >> owner & 1:
            self.pawns[owner] = self.pawns[owner][:]
            self.kind_counts[owner] = self.kind_counts[owner][:]
            self.power_on_square[owner] = self.power_on_square[owner][:]
        self._shared &= ~(BOARD_SHARED | 1 << owner)

    def _change_counts(self, owner: int, pawn: int, change: int) -> None:
        square = pawn // CLASSES
        kind = pawn % CLASSES // MARKS
        self.pawn_counts[square] += change
        self.kind_counts[owner][kind] += change
        if IS_SEA[square]:
            self.power_on_square[owner][square] += change * components.POWERS[kind]

    def gain_pawn(self, owner: int, kind: int) -> bool:
        """Move a pawn from the reserve to the base. Returns False if there is none (FS-67, FS-69)."""
        if self.kind_counts[owner][kind] == components.PAWNS_PER_KIND[kind]:
            return False
        self.put_pawn(owner, pawn_code(BASES[owner], kind))
        return True


def _seats_of_colours(seats: list[FireshipSeat]) -> list[int]:
    found = [NO_SEAT] * (components.WHITE + 1)
    for number, seat in enumerate(seats):
        found[seat.colour] = number
    return found


def empty_state(seat_count: int, options: FireshipOptions) -> FireshipState:
    """A board without pawns. Raises `InvalidOption`."""
    options.check(seat_count)
    chosen = options.with_defaults(seat_count)
    players = [FireshipSeat(colour, [0] * len(components.BADGE_STOCK)) for colour in chosen.colours]
    colours = range(components.WHITE + 1)
    return FireshipState(
        chosen,
        players,
        _seats_of_colours(players),
        [[] for _ in colours],
        [[0] * len(components.KINDS) for _ in colours],
        [0] * SQUARES,
        [[0] * SQUARES for _ in colours],
        [components.WHITE] * ISLANDS,
        [0] * ISLANDS,
        components.BADGE_STOCK[:],
        [],
        [],
    )


def starting_state(seat_count: int, options: FireshipOptions) -> FireshipState:
    """The position before anything is thrown (FS-09, FS-11). Raises `InvalidOption`."""
    state = empty_state(seat_count, options)
    for seat in state.seats:
        for kind in range(components.BATTLESHIP + 1):
            for _ in range(components.START_PAWNS[kind]):
                state.gain_pawn(seat.colour, kind)
    for port in PORTS:
        state.put_pawn(components.WHITE, pawn_code(port, components.BOAT))
    return state
