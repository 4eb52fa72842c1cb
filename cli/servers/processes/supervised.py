"""A supervised process, and those that take its place when it ends."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from typing import Final

from cli.servers.processes.child import DRAINED, READY

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
PAUSES: Final = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Seconds until a process is started again: they grow while it keeps ending."""
STEADY_SECONDS: Final = 60.0
"""A process that has run for so long is started again at once."""

Task = Callable[[Connection], None]
"""What a process does, with a connection to its supervisor."""


class SupervisedProcess:
    """A process that does a task, one after the other."""

    def __init__(self, name: str, task: Task) -> None:
        """`name` is that in logs."""
        self.name: Final = name
        self._task: Final = task
        self._process: ForkProcess | None = None
        self._connection: Connection | None = None
        self._started_at = 0.0
        self._ends = 0
        self.start_at = 0.0
        """Monotonic time at which the next process is to be started."""
        self.is_ready = False
        self.is_drained = False
        self.failure: Exception | None = None
        """Why the process could not start."""

    @property
    def runs(self) -> bool:
        """Whether there is a process."""
        return self._process is not None

    @property
    def waited_for(self) -> list[Connection | int]:
        """What becomes readable when the process sends a message or ends."""
        each = [self._connection, self._process.sentinel if self._process else None]
        return [one for one in each if one is not None]

    def start(self, siblings: Sequence[SupervisedProcess]) -> None:
        """Start a process, a fork of this one, by which it shares the memory of what is imported."""
        ours, theirs = Pipe()
        # A copy of the supervisor's end in another process would hide the end of the supervisor.
        copies = [ours, *[each._connection for each in siblings if each._connection]]
        process = get_context("fork").Process(target=_run, args=(self._task, theirs, copies), name=self.name)
        self.is_ready = self.is_drained = False
        self.failure = None
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)  # until the fork has its own handlers
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        theirs.close()
        self._process, self._connection, self._started_at = process, ours, time.monotonic()

    def receive(self) -> None:
        """Read the messages of the process."""
        with suppress(EOFError, OSError):  # it has ended
            while self._connection is not None and self._connection.poll():
                message = self._connection.recv()
                self.is_ready |= message == READY
                self.is_drained |= message == DRAINED
                if isinstance(message, Exception):
                    self.failure = message

    def exit_code(self) -> int | None:
        """The exit code of a process that has ended, which this forgets; None if none has."""
        if self._process is None or self._process.exitcode is None:
            return None
        code, self._process = self._process.exitcode, None
        self.disconnect()
        self.is_ready = False
        now = time.monotonic()
        self._ends = 0 if now - self._started_at > STEADY_SECONDS else self._ends + 1
        self.start_at = now + PAUSES[min(max(0, self._ends - 1), len(PAUSES) - 1)]
        return code

    def terminate(self) -> None:
        """Send SIGTERM, by which a process drains."""
        if self._process is not None:
            self._process.terminate()

    def kill(self) -> None:
        """Send SIGKILL."""
        if self._process is not None:
            self._process.kill()

    def disconnect(self) -> None:
        """Close the connection, by which a process ends."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _run(task: Task, connection: Connection, copies: Sequence[Connection]) -> None:
    """Do a task in the process that was started for it."""
    signal.set_wakeup_fd(-1)
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    for copy in copies:
        copy.close()
    task(connection)
