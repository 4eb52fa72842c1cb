"""Fire Bulls: exhaustion and rebuilding of the Qi deck, and quiet turns."""

from __future__ import annotations

import pytest

from engine_core.game import NATURE, Chance
from tests.engine_core.games.fire_bulls.positions import FORTS, GAME, PROFILES, Position, new_position

SOLDIERS_BEFORE_FORTS = f"{FORTS} / {FORTS} / soldier-red soldier-red soldier-green"
LINE_OF_BOS = "bo bo bo / soldier-blue soldier-blue soldier-blue / bo soldier-red soldier-green"
FIVE_BULLS = "blue yellow brown red green"


def deck_state(position: Position) -> tuple[int, str, str]:
    """What the deck has come to: exhaustions, deck, discards."""
    return position.view(0).exhaustions, position.deck(), position.discards()


def test_fb22_fb23_a_draw_of_the_last_card_exhausts_the_deck_and_rebuilds_it_at_once() -> None:
    discards = new_position(["", ""], deck="red").discards()
    position = new_position(["", ""], deck="red").play("draw", "qi 0 red")
    assert position.moves() == ["step 1", "step 2"]
    assert deck_state(position) == (1, discards, "")


def test_fb22_fb23_a_refill_with_the_last_card_exhausts_the_deck() -> None:
    position = new_position(["", ""], deck="red", reserve="blue", exhaustions=1)
    discards = position.discards()
    position.play("take blue", "qi reserve red")
    assert deck_state(position) == (2, discards, "")


def test_fb22_fb25_a_bonus_of_the_last_card_exhausts_the_deck_and_the_cards_paid_are_in_the_new_one() -> None:
    position = new_position(["red blue", ""], SOLDIERS_BEFORE_FORTS, places=(2, 5), deck="green", discards="brown")
    position.play("attack 2: red", "capture: blue", "stop", "qi 0 green")
    assert deck_state(position) == (1, "blue brown red", "")


def test_fb22_fb25_the_draw_of_a_bo_exhausts_the_deck_and_its_own_payment_is_in_the_new_one() -> None:
    position = new_position([FIVE_BULLS, ""], LINE_OF_BOS, places=(2, 5), deck="green", discards="brown")
    position.play(f"attack 2: {FIVE_BULLS}", "power yes", "qi 0 green")
    assert deck_state(position) == (1, "blue yellow brown brown red green", "")
    assert position.moves() == ["stop"]


def test_fb24_the_pawn_step_is_still_asked_after_the_third_exhaustion_and_then_the_match_ends() -> None:
    position = new_position(["", ""], deck="red", exhaustions=2, places=(3, 5)).play("draw", "qi 0 red")
    assert position.view(0).exhaustions == 3
    assert position.moves() == ["step 2", "step 3", "step 4"]
    position.play("step 2")
    assert (position.places()[0], position.reason()) == (2, "exhaustion")


def test_fb24_there_is_no_rebuild_at_the_third_exhaustion() -> None:
    position = new_position(["", ""], deck="red", discards="blue", exhaustions=2).play("draw", "qi 0 red", "step 1")
    assert deck_state(position) == (3, "", "blue")


def test_fb24_the_second_bonus_card_is_lost_and_not_asked_for() -> None:
    hands = ["red blue blue", ""]
    position = new_position(hands, SOLDIERS_BEFORE_FORTS, places=(2, 5), deck="green", exhaustions=2, piles=(0, 20, 20))
    position.play("attack 2: red", "capture: blue", "capture: blue", "qi 0 green")
    assert (position.reason(), position.hand(0)) == ("exhaustion", "green")


def test_fb24_a_refill_up_to_three_stops_at_the_third_exhaustion() -> None:
    position = new_position(["", ""], profile="it", deck="green", reserve="red", exhaustions=2)
    position.play("take red", "qi reserve green")
    assert (position.reason(), position.reserve()) == ("exhaustion", "green")


def test_fb24_captures_go_on_after_the_third_exhaustion_and_the_bonus_is_lost() -> None:
    hands = [f"{FIVE_BULLS} blue red", ""]
    position = new_position(hands, LINE_OF_BOS, places=(2, 5), deck="green", exhaustions=2, piles=(0, 18, 18))
    position.play(f"attack 2: {FIVE_BULLS}", "power yes", "qi 0 green", "capture: blue")
    assert position.moves() == ["stop"]
    position.play("stop")
    assert (position.reason(), position.hand(0)) == ("exhaustion", "red green")


def test_fb24_price_release_and_columns_follow_the_third_exhaustion() -> None:
    hands = [f"{FIVE_BULLS} warrior red red red red red red red red", ""]
    position = new_position(
        hands, LINE_OF_BOS, places=(2, 5), deck="green", exhaustions=2, victories=["soldier-yellow wu-red"]
    )
    position.play(f"attack 2: {FIVE_BULLS}", "power yes", "qi 0 green", "capture: warrior", "stop")
    position.play("price wu-red", "release red", "yen 1 xi-red", "yen 1 xi-blue")
    position.play_draws()
    assert position.reason() == "exhaustion"
    assert position.rows().startswith("xi-blue bo bo / xi-red soldier-blue soldier-blue / bo ")
    assert position.reserve() == "red"


def test_fb24_a_colonel_still_picks_after_the_third_exhaustion() -> None:
    squares = "fortification bo bo / colonel bo bo / bo wu-red wu-red"
    hands = [f"{FIVE_BULLS} red red red red", "blue", "brown"]
    position = new_position(hands, squares, places=(2, 4, 5), deck="red", exhaustions=2)
    position.play(f"attack 2: {FIVE_BULLS}", "power yes", "qi 0 red", "capture: red red red red red")
    position.play("power yes", "pick 1 blue", "pick 2 brown")
    assert (position.hand(1), position.hand(2)) == ("", "")


def test_fb26_exhaustion_without_discards_is_counted_once_and_the_deck_stays_empty() -> None:
    position = new_position(["", ""], deck="red", discards="").play("draw", "qi 0 red", "step 1")
    assert deck_state(position) == (1, "", "")
    assert "draw" not in position.moves()
    position.play("take blue")
    assert (position.seat(), position.view(0).exhaustions) == (0, 1)


def test_fb26_the_empty_deck_is_rebuilt_without_a_new_count_when_a_card_is_needed_and_discards_exist() -> None:
    position = new_position(["red blue", ""], SOLDIERS_BEFORE_FORTS, places=(2, 5), deck="", discards="", exhaustions=1)
    position.play("attack 2: red", "capture: blue", "stop")
    assert position.seat() == NATURE
    assert position.chances() == {"qi 0 blue": 1, "qi 0 red": 1}
    position.play("qi 0 red")
    assert deck_state(position) == (1, "blue", "")


def test_fb26_discards_alone_do_not_rebuild_the_empty_deck() -> None:
    position = new_position(["red", ""], SOLDIERS_BEFORE_FORTS, places=(2, 5), deck="", discards="", exhaustions=1)
    position.play("attack 2: red", "stop").play_draws()
    assert deck_state(position) == (1, "", "red")
    assert position.play("draw").chances() == {"qi 1 red": 1}


def test_fb26_the_rebuilt_deck_is_exhausted_and_counted_again() -> None:
    position = new_position(["", ""], deck="", discards="red", exhaustions=1).play("draw", "qi 0 red")
    assert deck_state(position) == (2, "", "")


def test_fb28_draws_go_on_with_a_rebuild_in_between() -> None:
    hands = ["red blue blue", ""]
    position = new_position(hands, SOLDIERS_BEFORE_FORTS, places=(2, 5), deck="green", discards="brown")
    position.play("attack 2: red", "capture: blue", "capture: blue", "qi 0 green")
    assert position.chances() == {"qi 0 blue": 2, "qi 0 brown": 1, "qi 0 red": 1}
    position.play("qi 0 brown")
    assert deck_state(position) == (1, "blue blue red", "")


def play_quiet_turns(position: Position, turns: int) -> Position:
    for _ in range(turns):
        position.play(position.moves_starting("take")[0])
    return position


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seat_count", [2, 3])
def test_fb27_three_quiet_turns_a_seat_count_as_one_exhaustion(profile: str, seat_count: int) -> None:
    position = new_position([""] * seat_count, profile=profile, deck="", discards="", exhaustions=1)
    play_quiet_turns(position, 3 * seat_count - 1)
    assert (position.view(0).exhaustions, position.view(0).quiet_turns) == (1, 3 * seat_count - 1)
    play_quiet_turns(position, 1)
    assert (position.view(0).exhaustions, position.view(0).quiet_turns) == (2, 0)


@pytest.mark.parametrize("profile", PROFILES)
def test_fb27_quiet_turns_can_end_the_match_with_the_penalty(profile: str) -> None:
    position = new_position(
        ["", ""], profile=profile, deck="", discards="", exhaustions=2, quiet_turns=5, victories=["bo", "wu-red"]
    )
    play_quiet_turns(position, 1)
    assert position.reason() == "exhaustion"
    assert (position.breakdown(0)["penalty"], position.breakdown(1)["penalty"]) == (-6, -2)


def test_fb27_a_long_reserve_makes_quiet_turns_in_the_italian_rules_and_the_count_leaves_the_deck_alone() -> None:
    position = new_position(["", ""], profile="it", reserve="red red red red red", deck="blue", quiet_turns=5)
    before = position.discards()
    position.play("take red")
    assert deck_state(position) == (1, "blue", before)


def test_fb27_a_card_that_leaves_the_deck_makes_the_turn_loud() -> None:
    position = new_position(["", ""], quiet_turns=5, reserve="red").play("take red", "qi reserve blue")
    assert (position.view(0).exhaustions, position.view(0).quiet_turns) == (0, 0)


def test_fb27_a_capture_makes_the_turn_loud() -> None:
    position = new_position(
        ["red", ""], SOLDIERS_BEFORE_FORTS, places=(2, 5), deck="", discards="", quiet_turns=5, exhaustions=1
    )
    position.play("attack 2: red", "stop").play_draws()
    assert (position.view(0).exhaustions, position.view(0).quiet_turns) == (1, 0)


def test_fb27_the_general_is_a_point_card_too() -> None:
    position = new_position(
        ["red red red red red red red", ""], general="aside", deck="", discards="", quiet_turns=5, exhaustions=1
    )
    position.play("general: red red red red red red red")
    assert (position.view(0).exhaustions, position.view(0).quiet_turns) == (1, 0)


def test_fb27_the_count_starts_again_after_a_loud_turn() -> None:
    position = new_position(["", ""], profile="it", reserve="red red red red red", quiet_turns=2)
    position.play("draw", "qi 0 blue", "step 1", "take red")
    assert position.view(0).quiet_turns == 1


def pool_of_draw(position: Position) -> str:
    phase = GAME.phase(position.state)
    assert isinstance(phase, Chance)
    return phase.pool


def test_fb86_a_rebuild_is_no_draw_and_makes_a_pool_of_its_own() -> None:
    position = new_position(["", ""], deck="red blue", discards="green green").play("draw")
    pools = [pool_of_draw(position)]
    for card in ("red", "blue", "green"):
        seat = position.state.active_seat
        position.play(f"qi {seat} {card}", f"step {seat + 1}", "draw")
        pools.append(pool_of_draw(position))
    assert pools[0] == pools[1]
    assert pools[2] == pools[3] != pools[0]
