"""`fireside` commands, mainly engines, in subprocesses."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from pathlib import Path
from typing import Self

ROOT = Path(__file__).parents[2]
PYTHON_PATHS = [str(ROOT / folder) for folder in ("", "clients/python", "proto/gen")]
"""Where a subprocess finds the packages of this tree."""


class Process:
    """A `fireside` command in a subprocess, and the lines that it prints."""

    def __init__(self, *words: str, **environment: str) -> None:
        paths = os.pathsep.join(PYTHON_PATHS)
        self._process = subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "cli.main", *words],
            env={**os.environ, "LC_ALL": "C.UTF-8", "PYTHONPATH": paths, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def line(self, seconds: float = 90) -> str:
        """The next line of its standard output; empty if it has ended. Raises `TimeoutError`."""
        output = self._process.stdout
        assert output is not None
        ready, _, _ = select.select([output], [], [], seconds)
        if not ready:
            self.kill()
            raise TimeoutError("nothing was printed")
        return output.readline().strip()

    def kill(self) -> None:
        """End it by SIGKILL."""
        if self._process.returncode is None:
            self._process.kill()
            self._process.communicate()

    def stop(self) -> tuple[int, str]:
        """End it by SIGTERM; its exit code and its log."""
        self._process.terminate()
        _, errors = self._process.communicate(timeout=90)
        return self._process.returncode, errors

    def wait(self) -> tuple[int, str]:
        """Wait for its end; its exit code and its log."""
        _, errors = self._process.communicate(timeout=90)
        return self._process.returncode, errors


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
