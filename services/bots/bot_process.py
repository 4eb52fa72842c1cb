"""Pool of processes in which our bots choose moves, so that a slow or crashing bot cannot disturb the worker.

Processes are spawned, since a fork of a process that uses gRPC hangs. A process that exceeds its time limit is killed,
the only way to end a computation, and is replaced.
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Lock
from typing import Final, cast

from services.bots.bot_task import BotResult, BotTask, serve_tasks
from services.bots.remote.failure import CRASHED, TIMED_OUT, BotFailed

logger = logging.getLogger(__name__)

START_SECONDS: Final = 60.0
"""How long a process may take to start."""


class BotProcess:
    """A process that computes one task at a time. All methods block."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self._connection, child_connection = context.Pipe()
        self._process: Final = context.Process(target=serve_tasks, args=(child_connection,), daemon=True)
        self._process.start()
        self._alive = True
        self._kill_lock: Final = Lock()
        child_connection.close()

    def wait_until_started(self) -> None:
        """Wait until it has started. Raises `OSError` if it does not start."""
        try:
            if self._connection.poll(START_SECONDS):
                self._connection.recv()
                return
        except EOFError:
            pass
        raise OSError("a process for bots does not start")

    def result(self, task: BotTask, seconds: float) -> BotResult:
        """The result of a task. Raises `BotFailed` on a timeout or if the process ends; `end` the process then."""
        connection: Connection[BotTask, BotResult] = cast("Connection[BotTask, BotResult]", self._connection)
        try:
            connection.send(task)
            if connection.poll(seconds):
                return connection.recv()
        except (EOFError, OSError):
            raise BotFailed(CRASHED, "its process ended") from None
        raise BotFailed(TIMED_OUT, f"no move within {seconds:g} seconds")

    def kill(self) -> None:
        """Kill the process, unless `end` has released it. Thread-safe."""
        with self._kill_lock:
            if self._alive:
                self._process.kill()

    def end(self) -> None:
        """Kill the process and release its resources; no thread may be waiting in `result`."""
        self.kill()
        self._process.join()
        with self._kill_lock:
            self._alive = False
            self._process.close()
        self._connection.close()


class BotProcesses:
    """A pool of at most `processes` bot processes, each started when first needed."""

    def __init__(self, processes: int) -> None:
        self._free_slots: Final = asyncio.Semaphore(processes)
        self._threads: Final = ThreadPoolExecutor(processes, "bots")
        self._idle: Final[list[BotProcess]] = []
        self._all: Final[set[BotProcess]] = set()
        self._closed = False

    async def choose(self, task: BotTask, seconds: float) -> str:
        """The notation of the bot's move; waits for a free process first. Raises `BotFailed`."""
        async with self._free_slots:
            return await asyncio.get_running_loop().run_in_executor(self._threads, self._choose, task, seconds)

    def _choose(self, task: BotTask, seconds: float) -> str:
        process = self._idle.pop() if self._idle else self._start_process()
        try:
            result = process.result(task, seconds)
        except BotFailed:
            self._end(process)
            raise
        self._idle.append(process)
        if result.trace:
            logger.error("a bot raised an exception\n%s", result.trace)
            raise BotFailed(CRASHED, result.trace)
        return result.notation

    def _start_process(self) -> BotProcess:
        process = BotProcess()
        self._all.add(process)
        try:
            process.wait_until_started()
        except OSError:
            self._end(process)
            raise
        if self._closed:
            process.kill()
        return process

    def _end(self, process: BotProcess) -> None:
        self._all.discard(process)
        process.end()

    def close(self) -> None:
        """Kill all processes; `choose` may not be called afterwards."""
        self._closed = True
        for process in [*self._all]:
            process.kill()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for process in [*self._all]:
            self._end(process)
