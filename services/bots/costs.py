"""Estimated cost of a bot's move, and the turn queue chosen by it: quick, thinking or remote."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engine_core.bots import UnknownBot, bot_named
from engine_core.bots.greedy import GreedyBot
from engine_core.bots.mcts import MctsBot
from engine_core.bots.random import RandomBot
from runtime.addresses import address
from services.bots.remote.allowed import bot_address, is_remote

QUICK_QUEUE: Final = "fireside:turns:{quick}"
"""The queue of our fast bots; they have processes of their own, so that slow bots do not delay them."""
THINKING_QUEUE: Final = "fireside:turns:{thinking}"
"""The queue of our other bots, which also run in processes of the workers."""
REMOTE_QUEUE: Final = "fireside:turns:{remote}"
"""The queue of remote bots, which are called over the network."""
MAX_QUICK_COST: Final = 50
"""Greatest cost of a quick bot."""
UNKNOWN_BOT_MILLISECONDS: Final = 1000
NO_SERVER: Final = "-"


class BotCost:
    """The queue of a bot's turns, its milliseconds a move, and the `host:port` of a remote bot's server."""

    def __init__(self, queue: str, milliseconds: int, server: str = NO_SERVER) -> None:
        self.queue: Final = queue
        self.milliseconds: Final = milliseconds
        self.server: Final = server


@lru_cache(1024)
def cost_of(bot: str) -> BotCost:
    """The cost of the bot with that name; unknown names get `UNKNOWN_BOT_MILLISECONDS`."""
    if is_remote(bot):
        return BotCost(REMOTE_QUEUE, 1, _server(bot))
    milliseconds = _milliseconds(bot)
    return BotCost(QUICK_QUEUE if milliseconds <= MAX_QUICK_COST else THINKING_QUEUE, milliseconds)


def _server(bot: str) -> str:
    try:
        where = bot_address(bot)
        return address(where.host, where.port)
    except ValueError:
        return NO_SERVER


def _milliseconds(name: str) -> int:
    """Approximate milliseconds a move, measured with interpreted rules; compiled, all bots take about a fifth."""
    try:
        bot = bot_named(name)
    except UnknownBot:
        return UNKNOWN_BOT_MILLISECONDS
    if isinstance(bot, RandomBot):
        return 1
    if isinstance(bot, GreedyBot):
        return 2 * bot.samples
    if isinstance(bot, MctsBot):
        iterations = bot.iterations * (20 + bot.depth) // 80
        return 1 + min(iterations or bot.milliseconds, bot.milliseconds or iterations)
    return UNKNOWN_BOT_MILLISECONDS
