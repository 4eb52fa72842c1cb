"""Benchmark of horizontal scaling: Apply on stored matches with two engines on one Redis, compared with one engine.

Clients, Redis and engines share this machine's processors, so a second engine could not raise the calls a second
here. Therefore the unit is calls a second of processor time of the busiest process among the engines and Redis: the
rate at which that process would be the bottleneck if it had a processor of its own. The cost that a second engine
adds to the others (lost races, published messages, connections) is included; the clients are not.

The same work takes more processor time on a busy machine, where caches are cold. So while the one engine is measured,
another engine with a Redis of its own is equally busy. One engine alone, with the clients of both, handles more
calls in a turn of its event loop and is not disturbed: that is a separate row.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from random import Random
from typing import Final

import grpc

from bench.harness.grpc_clients import Call, open_channels, seconds_of_calls
from bench.harness.installed_servers import ServerProcess, running_engine
from bench.harness.processes import redis_process
from bench.harness.results import Goal, Result, compare_rounds
from bench.services.apply import APPLY, EngineClient, StoredMatch

MATCHES: Final = 150
"""Matches for each engine and each setup."""
ROUNDS: Final = 15
WARM_UP: Final = 8
"""Rounds that are not counted: in the first ones engines verify tokens, which real play does once a match."""
CLIENTS: Final = 4
"""Clients for each engine."""
GOAL: Final = Goal(1.8)
UNIT: Final = "calls/CPU s"


@dataclass(frozen=True)
class MatchClients:
    """Matches and the clients that move them on; any client may move any of the matches."""

    clients: list[grpc.aio.Channel]
    matches: list[StoredMatch]

    async def calls(self) -> list[Call]:
        """One Apply call for each match."""
        return list(await asyncio.gather(*[match.call() for match in self.matches]))


def new_matches(clients: list[grpc.aio.Channel], count: int = MATCHES) -> MatchClients:
    """New matches on the engines of these clients."""
    return MatchClients(
        clients, [StoredMatch(EngineClient(clients[seed % len(clients)]), Random(seed)) for seed in range(count)]
    )


async def call_rate(groups: Sequence[MatchClients], servers: list[ServerProcess], counted_groups: int) -> float:
    """Make one move in each match; the rate of the calls of the first `counted_groups` groups.

    The rate is in calls a second of processor time of the busiest server.
    """
    calls = [await group.calls() for group in groups]
    before = [server.cpu_seconds() for server in servers]
    await asyncio.gather(
        *[seconds_of_calls(group.clients, APPLY, apply_calls) for group, apply_calls in zip(groups, calls, strict=True)]
    )
    busiest = max(server.cpu_seconds() - was for server, was in zip(servers, before, strict=True))
    return sum(map(len, calls[:counted_groups])) / busiest


@dataclass(frozen=True)
class SetupRates:
    """Calls a second of processor time of the busiest process, for each setup."""

    by_match: float
    """Two engines; all calls of a match go to the same one, as the gateway routes them."""
    round_robin: float
    """Two engines; the calls of a match go to either of them."""
    baseline: float
    """One engine, while another one with a Redis of its own is equally busy."""
    alone: float
    """One engine, with the clients of two, while nothing else runs."""


async def measure_rounds(
    engines: list[ServerProcess], redis: ServerProcess, elsewhere: ServerProcess
) -> list[SetupRates]:
    """Measure all setups in turn, several times."""
    async with AsyncExitStack() as stack:
        first, second, others = [
            await stack.enter_async_context(open_channels(each.port, CLIENTS)) for each in (*engines, elsewhere)
        ]
        both = [client for pair in zip(first, second, strict=True) for client in pair]
        by_match, baseline = [new_matches(first), new_matches(second)], [new_matches(first), new_matches(others)]
        round_robin, alone = [new_matches(both, 2 * MATCHES)], [new_matches([*first, *first], 2 * MATCHES)]
        return [
            SetupRates(
                await call_rate(by_match, [*engines, redis], 2),
                await call_rate(round_robin, [*engines, redis], 1),
                await call_rate(baseline, [engines[0], redis], 1),
                await call_rate(alone, [engines[0], redis], 1),
            )
            for _ in range(WARM_UP + ROUNDS)
        ][WARM_UP:]


def measure() -> list[Result]:
    """Four rows: two ways to route calls to two engines, each compared with two baselines."""
    with (
        redis_process() as (url, redis_pid),
        redis_process() as (url_elsewhere, _),
        running_engine(url) as one,
        running_engine(url) as two,
        running_engine(url_elsewhere) as other,
    ):
        measured = asyncio.run(measure_rounds([one, two], ServerProcess(0, redis_pid), other))
    by_match, round_robin = [each.by_match for each in measured], [each.round_robin for each in measured]
    baseline, alone = [each.baseline for each in measured], [each.alone for each in measured]
    name = "two engines on one Redis, Apply"
    return [
        compare_rounds(f"{name}, routed by match", UNIT, by_match, "one engine, machine as busy", baseline, GOAL),
        compare_rounds(f"{name}, round robin", UNIT, round_robin, "one engine, machine as busy", baseline),
        compare_rounds(f"{name}, routed by match", UNIT, by_match, "one engine alone, all clients", alone),
        compare_rounds(f"{name}, round robin", UNIT, round_robin, "one engine alone, all clients", alone),
    ]
