"""Main loop of a bot process: receives tasks over a pipe, and sends results, until the pipe is closed."""

from __future__ import annotations

import signal
import traceback
from dataclasses import dataclass
from multiprocessing.connection import Connection
from random import Random

from engine_core.bots import bot_named
from engine_core.bots.observation import Observation
from services.engine.codecs import codec_of_version


@dataclass(frozen=True)
class BotTask:
    """A state in which a bot must choose a move. The bot gets an `Observation` of what its seat may see."""

    rules_version: str
    state: bytes
    seat: int
    bot: str
    seed: int


@dataclass(frozen=True)
class BotResult:
    """The notation of a move, or the traceback of the bot's exception without its message (it may repeat secrets)."""

    notation: str
    trace: str = ""


def run_task(task: BotTask) -> BotResult:
    """Let the bot choose a move; its exceptions become part of the result."""
    codec = codec_of_version(task.rules_version)
    state = codec.read_state(task.state)
    try:
        move = bot_named(task.bot).choose(Observation(codec.game, state, task.seat), Random(task.seed))
        return BotResult(codec.game.notation(move))
    except Exception as error:
        return BotResult("", "".join([*traceback.format_tb(error.__traceback__), type(error).__name__]))


def serve_tasks(tasks: Connection) -> None:
    """Run tasks until the other end of the pipe is closed, also by the death of the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of the terminal; the worker ends us
    try:
        tasks.send(None)
        while True:
            tasks.send(run_task(tasks.recv()))
    except (EOFError, OSError):
        pass
