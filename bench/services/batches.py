"""Benchmark of moves a second on inline states: `BatchApply` compared with single `Apply` calls."""

from __future__ import annotations

import asyncio
from time import perf_counter

import grpc
from fireside.fire_bulls.v1.fire_bulls_service_pb2 import ApplyRequest, BatchApplyRequest

from bench.harness.grpc_clients import Call, open_channels, seconds_of_calls
from bench.harness.installed_servers import running_engine
from bench.harness.processes import redis_server
from bench.harness.results import Goal, Result, compare_rounds
from bench.services.apply import APPLY, SERVICE, inline_call

BATCH_APPLY = f"{SERVICE}/BatchApply"
BATCH_SIZE = 64
BATCHES = 2
ROUNDS = 9
WARM_UP = 1
GOAL = Goal(12.0)
UNIT = "states/s"


async def sequential_seconds(channel: grpc.aio.Channel, call: Call, count: int) -> float:
    """Seconds that one client takes for `count` calls, one after the other."""
    send: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(APPLY)
    start = perf_counter()
    for _ in range(count):
        await send(call.request)
    return perf_counter() - start


async def measure_rounds(port: int) -> list[tuple[float, float, float]]:
    """States a second: in batches, one by one, and one by one from several concurrent clients."""
    call = await inline_call(port)
    requests = [ApplyRequest.FromString(call.request)] * BATCH_SIZE
    batches = [Call(BatchApplyRequest(requests=requests).SerializeToString())] * BATCHES
    count = BATCH_SIZE * BATCHES
    async with open_channels(port) as clients:
        return [
            (
                count / await seconds_of_calls(clients[:1], BATCH_APPLY, batches),
                count / await sequential_seconds(clients[0], call, count),
                count / await seconds_of_calls(clients, APPLY, [call] * count),
            )
            for _ in range(WARM_UP + ROUNDS)
        ][WARM_UP:]


def measure() -> list[Result]:
    """Two rows: compared with one client, and with several."""
    with redis_server() as url, running_engine(url) as serving:
        batched, alone, together = zip(*asyncio.run(measure_rounds(serving.port)), strict=True)
    name = f"fire_bulls BatchApply of {BATCH_SIZE}"
    return [
        compare_rounds(name, UNIT, batched, "Apply, one client", alone, GOAL),
        compare_rounds(name, UNIT, batched, "Apply, 8 clients at once", together),
    ]
