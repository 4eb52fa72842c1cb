"""Fire Bulls: hidden information, audiences of draws, certain knowledge, and determinization."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine_core.explore import random_step
from engine_core.game import EVERYBODY, SPECTATOR
from engine_core.games.fire_bulls.components import EMPTY, FULL_DECK
from engine_core.games.fire_bulls.state import FireBullsOptions, FireBullsState
from engine_core.games.fire_bulls.view import NO_HAND
from engine_core.packed import is_superset, size
from tests.conformance.plain import plain
from tests.engine_core.games.fire_bulls.positions import (
    FORTS,
    GAME,
    PROFILES,
    Position,
    move_of,
    new_position,
    pack_qi,
    qi_words,
    yen_words,
)

FIVE_REDS = "red red red red red"
SEVEN_REDS = "red red red red red red red"
SQUARES = f"{FORTS} / {FORTS} / soldier-red fortification wu-white"
SQUARES_WITH_COLONEL = f"{FORTS} / {FORTS} / colonel bo bo"


def audience_of(position: Position, text: str) -> int:
    return GAME.audience(position.state, position.seat(), move_of(text))


def concealed_notation(position: Position, text: str) -> str:
    return GAME.notation(GAME.conceal(position.state, position.seat(), move_of(text)))


def random_state(seat_count: int, profile: str, seed: int, moves: int) -> FireBullsState:
    """A position that random play reaches."""
    random = Random(f"{seat_count} {profile} {seed}")
    state = GAME.start(seat_count, FireBullsOptions(profile))
    for _ in range(moves):
        if not random_step(GAME, state, random):
            break
    return state


@pytest.mark.parametrize("observer", [0, 1, SPECTATOR])
def test_fb09_a_hand_is_seen_by_its_seat_alone(observer: int) -> None:
    view = new_position(["red blue", "green"]).view(observer)
    hands = [pack_qi("red blue"), pack_qi("green")]
    assert [seat.hand for seat in view.seats] == [hands[seat] if seat == observer else NO_HAND for seat in (0, 1)]
    assert [seat.hand_size for seat in view.seats] == [2, 1]


def test_fb09_columns_piles_reserve_deck_size_discards_counts_and_places_are_public() -> None:
    position = new_position(
        ["", ""], SQUARES, reserve="blue", deck="red red", places=(4, 2), exhaustions=1, quiet_turns=2, piles=(3, 4, 5)
    )
    view = position.view(SPECTATOR)
    assert (view.squares, list(view.piles), qi_words(view.reserve)) == (position.state.squares, [3, 4, 5], "blue")
    assert (view.deck_size, qi_words(view.discards)) == (2, position.discards())
    assert (view.exhaustions, view.quiet_turns) == (1, 2)
    assert [(seat.colour, seat.place) for seat in view.seats] == [(0, 4), (1, 2)]


def test_fb09_the_running_attack_and_the_cards_won_this_turn_are_public() -> None:
    position = new_position(["red warrior", ""], SQUARES, places=(2, 5), victories=["bo"]).play("attack 2: warrior")
    view = position.view(SPECTATOR)
    assert (view.direction, view.captures, view.warriors_owed) == (2, 1, 1)
    assert (yen_words(view.seats[0].victory), yen_words(view.seats[0].won_this_turn)) == (
        "soldier-red bo",
        "soldier-red",
    )


def test_fb09_the_mark_of_a_card_won_goes_with_the_turn() -> None:
    position = new_position(["red", ""], SQUARES, places=(2, 5)).play("attack 2: red", "stop").play_draws()
    assert position.seat() == 1
    assert [yen_words(seat.won_this_turn) for seat in position.view(1).seats] == ["", ""]


def test_fb09_no_attack_is_shown_once_its_turn_is_over() -> None:
    view = new_position(["red", ""], SQUARES, places=(2, 5)).play("attack 2: red", "stop").play_draws().view(1)
    assert (view.direction, view.captures, view.capture_limit, view.warriors_owed, view.power_card) == (
        0,
        0,
        0,
        0,
        EMPTY,
    )


def test_fb09_cards_out_of_the_game_are_public() -> None:
    position = new_position(["warrior", ""], SQUARES, places=(2, 5), victories=["bo"])
    position.play("attack 2: warrior", "stop", "price bo")
    assert yen_words(position.view(SPECTATOR).removed) == "bo"


def test_fb09_a_draw_to_a_hand_is_shown_to_its_seat_only() -> None:
    position = new_position(["", "", ""]).play("draw")
    assert audience_of(position, "qi 0 red") == 0b001
    assert concealed_notation(position, "qi 0 red") == "qi 0 ?"


def test_fb09_bonus_and_bo_draws_are_shown_to_their_seat_only() -> None:
    position = new_position(["red red", ""], f"{FORTS} / {FORTS} / soldier-red bo bo", places=(2, 5))
    position.play("attack 2: red", "capture: red", "stop")
    assert audience_of(position, "qi 0 blue") == 0b01


@pytest.mark.parametrize(
    ("before", "draw"), [(["take red"], "qi reserve blue"), (["attack 2: blue", "stop"], "yen 1 xi-red")]
)
def test_fb09_refills_and_columns_are_shown_to_everybody(before: list[str], draw: str) -> None:
    position = new_position(["blue", ""], f"{FORTS} / {FORTS} / fortification bo bo", places=(2, 5), reserve="red")
    assert audience_of(position.play(*before), draw) == EVERYBODY


@pytest.mark.parametrize("text", ["yen 1 bo", "place 0 3", "qi reserve red", "first 1"])
def test_fb09_setup_is_shown_to_everybody_except_the_hands(text: str) -> None:
    position = Position(GAME.start(2, FireBullsOptions()))
    while not position.moves_starting(text.split()[0] + " " + text.split()[1][0]):
        position.play(position.moves()[0])
    assert audience_of(position, text) == EVERYBODY


def test_fb09_the_colonels_pick_is_shown_to_everybody() -> None:
    position = new_position([FIVE_REDS, "blue", ""], SQUARES_WITH_COLONEL, places=(2, 5, 4)).play(
        f"attack 2: {FIVE_REDS}", "power yes"
    )
    assert audience_of(position, "pick 1 blue") == EVERYBODY


def test_fb09_the_generals_pick_is_shown_to_both_seats_concerned() -> None:
    position = new_position([SEVEN_REDS, "", "blue"], general="aside").play(f"general: {SEVEN_REDS}", "power yes")
    assert audience_of(position, "pick 2 blue") == 0b101
    assert concealed_notation(position, "pick 2 blue") == "pick 2 ?"


@pytest.mark.parametrize("text", ["take red", "draw", "attack 1: blue", "attack 2: blue"])
def test_fb09_moves_of_seats_are_public(text: str) -> None:
    position = new_position(["blue", ""], f"{FORTS} / {FORTS} / fortification bo bo", places=(2, 5), reserve="red")
    assert audience_of(position, text) == EVERYBODY


def test_fb09_a_concealed_draw_is_well_formed_but_never_legal() -> None:
    position = new_position(["", ""]).play("draw")
    assert move_of("qi 0 ?") not in GAME.legal_moves(position.state, -1)


@pytest.mark.parametrize("hand", ["green", "warrior", "yellow"])
def test_fb09_what_an_observer_cannot_see_changes_nothing_in_its_view(hand: str) -> None:
    one, other = (new_position(["red", hidden], reserve="blue") for hidden in ("blue", hand))
    for observer in (0, SPECTATOR):
        assert plain(one.view(observer)) == plain(other.view(observer))
    assert one.moves() == other.moves()


def test_fb90_a_card_taken_in_the_open_is_known() -> None:
    position = new_position(["blue", "", ""], reserve="red red").play("take red", "qi reserve green")
    assert position.known(0) == "red"
    assert position.known(1) == position.known(2) == ""


def test_fb90_a_drawn_card_is_not_known() -> None:
    assert new_position(["", ""]).play("draw", "qi 0 red", "step 1").known(0) == ""


@pytest.mark.parametrize(
    ("payment", "known"), [("red red", "blue"), ("red warrior", "blue"), ("warrior warrior", "blue red")]
)
def test_fb90_each_card_paid_takes_one_of_its_kind_from_what_is_known(payment: str, known: str) -> None:
    position = new_position(["red red warrior warrior blue", ""], f"{FORTS} / {FORTS} / wu-red bo bo", places=(2, 5))
    position.state.seats[0].known_cards = pack_qi("red blue")
    assert position.play(f"attack 2: {payment}").known(0) == known


def test_fb90_the_price_of_further_captures_and_of_the_general_counts_as_well() -> None:
    position = new_position([f"{SEVEN_REDS} blue", ""], general="aside")
    position.state.seats[0].known_cards = pack_qi("red red blue")
    assert position.play(f"general: {SEVEN_REDS}").known(0) == "blue"


def test_fb90_a_released_card_is_not_known_any_more() -> None:
    position = new_position([f"{SEVEN_REDS} green", ""], reserve="blue").play("take blue", "qi reserve green")
    assert position.known(0) == "blue"
    assert position.play("release blue").known(0) == ""


@pytest.mark.parametrize(("picked", "known"), [("blue", "green"), ("yellow", "blue green")])
def test_fb90_a_card_picked_in_the_open_is_not_known_any_more(picked: str, known: str) -> None:
    position = new_position([FIVE_REDS, "blue green yellow"], SQUARES_WITH_COLONEL, places=(2, 5))
    position.state.seats[1].known_cards = pack_qi("blue green")
    assert position.play(f"attack 2: {FIVE_REDS}", "power yes", f"pick 1 {picked}").known(1) == known


@pytest.mark.parametrize("picked", ["blue", "green", "yellow"])
def test_fb90_a_hidden_pick_takes_one_of_every_kind_from_what_is_known(picked: str) -> None:
    position = new_position([SEVEN_REDS, "blue blue green yellow", "red"], general="aside")
    position.state.seats[1].known_cards = pack_qi("blue blue green")
    position.state.seats[2].known_cards = pack_qi("red")
    position.play(f"general: {SEVEN_REDS}", "power yes", f"pick 1 {picked}")
    assert position.known(1) == "blue"
    assert position.known(2) == "red"
    assert position.play("pick 2 red").known(2) == ""
    assert position.known(0) == ""


def test_fb90_at_first_the_deck_holds_at_most_what_the_observer_has_not_seen_drawn() -> None:
    position = Position(GAME.start(2, FireBullsOptions(first_seat=0)))
    while not position.moves_starting("qi 0"):
        position.play(position.moves()[0])
    assert position.view(0).deck_at_most == FULL_DECK
    position.play("qi 0 red", "qi 0 red", "qi 0 blue", "qi 1 green", "qi 1 green", "qi 1 green")
    position.play("qi reserve brown", "qi reserve brown", "qi reserve warrior")
    reserve = pack_qi("brown brown warrior")
    assert position.view(SPECTATOR).deck_at_most == FULL_DECK - reserve
    assert position.view(0).deck_at_most == FULL_DECK - reserve - pack_qi("red red blue")
    assert position.view(1).deck_at_most == FULL_DECK - reserve - pack_qi("green green green")


def test_fb90_a_rebuilt_deck_holds_at_most_the_discards_less_the_draws_that_the_observer_saw() -> None:
    position = new_position(["", "", ""], deck="red", reserve="blue", discards="green green yellow brown")
    position.play("take blue", "qi reserve red")
    assert [position.at_most(observer) for observer in (0, 1, 2, SPECTATOR)] == ["yellow brown green green"] * 4
    position.play("draw", "qi 1 green", "step 2")
    assert position.at_most(1) == "yellow brown green"
    assert [position.at_most(observer) for observer in (0, 2, SPECTATOR)] == ["yellow brown green green"] * 3
    position.play("take red", "qi reserve yellow")
    assert position.at_most(1) == "brown green"
    assert [position.at_most(observer) for observer in (0, 2, SPECTATOR)] == ["brown green green"] * 3


def test_fb90_a_late_rebuild_shows_the_discards_too() -> None:
    position = new_position(["", ""], deck="", discards="green green", exhaustions=1).play(
        "draw", "qi 0 green", "step 1"
    )
    assert position.at_most(0) == "green"
    assert position.at_most(1) == position.at_most(SPECTATOR) == "green green"


def test_fb90_the_hidden_draw_that_exhausts_the_deck_is_no_draw_from_the_new_one() -> None:
    position = new_position(["", ""], deck="red", discards="red green").play("draw", "qi 0 red")
    assert position.at_most(0) == position.at_most(1) == "red green"


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seat_count", [2, 3, 5])
def test_fb90_certain_knowledge_is_true_in_every_position_of_random_matches(seat_count: int, profile: str) -> None:
    for match in range(5):
        random = Random(f"{seat_count} {profile} {match}")
        state = GAME.start(seat_count, FireBullsOptions(profile))
        while random_step(GAME, state, random):
            assert all(is_superset(seat.hand, seat.known_cards) for seat in state.seats)
            assert all(is_superset(at_most, state.deck) for at_most in [seat.deck_at_most for seat in state.seats])
            assert is_superset(state.deck_at_most, state.deck)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("seat_count", [2, 3, 4, 5])
def test_fb90_a_deal_agrees_with_the_view_and_with_certain_knowledge(seat_count: int, profile: str) -> None:
    for seed, moves in enumerate((0, 20, 60, 200, 400, 700)):
        state = random_state(seat_count, profile, seed, moves)
        for observer in [*range(seat_count), SPECTATOR]:
            copied = GAME.determinize(state, observer, Random(seed))
            assert plain(GAME.view(copied, observer)) == plain(GAME.view(state, observer))
            held = sum([seat.hand for seat in copied.seats])
            assert held + copied.deck + copied.discards + copied.reserve == FULL_DECK
            assert is_superset(GAME.view(state, observer).deck_at_most, copied.deck)
            assert all(is_superset(seat.hand, seat.known_cards) for seat in copied.seats)


def test_fb90_a_deal_does_not_change_the_given_state() -> None:
    position = new_position(["red", "blue", "green"])
    before = [seat.hand for seat in position.state.seats]
    for seed in range(20):
        GAME.determinize(position.state, 0, Random(seed))
    assert [seat.hand for seat in position.state.seats] == before


def test_fb90_each_unseen_card_is_dealt_with_its_chance() -> None:
    position = new_position(["blue", "red"], deck="green green red", discards=None)
    deals = Counter([qi_words(GAME.determinize(position.state, 0, Random(seed)).seats[1].hand) for seed in range(1000)])
    assert set(deals) == {"red", "green"}
    assert 430 < deals["red"] < 570


def test_fb90_a_known_card_is_in_every_deal_and_a_rebuilt_deck_has_its_own_cards_only() -> None:
    position = new_position(["", "blue"], reserve="red red", deck="green", discards="green yellow")
    position.play("take blue", "qi reserve green", "draw", "qi 1 yellow", "step 1")
    for seed in range(50):
        copied = GAME.determinize(position.state, 0, Random(seed))
        assert copied.seats[0].hand == pack_qi("blue")
        assert size(copied.deck) == 1
        assert is_superset(pack_qi("green yellow"), copied.deck)


def test_fb90_a_deal_of_the_same_random_numbers_is_the_same() -> None:
    position = new_position(["red red blue", "blue green yellow", "green warrior"])
    deals = [[seat.hand for seat in GAME.determinize(position.state, 0, Random(7)).seats] for _ in range(2)]
    assert deals[0] == deals[1]


@pytest.mark.parametrize("observer", [0, SPECTATOR])
def test_fb90_a_deal_reveals_nothing_hidden_from_the_observer(observer: int) -> None:
    deals = []
    for drawn in ("red", "green"):
        position = new_position(["blue", "", ""], reserve="red").play("take red", "qi reserve red")
        position.play("draw", f"qi 1 {drawn}", "step 2")
        copied = GAME.determinize(position.state, observer, Random(7))
        deals.append(
            (
                copied.deck,
                copied.deck_at_most,
                [(seat.hand, seat.known_cards, seat.deck_at_most) for seat in copied.seats[1:]],
            )
        )
    assert deals[0] == deals[1]
