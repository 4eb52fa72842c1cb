"""Server processes of the installed wheel, whose rules are compiled."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from bench.harness.environments import COMPILED
from bench.harness.processes import running_process


@dataclass(frozen=True)
class ServerProcess:
    """A running server process: its port and process id."""

    port: int
    pid: int

    def cpu_seconds(self) -> float:
        """Processor time used so far, in seconds; on Linux with a resolution below a millisecond."""
        tasks = list(Path(f"/proc/{self.pid}/task").glob("*/schedstat"))
        if tasks:
            return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9
        times = psutil.Process(self.pid).cpu_times()
        return float(times.user + times.system)


@contextmanager
def running_role(name: str, *options: str, **settings: str) -> Iterator[ServerProcess]:
    """Run a `fireside` command, ready once it has printed its address."""
    environment = {**os.environ, "FIRESIDE_LOG_LEVEL": "WARNING", **settings}
    environment.pop("PYTHONPATH", None)  # else the sources would be imported instead of the installed wheel
    program = Path(COMPILED).with_name("fireside")
    with running_process([program, name, "--port", "0", *options], environment) as running:
        assert running.stdout is not None
        yield ServerProcess(int(running.stdout.readline().rsplit(":", 1)[-1]), running.pid)


@contextmanager
def running_engine(url: str) -> Iterator[ServerProcess]:
    """Run an engine on the Redis at `url`."""
    with running_role("engine", REDIS_URL=url) as serving:
        yield serving
