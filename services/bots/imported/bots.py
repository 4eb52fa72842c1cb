"""Imported bots of a process: starts, calls and ends a child process for each bot's name."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from random import Random
from subprocess import PIPE, Popen, TimeoutExpired
from threading import Lock
from time import monotonic
from typing import Final, NamedTuple, cast

from engine_core.errors import GameError
from engine_core.game import Move, State
from engine_core.games import AnyGame, rules_version
from services.bots.imported.task import ImportedBotAnswer, ImportedBotTask
from services.bots.remote.failure import CRASHED, ILLEGAL_MOVE, INVALID_ANSWER, TIMED_OUT, BotFailed

START_SECONDS: Final = 60.0
"""How long a bot's module may take to be imported: frameworks of neural networks take several seconds."""
SERVICE_SETTINGS: Final = ("FIRESIDE_", "REDIS_URL")
END_SECONDS: Final = 2.0
"""How long a process that has closed its pipe may take to end."""
CHECK_SECONDS: Final = 0.2
"""How often a wait for a move checks whether the caller still wants it."""
SEED_BITS: Final = 128
STANDARD_ERROR: Final = 2
"""What a bot prints goes there: standard output has the report of the command."""


class ImportedBotLimits(NamedTuple):
    """Limits of a process of an imported bot."""

    move_seconds: float
    memory: int
    """Greatest address space in bytes."""


def never_cancel() -> None:
    """The default `check`: never raises, so a choice is never interrupted."""


class ImportedBotProcess:
    """A child process with one imported bot. Ends with this process, however that ends."""

    def __init__(self, name: str, memory: int) -> None:
        """Start it. Raises `BotFailed` with the error if its class cannot be imported or made."""
        pipe, child_pipe = Pipe()
        self._pipe: Final = cast("Connection[ImportedBotTask, ImportedBotAnswer]", pipe)
        self._waits = True
        # -P: files in the working directory must not replace modules that the program imports
        program = [sys.executable, "-P", "-m", "services.bots.imported.main"]
        program += [str(child_pipe.fileno()), str(memory), name]
        self._process: Final = Popen(
            program, stdin=PIPE, stdout=STANDARD_ERROR, pass_fds=[child_pipe.fileno()], env=_environment()
        )
        child_pipe.close()
        try:
            self._receive(START_SECONDS, never_cancel)
        except BaseException:
            self.end()
            raise

    def choose(self, task: ImportedBotTask, check: Callable[[], None]) -> str:
        """The notation of the bot's move. Raises `BotFailed`; `end` the process unless it still runs."""
        self._waits = True
        try:
            self._pipe.send(task)
        except OSError:
            raise self._ended() from None
        return self._receive(task.seconds, check)

    @property
    def is_running(self) -> bool:
        """Whether it may get another task: it has answered the last one."""
        return self._process.poll() is None and not self._waits

    def _receive(self, seconds: float, check: Callable[[], None]) -> str:
        deadline = monotonic() + seconds
        try:
            while not self._pipe.poll(max(0.0, min(CHECK_SECONDS, deadline - monotonic()))):
                check()
                if monotonic() >= deadline:
                    raise BotFailed(TIMED_OUT, f"no answer within {seconds:g} seconds")
            received = self._pipe.recv()
        except (EOFError, OSError):
            raise self._ended() from None
        self._waits = False
        if received.error:
            raise BotFailed(CRASHED, received.error)
        return received.notation

    def _ended(self) -> BotFailed:
        try:
            return BotFailed(CRASHED, f"its process ended with exit code {self._process.wait(END_SECONDS)}")
        except TimeoutExpired:
            return BotFailed(CRASHED, "it closed its pipe")

    def kill(self) -> None:
        """Kill the process, which ends a choice in progress. Thread-safe."""
        self._process.kill()

    def end(self) -> None:
        """Kill the process and release its resources; no thread may be waiting in `choose`."""
        self.kill()
        self._process.communicate()
        self._pipe.close()


class ImportedBots:
    """The processes of imported bots, one for each name, started when first needed. Callable from any thread."""

    def __init__(self, limits: ImportedBotLimits) -> None:
        self._limits: Final = limits
        self._processes: Final[dict[str, ImportedBotProcess]] = {}
        self._locks: Final[dict[str, Lock]] = {}
        """By name: a process gets one task at a time."""

    def start(self, name: str) -> None:
        """Start the process of a bot, to see that its class can be made. Raises `BotFailed`."""
        if name not in self._processes:
            self._processes[name] = ImportedBotProcess(name, self._limits.memory)

    def choose(
        self,
        name: str,
        game: AnyGame,
        state: State,
        seat: int,
        random: Random,
        seconds: float | None = None,
        check: Callable[[], None] = never_cancel,
    ) -> Move:
        """The move of a bot, which is legal. Blocks; a failed process is replaced at the next call. Raises `BotFailed`.

        The bot gets a state that looks to the seat like this one, not this one. `check` is called several times a
        second; by raising it ends the choice.
        """
        limit = self._limits.move_seconds if seconds is None else seconds
        seen = game.determinize(state, seat, random)
        task = ImportedBotTask(rules_version(game), seen, seat, random.getrandbits(SEED_BITS), limit)
        with self._locks.setdefault(name, Lock()):
            notation = self._notation(name, task, check)
        try:
            move: Move = game.parse(notation)
        except GameError as error:
            raise BotFailed(INVALID_ANSWER, str(error)) from None
        if move not in game.legal_moves(state, seat):
            raise BotFailed(ILLEGAL_MOVE, notation)
        return move

    def _notation(self, name: str, task: ImportedBotTask, check: Callable[[], None]) -> str:
        self.start(name)
        process = self._processes[name]
        try:
            return process.choose(task, check)
        finally:
            if not process.is_running:
                process.end()
                del self._processes[name]

    def close(self) -> None:
        """End all processes; a choice in progress fails."""
        for name, process in [*self._processes.items()]:
            process.kill()
            with self._locks.setdefault(name, Lock()):
                process.end()
        self._processes.clear()


def _environment() -> dict[str, str]:
    """This process's environment without the settings of a service: keys and Redis would show a bot every secret."""
    return {name: value for name, value in os.environ.items() if not name.startswith(SERVICE_SETTINGS)}
