"""What the log says of the moves of Fireship: battles, answers, pawns, islands, badges, and the first turn."""

from __future__ import annotations

import pytest

from engine_core.game import NATURE, SPECTATOR, Chance
from engine_core.games.fireship.state import starting_state
from tests.engine_core.games.fireship.positions import GAME, Position, new_position
from tests.engine_core.games.played import log_in_words

ENGLISH = GAME.words("en").with_players(("Ann", "Bob", "Cara", "Dan"))


def said(position: Position, *texts: str, observer: int = SPECTATOR) -> str:
    """Make moves; what the last one brought, in words for an observer."""
    for text in texts[:-1]:
        position.play(text)
    before, text = position.view(observer), texts[-1]
    is_nature = isinstance(GAME.phase(position.state), Chance)
    seat = NATURE if is_nature else int(text[0]) if text[1:3] == ": " else position.to_move()[0]
    move = GAME.parse(position.seen_by(text, observer))
    position.play(text)
    return "; ".join(GAME.consequences(before, seat, move, position.view(observer), ENGLISH))


@pytest.mark.parametrize(
    ("match", "revision", "notation", "expected"),
    [
        ("fireship-short-2", 1, "die skull", "a skull counts nothing in the throw for the first turn"),
        ("fireship-rings-3", 2, "die 3", "Ann has 8 in the throw for the first turn"),
        (
            "fireship-rings-3",
            6,
            "die 5",
            "Cara has 5 in the throw for the first turn; Ann has the highest throw and begins",
        ),
        ("fireship-rings-2", 238, "die 5", "Ann has 11 points to move"),
        ("fireship-rings-2", 57, "die skull", "Bob has no points to move"),
        ("fireship-rings-2", 132, "attack h5: white h5", "attack 2 against defence 1 wins with 4, 5 and 6"),
        ("fireship-rings-2", 309, "attack f4: red f5", "attack 1 against defence 1 wins with 5 and 6; Bob may answer"),
        ("fireship-rings-4", 222, "pass_turn", "nobody plays a card"),
        ("fireship-plain-4", 430, "anti_skull", "the action is cancelled"),
        ("fireship-plain-4", 580, "die 2", "the attack fails, 2 against 1"),
        ("fireship-rings-3", 123, "die 4", "Cara wins the battle, 3 against 1; white loses a boat"),
        ("fireship-rings-3", 442, "die 6", "Cara wins the battle, 2 against 2; Cara takes island 9; Cara gains a boat"),
        ("fireship-rings-3", 365, "fortify 1: e4 e5", "island 1 now has one ring"),
        ("fireship-rings-3", 316, "die 2", "Cara gets no battleship"),
        ("fireship-rings-4", 269, "card fog", "Ann keeps it"),
        ("fireship-rings-4", 186, "card bermuda", "Ann will skip a turn"),
        ("fireship-rings-4", 207, "end_turn", "Ann skips a turn"),
        ("fireship-plain-4", 513, "sector 4", "Dan must choose what to give up"),
        ("fireship-rings-2", 148, "end_turn", "round 12 of 30 begins"),
    ],
)
def test_recorded_moves_say_what_they_brought(match: str, revision: int, notation: str, expected: str) -> None:
    assert log_in_words(match, SPECTATOR)[revision - 1] == (notation, tuple(expected.split("; ")))


def test_players_with_equal_highest_throws_throw_again() -> None:
    position = Position(starting_state(2, new_position().state.options))
    position.play("die 3", "die 4", "die 5")
    assert said(position, "die 2") == "the highest throws are equal: these players throw again"


def test_the_outcome_of_the_wheel_and_of_cards_is_said() -> None:
    fleet = {"green": "boat h1 arrived", "red": "boat o15"}
    wheel = new_position(fleet, dice=(6, 6)).play("use_square h1")
    outcomes = {said(wheel.copy(), sector) for sector in wheel.moves()}
    assert {"Ann gets the badge Boum", "Ann gets the badge Fog", "Ann gains a boat", "Ann gains a plane"} <= outcomes
    assert "Ann loses a boat" in outcomes  # the kraken
    mystery = new_position({**fleet, "green": "boat f2 arrived"}, dice=(6, 6)).play("use_square f2")
    assert said(mystery, "card lose_plane") == "it has no effect"


def test_a_plane_may_be_saved_from_the_skull() -> None:
    fleet = {"green": "plane f6 arrived, boat a1", "red": "boat o15"}
    position = new_position(fleet, dice=(6, 6), anti_skull=True)
    position.play("use_square f6")
    assert said(position, "die skull") == "Ann may save the plane with the anti-skull card"
    assert said(position, "pass") == "Ann loses a plane"


FLEETS = {"green": "boat g1, plane a1", "blue": "boat a15", "red": "boat o15"}


def test_what_sealed_answers_come_to_is_said_with_the_last_one() -> None:
    position = new_position(FLEETS, seat_count=3, hands=("fog updraft no", "no", "no"))
    fog, fast = position.copy(), position.copy()
    assert said(fog, "play_card fog hand") == "Bob and Cara may answer"
    for observer in (SPECTATOR, 0, 1, 2):
        assert said(fog.copy(), "1: pass", observer=observer) == ""
    assert said(fog, "1: pass", "2: pass") == "nobody plays a card; Ann is in the fog"
    [hasten] = fast.moves_starting("play_card updraft hand: plane")
    assert said(fast, hasten, "1: pass", "2: pass") == "nobody plays a card; the pawn moves twice as fast"
    assert said(position, hasten, "1: no", "2: pass") == "Ann and Cara may answer"
    assert said(position, "0: pass", "2: pass") == "nobody plays a card; the action is cancelled"


def test_a_non_against_a_non_lets_the_action_take_effect() -> None:
    position = new_position(FLEETS, seat_count=3, hands=("updraft no", "no", ""))
    [hasten] = position.moves_starting("play_card updraft hand: plane")
    assert said(position, hasten, "1: no") == "Ann may answer"
    assert said(position, "0: no") == "the pawn moves twice as fast"


def test_a_seat_without_pawns_and_islands_is_out() -> None:
    fleets = {"green": "boat g1", "blue": "boat a15", "red": "boat h1"}
    position = new_position(fleets, seat_count=3, dice=(6, 6))
    assert said(position, "attack g1: red h1", "die 6") == "Ann wins the battle, 1 against 1; Cara loses a boat"
    assert said(position, "end_turn") == "Cara is out of the match"
