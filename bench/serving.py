"""Roles of the installed wheel, its rules compiled, each in a process of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from bench.environments import COMPILED
from bench.processes import process


@dataclass(frozen=True)
class Serving:
    """A process that serves, and where."""

    port: int
    pid: int

    def cpu_seconds(self) -> float:
        """Processor time that it has used so far, to less than a millisecond where the system tells it (Linux)."""
        tasks = list(Path(f"/proc/{self.pid}/task").glob("*/schedstat"))
        if tasks:
            return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9
        times = psutil.Process(self.pid).cpu_times()
        return float(times.user + times.system)


@contextmanager
def role(name: str, *options: str, **settings: str) -> Iterator[Serving]:
    """A `fireside` command, from when it has said where it is."""
    environment = {**os.environ, "FIRESIDE_LOG_LEVEL": "WARNING", **settings}
    environment.pop("PYTHONPATH", None)  # sources there would hide what is installed
    program = Path(COMPILED).with_name("fireside")
    with process([program, name, "--port", "0", *options], environment) as running:
        assert running.stdout is not None
        yield Serving(int(running.stdout.readline().rsplit(":", 1)[-1]), running.pid)


@contextmanager
def engine(url: str) -> Iterator[Serving]:
    """An engine on that Redis."""
    with role("engine", REDIS_URL=url) as serving:
        yield serving
