"""The rules of Kuhn poker: three cards, two seats, an ante of one chip and at most one bet of one chip."""

from __future__ import annotations

from random import Random
from typing import Final

from engine_core.errors import InvalidOption
from engine_core.game import (
    EVERYBODY,
    NATURE,
    Chance,
    Game,
    Move,
    Options,
    Over,
    Phase,
    Points,
    Score,
    State,
    Turn,
    View,
)
from engine_core.notation import Form, Notation, OneOf, SeatArgument
from engine_core.ranking import ranked_score
from engine_core.words import Words

SEATS: Final = 2
CARDS: Final = ["jack", "queen", "king"]
NO_CARD: Final = -1
"""A card that is not dealt yet, or that the observer does not see."""
NO_SEAT: Final = -1
PASS, BET = 0, 1
ANTE: Final = 1
STAKE: Final = 1
"""Chips of a bet."""
SHOWDOWNS: Final = [[PASS, PASS], [BET, BET], [PASS, BET, BET]]
FOLDS: Final = [[BET, PASS], [PASS, BET, PASS]]


class KuhnOptions(Options):
    """Options of Kuhn poker: there are none."""


class Act(Move):
    """A seat passes (check, fold) or bets (bet, call)."""

    def __init__(self, action: int) -> None:
        super().__init__(action)
        self.action: Final = action


class Deal(Move):
    """Nature deals a card to a seat."""

    def __init__(self, seat: int, card: int) -> None:
        super().__init__(seat, card)
        self.seat: Final = seat
        self.card: Final = card


class Show(Move):
    """Nature turns up both hands."""

    def __init__(self, first: int, second: int) -> None:
        super().__init__(first, second)
        self.cards: Final = [first, second]


CARD: Final = OneOf(CARDS, "a card", kind="card")
NOTATION: Final = Notation(
    "Kuhn poker",
    {
        Act: Form("{}", OneOf(["pass", "bet"], "pass or bet", kind="action")),
        Deal: Form("deal {} {}", SeatArgument(SEATS), OneOf(["?", *CARDS], "a card or ?", NO_CARD, "card")),
        Show: Form("show {} {}", CARD, CARD),
    },
)


class KuhnState(State):
    """The cards by seat, and the actions so far; everything else follows from them."""

    def __init__(self, cards: list[int], actions: list[int], shown: bool = False, left: int = NO_SEAT) -> None:
        self.cards = cards
        self.actions = actions
        self.shown = shown
        self.seat_that_left = left
        """The seat that has left, which ends the match; else `NO_SEAT`."""

    def copy(self) -> KuhnState:
        return KuhnState(self.cards[:], self.actions[:], self.shown, self.seat_that_left)

    def paid(self) -> list[int]:
        """Chips in the pot by seat: the ante, and one for each bet."""
        return [ANTE + STAKE * self.actions[seat::SEATS].count(BET) for seat in range(SEATS)]

    def reason(self) -> str:
        """Why the match is over; empty while it is in play."""
        if self.seat_that_left != NO_SEAT:
            return "left"
        if self.actions in FOLDS:
            return "fold"
        return "showdown" if self.shown else ""

    def winner(self) -> int:
        """The seat that has won a match that is over."""
        if self.seat_that_left != NO_SEAT:
            return 1 - self.seat_that_left
        if self.actions in FOLDS:
            return len(self.actions) % SEATS
        return 0 if self.cards[0] > self.cards[1] else 1


class KuhnView(View):
    """What an observer knows: its own card, and both once they have been shown."""

    def __init__(self, state: KuhnState, observer: int) -> None:
        self.cards = [card if state.shown or seat == observer else NO_CARD for seat, card in enumerate(state.cards)]
        self.actions = state.actions[:]
        self.paid = state.paid()
        self.seat_that_left = state.seat_that_left


class KuhnPoker(Game[KuhnState, Move, KuhnOptions, KuhnView]):
    """The rules of Kuhn poker, for two seats."""

    name = "kuhn_poker"
    version = 1
    min_seats = max_seats = SEATS

    def presets(self) -> dict[str, KuhnOptions]:
        return {"standard": KuhnOptions()}

    def start(self, seat_count: int, options: KuhnOptions) -> KuhnState:
        if seat_count != SEATS:
            raise InvalidOption("seats", f"{SEATS}, not {seat_count}")
        return KuhnState([NO_CARD] * SEATS, [])

    def seat_count(self, state: KuhnState) -> int:
        return SEATS

    def copy(self, state: KuhnState) -> KuhnState:
        return state.copy()

    def phase(self, state: KuhnState) -> Phase:
        if reason := state.reason():
            return Over(reason)
        if NO_CARD in state.cards:
            return Chance("deck", "deck")
        if state.actions in SHOWDOWNS:
            return Chance("show")
        return Turn((len(state.actions) % SEATS,))

    def legal_moves(self, state: KuhnState, seat: int) -> list[Move]:
        phase = self.phase(state)
        if isinstance(phase, Turn):
            return [Act(PASS), Act(BET)] if seat in phase.seats else []
        if seat != NATURE or isinstance(phase, Over):
            return []
        if state.actions:
            return [Show(*state.cards)]
        to = state.cards.index(NO_CARD)
        return [Deal(to, card) for card in range(len(CARDS)) if card not in state.cards]

    def weights(self, state: KuhnState) -> list[int]:
        return [1] * len(self.legal_moves(state, NATURE))

    def pool_item(self, move: Move) -> str:
        return CARDS[move.card] if isinstance(move, Deal) else self.notation(move)

    def apply(self, state: KuhnState, seat: int, move: Move) -> None:
        if isinstance(move, Act):
            state.actions.append(move.action)
        elif isinstance(move, Deal):
            state.cards[move.seat] = move.card
        else:
            state.shown = True

    def leave(self, state: KuhnState, seat: int) -> None:
        state.seat_that_left = seat

    def has_left(self, state: KuhnState, seat: int) -> bool:
        return state.seat_that_left == seat

    def default_move(self, state: KuhnState, seat: int) -> Move:
        return Act(PASS)

    def score(self, state: KuhnState) -> Score:
        paid, reason = state.paid(), state.reason()
        pots = [sum(paid) if reason and seat == state.winner() else 0 for seat in range(SEATS)]
        breakdowns = [[Points("pot", pot), Points("paid", -chips)] for pot, chips in zip(pots, paid, strict=True)]
        return ranked_score(breakdowns, [(pot,) for pot in pots], reason)

    def evaluate(self, state: KuhnState, seat: int) -> float:
        if state.reason():
            return float(self.score(state).standings[seat].points)
        return float(state.cards[seat] - 1)

    def view(self, state: KuhnState, observer: int) -> KuhnView:
        return KuhnView(state, observer)

    def determinize(self, state: KuhnState, observer: int, random: Random) -> KuhnState:
        copied = state.copy()
        if not state.shown:
            hidden = [seat for seat in range(SEATS) if seat != observer and state.cards[seat] != NO_CARD]
            unseen = [card for card in range(len(CARDS)) if observer < 0 or card != state.cards[observer]]
            for seat, card in zip(hidden, random.sample(unseen, len(hidden)), strict=True):
                copied.cards[seat] = card
        return copied

    def audience(self, state: KuhnState, seat: int, move: Move) -> int:
        return 1 << move.seat if isinstance(move, Deal) else EVERYBODY

    def conceal(self, state: KuhnState, seat: int, move: Move) -> Move:
        return Deal(move.seat, NO_CARD) if isinstance(move, Deal) else move

    def notation(self, move: Move) -> str:
        return NOTATION.write(move)

    def parse(self, text: str) -> Move:
        return NOTATION.parse(text)

    def sentence(self, move: Move, words: Words) -> str:
        return NOTATION.sentence(move, words)
