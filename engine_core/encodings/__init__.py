"""Encodings for learning programs: moves and positions as numbers, the bounds of a match, and its outcome by seat.

A game has an encoding if its package has a module `encoding` with a function `encoding(game, seat_count, options)`.
Everything here works without any dependency. Numbers depend on the version of the rules only: those of moves and the
slices of observations change with a new version, and never within one.
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from engine_core.encodings.actions import ActionTable
from engine_core.encodings.layout import Layout, Slice
from engine_core.errors import InvalidOption
from engine_core.game import Game, Move, Options, Over, State
from engine_core.match import Entry
from engine_core.words import package_of

MIN_UTILITY: Final = -1.0
MAX_UTILITY: Final = 1.0


class Encoding(metaclass=ABCMeta):
    """The numbers of one game with a number of seats and options. Holds no state of a match."""

    max_moves: int
    """No match has more moves of seats. Matches are far shorter; the bound follows from the rules."""
    max_chance_outcomes: int
    """No draw of nature has more outcomes."""

    def __init__(
        self, game: Game[Any, Any, Any, Any], seat_count: int, options: Options, actions: ActionTable, layout: Layout
    ) -> None:
        self.game: Final = game
        self.seat_count: Final = seat_count
        self.options: Final = options
        self.actions: Final = actions
        self.layout: Final = layout

    def __copy__(self) -> Encoding:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Encoding:
        return self  # so that copies of a state of OpenSpiel, which has one, stay small

    @property
    def action_count(self) -> int:
        """Number of actions: they are 0 to `action_count` - 1."""
        return self.actions.count

    @property
    def observation_size(self) -> int:
        """Number of integers in an observation."""
        return self.layout.size

    @property
    def slices(self) -> list[Slice]:
        """The meaning of each part of an observation."""
        return self.layout.slices

    def start(self) -> State:
        """The position before anything is drawn."""
        state: State = self.game.start(self.seat_count, self.options)
        return state

    def action(self, move: Move) -> int:
        """The number of a move of a seat. Raises `MalformedMove`."""
        return self.actions.action(move)

    def move(self, action: int) -> Move:
        """The move of a number. Raises `MalformedMove`."""
        return self.actions.move(action)

    def legal_actions(self, state: State, seat: int) -> list[int]:
        """The numbers of the legal moves of a seat, ascending; empty if it is not to move."""
        return sorted([self.actions.action(move) for move in self.game.legal_moves(state, seat)])

    def observe(self, state: State, seat: int) -> list[int]:
        """What a seat may know, as `observation_size` numbers from -128 to 127: `encode` as a list."""
        return [value - 256 if value > 127 else value for value in self.encode(state, seat)]

    @abstractmethod
    def encode(self, state: Any, seat: int) -> bytes:
        """The observation of a seat, each number a signed byte: equal in all positions that its view shows alike.

        Seats are relative: 0 is the observer, 1 the next clockwise, and so on.
        """

    def returns(self, state: State) -> list[float]:
        """The outcome by seat once the match is over, from -1 to 1, with the sum 0; before that zeros.

        Winners share 1, the others share -1, equally. A match without winners, or with winners only, is worth 0.
        """
        if not isinstance(self.game.phase(state), Over):
            return [0.0] * self.seat_count
        winners = self.game.score(state).winners
        losers = self.seat_count - len(winners)
        if not winners or not losers:
            return [0.0] * self.seat_count
        return [1.0 / len(winners) if seat in winners else -1.0 / losers for seat in range(self.seat_count)]

    def information_state(self, entries: Sequence[Entry], seat: int) -> str:
        """All that a seat has seen since the start of a match, in notation: equal texts are one information state.

        `entries` is the whole log. Perfect recall: the text after a move begins with the text before it.
        """
        lines = [f"seat {seat} of {self.seat_count}"]
        for entry in entries:
            lines.extend(self.recalled(entry, seat))
        return "\n".join(lines)

    def recalled(self, entry: Entry, seat: int) -> list[str]:
        """The lines that an entry adds to the information state of a seat; none for epochs and hints."""
        if entry.epoch or entry.is_hint:
            return []
        move = entry.seen_by(seat)
        lines = [f"{entry.seat} {'leaves' if move is None else self.game.notation(move)}"]
        lines.extend([f"{reveal.seat} = {self.game.notation(reveal.move)}" for reveal in entry.reveals])
        return lines


def relative(seat: int, observer: int, seat_count: int) -> int:
    """How many seats clockwise of the observer a seat is."""
    return (seat - observer) % seat_count


def encoding_of(game: Game[Any, Any, Any, Any], seat_count: int, options: Options | None = None) -> Encoding:
    """The encoding of a game. Raises `InvalidOption`, also for a game without an encoding.

    `options`: those of the first preset if none are given.
    """
    package = package_of(game)
    if not _has_encoding(package):
        raise InvalidOption("game", f"{game.name} has no encoding")
    chosen = options if options is not None else next(iter(game.presets().values()))
    game.start(seat_count, chosen)  # raises if the game does not offer these
    encoding: Encoding = import_module(f"{package}.encoding").encoding(game, seat_count, chosen)
    return encoding


@cache
def _has_encoding(package: str) -> bool:
    return find_spec(f"{package}.encoding") is not None
