"""How long an engine takes until it serves, and its memory then, beside a bare grpcio server in the same environment.

The time is that of processor and clock alike: the processor's is what counts, for others use the machine too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, sleep
from typing import Final, NamedTuple

import psutil

from bench.environments import COMPILED
from bench.processes import process, redis_server
from bench.results import Goal, Result, compared
from bench.serving import Serving, engine

ROUNDS: Final = 9
IDLE_SECONDS: Final = 0.5
MEBIBYTE: Final = 1 << 20
BESIDE: Final = "a bare grpcio server"


class Started(NamedTuple):
    """What it took."""

    seconds: float
    cpu_seconds: float
    mebibytes: float


@contextmanager
def bare() -> Iterator[Serving]:
    """The bare server, from when it has said where it is."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    words: list[str | Path] = [COMPILED, "-I", Path(__file__).with_name("bare_server.py")]
    with process(words, environment) as running:
        assert running.stdout is not None
        yield Serving(int(running.stdout.readline().rsplit(":", 1)[-1]), running.pid)


def started(url: str) -> Started:
    """An engine on that Redis; the bare server without one."""
    began = perf_counter()
    with engine(url) if url else bare() as serving:
        took, cpu = perf_counter() - began, serving.cpu_seconds()
        sleep(IDLE_SECONDS)
        return Started(took, cpu, psutil.Process(serving.pid).memory_info().rss / MEBIBYTE)


def measure() -> list[Result]:
    """Start by the clock and by the processor, and memory."""
    with redis_server() as url:
        started(url)
        rounds = [(started(url), started("")) for _ in range(ROUNDS)]
    ours, theirs = [[Started(*column) for column in side] for side in zip(*rounds, strict=True)]

    def row(name: str, unit: str, field: int, bound: float) -> Result:
        values = [each[field] for each in ours], [each[field] for each in theirs]
        return compared(name, unit, values[0], BESIDE, values[1], Goal(bound, most=True))

    return [
        row("start of an engine", "s", 0, 2.0),
        row("start of an engine, processor time", "s", 1, 2.0),
        row("memory of an idle engine", "MiB", 2, 1.5),
    ]
