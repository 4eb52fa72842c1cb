"""Registry of the bots by name (`random`, `greedy`, `mcts`, `strong`), with their options and the limits of these."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from engine_core.bots.bot import Bot, Evaluator
from engine_core.bots.greedy import GreedyBot
from engine_core.bots.mcts import MctsBot
from engine_core.bots.random import RandomBot

MAX_EXPLORATION: Final = 100.0
WHOLE_PATTERN: Final = re.compile("[0-9]{1,9}")
NUMBER_PATTERN: Final = re.compile(r"[0-9]{1,9}(\.[0-9]{0,17})?")
"""Stricter than `float`: a blank or a line feed would separate names in a list of bots."""


class Limits(NamedTuple):
    """Upper limits of the options that cost time."""

    samples: int
    iterations: int
    milliseconds: int
    depth: int


LIMITS: Final = Limits(samples=1000, iterations=1_000_000, milliseconds=600_000, depth=10_000)
"""For bots that run on the user's own machine."""
SERVED_LIMITS: Final = Limits(samples=100, iterations=2000, milliseconds=1000, depth=100)
"""For bots that clients request from a service: a choice takes at most one to three seconds of one core.

Measured on all games, interpreted: 2,000 iterations take 0.4 to 0.8 s, and 1.3 to 2.6 s with a depth of 100.
"""


class UnknownBot(ValueError):
    """An unknown name of a bot, an unknown option, or an option out of range."""

    def __init__(self, name: str, description: str) -> None:
        super().__init__(f"{name!r} is no bot: {description}")
        self.name = name
        self.description = description


class BotOption:
    """An option of a bot: a number from `minimum` to a maximum that depends on where the bot runs."""

    def __init__(
        self,
        name: str,
        default: float,
        maximum: Callable[[Limits], float],
        *,
        minimum: float = 1,
        is_whole: bool = True,
    ) -> None:
        self.name: Final = name
        self.default: Final = default
        """The value without the option. 0 below the minimum: the bot decides by its other options."""
        self.maximum: Final = maximum
        self.minimum: Final = minimum
        self.is_whole: Final = is_whole

    def value(self, bot: str, text: str, limits: Limits) -> float:
        """The value of a text. Raises `UnknownBot`, with the name of the bot, for one that is out of range."""
        maximum = self.maximum(limits)
        well_formed = WHOLE_PATTERN.fullmatch(text) if self.is_whole else NUMBER_PATTERN.fullmatch(text)
        if well_formed and self.minimum <= float(text) <= maximum:
            return float(text)
        raise UnknownBot(bot, f"{self.name} must be from {self.minimum:g} to {maximum:.12g}, not {text!r}")


class BotKind:
    """A kind of bot: its options, and its constructor, which takes their values in this order."""

    def __init__(self, make: Callable[..., Bot], *options: BotOption) -> None:
        self.make: Final = make
        self.options: Final = options


def strong_bot() -> MctsBot:
    """`mcts` that evaluates each leaf at once: random moves before that cost a third of the time, and do not help.

    It takes about as long as `mcts:iterations=2000`; docs/bots.md has what was measured.
    """
    return MctsBot(iterations=3000, depth=0)


BOTS: Final[dict[str, BotKind]] = {
    "random": BotKind(RandomBot),
    "greedy": BotKind(GreedyBot, BotOption("samples", 4, lambda limits: limits.samples)),
    "mcts": BotKind(
        MctsBot,
        BotOption("iterations", 0, lambda limits: limits.iterations),
        BotOption("milliseconds", 0, lambda limits: limits.milliseconds),
        BotOption("exploration", 0.5, lambda limits: MAX_EXPLORATION, minimum=0, is_whole=False),
        BotOption("depth", 12, lambda limits: limits.depth, minimum=0),
    ),
    "strong": BotKind(strong_bot),
}
"""The bots by name. Options follow after a colon: `mcts:iterations=400,exploration=0.7`."""


def _given_options(name: str, text: str) -> dict[str, str]:
    """The options after a bot's name, `key=value,key=value`. Raises `UnknownBot`."""
    given: dict[str, str] = {}
    for item in text.split(",") if text else []:
        key, equals, value = item.partition("=")
        if not key or not equals or key in given:
            raise UnknownBot(name, f"{item!r} is not of the form option=value, or is given twice")
        given[key] = value
    return given


def bot_named(name: str, limits: Limits = LIMITS) -> Bot:
    """Create a bot from its name and options. Raises `UnknownBot`, also for an option above its limit."""
    kind, _, text = name.partition(":")
    if kind not in BOTS:
        raise UnknownBot(name, f"there are {', '.join(BOTS)}")
    given = _given_options(name, text)
    values = []
    for option in BOTS[kind].options:
        value = option.value(name, given.pop(option.name), limits) if option.name in given else option.default
        values.append(int(value) if option.is_whole else value)
    for key in given:
        raise UnknownBot(name, f"it has no option {key!r}")
    return BOTS[kind].make(*values)


def check_limits(name: str, limits: Limits) -> None:
    """Raise `UnknownBot` for a bot that does not exist, or has an option above its limit."""
    bot_named(name, limits)


def evaluator_named(name: str, limits: Limits = LIMITS) -> Evaluator:
    """Create a bot that can value every move. Raises `UnknownBot` as `bot_named` does, and for any other bot."""
    bot = bot_named(name, limits)
    if isinstance(bot, (GreedyBot, MctsBot)):
        return bot
    raise UnknownBot(name, "it values no moves; greedy and mcts do")
