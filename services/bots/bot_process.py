"""Processes in which our bots think, so that neither long thoughts nor bad ones touch those who ask.

They are spawned: a fork of a process that uses gRPC hangs. One whose thought takes too long is killed, which nothing
else does to a computation, and another takes its place.
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Lock
from typing import Final, cast

from services.bots.remote.failure import CRASHED, LATE, BotFailed
from services.bots.thinking import Conclusion, Thought, think

log = logging.getLogger(__name__)

START_SECONDS: Final = 60.0
"""How long a process may take to start."""


class Mind:
    """A process that thinks about one thing at a time. Its methods block."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process: Final = context.Process(target=think, args=(theirs,), daemon=True)
        self._process.start()
        self._alive = True
        self._killing: Final = Lock()
        theirs.close()

    def wake(self) -> None:
        """Wait until it can think. Raises `OSError` when it cannot start."""
        try:
            if self._connection.poll(START_SECONDS):
                self._connection.recv()
                return
        except EOFError:
            pass
        raise OSError("a process for bots does not start")

    def conclusion(self, thought: Thought, seconds: float) -> Conclusion:
        """Its conclusion. Raises `BotFailed` when it takes too long or its process ends, and is of no use then."""
        connection: Connection[Thought, Conclusion] = cast("Connection[Thought, Conclusion]", self._connection)
        try:
            connection.send(thought)
            if connection.poll(seconds):
                return connection.recv()
        except (EOFError, OSError):
            raise BotFailed(CRASHED, "its process ended") from None
        raise BotFailed(LATE, f"no move within {seconds:g} seconds")

    def kill(self) -> None:
        """Kill it, whatever it thinks, unless it was let go."""
        with self._killing:
            if self._alive:
                self._process.kill()

    def end(self) -> None:
        """Kill it and let it go; nobody may wait for its conclusion any more."""
        self.kill()
        self._process.join()
        with self._killing:
            self._alive = False
            self._process.close()
        self._connection.close()


class Minds:
    """At most so many processes that think; each is started when it is wanted for the first time."""

    def __init__(self, processes: int) -> None:
        self._room: Final = asyncio.Semaphore(processes)
        self._threads: Final = ThreadPoolExecutor(processes, "minds")
        self._idle: Final[list[Mind]] = []
        self._all: Final[set[Mind]] = set()
        self._closed = False

    async def choose(self, thought: Thought, seconds: float) -> str:
        """The notation of what the bot chooses within so many seconds. Raises `BotFailed`."""
        async with self._room:
            return await asyncio.get_running_loop().run_in_executor(self._threads, self._choose, thought, seconds)

    def _choose(self, thought: Thought, seconds: float) -> str:
        mind = self._idle.pop() if self._idle else self._started()
        try:
            conclusion = mind.conclusion(thought, seconds)
        except BotFailed:
            self._end(mind)
            raise
        self._idle.append(mind)
        if conclusion.trace:
            log.error("a bot raised an exception\n%s", conclusion.trace)
            raise BotFailed(CRASHED, conclusion.trace)
        return conclusion.notation

    def _started(self) -> Mind:
        mind = Mind()
        self._all.add(mind)
        try:
            mind.wake()
        except OSError:
            self._end(mind)
            raise
        if self._closed:
            mind.kill()
        return mind

    def _end(self, mind: Mind) -> None:
        self._all.discard(mind)
        mind.end()

    def close(self) -> None:
        """Kill what thinks; nothing may be asked any more."""
        self._closed = True
        for mind in [*self._all]:
            mind.kill()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for mind in [*self._all]:
            self._end(mind)
