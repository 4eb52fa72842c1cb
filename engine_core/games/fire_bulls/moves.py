"""The moves of Fire Bulls, with tables of prebuilt moves for those that are often legal."""

from __future__ import annotations

from typing import Final

from engine_core import packed
from engine_core.game import Move
from engine_core.games.fire_bulls.components import DIRECTIONS, GENERAL, PILES, POINT_KINDS, WARRIOR, WARRIORS
from engine_core.games.fire_bulls.payments import payments_by_card

MAX_SEATS: Final = 5
HIDDEN: Final = -1
"""The card in the concealed move of a draw."""
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
    """Use the power of the card just captured, or decline it."""

    def __init__(self, use: int) -> None:
        super().__init__(use)
        self.use: Final = use != 0


class Price(Move):
    """Pay a point card for a warrior that was used."""

    def __init__(self, card: int) -> None:
        super().__init__(card)
        self.card: Final = card


class Release(Move):
    """Put a card of the hand into the Reserve, above the hand limit."""

    def __init__(self, card: int) -> None:
        super().__init__(card)
        self.card: Final = card


class Pass(Move):
    """Take no action this turn: only for a seat whose player has left (FB-87)."""


class Yen(Move):
    """Nature turns up a point card (Yen card) of a pile, 1 to 3."""

    def __init__(self, pile: int, card: int) -> None:
        super().__init__(pile, card)
        self.pile: Final = pile
        self.card: Final = card


class Place(Move):
    """Nature puts a seat's pawn in front of a direction, 1 to 5."""

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
    """Nature draws an attack card (Qi card) to a seat's hand, or to the Reserve (`TO_RESERVE`)."""

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
PAWN_PLACEMENTS: Final = [[Place(seat, direction) for direction in range(DIRECTIONS + 1)] for seat in range(MAX_SEATS)]
FIRSTS: Final = [First(seat) for seat in range(MAX_SEATS)]
QIS: Final = [[Qi(to, card) for card in range(6)] for to in range(MAX_SEATS)]
RESERVE_QIS: Final = [Qi(TO_RESERVE, card) for card in range(6)]
PICKS: Final = [[Pick(seat, card) for card in range(6)] for seat in range(MAX_SEATS)]


class PaymentTables:
    """The payments for each kind of point card, fewest warriors first, and their prebuilt moves in the same order.

    `payment_sizes` is the number of attack cards that each card costs. `affordable_counts` is, by card and number of
    warriors in the hand, how many of the payments use at most that many warriors.
    """

    def __init__(self, payments: list[list[int]]) -> None:
        self.payments: Final = payments
        self.payment_sizes: Final = [packed.size(options[0]) for options in payments]
        self.affordable_counts: Final = [
            [sum([packed.count_of(payment, WARRIOR) <= held for payment in options]) for held in range(WARRIORS + 1)]
            for options in payments
        ]
        self.attacks: Final[list[list[list[Move]]]] = [
            [[Attack(direction, payment) for payment in options] for options in payments]
            for direction in range(DIRECTIONS + 1)
        ]
        self.captures: Final[list[list[Move]]] = [[Capture(payment) for payment in options] for options in payments]
        self.general: Final[list[Move]] = [AttackGeneral(payment) for payment in payments[GENERAL]]


_TABLES: Final[dict[str, PaymentTables]] = {}


def payment_tables(profile: str) -> PaymentTables:
    """The payment tables of a profile, cached."""
    tables = _TABLES.get(profile)
    if tables is None:
        tables = _TABLES[profile] = PaymentTables(payments_by_card(profile))
    return tables
