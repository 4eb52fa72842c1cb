"""Fireship: response windows against a model that is written from the rulings alone (FS-85 to FS-89)."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

import pytest

from engine_core.games.fireship.components import COLOURS
from tests.engine_core.games.fireship.positions import Position, card_words, new_position

NOBODY: Final = -1
SEATS: Final = 4
FLEETS: Final = {
    "green": "battleship e5, boat h1 arrived, boat f2 arrived, plane j6 arrived, 2 boat j5",
    "blue": "boat o1",
    "red": "2 boat e4",
    "yellow": "boat k12",
    "white": "",
}
ACTIONS: Final = {
    "attack e5: island 1": (2, False),
    "attack e5: red e4": (2, False),
    "play_card boum hand: yellow k12": (NOBODY, False),
    "use_square j6": (NOBODY, False),
    "fortify 2: j5 j5": (NOBODY, False),
    "sector 3": (NOBODY, True),
    "card gain_boat": (NOBODY, True),
}
"""What may be answered: whose pawn or island it is on, and whether the acting seat is asked too."""


class WindowModel:
    """Who holds what, and the answers of each round as they are put to the position under test."""

    def __init__(self, position: Position, random: Random) -> None:
        self.position: Final = position
        self.random: Final = random
        self.hands: Final = [Counter(card_words(seat.hand).split()) for seat in position.state.seats]
        self.anti_skull: Final = [seat.anti_skull for seat in position.state.seats]
        self.passes_turn: Final[set[int]] = {
            number for number, seat in enumerate(position.state.seats) if seat.passes_turn
        }
        self.margin = 0
        self.revealed: list[str] = []

    def has_answer(self, seat: int, target: int) -> bool:
        return self.hands[seat].total() > 0 or (seat == target and self.anti_skull[seat])

    def seats_to_answer(self, actor: int, target: int, with_actor: bool) -> tuple[int, ...]:
        """Public facts only: numbers of cards, anti-skull cards, who has passed the turn."""
        others = [seat for seat in range(SEATS) if seat != actor or with_actor]
        speaking = [seat for seat in others if seat not in self.passes_turn or seat == target]
        return tuple([seat for seat in speaking if self.has_answer(seat, target)])

    def legal_answers(self, seat: int, target: int) -> list[str]:
        found = ["pass", "pass_turn"]
        if self.hands[seat]["no"]:
            found.append("no")
        if seat == target and self.hands[seat]["plus_one"]:
            found.append("plus_one")
        if seat == target and self.anti_skull[seat]:
            found.append("anti_skull")
        return found

    def play_round(self, seats: tuple[int, ...], target: int) -> dict[int, str]:
        """The sealed answers, given in any order; the last one reveals what is to be revealed."""
        answers: dict[int, str] = {}
        for number, seat in enumerate(self.random.sample(seats, len(seats))):
            assert self.position.moves(seat) == self.legal_answers(seat, target)
            answers[seat] = self.random.choice(self.legal_answers(seat, target))
            text = f"{seat}: {answers[seat]}"
            if number < len(seats) - 1:
                assert self.position.reveals(text) == []
            else:
                self.revealed = self.position.reveals(text)
            self.position.play(text)
        return answers

    def seat_of_card_that_counts(self, answers: dict[int, str], actor: int) -> int:
        clockwise = [(actor + step) % SEATS for step in range(1, SEATS + 1)]
        cards = [seat for seat in clockwise if answers.get(seat) == "no"]
        cards += [seat for seat in clockwise if answers.get(seat) in ("plus_one", "anti_skull")]
        return cards[0] if cards else NOBODY

    def play_window(self, actor: int, target: int, with_actor: bool) -> bool:
        """Whether what a seat did happens, in the end."""
        while True:
            seats = self.seats_to_answer(actor, target, with_actor)
            if not seats:
                return True
            assert self.position.seats_to_answer() == seats
            answers = self.play_round(seats, target)
            card_seat = self.seat_of_card_that_counts(answers, actor)
            shown = [seat for seat in sorted(answers) if answers[seat] == "pass_turn" or seat == card_seat]
            assert self.revealed == [f"{seat}: {answers[seat]}" for seat in shown]
            self.passes_turn.update([seat for seat in answers if answers[seat] == "pass_turn"])
            if card_seat == NOBODY:
                return True
            if self.play_answer_card(card_seat, answers[card_seat]):
                return False

    def play_answer_card(self, card_seat: int, card: str) -> bool:
        """A card is spent and answered in its turn; whether it puts an end to the window below."""
        if card == "anti_skull":
            self.anti_skull[card_seat] = False
        else:
            self.hands[card_seat][card] -= 1
        if not self.play_window(card_seat, NOBODY, False):
            return False
        if card == "plus_one":
            self.margin -= 1
            return self.margin < 0
        return True


def random_action(action: str, random: Random) -> Position:
    """Green does something; what the others hold, and who has passed the turn before, is drawn."""
    hands = [" ".join(random.choices(["no", "no", "plus_one", "fog"], k=random.randrange(3))) for _ in range(SEATS)]
    hands[0] += " boum" if "boum" in action else ""
    used = Counter(" ".join(hands).split())
    if used["no"] > 6 or used["plus_one"] > 7 or used["fog"] > 4:
        return random_action(action, random)
    position = new_position(
        FLEETS,
        seat_count=SEATS,
        hands=hands,
        islands={1: "red", 2: "green"},
        dice=(6, 6),
        anti_skull=random.random() < 0.5,
    )
    for seat in position.state.seats[1:]:
        seat.passes_turn = random.random() < 0.2
    if action.startswith("sector"):
        position.play("use_square h1")
    elif action.startswith("card"):
        position.play("use_square f2")
    return position


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("seed", range(60))
def test_fs89_every_response_window_follows_the_model(action: str, seed: int) -> None:
    random = Random(f"{action} {seed}")
    position = random_action(action, random)
    copied = position.copy()
    model = WindowModel(position, random)
    target, with_actor = ACTIONS[action]
    position.play(action)
    model.hands[0]["boum"] = 0
    model.margin = position.view(0).attack_power - position.view(0).defence_power
    took_place = model.play_window(0, target, with_actor)
    assert position.seats_to_answer() == ()
    assert [Counter(position.hand(seat).split()) for seat in range(SEATS)] == [+hand for hand in model.hands]
    assert [seat.anti_skull for seat in position.state.seats] == model.anti_skull
    assert {number for number, seat in enumerate(position.state.seats) if seat.passes_turn} == model.passes_turn
    assert took_effect(position, copied, action) == took_place


def took_effect(position: Position, before: Position, action: str) -> bool:
    """Whether the action took effect: a die is due, or the board has changed."""
    if action.startswith(("attack", "use_square")):
        return position.purpose() != ""
    pawns = [position.pawns(colour) != before.pawns(colour) for colour in COLOURS]
    return any(pawns) or position.badges(0) != before.badges(0)
