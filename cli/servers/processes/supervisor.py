"""Supervisor: starts processes together, starts again what ends, and stops all by a signal."""

from __future__ import annotations

import gc
import logging
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing.connection import wait
from typing import Final

from cli.servers.processes.supervised import SIGNALS, SupervisedProcess, Task

logger = logging.getLogger(__name__)


class Supervisor:
    """Runs processes until a signal. It has no threads and no event loop, so that it can fork at any time."""

    def __init__(self, tasks: Mapping[str, Task], drain_seconds: float, stop_seconds: float) -> None:
        """Tasks by name. A stop cuts the processes short that have not drained, and then not ended, in these times."""
        self._processes: Final = [SupervisedProcess(name, task) for name, task in tasks.items()]
        self._drain_seconds: Final = drain_seconds
        self._stop_seconds: Final = stop_seconds
        self._is_ready = False

    def run(self, on_ready: Callable[[], None], ends: Sequence[int]) -> None:
        """Run until SIGTERM or SIGINT, or the end of a pipe in `ends`; `on_ready` is called once all processes serve.

        Raises what keeps a process from starting, if that is the first one of its name.
        """
        gc.freeze()  # else collections in the forks would copy the memory that they share
        with _signals() as signals:
            inputs: list[socket.socket | int] = [signals, *ends]
            try:
                while not self._is_stop_requested(inputs):
                    self._start_ended()
                    self._wait(inputs, self._pause())
                    self._check_ends()
                    if not self._is_ready and all(process.is_ready for process in self._processes):
                        self._is_ready = True
                        on_ready()
            finally:
                self._stop()

    def _start_ended(self) -> None:
        for process in self._processes:
            if not process.runs and process.start_at <= time.monotonic():
                process.start(self._processes)

    def _pause(self) -> float | None:
        """Seconds until a process is to be started; None if all run."""
        starts = [process.start_at for process in self._processes if not process.runs]
        return max(0.0, min(starts) - time.monotonic()) if starts else None

    def _wait(self, inputs: Sequence[socket.socket | int], seconds: float | None) -> None:
        """Wait for an input, a message or the end of a process, at most for so long; read the messages."""
        wait([*inputs, *[each for process in self._processes for each in process.waited_for]], seconds)
        for process in self._processes:
            process.receive()

    def _check_ends(self) -> None:
        """Log which processes have ended. Raises why, if one ended before all were ready."""
        for process in self._processes:
            code = process.exit_code()
            if code is None:
                continue
            if not self._is_ready:
                raise process.failure or ValueError(f"{process.name} ended before it was ready (exit code {code})")
            reason = process.failure or f"exit code {code}"
            pause = max(0.0, process.start_at - time.monotonic())
            logger.error("%s has ended (%s): it is started again in %.0f s", process.name, reason, pause)

    def _stop(self) -> None:
        """Let all processes drain, then end."""
        for process in self._processes:
            process.terminate()
        self._wait_for(lambda process: process.is_drained, self._drain_seconds)
        for process in self._processes:
            process.disconnect()
        self._wait_for(lambda process: False, self._stop_seconds)
        for process in self._processes:
            process.kill()
        self._wait_for(lambda process: False, None)

    def _wait_for(self, is_done: Callable[[SupervisedProcess], bool], seconds: float | None) -> None:
        """Wait until each process has ended or is done, at most for so long."""
        end = None if seconds is None else time.monotonic() + seconds
        while any(process.runs and not is_done(process) for process in self._processes):
            left = None if end is None else end - time.monotonic()
            if left is not None and left <= 0:
                return
            self._wait([], left)
            for process in self._processes:
                process.exit_code()

    @staticmethod
    def _is_stop_requested(inputs: Sequence[socket.socket | int]) -> bool:
        """Whether a signal has arrived, or a pipe has ended."""
        return any(not isinstance(ready, int) or not os.read(ready, 4096) for ready in wait(inputs, 0))


@contextmanager
def _signals() -> Iterator[socket.socket]:
    """A socket that is readable once SIGTERM or SIGINT has arrived, within the block."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.setblocking(False)
        former = {number: signal.signal(number, lambda *_: None) for number in SIGNALS}
        signal.set_wakeup_fd(theirs.fileno())
        try:
            yield ours
        finally:
            signal.set_wakeup_fd(-1)
            for number, handler in former.items():
                signal.signal(number, handler)
