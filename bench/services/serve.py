"""Benchmark of `fireside serve`, with a redis-server of its own, compared with engine, gateway and Redis as processes.

The processor time of all servers counts, in matches of two seats whose players follow, over gRPC `Play` and over REST
with events.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psutil

from bench.harness.environments import COMPILED
from bench.harness.installed_servers import ServerProcess, running_engine, running_role
from bench.harness.processes import redis_process, running_process
from bench.harness.results import Goal, Result, compare_rounds
from bench.services.peers import ROUNDS, UNIT, WARM_UP, grpc_client, our_cost, rest_client

GOAL = Goal(1.1, True)
BASELINE = "engine, gateway and Redis"


class RunningService(NamedTuple):
    """A service that runs: its ports and its processes."""

    http: int
    grpc: int
    servers: list[ServerProcess]


@contextmanager
def running_service(*options: str) -> Iterator[RunningService]:
    """Run `fireside serve`."""
    environment = {**os.environ, "FIRESIDE_LOG_LEVEL": "ERROR", "REDIS_URL": ""}
    environment.pop("PYTHONPATH", None)
    program = Path(COMPILED).with_name("fireside")
    with running_process([program, "serve", "--port", "0", "--grpc-port", "0", *options], environment) as running:
        assert running.stdout is not None
        http, grpc = map(int, re.findall(r":(\d+)", running.stdout.readline()))
        children = psutil.Process(running.pid).children(recursive=True)
        pids = [running.pid, *[child.pid for child in children]]
        yield RunningService(http, grpc, [ServerProcess(0, pid) for pid in pids])


async def measure_rounds(apart: RunningService, together: RunningService) -> list[list[float]]:
    """The costs of `Play` and of REST, of each way to serve, in each round; they take turns."""
    return [
        [
            await our_cost(servers, grpc, client)
            for http, grpc, servers in (together, apart)
            for client in (grpc_client(grpc), rest_client(http))
        ]
        for _ in range(WARM_UP + ROUNDS)
    ][WARM_UP:]


def measure() -> list[Result]:
    """Two rows: gRPC and REST."""
    with (
        redis_process() as (url, redis_pid),
        running_engine(url) as serving,
        running_role("gateway", FIRESIDE_ENGINE_ADDRESS=f"127.0.0.1:{serving.port}") as gateway,
        running_service() as together,
    ):
        servers = [gateway, serving, ServerProcess(0, redis_pid)]
        measured = asyncio.run(measure_rounds(RunningService(gateway.port, serving.port, servers), together))
    play, rest, play_apart, rest_apart = zip(*measured, strict=True)
    return [
        compare_rounds("serve: processor time of a followed move, gRPC Play", UNIT, play, BASELINE, play_apart, GOAL),
        compare_rounds("serve: processor time of a followed move, REST", UNIT, rest, BASELINE, rest_apart, GOAL),
    ]
