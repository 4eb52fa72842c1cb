"""Benchmark of `fireside serve --processes 2`, compared with one process: moves over gRPC and over REST.

As in `engines`, clients share this machine's processors, so the unit is moves a second of processor time of the busiest
process, Redis included: the rate if each process had a processor of its own. How evenly connections and matches are
spread counts, and so does what two processes cost more than one. While the one process is measured, another service
is equally busy.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import Final

import httpx
from fireside.fire_bulls.v1.fire_bulls_service_pb2 import ApplyRequest
from google.protobuf.json_format import MessageToDict

from bench.harness.grpc_clients import Call, open_channels, seconds_of_calls
from bench.harness.results import Goal, Result, compare_rounds
from bench.services.apply import APPLY, EngineClient, StoredMatch
from bench.services.serve import RunningService, running_service

MATCHES: Final = 64
"""Matches for each process, of which each round moves all."""
CLIENTS: Final = 64
"""Connections for each process."""
ROUNDS: Final = 5
WARM_UP: Final = 2
GOAL: Final = Goal(1.6)
UNIT: Final = "moves/CPU s"

Move = Callable[[list[Call]], Awaitable[None]]
"""Makes the moves of Apply calls, over gRPC or REST."""


class Players:
    """Matches on a service, and the clients that move them."""

    def __init__(self, service: RunningService, engine: EngineClient, count: int, ways: Sequence[Move]) -> None:
        self._servers: Final = service.servers
        self._matches: Final = [StoredMatch(engine, Random(seed)) for seed in range(count)]
        self.ways: Final = ways

    async def calls(self) -> list[Call]:
        """The next move of each match, which is found without being measured."""
        return list(await asyncio.gather(*[match.call() for match in self._matches]))

    async def rate(self, way: Move) -> float:
        """Make a move in each match; moves a second of processor time of the busiest process."""
        calls = await self.calls()
        before = [server.cpu_seconds() for server in self._servers]
        await way(calls)
        return len(calls) / max(server.cpu_seconds() - was for server, was in zip(self._servers, before, strict=True))


@asynccontextmanager
async def players(service: RunningService, processes: int) -> AsyncIterator[Players]:
    """Players with connections to a service of so many processes."""
    async with AsyncExitStack() as stack:
        channels = await stack.enter_async_context(open_channels(service.grpc, processes * CLIENTS))
        url = f"http://127.0.0.1:{service.http}"
        clients = [
            await stack.enter_async_context(httpx.AsyncClient(base_url=url, timeout=None))
            for _ in range(processes * CLIENTS)
        ]

        async def over_grpc(calls: list[Call]) -> None:
            await seconds_of_calls(channels, APPLY, calls)

        async def over_rest(calls: list[Call]) -> None:
            queue = iter(calls)
            await asyncio.gather(*[post_moves(client, queue) for client in clients])

        yield Players(service, EngineClient(channels[0]), processes * MATCHES, [over_grpc, over_rest])


async def post_moves(client: httpx.AsyncClient, queue: Iterator[Call]) -> None:
    """Post moves, the next one once there is a response."""
    for call in queue:
        request = ApplyRequest.FromString(call.request)
        path = f"/v1/fire-bulls/matches/{request.match_id}/moves"
        body = {"move": MessageToDict(request.move, always_print_fields_with_no_presence=True)}
        (await client.post(path, json=body, headers=dict(call.metadata))).raise_for_status()


async def measure_rounds(two: RunningService, one: RunningService, other: RunningService) -> list[list[float]]:
    """The rates of two processes over gRPC and REST, and those of one process, in each round."""
    async with players(two, 2) as both, players(one, 1) as single, players(other, 1) as elsewhere:
        return [
            [
                *[await both.rate(way) for way in both.ways],
                *[
                    (await asyncio.gather(single.rate(way), elsewhere.rate(elsewhere.ways[number])))[0]
                    for number, way in enumerate(single.ways)
                ],
            ]
            for _ in range(WARM_UP + ROUNDS)
        ][WARM_UP:]


def measure() -> list[Result]:
    """Two rows: gRPC and REST."""
    with running_service("--processes", "2") as two, running_service() as one, running_service() as other:
        measured = asyncio.run(measure_rounds(two, one, other))
    grpc, rest, grpc_of_one, rest_of_one = zip(*measured, strict=True)
    baseline = "one process, machine as busy"
    return [
        compare_rounds("serve --processes 2: moves over gRPC Apply", UNIT, grpc, baseline, grpc_of_one, GOAL),
        compare_rounds("serve --processes 2: moves over REST", UNIT, rest, baseline, rest_of_one, GOAL),
    ]
