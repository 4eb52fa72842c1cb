"""Start-up time and idle memory of an engine as `k8s/base` runs it, compared with a bare grpcio server.

The engine has its environment from `k8s/base`: it serves its metrics, and one game. Stated without a goal: what counts
for a rolling update is seconds, and a pod has 512 MiB.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, sleep
from typing import Final, NamedTuple

import psutil

from bench.harness.environments import COMPILED
from bench.harness.installed_servers import ServerProcess, running_role
from bench.harness.processes import redis_server, running_process
from bench.harness.results import Result, compare_rounds

ROUNDS: Final = 9
IDLE_SECONDS: Final = 0.5
MEBIBYTE: Final = 1 << 20
BASELINE: Final = "a bare grpcio server"
MANIFESTS: Final = Path("k8s/base")
GAME: Final = "fire_bulls"


class StartMeasurement(NamedTuple):
    """Start-up time of a server in seconds, its processor time in seconds, and its idle memory in MiB."""

    seconds: float
    cpu_seconds: float
    mebibytes: float


@contextmanager
def bare_server() -> Iterator[ServerProcess]:
    """Run the bare server, ready once it has printed its port."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    arguments: list[str | Path] = [COMPILED, "-I", Path(__file__).parents[1] / "baselines" / "bare_server.py"]
    with running_process(arguments, environment) as running:
        assert running.stdout is not None
        yield ServerProcess(int(running.stdout.readline().rsplit(":", 1)[-1]), running.pid)


def deployed_settings() -> dict[str, str]:
    """The environment that `k8s/base` gives an engine."""
    files = [MANIFESTS / "settings.env", MANIFESTS / "engines" / "settings.env"]
    lines = [line for file in files for line in file.read_text().splitlines() if line and not line.startswith("#")]
    return dict(line.split("=", 1) for line in lines) | {"FIRESIDE_METRICS_PORT": "0"}  # any free port


def measure_start(url: str) -> StartMeasurement:
    """Start an engine on the Redis at `url`, or the bare server if it is empty, and measure it."""
    settings = {**deployed_settings(), "REDIS_URL": url}
    began = perf_counter()
    with running_role("engine", "--game", GAME, **settings) if url else bare_server() as serving:
        took, cpu = perf_counter() - began, serving.cpu_seconds()
        sleep(IDLE_SECONDS)
        return StartMeasurement(took, cpu, psutil.Process(serving.pid).memory_info().rss / MEBIBYTE)


def measure() -> list[Result]:
    """Three rows: wall-clock time to start, processor time to start, idle memory."""
    with redis_server() as url:
        measure_start(url)
        rounds = [(measure_start(url), measure_start("")) for _ in range(ROUNDS)]
    ours, theirs = [[StartMeasurement(*column) for column in side] for side in zip(*rounds, strict=True)]

    def compare_field(name: str, unit: str, field: int) -> Result:
        return compare_rounds(name, unit, [each[field] for each in ours], BASELINE, [each[field] for each in theirs])

    return [
        compare_field("start of an engine", "s", 0),
        compare_field("start of an engine, processor time", "s", 1),
        compare_field("memory of an idle engine", "MiB", 2),
    ]
