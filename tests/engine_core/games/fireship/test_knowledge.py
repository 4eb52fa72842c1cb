"""Fireship: hidden information, certain knowledge, and chance (FS-89, FS-111, FS-112, FS-116)."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine_core.game import EVERYBODY, NATURE, Chance, Move, Over, Turn
from engine_core.games.fireship.components import FULL_DECK, HAND_CARD_LANES
from engine_core.games.fireship.stages import WINDOW
from engine_core.games.fireship.state import FireshipState
from engine_core.packed import is_superset, size
from tests.conformance.plain import plain
from tests.engine_core.games.fireship.crowded import FLEETS, HANDS, aggressive_choice, crowded_position
from tests.engine_core.games.fireship.positions import GAME, Position, card_words, new_position


def random_step(state: FireshipState, random: Random) -> tuple[int, Move]:
    """Who moves next, and how."""
    phase = GAME.phase(state)
    if isinstance(phase, Turn):
        seat = random.choice(phase.seats)
        return seat, aggressive_choice(state, seat, random)
    return NATURE, random.choice(GAME.legal_moves(state, NATURE))


def visible_facts(state: FireshipState, observer: int) -> object:
    phase = GAME.phase(state)
    facts: object = phase.seats if isinstance(phase, Turn) else None
    if isinstance(phase, Chance):
        facts = phase.purpose, phase.pool
    own = GAME.legal_moves(state, observer) if observer >= 0 else []
    return facts, plain(GAME.view(state, observer)), own, plain(GAME.score(state))


def visible_entry(state: FireshipState, mover: int, move: Move, observer: int) -> object:
    audience = GAME.audience(state, mover, move)
    is_in_audience = audience == EVERYBODY or (observer >= 0 and audience >> observer & 1)
    reveals = [(reveal.seat, reveal.move) for reveal in GAME.reveals(state, mover, move)]
    return move if is_in_audience else GAME.conceal(state, mover, move), reveals


@pytest.mark.parametrize("seed", range(6))
def test_fs112_what_an_observer_cannot_see_changes_nothing_in_any_window(seed: int) -> None:
    random = Random(seed)
    state = crowded_position(random).state
    windows = compared = 0
    for _ in range(150):
        if isinstance(GAME.phase(state), Over):
            break
        windows += state.stage == WINDOW
        mover, move = random_step(state, random)
        for observer in (-2, 0, 1, 2, 3):
            copied = GAME.determinize(state, observer, random)
            assert visible_facts(copied, observer) == visible_facts(state, observer)
            shown = visible_entry(state, mover, move, observer)
            alike = [m for m in GAME.legal_moves(copied, mover) if visible_entry(copied, mover, m, observer) == shown]
            for other in alike[:1]:
                compared += 1
                after = visible_facts(GAME.next_state(state, mover, move), observer)
                assert visible_facts(GAME.next_state(copied, mover, other), observer) == after
        GAME.apply(state, mover, move)
    assert windows > 5
    assert compared > 300


def test_fs89_a_sealed_answer_of_the_others_is_redrawn_among_what_their_hands_allow() -> None:
    position = new_position(
        {"green": "battleship e5", "blue": "boat o1", "red": "boat e4", "white": ""},
        seat_count=3,
        hands=["", "no fog", "no fog"],
        islands={1: "red"},
        dice=(6, 6),
        deck="boum no no",
    ).play("attack e5: island 1", "1: no")
    random = Random(1)
    answers = Counter(GAME.determinize(position.state, 2, random).seats[1].answer for _ in range(300))
    assert set(answers) == {1, 2, 3}
    assert GAME.determinize(position.state, 1, random).seats[1].answer == 3  # one's own is known


def test_fs112_a_view_shows_no_hand_but_the_own() -> None:
    position = new_position(FLEETS, seat_count=4, hands=HANDS)
    for observer in (-2, 0, 1, 2, 3):
        for number, seat in enumerate(position.view(observer).seats):
            assert (seat.hand >= 0) == (number == observer)
            assert seat.hand_size == len(HANDS[number].split())


def test_fs116_the_deck_holds_at_most_the_55_cards_less_the_draws_that_the_observer_saw() -> None:
    position = new_position({"green": "boat f2 arrived, boat h1", "red": "boat o15"}, dice=(6, 6))
    assert {position.view(observer).deck_at_most for observer in (0, 1, -2)} == {FULL_DECK}
    position.play("use_square f2", "card fog")
    assert card_words(FULL_DECK - position.view(0).deck_at_most) == "fog"
    assert position.view(1).deck_at_most == position.view(-2).deck_at_most == FULL_DECK
    position.play("end_turn", "throw", "die 2", "die 2")
    position.state.put_pawn(2, 20 * 16 + 2)
    position.play("use_square f2", "card gain_boat")
    assert card_words(FULL_DECK - position.view(0).deck_at_most) == "gain_boat fog"
    assert card_words(FULL_DECK - position.view(-2).deck_at_most) == "gain_boat"


def test_fs116_a_rebuilt_deck_holds_at_most_the_discards() -> None:
    position = new_position({"green": "boat f2 arrived", "red": "boat o15"}, dice=(6, 6), deck="", hands=["", "no"])
    discards = position.state.discards
    position.play("use_square f2")
    assert {position.view(observer).deck_at_most for observer in (0, 1, -2)} == {discards}


@pytest.mark.parametrize("seed", range(6))
def test_fs116_dealt_hands_hold_kept_kinds_and_the_deck_at_most_what_is_certain(seed: int) -> None:
    random = Random(seed)
    state = crowded_position(random).state
    for _ in range(120):
        if isinstance(GAME.phase(state), Over):
            break
        observer = random.choice((-2, 0, 1, 2, 3))
        copied = GAME.determinize(state, observer, random)
        at_most = state.seats[observer].deck_at_most if observer >= 0 else state.deck_at_most
        assert is_superset(at_most, copied.deck)
        assert all(seat.hand & HAND_CARD_LANES == seat.hand for seat in copied.seats)
        assert size(copied.deck) == size(state.deck)
        assert copied.deck + copied.discards + sum([seat.hand for seat in copied.seats]) == FULL_DECK
        GAME.apply(state, *random_step(state, random))


def test_fs116_a_deal_does_not_know_the_true_hand() -> None:
    position = new_position({"red": "boat o15"}, hands=["", "fog"])
    random = Random(3)
    hands = Counter(card_words(GAME.determinize(position.state, 0, random).seats[1].hand) for _ in range(2700))
    expected = {"no": 600, "boum": 600, "plus_one": 700, "updraft": 400, "fog": 400}
    assert set(hands) == set(expected)
    assert sum([(hands[card] - share) ** 2 / share for card, share in expected.items()]) < 18.5


@pytest.mark.parametrize(
    ("position", "purpose", "pool"),
    [
        (new_position({"red": "boat o15"}).play("throw"), "throw/0", ""),
        (new_position({"red": "boat o15"}, active=1).play("throw"), "throw/1", ""),
        (new_position({"green": "battleship e5"}, dice=(6, 6)).play("attack e5: island 1"), "battle", ""),
        (new_position({"green": "plane f6 arrived"}, dice=(6, 6)).play("use_square f6"), "battleship", ""),
        (new_position({"green": "boat h1 arrived"}, dice=(6, 6)).play("use_square h1"), "wheel", ""),
        (new_position({"green": "boat f2 arrived"}, dice=(6, 6)).play("use_square f2"), "cards/0", "cards/0"),
    ],
)
def test_fs111_each_source_of_luck_has_its_purpose(position: Position, purpose: str, pool: str) -> None:
    phase = GAME.phase(position.state)
    assert isinstance(phase, Chance)
    assert (phase.purpose, phase.pool) == (purpose, pool)


def test_fs111_the_first_throw_has_a_separate_purpose() -> None:
    phase = GAME.phase(GAME.start(2, GAME.presets()["rings"]))
    assert isinstance(phase, Chance)
    assert phase.purpose == "first"
