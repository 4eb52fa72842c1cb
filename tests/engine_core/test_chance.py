"""Keyed draws: repeatable, independent by purpose, without bias."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from engine_core.chance import Digests, Luck, commitment
from engine_core.game import Chance

DIE = Chance("die/0")
FACES = ["1", "2", "3", "4", "5", "6"]


def luck_from_seed(seed: int, *client_seeds: str) -> Luck:
    return Luck(seed.to_bytes(32, "big"), list(client_seeds))


def throw_dice(source: Luck, purpose: str, number: int) -> list[int]:
    return [source.choose(Chance(purpose), FACES, [1] * 6) for _ in range(number)]


def test_golden_vectors() -> None:
    """Recorded once: a change of these numbers breaks every match record."""
    assert commitment(bytes(32)).hex() == "c15fc6a8c1269331f71d947f3c76844568c0711ff7abc4771a499ae87943c59f"
    assert throw_dice(luck_from_seed(0, "Ada", "Ben"), "die/0", 12) == [2, 0, 5, 2, 2, 1, 5, 0, 4, 5, 1, 5]


def test_equal_seeds_give_equal_draws() -> None:
    assert throw_dice(luck_from_seed(1, "a"), "x", 50) == throw_dice(luck_from_seed(1, "a"), "x", 50)


@pytest.mark.parametrize(
    "other",
    [
        luck_from_seed(2, "a"),
        luck_from_seed(1, "b"),
        luck_from_seed(1),
        luck_from_seed(1, "a", "b"),
        luck_from_seed(1, "", "a"),
    ],
)
def test_every_seed_changes_the_draws(other: Luck) -> None:
    assert throw_dice(luck_from_seed(1, "a"), "x", 50) != throw_dice(other, "x", 50)


def test_client_seeds_are_separated_in_the_hash() -> None:
    assert throw_dice(luck_from_seed(1, "ab", "c"), "x", 50) != throw_dice(luck_from_seed(1, "a", "bc"), "x", 50)


def test_sources_of_luck_are_independent() -> None:
    alone, disturbed = luck_from_seed(3), luck_from_seed(3)
    expected = throw_dice(alone, "die/0", 30)
    drawn = []
    for _ in range(30):
        throw_dice(disturbed, "die/1", 2)
        drawn += throw_dice(disturbed, "die/0", 1)
    assert drawn == expected


def test_a_die_is_fair() -> None:
    """Chi-square with 5 degrees of freedom: above 20.5 once in a thousand seeds."""
    counts = Counter(throw_dice(luck_from_seed(4), "die/0", 6000))
    assert sum((counts[face] - 1000) ** 2 / 1000 for face in range(6)) < 20.5


def test_draws_follow_their_weights() -> None:
    source = luck_from_seed(5)
    counts = Counter(source.choose(DIE, ["a", "b", "c"], [1, 2, 7]) for _ in range(5000))
    expected = [500, 1000, 3500]
    assert sum((counts[item] - expected[item]) ** 2 / expected[item] for item in range(3)) < 13.8


def draw_from_pool(source: Luck, purpose: str, counts: dict[str, int], number: int) -> list[str]:
    """Draw from a pool without putting back."""
    drawn = []
    for _ in range(number):
        items = [item for item in counts if counts[item]]
        choice = source.choose(Chance(purpose, "pool"), items, [counts[item] for item in items])
        drawn.append(items[choice])
        counts[items[choice]] -= 1
    return drawn


def test_a_pool_gives_each_thing_once() -> None:
    assert Counter(draw_from_pool(luck_from_seed(6), "pile", {"a": 3, "b": 1, "c": 4}, 8)) == {"a": 3, "b": 1, "c": 4}


def test_a_pool_is_a_shuffled_deck() -> None:
    """The first draw by its odds, and each second one by the odds that the first has left."""
    pairs = Counter(tuple(draw_from_pool(luck_from_seed(seed), "pile", {"a": 2, "b": 1}, 2)) for seed in range(3000))
    expected = {("a", "a"): 1000, ("a", "b"): 1000, ("b", "a"): 1000}
    assert set(pairs) == set(expected)
    assert sum((pairs[pair] - expected[pair]) ** 2 / expected[pair] for pair in expected) < 13.8


def test_piles_of_one_pool_share_its_things_fairly() -> None:
    """Two piles drawn from in turn: whatever the first gave, the second gives the rest by its odds."""
    pair_counts: Counter[str] = Counter()
    for seed in range(3000):
        source, counts = luck_from_seed(seed), {"a": 2, "b": 2}
        pair_counts[draw_from_pool(source, "one", counts, 1)[0] + draw_from_pool(source, "two", counts, 1)[0]] += 1
    expected = {"aa": 500, "ab": 1000, "ba": 1000, "bb": 500}
    assert sum((pair_counts[pair] - expected[pair]) ** 2 / expected[pair] for pair in expected) < 16.3


def test_a_pool_keeps_its_order_while_others_draw() -> None:
    """As far as their pools agree, two tables share the luck of a pile."""
    alone = draw_from_pool(luck_from_seed(7), "one", {"a": 5, "b": 5, "c": 5}, 6)
    source, counts = luck_from_seed(7), {"a": 5, "b": 5, "c": 5}
    disturbed = []
    for _ in range(6):
        disturbed += draw_from_pool(source, "one", counts, 1)
    assert disturbed == alone
    assert len({tuple(draw_from_pool(luck_from_seed(seed), "one", {"a": 5, "b": 5}, 6)) for seed in range(40)}) > 15


@pytest.mark.parametrize("queried", [[5, 9, 2, 9], [9, 1, 5], [2, 3, 4]], ids=str)
def test_ranks_do_not_depend_on_earlier_queries(queried: list[int]) -> None:
    digests = Digests(bytes(32), ["a"]).shuffle("deck")
    for copies in queried:
        for taken in range((1 << copies) - 1):
            left = [copy for copy in range(copies) if not taken >> copy & 1]
            assert digests.lowest_rank("blue", copies, taken) == min(
                (digests.rank("blue", copy), copy) for copy in left
            )


def test_a_certain_draw_is_still_counted() -> None:
    source = luck_from_seed(8)
    source.choose(DIE, ["only"], [3])
    source.choose(DIE, ["only"], [1])
    assert source.draw_counts == {"die/0": 2}


def test_earlier_draws_do_not_predict_the_next_one() -> None:
    """Neighbouring draws of one source fall together as often as chance has it."""
    drawn = throw_dice(luck_from_seed(9), "die/0", 6000)
    assert 880 < sum(one == other for one, other in pairwise(drawn)) < 1120


def test_the_commitment_is_not_a_draw() -> None:
    source = luck_from_seed(10)
    digest = commitment(source.secret)
    assert digest != commitment((11).to_bytes(32, "big"))
    assert len(digest) == 32
