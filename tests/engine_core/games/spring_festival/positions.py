"""Test positions of Spring Festival, written in the words of its notation, and `Position`, on which moves are played.

A tile of a display is written `T13@1,-1`, one that has exploded `T13!@1,-1`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine_core.game import NATURE, Chance, Move, Over, Turn
from engine_core.games.spring_festival import effects
from engine_core.games.spring_festival.components import PILES, TILE_NAMES
from engine_core.games.spring_festival.compositions import COMPOSITION_NAMES, FIRST_PATTERN
from engine_core.games.spring_festival.display import Display, empty_display
from engine_core.games.spring_festival.rules import SpringFestival
from engine_core.games.spring_festival.squares import column, row, square_at
from engine_core.games.spring_festival.stages import FINALE, PLACING
from engine_core.games.spring_festival.state import (
    SpringFestivalOptions,
    SpringFestivalSeat,
    SpringFestivalState,
    starting_state,
)
from engine_core.games.spring_festival.view import SpringFestivalView

GAME: Final = SpringFestival()

START_SETS: Final = [f"S{number}-1@0,0 S{number}-2@1,0 S{number}-3@0,1 S{number}-4@1,1" for number in range(1, 5)]
"""A display of each seat right after the setup."""
ONE_TILE: Final = "T03@0,0"
"""A display of one tile, for seats that do not matter in a test."""


def cards_named(words: str) -> list[int]:
    """Composition cards by name, ascending."""
    return sorted(COMPOSITION_NAMES.index(word) for word in words.split())


def parse_display(words: str) -> Display:
    """A display from words."""
    found = empty_display()
    for word in words.split():
        name, _, place = word.partition("@")
        x, _, y = place.partition(",")
        slot = found.put_tile(TILE_NAMES.index(name.rstrip("!")), square_at(int(x), int(y)))
        if name.endswith("!"):
            found.exploded |= 1 << slot
    return found


def format_display(shown: Display) -> str:
    """The words for a display."""
    tiles = [
        f"{TILE_NAMES[tile]}{'!' if shown.exploded >> slot & 1 else ''}@{column(square)},{row(square)}"
        for slot, (tile, square) in enumerate(zip(shown.tiles, shown.squares, strict=True))
    ]
    return " ".join(tiles)


class Position:
    """A position on which tests make moves and read results in the words of the notation."""

    def __init__(self, state: SpringFestivalState) -> None:
        self.state: Final = state
        self.absent: Final[list[str]] = []
        """Moves made for seats that have left."""

    def to_move(self) -> tuple[int, ...]:
        phase = GAME.phase(self.state)
        return phase.seats if isinstance(phase, Turn) else ()

    def seat(self) -> int:
        """The only seat that is to move, or `NATURE`. Fails once the match is over."""
        phase = GAME.phase(self.state)
        assert not isinstance(phase, Over), f"over: {phase.reason}"
        if isinstance(phase, Chance):
            return NATURE
        [seat] = self.to_move()
        return seat

    def purpose(self) -> str:
        phase = GAME.phase(self.state)
        assert isinstance(phase, Chance)
        return phase.purpose

    def moves(self, seat: int | None = None) -> list[str]:
        """The legal moves, or nature's outcomes."""
        mover = self.seat() if seat is None else seat
        return [GAME.notation(move) for move in GAME.legal_moves(self.state, mover)]

    def moves_starting(self, text: str, seat: int | None = None) -> list[str]:
        """The legal moves that start with this text."""
        return [move for move in self.moves(seat) if move.startswith(text)]

    def play(self, *texts: str) -> Position:
        """Make legal moves; `2: place 1 0` if several seats are to move."""
        for text in texts:
            seat_text, colon, move_text = text.partition(": ")
            mover = int(seat_text) if colon else self.seat()
            notation = move_text if colon else text
            assert notation in self.moves(mover), f"{text!r} is none of {self.moves(mover)}"
            GAME.apply(self.state, mover, GAME.parse(notation))
            self._play_absent()
        return self

    def play_draws(self) -> Position:
        """Let nature draw its first outcome, until a seat is to move or the match is over."""
        while isinstance(GAME.phase(self.state), Chance):
            self.play(self.moves()[0])
        return self

    def default(self, seat: int | None = None) -> str:
        """The move that is made when time is up."""
        return GAME.notation(GAME.default_move(self.state, self.seat() if seat is None else seat))

    def all_default(self) -> Position:
        """Make the default move of every seat that is to move."""
        for seat in self.to_move():
            self.play(f"{seat}: {self.default(seat)}")
        return self

    def pass_all(self) -> Position:
        """Let every seat pass instead of completing a composition card."""
        while self.to_move() and self.moves(self.to_move()[0])[-1] == "pass":
            self.play("pass")
        return self

    def round_off(self) -> Position:
        """End the round by default moves and nature's first outcomes."""
        return self.play_draws().all_default().pass_all()

    def leave(self, seat: int) -> Position:
        GAME.leave(self.state, seat)
        self._play_absent()
        return self

    def _play_absent(self) -> None:
        """Make and record the moves of seats that have left, as a match does."""
        while isinstance(phase := GAME.phase(self.state), Turn) and GAME.has_left(self.state, phase.seats[0]):
            seat = phase.seats[0]
            (move,) = GAME.legal_moves(self.state, seat)
            assert move == GAME.default_move(self.state, seat)
            self.absent.append(f"{seat}: {GAME.notation(move)}")
            GAME.apply(self.state, seat, move)

    def reason(self) -> str:
        """Why the match is over; empty while it is in play."""
        phase = GAME.phase(self.state)
        return phase.reason if isinstance(phase, Over) else ""

    def display(self, seat: int = 0) -> str:
        return format_display(self.state.seats[seat].display)

    def exploded(self, seat: int = 0) -> str:
        """The names of the tiles that have exploded."""
        return " ".join([word.partition("!")[0] for word in self.display(seat).split() if "!" in word])

    def applause(self) -> list[int]:
        return [seat.applause for seat in self.state.seats]

    def taken(self) -> list[str]:
        return [TILE_NAMES[seat.tile] if seat.tile >= 0 else "-" for seat in self.state.seats]

    def tops(self) -> list[str]:
        return [TILE_NAMES[tile] if tile >= 0 else "-" for tile in self.state.top_tiles]

    def discards(self) -> str:
        return " ".join([TILE_NAMES[tile] for tile in self.state.discards])

    def replaced(self) -> str:
        return " ".join([TILE_NAMES[tile] for tile in self.state.replaced])

    def cards(self, seat: int = 0) -> str:
        return " ".join([COMPOSITION_NAMES[card] for card in self.state.seats[seat].cards])

    def completed(self, seat: int = 0) -> str:
        return " ".join([COMPOSITION_NAMES[card] for card in self.state.seats[seat].completed])

    def view(self, observer: int) -> SpringFestivalView:
        return GAME.view(self.state, observer)

    def points(self) -> list[int]:
        return [standing.points for standing in GAME.score(self.state).standings]

    def ranks(self) -> list[int]:
        return [standing.rank for standing in GAME.score(self.state).standings]

    def winners(self) -> list[int]:
        return GAME.score(self.state).winners

    def breakdown(self, seat: int = 0) -> dict[str, int]:
        return {line.label: line.points for line in GAME.score(self.state).standings[seat].breakdown}

    def audience(self, seat: int, text: str) -> int:
        return GAME.audience(self.state, seat, GAME.parse(text))

    def reveals(self, seat: int, text: str) -> list[str]:
        """The sealed moves that a move makes public."""
        return [
            f"{reveal.seat}: {GAME.notation(reveal.move)}"
            for reveal in GAME.reveals(self.state, seat, GAME.parse(text))
        ]


def move_of(text: str) -> Move:
    """The move of a notation."""
    return GAME.parse(text)


def start_position(seat_count: int = 2, sign: str = "none", extra: bool = False) -> Position:
    """A match before nature's first draw; seat 0 begins."""
    return Position(GAME.start(seat_count, SpringFestivalOptions(sign, extra, 0)))


def position_after_start_tiles(seat_count: int = 2, sign: str = "none", extra: bool = False) -> Position:
    """A match whose start tiles are laid by default moves; seat 0 is to turn the store."""
    position = start_position(seat_count, sign, extra).play_draws()
    while len(position.to_move()) > 1 or not position.moves()[0].startswith("orient"):
        position.all_default()
    return position


def new_position(
    displays: Sequence[str],
    taken: Sequence[str] = (),
    *,
    held: Sequence[str] = (),
    completed: Sequence[str] = (),
    applause: Sequence[int] = (),
    patterns: str | None = None,
    colours: str | None = None,
    round_: int = 1,
    active: int = 0,
    sign: str = "none",
    extra: bool = False,
) -> Position:
    """A position in which every seat is to place its tile; seats without a named tile get any of the others."""
    options = SpringFestivalOptions(sign, extra)
    state = starting_state(len(displays), options)
    state.seats[:] = [SpringFestivalSeat(parse_display(text), [], []) for text in displays]
    _deal_cards(state, held, completed, patterns, colours)
    _set_store(state, taken, round_)
    for seat, points in zip(state.seats, applause, strict=False):
        seat.applause = points
    state.stage = PLACING
    state.round = round_
    state.active_seat = active
    state.seats_to_move = effects.find_seats_to_move(state)
    return Position(state)


def finale_position(displays: Sequence[str], applause: Sequence[int] = (), sign: str = "none") -> Position:
    """A position in which every seat is to launch its finale."""
    position = new_position(displays, applause=applause, round_=12, sign=sign)
    state = position.state
    state.undrawn.clear()
    for seat in state.seats:
        seat.tile = -1
    state.stage = FINALE
    state.seats_to_move = effects.find_seats_to_move(state)
    return position


def _deal_cards(
    state: SpringFestivalState,
    held: Sequence[str],
    completed: Sequence[str],
    patterns: str | None,
    colours: str | None,
) -> None:
    used: list[int] = []
    for seat, text in zip(state.seats, held, strict=False):
        seat.cards.extend(cards_named(text))
        used.extend(seat.cards)
    for seat, text in zip(state.seats, completed, strict=False):
        seat.completed.extend([COMPOSITION_NAMES.index(word) for word in text.split()])
        used.extend(seat.completed)
    for pile, text_of in ((state.undrawn_patterns, patterns), (state.undrawn_colours, colours)):
        wanted = [card for card in pile if card not in used] if text_of is None else cards_named(text_of)
        pile[:] = wanted
    assert all(card >= FIRST_PATTERN for card in state.undrawn_patterns)


def _set_store(state: SpringFestivalState, taken: Sequence[str], round_: int) -> None:
    names = list(taken)
    used_tiles = {tile for seat in state.seats for tile in seat.display.tiles}
    used_tiles.update([TILE_NAMES.index(name) for name in names])
    left = [tile for tile in state.undrawn if tile not in used_tiles]
    for number, seat in enumerate(state.seats):
        seat.tile = TILE_NAMES.index(names[number]) if number < len(names) else left.pop()
    if round_ < 12:
        state.top_tiles[:] = [left.pop(0) for _ in range(PILES)]
    state.undrawn[:] = left if round_ < 12 else []
