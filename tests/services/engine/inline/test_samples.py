"""Sample draws positions with their exact probabilities."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterator
from fractions import Fraction
from itertools import combinations
from math import comb, prod
from statistics import NormalDist

import grpc
import pytest

from engine_core.game import NATURE, SPECTATOR
from engine_core.games.fire_bulls.state import FireBullsState
from engine_core.packed import is_superset, unpack
from services.engine.codecs import CODECS
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from tests.conformance.game_setups import RULES_ARE_COMPILED
from tests.engine_core.games.fire_bulls.positions import GAME, new_position, pack_qi, qi_words
from tests.services.engine.inline.inline_client import InlineClient

CODEC = CODECS["fire_bulls"]
SAMPLE_COUNT = 4000 if RULES_ARE_COMPILED else 2000
MIN_P_VALUE = 1e-4
"""The seeds are fixed, so a test that passes passes always."""

Deal = tuple[str, ...]
"""The deck and the hands, in words."""
Beliefs = dict[Deal, Fraction]


@pytest.fixture
async def client() -> AsyncIterator[InlineClient]:
    engine = Engine(EngineSettings(port=0, grace_seconds=1))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield InlineClient(channel, CODEC)
    await engine.stop()


def hidden_cards_of(state: FireBullsState) -> Deal:
    return tuple([qi_words(cards) for cards in [state.deck, *[seat.hand for seat in state.seats]]])


def partitions(cards: list[int], sizes: list[int]) -> Iterator[list[list[int]]]:
    """Every way to give numbered cards to places of those sizes."""
    if not sizes:
        yield []
        return
    for chosen in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in chosen]
        for others in partitions(rest, sizes[1:]):
            yield [list(chosen), *others]


def possible_deals(state: FireBullsState, observer: int) -> list[FireBullsState]:
    """The position with every deal, card by card, of what the observer has not seen, each as probable as the other."""
    hidden = [number for number in range(len(state.seats)) if number != observer]
    names = " ".join([qi_words(state.deck), *[qi_words(state.seats[number].hand) for number in hidden]]).split()
    sizes = [len(qi_words(state.seats[number].hand).split()) for number in hidden]
    states = []
    for hands in partitions(list(range(len(names))), sizes):
        copied = state.copy()
        for number, hand in zip(hidden, hands, strict=True):
            copied.seats[number].hand = pack_qi(" ".join([names[card] for card in hand]))
            copied.seats[number].deck_at_most = copied.deck_at_most - copied.seats[number].hand
        held = {card for hand in hands for card in hand}
        copied.deck = pack_qi(" ".join([name for card, name in enumerate(names) if card not in held]))
        states.append(copied)
    return states


def outcomes_after(state: FireBullsState, move: str) -> list[tuple[FireBullsState, Fraction]]:
    """What a move leads to, or what nature draws, with the chances; nothing where the move is not legal."""
    if move == "nature":
        outcomes, weights = GAME.legal_moves(state, NATURE), GAME.weights(state)
        total = sum(weights)
        return [
            (GAME.next_state(state, NATURE, outcome), Fraction(weight, total))
            for outcome, weight in zip(outcomes, weights, strict=True)
        ]
    parsed = GAME.parse(move)
    if parsed not in GAME.legal_moves(state, state.active_seat):
        return []
    then = GAME.next_state(state, state.active_seat, parsed)
    return [(then, Fraction(ways_to_pick(state.seats[state.active_seat].hand, then.seats[state.active_seat].hand)))]


def ways_to_pick(hand: int, rest: int) -> int:
    """In how many ways the cards that left a hand are picked from it.

    So a payment tells which cards the hand held, and nothing of the others: why somebody plays as they do is not asked.
    """
    return prod(
        [comb(held, held - left) for held, left in zip(unpack(hand, 6), unpack(rest, 6), strict=True) if left < held]
    )


def encoded_view(state: FireBullsState, observer: int) -> bytes:
    return CODEC.encode_view(GAME.view(state, observer)).SerializeToString(deterministic=True)


def beliefs(start: FireBullsState, moves: list[str], end: FireBullsState, observer: int) -> Beliefs:
    """What an observer of those moves must believe, by Bayes, who sees at the end what `end` shows."""
    weighed = [(state, Fraction(1)) for state in possible_deals(start, observer)]
    for move in moves:
        weighed = [(then, weight * chance) for state, weight in weighed for then, chance in outcomes_after(state, move)]
    total: Counter[Deal] = Counter()
    for state, weight in weighed:
        if encoded_view(state, observer) == encoded_view(end, observer):
            total[hidden_cards_of(state)] += weight  # type: ignore[assignment] # a Counter adds fractions, too
    whole = sum(total.values())
    return {each: Fraction(weight) / whole for each, weight in total.items()}


def improbability(seen: Counter[Deal], expected: Beliefs) -> float:
    """The chance of counts at least as far from the expected ones: chi-square, in the approximation of Wilson-Hilferty.

    Deals that are expected fewer than five times are one class.
    """
    number = seen.total()
    rare = [each for each, chance in expected.items() if chance * number < 5]
    classes = [(seen[each], chance) for each, chance in expected.items() if each not in rare]
    if rare:
        classes.append((sum(seen[each] for each in rare), sum([expected[each] for each in rare], Fraction())))
    freedom = len(classes) - 1
    distance = sum((count - number * float(chance)) ** 2 / (number * float(chance)) for count, chance in classes)
    spread = 2 / (9 * freedom)
    return 1 - NormalDist().cdf(((distance / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5)


SAMPLED_POSITIONS = {
    "to choose": (new_position(["blue red", "red green", "green"], deck="yellow warrior"), []),
    "to draw": (new_position(["blue red", "red green", "green"], deck="yellow warrior blue"), ["draw"]),
    "drawn, to step": (new_position(["blue", "red green", "green"], deck="yellow warrior red"), ["draw", "nature"]),
    "a turn later": (
        new_position(["blue", "red green", "green"], deck="yellow warrior red green"),
        ["draw", "nature", "step 1", "draw", "nature"],
    ),
    "a card taken": (
        new_position(["blue", "red green", "green"], deck="yellow warrior red", reserve="blue red"),
        ["take red", "nature"],
    ),
    "paid, to capture": (
        new_position(
            ["blue red", "red green"], "- - - / - - soldier-red / soldier-red - -", deck="yellow warrior blue"
        ),
        ["attack 1: red"],
    ),
    "an opponent paid": (
        new_position(["red", "red green", "green"], deck="yellow red blue"),
        ["draw", "nature", "step 1", "attack 3: green"],
    ),
    "the deck rebuilt": (
        new_position(["blue", "red green"], deck="red", discards="red green blue yellow"),
        ["draw", "nature", "step 1", "draw", "nature", "step 2", "draw", "nature"],
    ),
    "the general to pick": (
        new_position(["red red red red red red red", "blue green", "blue"], deck="yellow blue", general="aside"),
        ["general: red red red red red red red", "power yes"],
    ),
}


def play_moves(start: FireBullsState, moves: list[str]) -> FireBullsState:
    """One course of those moves: nature draws its last outcome each time."""
    state = start
    for move in moves:
        state = outcomes_after(state, move)[-1][0]
    return state


CASES_WITH_OBSERVERS = [
    (case, observer)
    for case in SAMPLED_POSITIONS
    for observer in (0, 1, SPECTATOR)
    if (case, observer) != ("the deck rebuilt", SPECTATOR)  # who holds how much of a rebuilt deck is in no view
]


@pytest.mark.parametrize(("case", "observer"), CASES_WITH_OBSERVERS)
async def test_each_position_is_sampled_with_its_probability(case: str, observer: int, client: InlineClient) -> None:
    position, moves = SAMPLED_POSITIONS[case]
    end = play_moves(position.state, moves)
    expected = beliefs(position.state, moves, end, observer)
    seen = Counter([hidden_cards_of(state) for state in await draw_samples(client, end, observer)])
    assert expected[hidden_cards_of(end)] < 1
    assert set(seen) <= set(expected)
    assert improbability(seen, expected) > MIN_P_VALUE


async def draw_samples(client: InlineClient, state: FireBullsState, observer: int) -> list[FireBullsState]:
    """A thousand from each of several seeds."""
    message = CODEC.encode_state(state)
    seat = None if observer == SPECTATOR else observer
    answers = [
        await client.call("Sample", state=message, seat=seat, count=1000, seed=f"{number}")
        for number in range(SAMPLE_COUNT // 1000)
    ]
    return [CODEC.read_state(sampled.SerializeToString()) for answer in answers for sampled in answer.states]


async def test_the_true_position_is_sampled_with_its_probability(client: InlineClient) -> None:
    """Whichever of the possible positions is the true one."""
    start = new_position(["blue", "red green"], deck="yellow").state
    truths = {hidden_cards_of(state): state for state in possible_deals(start, 0)}
    assert len(truths) == 3
    for truth, state in truths.items():
        seen = Counter([hidden_cards_of(sampled) for sampled in await draw_samples(client, state, 0)])
        assert abs(seen[truth] / SAMPLE_COUNT - 1 / 3) < 4 * (1 / 3 * 2 / 3 / SAMPLE_COUNT) ** 0.5  # deviations


def test_the_probability_test_finds_a_biased_sampler() -> None:
    expected: Beliefs = {("a",): Fraction(1, 2), ("b",): Fraction(1, 2)}
    assert improbability(Counter({("a",): 2000, ("b",): 2000}), expected) > 0.5
    assert improbability(Counter({("a",): 2200, ("b",): 1800}), expected) < MIN_P_VALUE


def test_the_positions_of_the_cases_are_consistent() -> None:
    for position, moves in SAMPLED_POSITIONS.values():
        end = play_moves(position.state, moves)
        assert is_superset(end.deck_at_most, end.deck)
        CODEC.check(end)
