"""Benchmark of REST Apply through the gateway, compared with a bare FastAPI route that forwards to an echo server.

`wrk` loads both, with messages of the same sizes: JSON to and from the client, protobuf to and from the engine.
Requests a second also depend on the engine and on other processes of the machine; the gateway's processor time, the
second row, depends on them less.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from fireside.fire_bulls.v1.fire_bulls_service_pb2 import ApplyRequest
from google.protobuf.json_format import MessageToJson
from httpx import post

from bench.harness.installed_servers import ServerProcess, running_engine, running_role
from bench.harness.processes import redis_server, running_process
from bench.harness.results import Goal, Result, compare_rounds
from bench.harness.wrk import request_rate, wrk_path
from bench.services.apply import inline_call, response_size, running_echo

ROUNDS: Final = 7
SECONDS: Final = 2
GOAL: Final = Goal(0.7)
UNIT: Final = "requests/s"
BASELINE: Final = "a bare FastAPI route that forwards an echo"


@dataclass(frozen=True)
class RoundLoad:
    """One round: requests a second, and the gateway's processor time in microseconds a request."""

    rate: float
    cost: float


def load_gateway(gateway: ServerProcess, path: str, body: bytes) -> RoundLoad:
    """Load a gateway for `SECONDS`."""
    before = gateway.cpu_seconds()
    reached = request_rate(f"http://127.0.0.1:{gateway.port}{path}", body, SECONDS)
    return RoundLoad(reached, (gateway.cpu_seconds() - before) * 1e6 / (reached * SECONDS))


@contextmanager
def bare_gateway(echo_port: int, request_size: int, response_size: int) -> Iterator[ServerProcess]:
    """Run a bare route in front of an echo server."""
    sizes = [str(number) for number in (echo_port, request_size, response_size)]
    with running_process([sys.executable, "-m", "bench.baselines.bare_gateway", *sizes]) as running:
        assert running.stdout is not None
        yield ServerProcess(int(running.stdout.readline()), running.pid)


def measure() -> list[Result]:
    """Two rows: requests a second, and processor time a request."""
    wrk_path()
    with (
        redis_server() as url,
        running_engine(url) as serving,
        running_role("gateway", FIRESIDE_ENGINE_ADDRESS=f"127.0.0.1:{serving.port}") as gateway,
    ):
        call = asyncio.run(inline_call(serving.port))
        body = MessageToJson(ApplyRequest.FromString(call.request), indent=None).encode()
        path = "/v1/fire-bulls:apply"
        reply = post(
            f"http://127.0.0.1:{gateway.port}{path}", content=body, headers={"Content-Type": "application/json"}
        )
        response = reply.raise_for_status().content
        size = asyncio.run(response_size(serving.port, call))
        with running_echo(size) as echo_port, bare_gateway(echo_port, len(call.request), len(response)) as bare:
            rounds = [
                (load_gateway(gateway, path, body), load_gateway(bare, "/echo", body)) for _ in range(1 + ROUNDS)
            ][1:]
    ours, theirs = zip(*rounds, strict=True)
    name = f"REST fire_bulls:apply, {len(body):,} bytes of JSON, {len(response):,} back"
    costs = [each.cost for each in ours], [each.cost for each in theirs]
    return [
        compare_rounds(name, UNIT, [each.rate for each in ours], BASELINE, [each.rate for each in theirs], GOAL),
        compare_rounds("processor time of the gateway for one", "us", costs[0], BASELINE, costs[1]),
    ]
