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

from bench.apply import APPLY, Engine, StoredMatch
from bench.load import Call, channels, seconds
from bench.processes import redis_process
from bench.results import Goal, Result, compared
from bench.serving import Serving, engine

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
class Players:
    """Matches and the clients that move them on; any client may move any of the matches."""

    clients: list[grpc.aio.Channel]
    matches: list[StoredMatch]

    async def calls(self) -> list[Call]:
        """One Apply call for each match."""
        return list(await asyncio.gather(*[match.call() for match in self.matches]))


def players(clients: list[grpc.aio.Channel], count: int = MATCHES) -> Players:
    """New matches on the engines of these clients."""
    return Players(clients, [StoredMatch(Engine(clients[seed % len(clients)]), Random(seed)) for seed in range(count)])


async def capacity(groups: Sequence[Players], servers: list[Serving], counted: int) -> float:
    """Make one move in each match; the rate of the calls of the first `counted` groups.

    The rate is in calls a second of processor time of the busiest server.
    """
    calls = [await group.calls() for group in groups]
    before = [server.cpu_seconds() for server in servers]
    await asyncio.gather(*[seconds(group.clients, APPLY, its) for group, its in zip(groups, calls, strict=True)])
    busiest = max(server.cpu_seconds() - was for server, was in zip(servers, before, strict=True))
    return sum(map(len, calls[:counted])) / busiest


@dataclass(frozen=True)
class Round:
    """Calls a second of processor time of the busiest process, for each setup."""

    led: float
    """Two engines; all calls of a match go to the same one, as the gateway routes them."""
    in_turn: float
    """Two engines; the calls of a match go to either of them."""
    baseline: float
    """One engine, while another one with a Redis of its own is equally busy."""
    alone: float
    """One engine, with the clients of two, while nothing else runs."""


async def rounds(engines: list[Serving], redis: Serving, elsewhere: Serving) -> list[Round]:
    """Measure all setups in turn, several times."""
    async with AsyncExitStack() as stack:
        first, second, others = [
            await stack.enter_async_context(channels(each.port, CLIENTS)) for each in (*engines, elsewhere)
        ]
        both = [client for pair in zip(first, second, strict=True) for client in pair]
        led, baseline = [players(first), players(second)], [players(first), players(others)]
        in_turn, alone = [players(both, 2 * MATCHES)], [players([*first, *first], 2 * MATCHES)]
        return [
            Round(
                await capacity(led, [*engines, redis], 2),
                await capacity(in_turn, [*engines, redis], 1),
                await capacity(baseline, [engines[0], redis], 1),
                await capacity(alone, [engines[0], redis], 1),
            )
            for _ in range(WARM_UP + ROUNDS)
        ][WARM_UP:]


def measure() -> list[Result]:
    """Four rows: two ways to route calls to two engines, each compared with two baselines."""
    with (
        redis_process() as (url, redis_pid),
        redis_process() as (url_elsewhere, _),
        engine(url) as one,
        engine(url) as two,
        engine(url_elsewhere) as other,
    ):
        measured = asyncio.run(rounds([one, two], Serving(0, redis_pid), other))
    led, in_turn = [each.led for each in measured], [each.in_turn for each in measured]
    baseline, alone = [each.baseline for each in measured], [each.alone for each in measured]
    name = "two engines behind one Redis, Apply"
    return [
        compared(f"{name}, led by match", UNIT, led, "one engine, machine as busy", baseline, GOAL),
        compared(f"{name}, in turn", UNIT, in_turn, "one engine, machine as busy", baseline),
        compared(f"{name}, led by match", UNIT, led, "one engine alone, all clients", alone),
        compared(f"{name}, in turn", UNIT, in_turn, "one engine alone, all clients", alone),
    ]
