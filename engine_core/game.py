"""The contract of a game: the classes and functions that every rules package implements.

A game is a set of functions over a state. The functions are stateless, so one `Game` object serves any
number of matches. Seats are numbered from 0, clockwise; chance is a player too and has the seat `NATURE`.

The rules draw nothing at random. Where chance decides, the game names the source of luck and lists the outcomes; the
caller (a match, a search, a test) chooses one and applies it like any other move.
"""

from __future__ import annotations

from abc import ABC, ABCMeta, abstractmethod
from collections.abc import Callable
from random import Random
from typing import Final, Generic, TypeVar

from engine_core.pictures import notebook_picture
from engine_core.words import Words, package_of, words_of

C = TypeVar("C")

try:
    from mypy_extensions import mypyc_attr
except ModuleNotFoundError:  # only the compiler reads it: the rules are installed without any dependency

    def mypyc_attr(*_: str, **__: object) -> Callable[[C], C]:
        return lambda decorated: decorated


NATURE: Final = -1
"""The seat of chance."""

SPECTATOR: Final = -2
"""The observer without a seat: sees what is public, and no more."""

EVERYBODY: Final = -1
"""The audience of a public move. Any other audience is a bit mask: bit s is set when seat s learns the move."""

NOBODY: Final = 0
"""The audience of a move that nobody learns."""


MAX_DEFAULTS: Final = 1000
"""Limit of default moves in a row for seats whose players have left or whose time is up.

The most in 1,200 random matches was 13, the start tiles of Spring Festival, which can be 16; elsewhere 4.
"""


def is_in_audience(observer: int, audience: int) -> bool:
    """Whether an observer belongs to an audience."""
    return audience == EVERYBODY or (observer >= 0 and audience >> observer & 1 == 1)


def attribute_names(instance: object) -> list[str]:
    """Names of an object's attributes, in the order in which its constructor sets them, compiled or not."""
    return list(getattr(type(instance), "__mypyc_attrs__", ())) or list(vars(instance))


ReduceValue = tuple[type[object], tuple[object, ...], dict[str, object]]
"""Return type of `__reduce__`: class, arguments of the constructor, and attributes to set afterwards."""


def reduce_value(instance: object, arguments: list[str], derived: list[str] | None = None) -> ReduceValue:
    """The value for `__reduce__` of an object. Compiled classes can only be created by their constructors.

    `arguments`: names of the attributes that the constructor takes, in its order. `derived`: names of those that it
    computes. All other attributes are set afterwards.
    """
    known = {*arguments, *(derived or [])}
    rest = {name: getattr(instance, name) for name in attribute_names(instance) if name not in known}
    return type(instance), tuple([getattr(instance, name) for name in arguments]), rest


class Options:
    """Options chosen before a match. Each game has its own subclass; every field has a default.

    The constructor takes all fields and sets them in its order.
    """

    def __reduce__(self) -> ReduceValue:
        return reduce_value(self, attribute_names(self))


class State(metaclass=ABCMeta):
    """A complete position, secrets included. The state of a stored match never leaves the service.

    Copies, shallow ones too, share nothing mutable. States and their parts can be pickled: `__reduce__` names the
    arguments of their constructors, and leaves out tables that are the same in all matches.
    """

    @abstractmethod
    def copy(self) -> State:
        """An independent copy: later changes of one do not affect the other."""

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> State:
        return self.copy()


class NumberedMove:
    """The number of a move in an action table. The table is a key only, compared by identity."""

    def __init__(self, table: object, number: int) -> None:
        self.table: Final = table
        self.number: Final = number


class Move:
    """What a seat chooses, or what nature draws. Immutable and hashable; names kinds and places, never pieces.

    Two moves of one class are equal if the arguments of their constructors are. Not a dataclass: compiled, a frozen
    one with five fields takes 0.76 µs to make and 0.41 µs to compare, a move with five arguments 0.10 and 0.03 µs.
    """

    def __init__(self, *arguments: int) -> None:
        self.arguments: Final = arguments
        self.numbered: NumberedMove | None = None
        """Cache of action tables (`engine_core.encodings.actions`): the number in the table that asked last."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Move) and type(other) is type(self) and other.arguments == self.arguments

    def __hash__(self) -> int:
        return hash(self.arguments)

    def __reduce__(self) -> tuple[type[Move], tuple[int, ...]]:
        return type(self), self.arguments

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self.arguments))})"


@mypyc_attr(serializable=True)
class View:
    """Base class of views: what one observer may know of a state, without any secret.

    No attribute is `Final`, so that `pickle` can restore a compiled view from its attributes.
    """

    def _repr_svg_(self) -> str | None:
        """The picture of a view, for notebooks; None for a game without pictures."""
        return notebook_picture(self)


class ViewPart(View):
    """Base class of parts of views, such as what a view has of a seat. They have no picture."""

    def _repr_svg_(self) -> str | None:
        return None


class Phase:
    """Who acts now: a `Turn`, a `Chance` or `Over`."""


class Turn(Phase):
    """The seats that owe a choice, ascending, at least one.

    Several seats choose at the same time when their choices are sealed or independent; a seat may owe several.
    Seats whose players have left are listed only once no other seat owes a choice. Their only legal move is the
    default move, which the match makes for them and logs like any other.
    """

    def __init__(self, seats: tuple[int, ...]) -> None:
        self.seats: Final = seats


class Chance(Phase):
    """Nature draws.

    `purpose` names the source of luck (this pile, this seat's dice); its draws are numbered separately from
    those of other sources. `pool` names the set that the source draws from without replacement; several sources may
    share one; empty for dice and other draws that are independent of each other.
    """

    def __init__(self, purpose: str, pool: str = "") -> None:
        self.purpose: Final = purpose
        self.pool: Final = pool


class Over(Phase):
    """The match has ended. `reason` is a lower-case word that the game's documentation lists."""

    def __init__(self, reason: str) -> None:
        self.reason: Final = reason


class Points:
    """One item of the breakdown of a seat's points."""

    def __init__(self, label: str, points: int) -> None:
        self.label: Final = label
        self.points: Final = points


class Standing:
    """One seat's result: `points` is the sum of the breakdown; `rank` starts at 1, equal seats share it."""

    def __init__(self, seat: int, points: int, rank: int, breakdown: list[Points]) -> None:
        self.seat: Final = seat
        self.points: Final = points
        self.rank: Final = rank
        self.breakdown: Final = breakdown


class Score:
    """Standings by seat; `winners` (ascending) and `reason` are empty until the match is over."""

    def __init__(self, standings: list[Standing], winners: list[int], reason: str) -> None:
        self.standings: Final = standings
        self.winners: Final = winners
        self.reason: Final = reason


class Reveal:
    """A move that was sealed when it was made, and becomes public now."""

    def __init__(self, seat: int, move: Move) -> None:
        self.seat: Final = seat
        self.move: Final = move


S = TypeVar("S", bound=State)
M = TypeVar("M", bound=Move)
O = TypeVar("O", bound=Options)  # noqa: E741 - S, M, O, V: the four nouns of a game
V = TypeVar("V", bound=View)


class Game(ABC, Generic[S, M, O, V]):
    """The functions of one game.

    Unless it says otherwise, a function changes nothing, is deterministic, and may be called in every position.
    """

    name: str
    """Name in snake case, for example `fire_bulls`."""
    version: int
    """Version of the rules, from 1. A change that would replay an old record differently is a new version."""
    min_seats: int
    max_seats: int
    evaluation_scale: float = 1.0
    """The difference of two seats' evaluations at which the odds are about 3 to 1 that the better one ranks higher."""

    @abstractmethod
    def presets(self) -> dict[str, O]:
        """Named sets of options, the default first, that together use every rule that can be chosen."""

    @abstractmethod
    def start(self, seat_count: int, options: O) -> S:
        """The position before anything is drawn or chosen.

        Raises `InvalidOption` for a number of seats or an option that the game does not offer.
        """

    @abstractmethod
    def seat_count(self, state: S) -> int:
        """Number of seats of the match, those that have left included."""

    @abstractmethod
    def phase(self, state: S) -> Phase:
        """Who acts now. Which seats are to move, and when, depends on public facts only."""

    @abstractmethod
    def legal_moves(self, state: S, seat: int) -> list[M]:
        """All moves that `seat` may choose now: complete, without duplicates, in a stable order.

        Empty when the seat is not to move. Not empty when it is; the default move alone for one that has left. For
        `NATURE` in a `Chance` phase: the outcomes with a chance above zero. The list is the caller's.
        """

    @abstractmethod
    def weights(self, state: S) -> list[int]:
        """Weights of nature's outcomes, as positive integers in the order of `legal_moves(state, NATURE)`.

        For a pool: how many of each kind remain, at most 31. Empty outside a `Chance` phase.
        """

    @abstractmethod
    def pool_item(self, move: M) -> str:
        """The item that a move of nature takes from its pool, in notation: the same for every receiver and pile."""

    @abstractmethod
    def apply(self, state: S, seat: int, move: M) -> None:
        """Make a legal move, changing `state` in place. Legality is not checked here."""

    @abstractmethod
    def copy(self, state: S) -> S:
        """`State.copy`, as the type of this game."""

    def next_state(self, state: S, seat: int, move: M) -> S:
        """The state that a legal move leads to; the given one stays as it is."""
        following = self.copy(state)
        self.apply(following, seat, move)
        return following

    @abstractmethod
    def leave(self, state: S, seat: int) -> None:
        """Change `state`, in place, to one whose `seat` has no player any more. The seat must not have left before.

        Makes no choice for the seat: `phase` still lists it as to move wherever the rules need its choice.
        """

    @abstractmethod
    def has_left(self, state: S, seat: int) -> bool:
        """Whether the player of `seat` has left the match."""

    def time_up_move(self, state: S) -> M | None:
        """Nature's move for the end of the match's time limit; None where it changes nothing.

        It draws nothing, is public, is in no list of legal moves, and may be applied, for `NATURE`, whichever seat is
        to move.
        """
        return None

    @abstractmethod
    def default_move(self, state: S, seat: int) -> M:
        """The move that is played for a seat whose time is up, or whose player has left. It must be to move."""

    @abstractmethod
    def score(self, state: S) -> Score:
        """Points with their breakdown and ranks as they stand; final once the match is over."""

    @abstractmethod
    def evaluate(self, state: S, seat: int) -> float:
        """Heuristic value of a position for a seat, for search; roughly the points that it will end with.

        Only compared with the values of other seats and positions of the same game. Must be fast, need not be exact.
        """

    @abstractmethod
    def view(self, state: S, observer: int) -> V:
        """What a seat, or `SPECTATOR`, may know of a position, with what can be deduced from public facts."""

    @abstractmethod
    def determinize(self, state: S, observer: int, random: Random) -> S:
        """A full state, drawn at random among those that look the same to `observer`."""

    def audience(self, state: S, seat: int, move: M) -> int:
        """Who sees the move when it is made in `state`: `EVERYBODY`, or a bit mask of seats."""
        return EVERYBODY

    def conceal(self, state: S, seat: int, move: M) -> M:
        """The move as observers outside its audience see it: well formed, but never legal."""
        return move

    def reveals(self, state: S, seat: int, move: M) -> list[Reveal]:
        """The sealed moves, itself included, that become public by this move; `state` is the position before it."""
        return []

    def reveals_by_leaving(self, state: S, seat: int) -> list[Reveal]:
        """The sealed moves that become public when the player of `seat` leaves; `state` is the position before."""
        return []

    @abstractmethod
    def notation(self, move: M) -> str:
        """A stable, readable text for a move; equal moves have equal texts."""

    @abstractmethod
    def parse(self, text: str) -> M:
        """The move of a text as `notation` writes it. Raises `MalformedMove`."""

    @abstractmethod
    def sentence(self, move: M, words: Words) -> str:
        """A move as a sentence for people, without a full stop; concealed moves too. Not stable, unlike notation."""

    def sentence_in_view(self, view: V, move: M, words: Words) -> str:
        """A legal move of the observer of a view as a sentence that also says what the move means in the position.

        Empty where `sentence` says all. It has the view only, so a sentence says nothing that the seat may not know.
        """
        return ""

    def consequences(self, before: V, seat: int, move: M, after: V, words: Words) -> list[str]:
        """What a move brought beyond what its sentence says, as clauses for the log: losses, gains, who begins.

        `before` and `after` are the views of one observer, `move` is the move as that observer sees it, concealed
        perhaps, and `seat` made it, or `NATURE`. It has no state, so a clause says nothing that the observer may not
        know.
        """
        return []

    def words(self, locale: str) -> Words:
        """The texts of this game in one of the languages of `LOCALES`."""
        return words_of(package_of(self), locale)
