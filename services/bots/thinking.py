"""What a process does in which our bots think: it is given a position, and answers with a move, until nobody asks."""

from __future__ import annotations

import signal
import traceback
from dataclasses import dataclass
from multiprocessing.connection import Connection
from random import Random

from engine_core.bots import bot_named
from engine_core.bots.observation import Observation
from services.engine.codecs import codec_of


@dataclass(frozen=True)
class Thought:
    """A choice to think about: the bot sees of the state what its seat may see."""

    rules_version: str
    state: bytes
    seat: int
    bot: str
    seed: int


@dataclass(frozen=True)
class Conclusion:
    """The notation of a move; or the trace of what the bot raised, without what it said."""

    notation: str
    trace: str = ""


def conclude(thought: Thought) -> Conclusion:
    """Let the bot choose."""
    codec = codec_of(thought.rules_version)
    state = codec.read_state(thought.state)
    try:
        move = bot_named(thought.bot).choose(Observation(codec.game, state, thought.seat), Random(thought.seed))
        return Conclusion(codec.game.notation(move))
    except Exception as error:
        return Conclusion("", "".join([*traceback.format_tb(error.__traceback__), type(error).__name__]))


def think(asked: Connection) -> None:
    """Answer until the other end is closed, be it by the death of its process. Says nothing but answers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is for the process that asks
    try:
        asked.send(None)
        while True:
            asked.send(conclude(asked.recv()))
    except (EOFError, OSError):
        pass
