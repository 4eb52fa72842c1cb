"""Names of bots, and their options."""

from __future__ import annotations

import pytest

from engine_core.bots import BOTS, LIMITS, SERVED_LIMITS, UnknownBot, bot_named, check_limits
from engine_core.bots.greedy import GreedyBot
from engine_core.bots.mcts import ITERATIONS, MctsBot


@pytest.mark.parametrize("name", BOTS)
def test_every_bot_has_a_name(name: str) -> None:
    assert bot_named(name)


def test_options_follow_the_name_after_a_colon() -> None:
    bot = bot_named("mcts:iterations=30,exploration=0.7,depth=5")
    assert isinstance(bot, MctsBot)
    assert (bot.iterations, bot.milliseconds, bot.exploration, bot.depth) == (30, 0, 0.7, 5)


def test_strong_is_a_search_without_random_moves() -> None:
    bot = bot_named("strong")
    assert isinstance(bot, MctsBot)
    assert (bot.iterations, bot.depth) == (3000, 0)
    with pytest.raises(UnknownBot, match="it has no option 'iterations'"):
        bot_named("strong:iterations=9")


def test_a_search_limited_by_time_has_no_iteration_count() -> None:
    bot = bot_named("mcts:milliseconds=20")
    assert isinstance(bot, MctsBot)
    assert (bot.iterations, bot.milliseconds) == (0, 20)


def test_options_have_defaults() -> None:
    greedy, mcts = bot_named("greedy"), bot_named("mcts")
    assert isinstance(greedy, GreedyBot)
    assert isinstance(mcts, MctsBot)
    assert (greedy.samples, mcts.iterations) == (4, ITERATIONS)


@pytest.mark.parametrize(
    "name",
    ["", "chess", "Random", "greedy:samples", "greedy:samples=0", "greedy:samples=x", "greedy:depth=3",
     "mcts:iterations=1,iterations=2", "mcts:exploration=-1", "mcts:exploration=nan", "mcts:exploration=0.5\n",
     "mcts:exploration= 1", "mcts:=1", "greedy:samples=1,"],
)  # fmt: skip
def test_an_unknown_bot_or_option_is_refused(name: str) -> None:
    with pytest.raises(UnknownBot) as caught:
        bot_named(name)
    assert caught.value.name == name


@pytest.mark.parametrize("kind", ["greedy:samples", "mcts:iterations", "mcts:milliseconds", "mcts:depth"])
def test_fault05_what_a_bot_costs_is_bounded_by_limits(kind: str) -> None:
    most = getattr(SERVED_LIMITS, kind.partition(":")[2])
    check_limits(f"{kind}={most}", SERVED_LIMITS)
    check_limits(f"{kind}={most + 1}", LIMITS)
    with pytest.raises(UnknownBot, match=f"must be from [01] to {most}, not '{most + 1}'"):
        check_limits(f"{kind}={most + 1}", SERVED_LIMITS)


@pytest.mark.parametrize("name", [*BOTS, "mcts:exploration=100"])
def test_default_options_are_within_the_limits_of_a_service(name: str) -> None:
    check_limits(name, SERVED_LIMITS)
