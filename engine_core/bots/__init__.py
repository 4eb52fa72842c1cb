"""Registry of the bots by name (`random`, `greedy`, `mcts`), with their options and the limits of these."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from engine_core.bots.bot import Bot
from engine_core.bots.greedy import GreedyBot
from engine_core.bots.mcts import MctsBot
from engine_core.bots.random import RandomBot

MAX_EXPLORATION: Final = 100.0
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


class BotOptions:
    """The options after a bot's name, `key=value,key=value`; each is read once."""

    def __init__(self, name: str, text: str, limits: Limits) -> None:
        self.limits: Final = limits
        self._name: Final = name
        self._unread: Final[dict[str, str]] = {}
        for item in text.split(",") if text else []:
            key, equals, value = item.partition("=")
            if not key or not equals or key in self._unread:
                raise UnknownBot(name, f"{item!r} is not of the form option=value, or is given twice")
            self._unread[key] = value

    def integer(self, key: str, default: int, maximum: int) -> int:
        """The option `key`, a whole number from 1 to `maximum`. Raises `UnknownBot`."""
        text = self._unread.pop(key, "")
        if not text:
            return default
        if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= maximum):
            raise UnknownBot(self._name, f"{key} must be from 1 to {maximum}, not {text!r}")
        return int(text)

    def number(self, key: str, default: float, maximum: float) -> float:
        """The option `key`, a number from 0 to `maximum`. Raises `UnknownBot`."""
        text = self._unread.pop(key, "")
        if not text:
            return default
        number = float(text) if NUMBER_PATTERN.fullmatch(text) else -1.0
        if not 0.0 <= number <= maximum:
            raise UnknownBot(self._name, f"{key} must be from 0 to {maximum}, not {text!r}")
        return number

    def check_all_known(self) -> None:
        """Raise `UnknownBot` for an option that was not read."""
        for key in self._unread:
            raise UnknownBot(self._name, f"it has no option {key!r}")


def _random(options: BotOptions) -> Bot:
    return RandomBot()


def _greedy(options: BotOptions) -> Bot:
    return GreedyBot(options.integer("samples", 4, options.limits.samples))


def _mcts(options: BotOptions) -> Bot:
    return MctsBot(
        options.integer("iterations", 0, options.limits.iterations),
        options.integer("milliseconds", 0, options.limits.milliseconds),
        options.number("exploration", 0.5, MAX_EXPLORATION),
        options.integer("depth", 12, options.limits.depth),
    )


BOTS: Final[dict[str, Callable[[BotOptions], Bot]]] = {"random": _random, "greedy": _greedy, "mcts": _mcts}
"""Constructors of the bots by name. Options follow after a colon: `mcts:iterations=400,exploration=0.7`."""


def bot_named(name: str, limits: Limits = LIMITS) -> Bot:
    """Create a bot from its name and options. Raises `UnknownBot`, also for an option above its limit."""
    kind, _, text = name.partition(":")
    if kind not in BOTS:
        raise UnknownBot(name, f"there are {', '.join(BOTS)}")
    options = BotOptions(name, text, limits)
    bot = BOTS[kind](options)
    options.check_all_known()
    return bot


def check_limits(name: str, limits: Limits) -> None:
    """Raise `UnknownBot` for a bot that does not exist, or has an option above its limit."""
    bot_named(name, limits)
