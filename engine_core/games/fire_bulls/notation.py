"""The notation of the moves of Fire Bulls."""

from __future__ import annotations

from typing import Final

from engine_core import packed
from engine_core.games.fire_bulls import moves
from engine_core.games.fire_bulls.components import ATTACK_CARDS, DIRECTIONS, PILES, POINT_CARD_NAMES
from engine_core.games.fire_bulls.payments import cards_of_payment
from engine_core.notation import Argument, Form, Notation, OneOf, SeatArgument, Tokens, number_argument
from engine_core.words import Words

CARD: Final = OneOf(ATTACK_CARDS, "an attack card", kind="attack_card")
SEEN_CARD: Final = OneOf(["?", *ATTACK_CARDS], "an attack card or ?", moves.HIDDEN, "attack_card")
POINT_CARD: Final = OneOf(POINT_CARD_NAMES, "a point card", kind="point_card")
DIRECTION: Final = number_argument(1, DIRECTIONS, "a direction")
PILE: Final = number_argument(1, PILES, "a pile")
SEAT: Final = SeatArgument(moves.MAX_SEATS)
DESTINATION: Final = OneOf(["reserve", *SEAT.names], "a seat or reserve", moves.TO_RESERVE)
NO_OR_YES: Final = OneOf(["no", "yes"], "yes or no")


class PaymentArgument(Argument):
    """One or more attack cards, written in the order of `ATTACK_CARDS`, read in any order to the end of the text."""

    def write(self, argument: int) -> str:
        return " ".join([ATTACK_CARDS[card] for card in cards_of_payment(argument)])

    def read(self, tokens: Tokens) -> int:
        payment = packed.ONE_OF_KIND[CARD.read(tokens)]
        while not tokens.is_at_end():
            payment += packed.ONE_OF_KIND[CARD.read(tokens)]
        return payment

    def name(self, argument: int, words: Words) -> str:
        cards = cards_of_payment(argument)
        return words.joined(
            [words.several(CARD.kind, ATTACK_CARDS[card], cards.count(card)) for card in sorted(set(cards))]
        )


class PowerForm(Form):
    """The use of a power, or not: two sentences."""

    def sentence(self, key: str, arguments: tuple[int, ...], words: Words) -> str:
        return words.sentence(f"{key}_{NO_OR_YES.write(arguments[0])}")


class QiForm(Form):
    """A card drawn to a hand or to the Reserve: two sentences."""

    def sentence(self, key: str, arguments: tuple[int, ...], words: Words) -> str:
        to, card = arguments
        name = SEEN_CARD.name(card, words)
        if to == moves.TO_RESERVE:
            return words.sentence("qi_reserve", name)
        return words.sentence(key, name, SEAT.name(to, words))


PAYMENT: Final = PaymentArgument()

NOTATION: Final = Notation(
    "Fire Bulls",
    {
        moves.Take: Form("take {}", CARD),
        moves.Draw: Form("draw"),
        moves.Step: Form("step {}", DIRECTION),
        moves.Attack: Form("attack {}: {}", DIRECTION, PAYMENT),
        moves.AttackGeneral: Form("general: {}", PAYMENT),
        moves.Capture: Form("capture: {}", PAYMENT),
        moves.Stop: Form("stop"),
        moves.Power: PowerForm("power {}", NO_OR_YES),
        moves.Price: Form("price {}", POINT_CARD),
        moves.Release: Form("release {}", CARD),
        moves.Pass: Form("pass"),
        moves.Yen: Form("yen {} {}", PILE, POINT_CARD),
        moves.Place: Form("place {} {}", SEAT, DIRECTION),
        moves.First: Form("first {}", SEAT),
        moves.Qi: QiForm("qi {} {}", DESTINATION, SEEN_CARD),
        moves.Pick: Form("pick {} {}", SEAT, SEEN_CARD),
    },
)
