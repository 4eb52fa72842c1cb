"""The moves of Fire Bulls and their notation. Equal moves are equal objects; the common ones are made once."""

from __future__ import annotations

from typing import Final

from engine_core.errors import MalformedMove
from engine_core.game import Move
from engine_core.games.fire_bulls.cards import (
    ATTACK_CARDS,
    DIRECTIONS,
    GENERAL,
    ONE,
    PILES,
    POINT_CARD_NAMES,
    POINT_KINDS,
    WARRIOR,
    WARRIORS,
    number_of,
    size,
)
from engine_core.games.fire_bulls.payments import payments_of, spelled
from engine_core.notation import Words

MAX_SEATS: Final = 5
HIDDEN: Final = -1
"""The card of a draw, for those who do not see it."""
TO_RESERVE: Final = -1
"""The destination of a draw that goes to the Reserve."""


class Take(Move):
    """Take a card of the Reserve."""

    def __init__(self, card: int) -> None:
        super().__init__(card)
        self.card: Final = card


class Draw(Move):
    """Draw the top card of the Qi deck."""


class Step(Move):
    """Move the pawn to a neighbouring direction, or stay."""

    def __init__(self, to: int) -> None:
        super().__init__(to)
        self.to: Final = to


class Attack(Move):
    """Attack along a direction and pay for its nearest card."""

    def __init__(self, direction: int, payment: int) -> None:
        super().__init__(direction, payment)
        self.direction: Final = direction
        self.payment: Final = payment


class AttackGeneral(Move):
    """Attack the general."""

    def __init__(self, payment: int) -> None:
        super().__init__(payment)
        self.payment: Final = payment


class Capture(Move):
    """Pay for the next card of the line."""

    def __init__(self, payment: int) -> None:
        super().__init__(payment)
        self.payment: Final = payment


class Stop(Move):
    """End the attack."""


class Power(Move):
    """Use the power of the card just captured, or not."""

    def __init__(self, use: bool) -> None:
        super().__init__(use)
        self.use: Final = use


class Price(Move):
    """Give a point card for a warrior."""

    def __init__(self, card: int) -> None:
        super().__init__(card)
        self.card: Final = card


class Release(Move):
    """Put a card of the hand into the Reserve."""

    def __init__(self, card: int) -> None:
        super().__init__(card)
        self.card: Final = card


class Pass(Move):
    """Pass a turn over: of a seat whose player has left, and no other (FB-87)."""


class Yen(Move):
    """Nature turns up a point card of a pile, 1 to 3."""

    def __init__(self, pile: int, card: int) -> None:
        super().__init__(pile, card)
        self.pile: Final = pile
        self.card: Final = card


class Place(Move):
    """Nature puts a seat's pawn before a direction."""

    def __init__(self, seat: int, direction: int) -> None:
        super().__init__(seat, direction)
        self.seat: Final = seat
        self.direction: Final = direction


class First(Move):
    """Nature draws the seat that begins."""

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.seat: Final = seat


class Qi(Move):
    """Nature draws an attack card to a seat's hand or to the Reserve."""

    def __init__(self, to: int, card: int) -> None:
        super().__init__(to, card)
        self.to: Final = to
        self.card: Final = card


class Pick(Move):
    """Nature picks a card of a seat's hand."""

    def __init__(self, seat: int, card: int) -> None:
        super().__init__(seat, card)
        self.seat: Final = seat
        self.card: Final = card


TAKES: Final = [Take(card) for card in range(6)]
DRAW: Final = Draw()
STEPS: Final = [Step(to) for to in range(DIRECTIONS + 1)]
STOP: Final = Stop()
POWER_YES: Final = Power(True)
POWER_NO: Final = Power(False)
PRICES: Final = [Price(card) for card in range(POINT_KINDS)]
RELEASES: Final = [Release(card) for card in range(6)]
PASS: Final = Pass()
YENS: Final = [[Yen(pile, card) for card in range(POINT_KINDS)] for pile in range(PILES + 1)]
PLACES: Final = [[Place(seat, direction) for direction in range(DIRECTIONS + 1)] for seat in range(MAX_SEATS)]
FIRSTS: Final = [First(seat) for seat in range(MAX_SEATS)]
QIS: Final = [[Qi(to, card) for card in range(6)] for to in range(MAX_SEATS)]
RESERVE_QIS: Final = [Qi(TO_RESERVE, card) for card in range(6)]
PICKS: Final = [[Pick(seat, card) for card in range(6)] for seat in range(MAX_SEATS)]


class Tables:
    """The moves that pay for each point card, parallel to `payments`; a card costs `sizes` attack cards.

    `reach` says for each card and number of warriors how many of the payments, which begin with the fewest warriors,
    take no more than those.
    """

    def __init__(self, payments: list[list[int]]) -> None:
        self.payments: Final = payments
        self.sizes: Final = [size(options[0]) for options in payments]
        self.reach: Final = [
            [sum([number_of(payment, WARRIOR) <= held for payment in options]) for held in range(WARRIORS + 1)]
            for options in payments
        ]
        self.attacks: Final[list[list[list[Move]]]] = [
            [[Attack(direction, payment) for payment in options] for options in payments]
            for direction in range(DIRECTIONS + 1)
        ]
        self.captures: Final[list[list[Move]]] = [[Capture(payment) for payment in options] for options in payments]
        self.general: Final[list[Move]] = [AttackGeneral(payment) for payment in payments[GENERAL]]


_TABLES: Final[dict[str, Tables]] = {}


def tables_of(printing: str) -> Tables:
    """The tables of a printing of the rulebook, made once."""
    tables = _TABLES.get(printing)
    if tables is None:
        tables = _TABLES[printing] = Tables(payments_of(printing))
    return tables


def _card(card: int) -> str:
    return "?" if card == HIDDEN else ATTACK_CARDS[card]


def _cards(payment: int) -> str:
    return " ".join([ATTACK_CARDS[card] for card in spelled(payment)])


def notation(move: Move) -> str:
    """The text of a move."""
    if isinstance(move, Take):
        return f"take {ATTACK_CARDS[move.card]}"
    if isinstance(move, Draw):
        return "draw"
    if isinstance(move, Step):
        return f"step {move.to}"
    if isinstance(move, Attack):
        return f"attack {move.direction}: {_cards(move.payment)}"
    if isinstance(move, AttackGeneral):
        return f"general: {_cards(move.payment)}"
    if isinstance(move, Capture):
        return f"capture: {_cards(move.payment)}"
    if isinstance(move, Stop):
        return "stop"
    if isinstance(move, Power):
        return "power yes" if move.use else "power no"
    if isinstance(move, Price):
        return f"price {POINT_CARD_NAMES[move.card]}"
    if isinstance(move, Release):
        return f"release {ATTACK_CARDS[move.card]}"
    if isinstance(move, Pass):
        return "pass"
    return _nature_notation(move)


def _nature_notation(move: Move) -> str:
    if isinstance(move, Yen):
        return f"yen {move.pile} {POINT_CARD_NAMES[move.card]}"
    if isinstance(move, Place):
        return f"place {move.seat} {move.direction}"
    if isinstance(move, First):
        return f"first {move.seat}"
    if isinstance(move, Qi):
        return f"qi {'reserve' if move.to == TO_RESERVE else move.to} {_card(move.card)}"
    if isinstance(move, Pick):
        return f"pick {move.seat} {_card(move.card)}"
    raise TypeError(f"{type(move).__name__} is not a move of Fire Bulls")


class _Words(Words):
    """The words of a notation of this game."""

    def attack_card(self) -> int:
        return self.one_of(ATTACK_CARDS, "an attack card")

    def seen_card(self) -> int:
        return self.one_of(["?", *ATTACK_CARDS], "an attack card or ?") - 1

    def point_card(self) -> int:
        return self.one_of(POINT_CARD_NAMES, "a point card")

    def direction(self) -> int:
        return self.one_of([str(number) for number in range(1, DIRECTIONS + 1)], "a direction from 1 to 5") + 1

    def pile(self) -> int:
        return self.one_of([str(number) for number in range(1, PILES + 1)], "a pile from 1 to 3") + 1

    def seat(self) -> int:
        return self.one_of([str(number) for number in range(MAX_SEATS)], "a seat from 0 to 4")

    def destination(self) -> int:
        return self.one_of(["reserve", *[str(number) for number in range(MAX_SEATS)]], "a seat or reserve") - 1

    def payment(self) -> int:
        payment = ONE[self.attack_card()]
        while not self.is_done():
            payment += ONE[self.attack_card()]
        return payment

    def move(self) -> Move:
        verb = self.word()
        if verb == "take":
            return Take(self.attack_card())
        if verb == "draw":
            return DRAW
        if verb == "step":
            return Step(self.direction())
        if verb == "attack":
            return Attack(self.direction(), self.payment())
        if verb == "general":
            return AttackGeneral(self.payment())
        if verb == "capture":
            return Capture(self.payment())
        if verb == "stop":
            return STOP
        if verb == "power":
            return Power(self.one_of(["no", "yes"], "yes or no") == 1)
        if verb == "price":
            return Price(self.point_card())
        if verb == "release":
            return Release(self.attack_card())
        if verb == "pass":
            return PASS
        return self.nature_move(verb)

    def nature_move(self, verb: str) -> Move:
        if verb == "yen":
            return Yen(self.pile(), self.point_card())
        if verb == "place":
            return Place(self.seat(), self.direction())
        if verb == "first":
            return First(self.seat())
        if verb == "qi":
            return Qi(self.destination(), self.seen_card())
        if verb == "pick":
            return Pick(self.seat(), self.seen_card())
        raise MalformedMove(self.text, f"{verb!r} is not a kind of move")


def parse(text: str) -> Move:
    """The move of a text. Raises `MalformedMove`."""
    words = _Words(text)
    move = words.move()
    words.check_end(notation(move))
    return move
