"""Positions of Fireship in the words of the notation, and a table to play them on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine_core.game import NATURE, Chance, Move, Over, Score, Turn
from engine_core.games.fireship.board import BASES, IS_SEA, NAMES, PORTS
from engine_core.games.fireship.components import BADGE_NAMES, CARDS, FULL_DECK, KINDS, OWNERS
from engine_core.games.fireship.moves import CLASSES, MARKS, pawn_code
from engine_core.games.fireship.rules import Fireship
from engine_core.games.fireship.stages import CARDS_FIRST, MOVING
from engine_core.games.fireship.state import FireshipOptions, FireshipState, empty_state
from engine_core.games.fireship.view import FireshipView
from engine_core.packed import covers, pack, unpack

GAME: Final = Fireship()


def cards(words: str) -> int:
    """Mystery cards, packed: `no no plus_one`."""
    names = words.split()
    assert set(names) <= set(CARDS), words
    return pack([names.count(name) for name in CARDS])


def card_words(packed: int) -> str:
    """Packed mystery cards in words."""
    return " ".join(
        [name for name, number in zip(CARDS, unpack(packed, len(CARDS)), strict=True) for _ in range(number)]
    )


def _pawns(words: str) -> list[int]:
    """Pawns, packed: `3 boat a1, plane f2 arrived`."""
    found: list[int] = []
    for part in [part.split() for part in words.split(",") if part.strip()]:
        number = int(part.pop(0)) if part[0].isdigit() else 1
        kind, square, *marks = part
        assert set(marks) <= {"arrived", "fast"}, words
        pawn = pawn_code(NAMES.index(square), KINDS.index(kind), "arrived" in marks, "fast" in marks)
        found.extend([pawn] * number)
    return found


def _pawn_words(pawn: int) -> str:
    marks = (" arrived" if pawn & 2 else "") + (" fast" if pawn & 1 else "")
    return f"{KINDS[pawn % CLASSES // MARKS]} {NAMES[pawn // CLASSES]}{marks}"


class Table:
    """A state and what one does with it, in words. Moves of other than the first seat to move begin with `1: `."""

    def __init__(self, state: FireshipState) -> None:
        self.state: Final = state
        self.absent: Final[list[str]] = []
        """What was made for seats that have left."""

    def to_move(self) -> tuple[int, ...]:
        """Who acts: seats, or `NATURE`. Fails once the match is over."""
        phase = GAME.phase(self.state)
        assert not isinstance(phase, Over), f"over: {phase.reason}"
        return phase.seats if isinstance(phase, Turn) else (NATURE,)

    def asked(self) -> tuple[int, ...]:
        """The seats that a window asks; none while no window is open."""
        return self.to_move() if self.state.asked else ()

    def purpose(self) -> str:
        """What nature draws for."""
        phase = GAME.phase(self.state)
        return phase.purpose if isinstance(phase, Chance) else ""

    def moves(self, seat: int | None = None) -> list[str]:
        """What may be chosen, or drawn, now."""
        mover = self.to_move()[0] if seat is None else seat
        return [GAME.notation(move) for move in GAME.legal_moves(self.state, mover)]

    def starting(self, words: str, seat: int | None = None) -> list[str]:
        """The moves that start so."""
        return [move for move in self.moves(seat) if move.startswith(words)]

    def chances(self) -> dict[str, int]:
        """Nature's outcomes with their weights."""
        return dict(zip(self.moves(), GAME.weights(self.state), strict=True))

    def play(self, *texts: str) -> Table:
        """Make moves, of seats and of nature alike, each of them legal when it comes."""
        for text in texts:
            seat, move = self._read(text)
            assert move in self.moves(seat), f"{move!r} of {seat} is none of {self.moves(seat)}"
            GAME.apply(self.state, seat, GAME.parse(move))
            self._play_absent()
        return self

    def _read(self, text: str) -> tuple[int, str]:
        if text[0].isdigit() and text[1:3] == ": ":
            return int(text[0]), text[3:]
        return self.to_move()[0], text

    def everybody(self, said: str) -> Table:
        """All who are asked answer alike, until the window is settled."""
        while self.asked():
            self.play(said)
        return self

    def default(self, seat: int | None = None) -> str:
        """The move that is played when the time is up."""
        mover = self.to_move()[0] if seat is None else seat
        return GAME.notation(GAME.default_move(self.state, mover))

    def reason(self) -> str:
        """Why the match is over; empty while it goes on."""
        phase = GAME.phase(self.state)
        return phase.reason if isinstance(phase, Over) else ""

    def reveals(self, text: str) -> list[str]:
        """What becomes public by a move."""
        seat, move = self._read(text)
        found = GAME.reveals(self.state, seat, GAME.parse(move))
        return [f"{reveal.seat}: {GAME.notation(reveal.move)}" for reveal in found]

    def seen_by(self, text: str, observer: int) -> str:
        """A move as an observer is told of it."""
        seat, words = self._read(text)
        move = GAME.parse(words)
        audience = GAME.audience(self.state, seat, move)
        told = audience == -1 or (observer >= 0 and audience >> observer & 1)
        return GAME.notation(move if told else GAME.conceal(self.state, seat, move))

    def leave(self, seat: int) -> Table:
        """Take a player out of the match."""
        GAME.leave(self.state, seat)
        self._play_absent()
        return self

    def _play_absent(self) -> None:
        """Make the moves of seats that have left, as a match does, and note them."""
        while isinstance(phase := GAME.phase(self.state), Turn) and GAME.has_left(self.state, phase.seats[0]):
            seat = phase.seats[0]
            (move,) = GAME.legal_moves(self.state, seat)
            assert move == GAME.default_move(self.state, seat)
            self.absent.append(f"{seat}: {GAME.notation(move)}")
            GAME.apply(self.state, seat, move)

    def time_up(self) -> Table:
        """Nature says that the time is over."""
        move = GAME.time_up(self.state)
        assert move is not None
        GAME.apply(self.state, NATURE, move)
        return self

    def pawns(self, owner: str) -> str:
        """The pawns of a colour in words."""
        return ", ".join([_pawn_words(pawn) for pawn in self.state.pawns[OWNERS.index(owner)]])

    def island(self, number: int) -> str:
        """Flag and rings of an island."""
        rings = self.state.rings[number - 1]
        return OWNERS[self.state.owners[number - 1]] + (f" {rings}" if rings else "")

    def hand(self, seat: int) -> str:
        return card_words(self.state.seats[seat].hand)

    def badges(self, seat: int) -> dict[str, int]:
        held = zip(BADGE_NAMES, self.state.seats[seat].badges, strict=True)
        return {name: number for name, number in held if number}

    def discards(self) -> str:
        return card_words(self.state.discards)

    def score(self) -> Score:
        return GAME.score(self.state)

    def ranks(self) -> list[int]:
        return [standing.rank for standing in self.score().standings]

    def view(self, observer: int) -> FireshipView:
        return GAME.view(self.state, observer)

    def copy(self) -> Table:
        return Table(self.state.copy())


def move_of(text: str) -> Move:
    """The move of a notation."""
    return GAME.parse(text)


def position(
    pawns: Mapping[str, str] | None = None,
    *,
    seats: int = 2,
    hands: Sequence[str] = (),
    badges: Sequence[str] = (),
    islands: Mapping[int, str] | None = None,
    dice: Sequence[int] = (),
    points: int | None = None,
    deck: str | None = None,
    options: FireshipOptions | None = None,
    anti_skull: bool = False,
    first: int = 0,
    active: int = 0,
    round: int = 1,
) -> Table:
    """Seat 0 (green, the first) to act: before its throw, or after it where `dice` are given.

    `pawns` by colour; bases hold what is said there and no more, white has its boats unless others are named. `islands`
    by number: `green 2` for flag and rings. Cards that are not named lie in the deck; where `deck` is named, in the
    discards. Nobody has an anti-skull card unless it is said.
    """
    state = empty_state(seats, options or FireshipOptions())
    fleets = dict(pawns or {})
    fleets.setdefault("white", ", ".join([f"boat {NAMES[port]}" for port in PORTS]))
    for owner, words in fleets.items():
        for pawn in _pawns(words):
            assert IS_SEA[pawn // CLASSES] or pawn // CLASSES in BASES, words
            state.put(OWNERS.index(owner), pawn)
    for number, words in (islands or {}).items():
        owner, _, rings = words.partition(" ")
        state.owners[number - 1] = OWNERS.index(owner)
        state.rings[number - 1] = int(rings or 0)
    _deal(state, hands, badges, deck)
    for seat in state.seats:
        seat.anti_skull = anti_skull
    state.first = first
    state.active = active
    state.round = round
    state.turn = (round - 1) * seats + 1 + (active - first) % seats
    state.due = 0
    state.dice = list(dice)
    state.points = sum(dice) if points is None else points
    state.stage = MOVING if dice else CARDS_FIRST
    return Table(state)


def _deal(state: FireshipState, hands: Sequence[str], badges: Sequence[str], deck: str | None) -> None:
    used = 0
    for seat, hand in zip(state.seats, hands, strict=False):
        seat.hand = cards(hand)
        used += seat.hand
    assert covers(FULL_DECK, used)
    state.deck = FULL_DECK - used if deck is None else cards(deck)
    state.discards = FULL_DECK - used - state.deck
    state.at_most = FULL_DECK - state.discards
    for seat in state.seats:
        seat.at_most = state.at_most - seat.hand
    for seat, words in zip(state.seats, badges, strict=False):
        for badge in words.split():
            seat.badges[BADGE_NAMES.index(badge)] += 1
            state.badge_stock[BADGE_NAMES.index(badge)] -= 1
