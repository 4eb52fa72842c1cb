"""Fire Bulls: exhaustion and rebuilding of the Qi deck, and quiet turns."""

from __future__ import annotations

import pytest

from engine_core.game import NATURE, Chance
from tests.engine_core.games.fire_bulls.positions import FORTS, GAME, PROFILES, Table, position

LINE_OF_FORTS = f"{FORTS} / {FORTS} / soldier-red soldier-red soldier-green"
LINE_OF_BOS = "bo bo bo / soldier-blue soldier-blue soldier-blue / bo soldier-red soldier-green"
BULLS = "blue yellow brown red green"


def stopped(table: Table) -> tuple[int, str, str]:
    """What the deck has come to: exhaustions, deck, discards."""
    return table.view(0).exhaustions, table.deck(), table.discards()


def test_fb22_fb23_a_draw_of_the_last_card_exhausts_the_deck_and_rebuilds_it_at_once() -> None:
    discards = position(["", ""], deck="red").discards()
    table = position(["", ""], deck="red").play("draw", "qi 0 red")
    assert table.moves() == ["step 1", "step 2"]
    assert stopped(table) == (1, discards, "")


def test_fb22_fb23_a_refill_with_the_last_card_exhausts_the_deck() -> None:
    table = position(["", ""], deck="red", reserve="blue", exhaustions=1)
    discards = table.discards()
    table.play("take blue", "qi reserve red")
    assert stopped(table) == (2, discards, "")


def test_fb22_fb25_a_bonus_of_the_last_card_exhausts_the_deck_and_the_cards_paid_are_in_the_new_one() -> None:
    table = position(["red blue", ""], LINE_OF_FORTS, places=(2, 5), deck="green", discards="brown")
    table.play("attack 2: red", "capture: blue", "stop", "qi 0 green")
    assert stopped(table) == (1, "blue brown red", "")


def test_fb22_fb25_the_draw_of_a_bo_exhausts_the_deck_and_its_own_payment_is_in_the_new_one() -> None:
    table = position([BULLS, ""], LINE_OF_BOS, places=(2, 5), deck="green", discards="brown")
    table.play(f"attack 2: {BULLS}", "power yes", "qi 0 green")
    assert stopped(table) == (1, "blue yellow brown brown red green", "")
    assert table.moves() == ["stop"]


def test_fb24_the_pawn_step_is_still_asked_after_the_third_exhaustion_and_then_the_match_ends() -> None:
    table = position(["", ""], deck="red", exhaustions=2, places=(3, 5)).play("draw", "qi 0 red")
    assert table.view(0).exhaustions == 3
    assert table.moves() == ["step 2", "step 3", "step 4"]
    table.play("step 2")
    assert (table.places()[0], table.reason()) == (2, "exhaustion")


def test_fb24_there_is_no_rebuild_at_the_third_exhaustion() -> None:
    table = position(["", ""], deck="red", discards="blue", exhaustions=2).play("draw", "qi 0 red", "step 1")
    assert stopped(table) == (3, "", "blue")


def test_fb24_the_second_bonus_card_is_lost_and_not_asked_for() -> None:
    hands = ["red blue blue", ""]
    table = position(hands, LINE_OF_FORTS, places=(2, 5), deck="green", exhaustions=2, piles=(0, 20, 20))
    table.play("attack 2: red", "capture: blue", "capture: blue", "qi 0 green")
    assert (table.reason(), table.hand(0)) == ("exhaustion", "green")


def test_fb24_a_refill_up_to_three_stops_at_the_third_exhaustion() -> None:
    table = position(["", ""], profile="it", deck="green", reserve="red", exhaustions=2)
    table.play("take red", "qi reserve green")
    assert (table.reason(), table.reserve()) == ("exhaustion", "green")


def test_fb24_captures_go_on_after_the_third_exhaustion_and_the_bonus_is_lost() -> None:
    hands = [f"{BULLS} blue red", ""]
    table = position(hands, LINE_OF_BOS, places=(2, 5), deck="green", exhaustions=2, piles=(0, 18, 18))
    table.play(f"attack 2: {BULLS}", "power yes", "qi 0 green", "capture: blue")
    assert table.moves() == ["stop"]
    table.play("stop")
    assert (table.reason(), table.hand(0)) == ("exhaustion", "red green")


def test_fb24_price_release_and_columns_follow_the_third_exhaustion() -> None:
    hands = [f"{BULLS} warrior red red red red red red red red", ""]
    table = position(
        hands, LINE_OF_BOS, places=(2, 5), deck="green", exhaustions=2, victories=["soldier-yellow wu-red"]
    )
    table.play(f"attack 2: {BULLS}", "power yes", "qi 0 green", "capture: warrior", "stop")
    table.play("price wu-red", "release red", "yen 1 xi-red", "yen 1 xi-blue")
    table.play_draws()
    assert table.reason() == "exhaustion"
    assert table.rows().startswith("xi-blue bo bo / xi-red soldier-blue soldier-blue / bo ")
    assert table.reserve() == "red"


def test_fb24_a_colonel_still_picks_after_the_third_exhaustion() -> None:
    squares = "fortification bo bo / colonel bo bo / bo wu-red wu-red"
    hands = [f"{BULLS} red red red red", "blue", "brown"]
    table = position(hands, squares, places=(2, 4, 5), deck="red", exhaustions=2)
    table.play(f"attack 2: {BULLS}", "power yes", "qi 0 red", "capture: red red red red red")
    table.play("power yes", "pick 1 blue", "pick 2 brown")
    assert (table.hand(1), table.hand(2)) == ("", "")


def test_fb26_exhaustion_without_discards_is_counted_once_and_the_deck_stays_empty() -> None:
    table = position(["", ""], deck="red", discards="").play("draw", "qi 0 red", "step 1")
    assert stopped(table) == (1, "", "")
    assert "draw" not in table.moves()
    table.play("take blue")
    assert (table.seat(), table.view(0).exhaustions) == (0, 1)


def test_fb26_the_empty_deck_is_rebuilt_without_a_new_count_when_a_card_is_needed_and_discards_exist() -> None:
    table = position(["red blue", ""], LINE_OF_FORTS, places=(2, 5), deck="", discards="", exhaustions=1)
    table.play("attack 2: red", "capture: blue", "stop")
    assert table.seat() == NATURE
    assert table.chances() == {"qi 0 blue": 1, "qi 0 red": 1}
    table.play("qi 0 red")
    assert stopped(table) == (1, "blue", "")


def test_fb26_discards_alone_do_not_rebuild_the_empty_deck() -> None:
    table = position(["red", ""], LINE_OF_FORTS, places=(2, 5), deck="", discards="", exhaustions=1)
    table.play("attack 2: red", "stop").play_draws()
    assert stopped(table) == (1, "", "red")
    assert table.play("draw").chances() == {"qi 1 red": 1}


def test_fb26_the_rebuilt_deck_is_exhausted_and_counted_again() -> None:
    table = position(["", ""], deck="", discards="red", exhaustions=1).play("draw", "qi 0 red")
    assert stopped(table) == (2, "", "")


def test_fb28_draws_go_on_with_a_rebuild_in_between() -> None:
    hands = ["red blue blue", ""]
    table = position(hands, LINE_OF_FORTS, places=(2, 5), deck="green", discards="brown")
    table.play("attack 2: red", "capture: blue", "capture: blue", "qi 0 green")
    assert table.chances() == {"qi 0 blue": 2, "qi 0 brown": 1, "qi 0 red": 1}
    table.play("qi 0 brown")
    assert stopped(table) == (1, "blue blue red", "")


def quiet(table: Table, turns: int) -> Table:
    for _ in range(turns):
        table.play(table.moves_starting("take")[0])
    return table


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seats", [2, 3])
def test_fb27_three_quiet_turns_a_seat_count_as_one_exhaustion(profile: str, seats: int) -> None:
    table = position([""] * seats, profile=profile, deck="", discards="", exhaustions=1)
    quiet(table, 3 * seats - 1)
    assert (table.view(0).exhaustions, table.view(0).quiet_turns) == (1, 3 * seats - 1)
    quiet(table, 1)
    assert (table.view(0).exhaustions, table.view(0).quiet_turns) == (2, 0)


@pytest.mark.parametrize("profile", PROFILES)
def test_fb27_quiet_turns_can_end_the_match_with_the_penalty(profile: str) -> None:
    table = position(
        ["", ""], profile=profile, deck="", discards="", exhaustions=2, quiet_turns=5, victories=["bo", "wu-red"]
    )
    quiet(table, 1)
    assert table.reason() == "exhaustion"
    assert (table.breakdown(0)["penalty"], table.breakdown(1)["penalty"]) == (-6, -2)


def test_fb27_a_long_reserve_makes_quiet_turns_in_the_italian_rules_and_the_count_leaves_the_deck_alone() -> None:
    table = position(["", ""], profile="it", reserve="red red red red red", deck="blue", quiet_turns=5)
    before = table.discards()
    table.play("take red")
    assert stopped(table) == (1, "blue", before)


def test_fb27_a_card_that_leaves_the_deck_makes_the_turn_loud() -> None:
    table = position(["", ""], quiet_turns=5, reserve="red").play("take red", "qi reserve blue")
    assert (table.view(0).exhaustions, table.view(0).quiet_turns) == (0, 0)


def test_fb27_a_capture_makes_the_turn_loud() -> None:
    table = position(["red", ""], LINE_OF_FORTS, places=(2, 5), deck="", discards="", quiet_turns=5, exhaustions=1)
    table.play("attack 2: red", "stop").play_draws()
    assert (table.view(0).exhaustions, table.view(0).quiet_turns) == (1, 0)


def test_fb27_the_general_is_a_point_card_too() -> None:
    table = position(
        ["red red red red red red red", ""], general="aside", deck="", discards="", quiet_turns=5, exhaustions=1
    )
    table.play("general: red red red red red red red")
    assert (table.view(0).exhaustions, table.view(0).quiet_turns) == (1, 0)


def test_fb27_the_count_starts_again_after_a_loud_turn() -> None:
    table = position(["", ""], profile="it", reserve="red red red red red", quiet_turns=2)
    table.play("draw", "qi 0 blue", "step 1", "take red")
    assert table.view(0).quiet_turns == 1


def pool(table: Table) -> str:
    phase = GAME.phase(table.state)
    assert isinstance(phase, Chance)
    return phase.pool


def test_fb86_a_rebuild_is_no_draw_and_makes_a_pool_of_its_own() -> None:
    table = position(["", ""], deck="red blue", discards="green green").play("draw")
    pools = [pool(table)]
    for card in ("red", "blue", "green"):
        seat = table.state.active_seat
        table.play(f"qi {seat} {card}", f"step {seat + 1}", "draw")
        pools.append(pool(table))
    assert pools[0] == pools[1]
    assert pools[2] == pools[3] != pools[0]
