"""REST Apply through the gateway, beside a bare FastAPI route that forwards an echo over gRPC; `wrk` loads both.

The messages are of the same sizes on every way: JSON from the client and back, protobuf to the engine and back.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Final

from fireside.fire_bulls.v1.fire_bulls_service_pb2 import ApplyRequest
from google.protobuf.json_format import MessageToJson
from httpx import post

from bench.apply import answer_size, echo, inline_call
from bench.processes import announced, redis_server
from bench.results import Goal, Result, compared
from bench.serving import engine, role
from bench.wrk import program, rate

ROUNDS: Final = 7
SECONDS: Final = 2
GOAL: Final = Goal(0.75)
UNIT: Final = "requests/s"


def measure() -> list[Result]:
    """The row."""
    program()
    with (
        redis_server() as url,
        engine(url) as serving,
        role("gateway", FIRESIDE_ENGINE_ADDRESS=f"127.0.0.1:{serving.port}") as gateway,
    ):
        call = asyncio.run(inline_call(serving.port))
        body = MessageToJson(ApplyRequest.FromString(call.request), indent=None).encode()
        ours = f"http://127.0.0.1:{gateway.port}/v1/fire-bulls:apply"
        answer = post(ours, content=body, headers={"Content-Type": "application/json"}).raise_for_status().content
        size = asyncio.run(answer_size(serving.port, call))
        words = [sys.executable, "-m", "bench.bare_gateway"]
        with (
            echo(size) as echo_port,
            announced([*words, str(echo_port), str(len(call.request)), str(len(answer))]) as bare,
        ):
            rounds = [
                (rate(ours, body, SECONDS), rate(f"http://127.0.0.1:{bare}/echo", body, SECONDS))
                for _ in range(1 + ROUNDS)
            ][1:]
    through, forwarded = zip(*rounds, strict=True)
    name = f"REST fire_bulls:apply, {len(body):,} bytes of JSON, {len(answer):,} back"
    return [compared(name, UNIT, through, "a bare FastAPI route that forwards an echo", forwarded, GOAL)]
