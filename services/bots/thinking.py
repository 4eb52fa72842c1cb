"""The loop of a bot process: receive a position, answer with a move, until the pipe is closed."""

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
class BotTask:
    """A position in which a bot must choose; the bot sees of the state what its seat may see."""

    rules_version: str
    state: bytes
    seat: int
    bot: str
    seed: int


@dataclass(frozen=True)
class BotResult:
    """The notation of a move; or the traceback of what the bot raised, without its message."""

    notation: str
    trace: str = ""


def run_task(task: BotTask) -> BotResult:
    """Let the bot choose."""
    codec = codec_of(task.rules_version)
    state = codec.read_state(task.state)
    try:
        move = bot_named(task.bot).choose(Observation(codec.game, state, task.seat), Random(task.seed))
        return BotResult(codec.game.notation(move))
    except Exception as error:
        return BotResult("", "".join([*traceback.format_tb(error.__traceback__), type(error).__name__]))


def serve_tasks(tasks: Connection) -> None:
    """Answer tasks until the other end is closed, also by the death of its process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is for the process that asks
    try:
        tasks.send(None)
        while True:
            tasks.send(run_task(tasks.recv()))
    except (EOFError, OSError):
        pass
