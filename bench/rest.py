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

from bench.apply import answer_size, echo, inline_call
from bench.processes import process, redis_server
from bench.results import Goal, Result, compared
from bench.serving import Serving, engine, role
from bench.wrk import program, rate

ROUNDS: Final = 7
SECONDS: Final = 2
GOAL: Final = Goal(0.7)
UNIT: Final = "requests/s"
BARE: Final = "a bare FastAPI route that forwards an echo"


@dataclass(frozen=True)
class Load:
    """One round: requests a second, and the gateway's processor time in microseconds a request."""

    rate: float
    cost: float


def load(gateway: Serving, path: str, body: bytes) -> Load:
    """Load a gateway for `SECONDS`."""
    before = gateway.cpu_seconds()
    reached = rate(f"http://127.0.0.1:{gateway.port}{path}", body, SECONDS)
    return Load(reached, (gateway.cpu_seconds() - before) * 1e6 / (reached * SECONDS))


@contextmanager
def bare_gateway(echo_port: int, request_size: int, answer_size: int) -> Iterator[Serving]:
    """Run a bare route in front of an echo server."""
    sizes = [str(number) for number in (echo_port, request_size, answer_size)]
    with process([sys.executable, "-m", "bench.bare_gateway", *sizes]) as running:
        assert running.stdout is not None
        yield Serving(int(running.stdout.readline()), running.pid)


def measure() -> list[Result]:
    """Two rows: requests a second, and processor time a request."""
    program()
    with (
        redis_server() as url,
        engine(url) as serving,
        role("gateway", FIRESIDE_ENGINE_ADDRESS=f"127.0.0.1:{serving.port}") as gateway,
    ):
        call = asyncio.run(inline_call(serving.port))
        body = MessageToJson(ApplyRequest.FromString(call.request), indent=None).encode()
        path = "/v1/fire-bulls:apply"
        asked = post(
            f"http://127.0.0.1:{gateway.port}{path}", content=body, headers={"Content-Type": "application/json"}
        )
        answer = asked.raise_for_status().content
        size = asyncio.run(answer_size(serving.port, call))
        with echo(size) as echo_port, bare_gateway(echo_port, len(call.request), len(answer)) as bare:
            rounds = [(load(gateway, path, body), load(bare, "/echo", body)) for _ in range(1 + ROUNDS)][1:]
    ours, theirs = zip(*rounds, strict=True)
    name = f"REST fire_bulls:apply, {len(body):,} bytes of JSON, {len(answer):,} back"
    costs = [each.cost for each in ours], [each.cost for each in theirs]
    return [
        compared(name, UNIT, [each.rate for each in ours], BARE, [each.rate for each in theirs], GOAL),
        compared("processor time of the gateway for one", "us", costs[0], BARE, costs[1]),
    ]
