"""`fireside` commands, mainly engines, in subprocesses."""

from __future__ import annotations

import os
import select
import signal
import tempfile
from typing import Self

from tests.services import fork_server
from tests.services.fork_server import PYTHON_PATHS, ROOT

__all__ = ["PYTHON_PATHS", "ROOT", "EngineProcess", "Process"]


class Process:
    """A `fireside` command in a subprocess, and the lines that it prints."""

    def __init__(self, *words: str, **environment: str) -> None:
        paths = {"LC_ALL": "C.UTF-8", "PYTHONPATH": os.pathsep.join(PYTHON_PATHS)}
        read, write = os.pipe()
        self._output = os.fdopen(read)
        self._log = tempfile.TemporaryFile("w+")  # noqa: SIM115 # closed by `wait`
        with open(os.devnull) as nothing:
            streams = [nothing.fileno(), write, self._log.fileno()]
            self._fork = fork_server.start(words, {**os.environ, **paths, **environment}, streams)
        os.close(write)
        self._ended: tuple[int, str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def pid(self) -> int:
        """The process id."""
        return self._fork.pid

    def line(self, seconds: float = 90) -> str:
        """The next line of its standard output; empty if it has ended. Raises `TimeoutError`."""
        ready, _, _ = select.select([self._output], [], [], seconds)
        if not ready:
            self.kill()
            raise TimeoutError("nothing was printed")
        return self._output.readline().strip()

    def kill(self) -> None:
        """End it by SIGKILL."""
        if self._ended is None:
            self._fork.send_signal(signal.SIGKILL)
            self.wait()

    def stop(self) -> tuple[int, str]:
        """End it by SIGTERM; its exit code and its log."""
        self._fork.send_signal(signal.SIGTERM)
        return self.wait()

    def wait(self) -> tuple[int, str]:
        """Wait for its end; its exit code and its log."""
        if self._ended is None:
            code = self._fork.wait(90)
            self._log.seek(0)
            self._ended = code, self._log.read()
            self._log.close()
            self._output.close()
        return self._ended


class EngineProcess(Process):
    """An engine on a Redis; `address` is its gRPC address."""

    def __init__(self, redis_url: str) -> None:
        super().__init__("engine", "--port", "0", REDIS_URL=redis_url)
        self.address = ""

    def ready(self) -> Self:
        """Wait until it accepts calls."""
        line = self.line()
        if not line:
            raise RuntimeError(self.wait()[1])
        self.address = line.rsplit(" ", 1)[1]
        return self
