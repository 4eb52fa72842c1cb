"""Test positions of Fireship, written in the words of its notation, and `Position`, on which moves are played."""

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
from engine_core.packed import is_superset, pack, unpack

GAME: Final = Fireship()


def packed_cards(words: str) -> int:
    """Packed mystery cards from words, as in `no no plus_one`."""
    names = words.split()
    assert set(names) <= set(CARDS), words
    return pack([names.count(name) for name in CARDS])


def card_words(packed: int) -> str:
    """The words for packed mystery cards."""
    return " ".join(
        [name for name, number in zip(CARDS, unpack(packed, len(CARDS)), strict=True) for _ in range(number)]
    )


def _packed_pawns(words: str) -> list[int]:
    """Packed pawns from words, as in `3 boat a1, plane f2 arrived`."""
    reveals: list[int] = []
    for part in [part.split() for part in words.split(",") if part.strip()]:
        number = int(part.pop(0)) if part[0].isdigit() else 1
        kind, square, *marks = part
        assert set(marks) <= {"arrived", "fast"}, words
        pawn = pawn_code(NAMES.index(square), KINDS.index(kind), "arrived" in marks, "fast" in marks)
        reveals.extend([pawn] * number)
    return reveals


def _pawn_words(pawn: int) -> str:
    marks = (" arrived" if pawn & 2 else "") + (" fast" if pawn & 1 else "")
    return f"{KINDS[pawn % CLASSES // MARKS]} {NAMES[pawn // CLASSES]}{marks}"


class Position:
    """A position on which tests make moves and read results in the words of the notation.

    A move of another seat than the first that is to move begins with the seat, as in `1: `.
    """

    def __init__(self, state: FireshipState) -> None:
        self.state: Final = state
        self.absent: Final[list[str]] = []
        """Moves made for seats that have left."""

    def to_move(self) -> tuple[int, ...]:
        """The seats that are to move, or `NATURE`. Fails once the match is over."""
        phase = GAME.phase(self.state)
        assert not isinstance(phase, Over), f"over: {phase.reason}"
        return phase.seats if isinstance(phase, Turn) else (NATURE,)

    def seats_to_answer(self) -> tuple[int, ...]:
        """The seats that owe a response in the open response window; none without one."""
        return self.to_move() if self.state.seats_to_answer else ()

    def purpose(self) -> str:
        """The purpose of nature's draw; empty if a seat is to move."""
        phase = GAME.phase(self.state)
        return phase.purpose if isinstance(phase, Chance) else ""

    def moves(self, seat: int | None = None) -> list[str]:
        """The legal moves of a seat, by default of the first to move, or nature's outcomes."""
        mover = self.to_move()[0] if seat is None else seat
        return [GAME.notation(move) for move in GAME.legal_moves(self.state, mover)]

    def moves_starting(self, words: str, seat: int | None = None) -> list[str]:
        """The legal moves that start with these words."""
        return [move for move in self.moves(seat) if move.startswith(words)]

    def chances(self) -> dict[str, int]:
        """Nature's outcomes with their weights."""
        return dict(zip(self.moves(), GAME.weights(self.state), strict=True))

    def play(self, *texts: str) -> Position:
        """Make legal moves, of seats or of nature."""
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

    def answer_for_all(self, answer: str) -> Position:
        """Let all seats give the same response, until the response window closes."""
        while self.seats_to_answer():
            self.play(answer)
        return self

    def default(self, seat: int | None = None) -> str:
        """The move that is made when time is up."""
        mover = self.to_move()[0] if seat is None else seat
        return GAME.notation(GAME.default_move(self.state, mover))

    def reason(self) -> str:
        """Why the match is over; empty while it is in play."""
        phase = GAME.phase(self.state)
        return phase.reason if isinstance(phase, Over) else ""

    def reveals(self, text: str) -> list[str]:
        """The sealed moves that a move makes public."""
        seat, move = self._read(text)
        reveals = GAME.reveals(self.state, seat, GAME.parse(move))
        return [f"{reveal.seat}: {GAME.notation(reveal.move)}" for reveal in reveals]

    def seen_by(self, text: str, observer: int) -> str:
        """A move as an observer sees it."""
        seat, words = self._read(text)
        move = GAME.parse(words)
        audience = GAME.audience(self.state, seat, move)
        is_seen = audience == -1 or (observer >= 0 and audience >> observer & 1)
        return GAME.notation(move if is_seen else GAME.conceal(self.state, seat, move))

    def leave(self, seat: int) -> Position:
        """Let a seat leave the match."""
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

    def time_up(self) -> Position:
        """Let the time of the match be up."""
        move = GAME.time_up_move(self.state)
        assert move is not None
        GAME.apply(self.state, NATURE, move)
        return self

    def pawns(self, owner: str) -> str:
        """The words for the pawns of a colour."""
        return ", ".join([_pawn_words(pawn) for pawn in self.state.pawns[OWNERS.index(owner)]])

    def island(self, number: int) -> str:
        """Owner and number of rings of an island."""
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

    def copy(self) -> Position:
        return Position(self.state.copy())


def move_of(text: str) -> Move:
    """The move of a notation."""
    return GAME.parse(text)


def new_position(
    pawns: Mapping[str, str] | None = None,
    *,
    seat_count: int = 2,
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
) -> Position:
    """A position in which seat 0 (green, the first) is to move: before its throw, or after it if `dice` are given.

    `pawns` are given by colour; bases hold only what is given there, and white has its usual boats unless others are
    given. `islands` are given by number, as in `green 2` for owner and rings. Cards that are not named lie in the deck;
    if `deck` is given, in the discards. Nobody has an anti-skull card by default.
    """
    state = empty_state(seat_count, options or FireshipOptions())
    fleets = dict(pawns or {})
    fleets.setdefault("white", ", ".join([f"boat {NAMES[port]}" for port in PORTS]))
    for owner, words in fleets.items():
        for pawn in _packed_pawns(words):
            assert IS_SEA[pawn // CLASSES] or pawn // CLASSES in BASES, words
            state.put_pawn(OWNERS.index(owner), pawn)
    for number, words in (islands or {}).items():
        owner, _, rings = words.partition(" ")
        state.owners[number - 1] = OWNERS.index(owner)
        state.rings[number - 1] = int(rings or 0)
    _deal_hands(state, hands, badges, deck)
    for seat in state.seats:
        seat.anti_skull = anti_skull
    state.first_seat = first
    state.active_seat = active
    state.round = round
    state.turn = (round - 1) * seat_count + 1 + (active - first) % seat_count
    state.pending_dice = 0
    state.dice = list(dice)
    state.points = sum(dice) if points is None else points
    state.stage = MOVING if dice else CARDS_FIRST
    return Position(state)


def _deal_hands(state: FireshipState, hands: Sequence[str], badges: Sequence[str], deck: str | None) -> None:
    used = 0
    for seat, hand in zip(state.seats, hands, strict=False):
        seat.hand = packed_cards(hand)
        used += seat.hand
    assert is_superset(FULL_DECK, used)
    state.deck = FULL_DECK - used if deck is None else packed_cards(deck)
    state.discards = FULL_DECK - used - state.deck
    state.deck_at_most = FULL_DECK - state.discards
    for seat in state.seats:
        seat.deck_at_most = state.deck_at_most - seat.hand
    for seat, words in zip(state.seats, badges, strict=False):
        for badge in words.split():
            seat.badges[BADGE_NAMES.index(badge)] += 1
            state.badge_stock[BADGE_NAMES.index(badge)] -= 1
