"""Test positions of Fire Bulls, written in the words of its notation, and `Position`, on which moves are played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine_core.game import NATURE, Chance, Move, Over, Score, Turn
from engine_core.games.fire_bulls.components import (
    ATTACK_CARDS,
    COLOURS,
    EMPTY,
    FULL_DECK,
    GENERAL,
    POINT_CARD_NAMES,
    POINT_COUNTS,
    POINT_KINDS,
)
from engine_core.games.fire_bulls.rules import FireBulls
from engine_core.games.fire_bulls.stages import ACTION
from engine_core.games.fire_bulls.state import (
    GENERAL_ASIDE,
    GENERAL_HIDDEN,
    GENERAL_WON,
    NO_SEAT,
    FireBullsOptions,
    FireBullsState,
    starting_state,
)
from engine_core.games.fire_bulls.view import FireBullsView
from engine_core.packed import is_superset, pack, unpack

GAME: Final = FireBulls()
PROFILES: Final = ["merged", "fr", "it"]

FORTS: Final = "fortification fortification fortification"
ROWS: Final = f"soldier-blue soldier-yellow soldier-brown / {FORTS} / soldier-red soldier-green wu-white"
"""Nine cards, far row first as in the figures: A B C / D E F / G H I."""


def pack_qi(words: str) -> int:
    """Packed attack cards from words, as in `blue blue warrior`."""
    names = words.split()
    return pack([names.count(name) for name in ATTACK_CARDS])


def qi_words(cards: int) -> str:
    """The words for packed attack cards, in colour order, warriors last."""
    return " ".join(
        [
            name
            for name, number in zip(ATTACK_CARDS, unpack(cards, len(ATTACK_CARDS)), strict=True)
            for _ in range(number)
        ]
    )


def all_qi_except(words: str) -> str:
    """Packed: all attack cards but these."""
    return qi_words(FULL_DECK - pack_qi(words))


def count_yen(words: str) -> bytes:
    """Point cards counted by kind from words, as in `bo bo wu-red`."""
    names = words.split()
    assert set(names) <= set(POINT_CARD_NAMES), words
    return bytes([names.count(name) for name in POINT_CARD_NAMES])


def yen_words(cards: Sequence[int]) -> str:
    """The words for counted point cards, in the order of the table of cards."""
    return " ".join([name for name, number in zip(POINT_CARD_NAMES, cards, strict=True) for _ in range(number)])


def _parse_squares(rows: str) -> list[int]:
    """Squares in the state's order (near row first) from words in figure order (far row first, `-` for empty)."""
    words = rows.replace("/", " ").split()
    assert len(words) == 9, rows
    near_first = words[6:] + words[3:6] + words[:3]
    return [EMPTY if word == "-" else POINT_CARD_NAMES.index(word) for word in near_first]


class Position:
    """A position on which tests make moves and read results in the words of the notation."""

    def __init__(self, state: FireBullsState) -> None:
        self.state: Final = state
        self.absent: Final[list[str]] = []
        """Moves made for seats that have left."""

    def seat(self) -> int:
        """The seat that is to move, or `NATURE`. Fails once the match is over."""
        phase = GAME.phase(self.state)
        assert not isinstance(phase, Over), f"over: {phase.reason}"
        return phase.seats[0] if isinstance(phase, Turn) else NATURE

    def moves(self) -> list[str]:
        """The legal moves, or nature's outcomes."""
        return [GAME.notation(move) for move in GAME.legal_moves(self.state, self.seat())]

    def moves_starting(self, words: str) -> list[str]:
        """The legal moves that start with these words."""
        return [move for move in self.moves() if move.startswith(words)]

    def chances(self) -> dict[str, int]:
        """Nature's outcomes with their weights."""
        return dict(zip(self.moves(), GAME.weights(self.state), strict=True))

    def play(self, *texts: str) -> Position:
        """Make legal moves, of seats or of nature."""
        for text in texts:
            assert text in self.moves(), f"{text!r} is none of {self.moves()}"
            GAME.apply(self.state, self.seat(), GAME.parse(text))
            self._play_absent()
        return self

    def play_draws(self) -> Position:
        """Let nature draw its first outcome, until a seat is to move or the match is over."""
        while isinstance(GAME.phase(self.state), Chance):
            self.play(self.moves()[0])
        return self

    def default(self) -> str:
        """The move that is made when time is up."""
        return GAME.notation(GAME.default_move(self.state, self.seat()))

    def reason(self) -> str:
        """Why the match is over; empty while it is in play."""
        phase = GAME.phase(self.state)
        return phase.reason if isinstance(phase, Over) else ""

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

    def hand(self, seat: int) -> str:
        return qi_words(self.state.seats[seat].hand)

    def victory(self, seat: int) -> str:
        return yen_words(self.state.seats[seat].victory)

    def places(self) -> list[int]:
        return [seat.place for seat in self.state.seats]

    def rows(self) -> str:
        """The squares in figure order."""
        words = ["-" if card == EMPTY else POINT_CARD_NAMES[card] for card in self.state.squares]
        return " / ".join([" ".join(words[first : first + 3]) for first in (6, 3, 0)])

    def reserve(self) -> str:
        return qi_words(self.state.reserve)

    def discards(self) -> str:
        return qi_words(self.state.discards)

    def deck(self) -> str:
        return qi_words(self.state.deck)

    def removed(self) -> str:
        return yen_words(self.state.removed)

    def score(self) -> Score:
        return GAME.score(self.state)

    def points(self) -> list[int]:
        return [standing.points for standing in self.score().standings]

    def ranks(self) -> list[int]:
        return [standing.rank for standing in self.score().standings]

    def breakdown(self, seat: int) -> dict[str, int]:
        return {line.label: line.points for line in self.score().standings[seat].breakdown}

    def view(self, observer: int) -> FireBullsView:
        return GAME.view(self.state, observer)

    def known(self, seat: int) -> str:
        """The cards that the hand of a seat holds at least, by what is public."""
        return qi_words(self.view((seat + 1) % len(self.state.seats)).seats[seat].known_cards)

    def at_most(self, observer: int) -> str:
        """The cards that the deck holds at most, by what an observer knows."""
        return qi_words(self.view(observer).deck_at_most)


def move_of(text: str) -> Move:
    """The move of a notation."""
    return GAME.parse(text)


def new_position(
    hands: Sequence[str] = ("", ""),
    squares: str = ROWS,
    *,
    profile: str = "merged",
    colours: str = "",
    places: Sequence[int] = (1, 2, 3, 4, 5),
    victories: Sequence[str] = (),
    deck: str | None = None,
    discards: str | None = None,
    reserve: str = "",
    piles: Sequence[int] | None = None,
    undrawn: str | None = None,
    general: str = "hidden",
    exhaustions: int = 0,
    quiet_turns: int = 0,
) -> Position:
    """A position in which seat 0 is to choose an action; hands, places, colours and victory piles are by seat.

    Attack cards that are not named lie in the deck; if `deck` is given, in the discards; if `discards` is given too, in
    the Reserve. Point cards that are not named lie in the piles; those beyond the given sizes of the piles are out of
    the game.
    """
    options = FireBullsOptions(profile, tuple([COLOURS.index(colour) for colour in colours.split()]), 0)
    state = starting_state(len(hands), options)
    _deal_hands(state, hands, deck, discards, reserve)
    for seat, place in zip(state.seats, places, strict=False):
        seat.place = place
    _set_point_cards(state, squares, victories, general)
    _set_piles(state, piles, undrawn)
    state.exhaustions = exhaustions
    state.rebuilds = min(exhaustions, 2)
    state.quiet_turns = quiet_turns
    state.active_seat = 0
    state.stage = ACTION
    return Position(state)


def _deal_hands(
    state: FireBullsState, hands: Sequence[str], deck: str | None, discards: str | None, reserve: str
) -> None:
    for seat, hand in zip(state.seats, hands, strict=True):
        seat.hand = pack_qi(hand)
    state.reserve = pack_qi(reserve)
    state.deck = pack_qi(deck or "")
    state.discards = pack_qi(discards or "")
    used = state.reserve + state.deck + state.discards + sum([seat.hand for seat in state.seats])
    assert is_superset(FULL_DECK, used), "more attack cards than there are"
    rest = FULL_DECK - used
    if deck is None:
        state.deck += rest
    elif discards is None:
        state.discards += rest
    else:
        state.reserve += rest
    _note_what_is_seen(state)


def _note_what_is_seen(state: FireBullsState) -> None:
    """Set the cards known: everybody has seen Reserve, discards and the own hand, and nothing else."""
    state.deck_at_most = FULL_DECK - state.reserve - state.discards
    for seat in state.seats:
        seat.deck_at_most = state.deck_at_most - seat.hand


def _set_point_cards(state: FireBullsState, squares: str, victories: Sequence[str], general: str) -> None:
    state.squares[:] = _parse_squares(squares)
    for seat, words in zip(state.seats, victories, strict=False):
        seat.victory = count_yen(words)
    state.general_winner = 0 if general == "won" else NO_SEAT
    state.general_place = {"hidden": GENERAL_HIDDEN, "aside": GENERAL_ASIDE, "won": GENERAL_WON}[general]


def _set_piles(state: FireBullsState, piles: Sequence[int] | None, undrawn: str | None) -> None:
    rest = POINT_COUNTS[:]
    for card in state.squares:
        if card != EMPTY:
            rest[card] -= 1
    for kind in range(POINT_KINDS):
        rest[kind] -= sum([seat.victory[kind] for seat in state.seats])
    won_or_aside = state.general_place == GENERAL_ASIDE or (state.general_place == GENERAL_WON and rest[GENERAL] == 1)
    rest[GENERAL] -= int(won_or_aside)
    assert min(rest) >= 0, "more point cards than there are"
    removed = [0] * POINT_KINDS
    if state.general_place == GENERAL_WON and won_or_aside:
        removed[GENERAL] = 1
    wanted = (
        count_yen(undrawn)
        if undrawn is not None
        else _take_point_cards(rest, sum(piles) if piles is not None else sum(rest))
    )
    for kind in range(POINT_KINDS):
        removed[kind] += rest[kind] - wanted[kind]
    assert min(removed) >= 0, "more point cards than there are"
    state.undrawn = wanted
    state.removed = bytes(removed)
    assert state.removed[GENERAL] == 0 or state.general_place == GENERAL_WON, "the hidden general lies in a pile"
    state.piles = bytes(piles) if piles is not None else _split_in_three(sum(wanted))
    assert sum(state.piles) == sum(state.undrawn), "the piles hold what is undrawn"


def _take_point_cards(rest: list[int], number: int) -> bytes:
    """Point cards in a fixed order: the general, if it is hidden, and then one card of each kind in turn."""
    copies = sorted([(copy, kind) for kind in range(POINT_KINDS) for copy in range(rest[kind])])
    kinds = [kind for _, kind in sorted(copies, key=lambda copy: copy[1] != GENERAL)]
    return bytes([kinds[:number].count(kind) for kind in range(POINT_KINDS)])


def _split_in_three(number: int) -> bytes:
    return bytes([(number + 2) // 3, (number + 1) // 3, number // 3])
