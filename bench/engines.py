"""Two engines behind one Redis beside one: Apply on stored matches.

Clients, Redis and engines share the machine here, and where they do the second engine can add nothing. So what is
compared is what each process would be the limit of with a processor of its own: the calls of a round for each second of
processor time of the busiest among the engines and Redis. Whatever a second engine adds to the work of the others (lost
races, news, connections) is in there; the clients are not.

The same work takes a process longer on a busy machine, where it finds its caches cold. So the one engine is measured
while as much goes on beside it as when there are two: another one is busy then as well, with a Redis of its own. Alone,
with the clients of both, it does more calls in a turn of its loop and is disturbed by nobody: that is a row as well.
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
"""For each engine, and each way of calling it: nobody else moves those on."""
ROUNDS: Final = 15
WARM_UP: Final = 8
"""Rounds that are not counted: an engine checks a token when it meets it first, once in a match of a hundred moves."""
CLIENTS: Final = 4
"""For each engine."""
GOAL: Final = Goal(1.8)
UNIT: Final = "calls/CPU s"


@dataclass(frozen=True)
class Players:
    """Matches, and the clients whose calls move them on; which of them does, is as it comes."""

    clients: list[grpc.aio.Channel]
    matches: list[StoredMatch]

    async def calls(self) -> list[Call]:
        """One move in each match."""
        return list(await asyncio.gather(*[match.call() for match in self.matches]))


def players(clients: list[grpc.aio.Channel], count: int = MATCHES) -> Players:
    """New matches of those clients."""
    return Players(clients, [StoredMatch(Engine(clients[seed % len(clients)]), Random(seed)) for seed in range(count)])


async def capacity(groups: Sequence[Players], servers: list[Serving], counted: int) -> float:
    """One move in each match; calls to the `counted` first groups for each second of the busiest of the servers."""
    calls = [await group.calls() for group in groups]
    before = [server.cpu_seconds() for server in servers]
    await asyncio.gather(*[seconds(group.clients, APPLY, its) for group, its in zip(groups, calls, strict=True)])
    busiest = max(server.cpu_seconds() - was for server, was in zip(servers, before, strict=True))
    return sum(map(len, calls[:counted])) / busiest


@dataclass(frozen=True)
class Round:
    """Calls for each second of the busiest process."""

    led: float
    """Two engines; the calls of a match go to one, as the gateway leads them."""
    in_turn: float
    """Two engines; the calls of a match go to whichever is free."""
    beside: float
    """One engine, while another one is as busy elsewhere."""
    alone: float
    """One engine, with the clients of two."""


async def rounds(engines: list[Serving], redis: Serving, elsewhere: Serving) -> list[Round]:
    """All ways of calling in turn."""
    async with AsyncExitStack() as stack:
        first, second, others = [
            await stack.enter_async_context(channels(each.port, CLIENTS)) for each in (*engines, elsewhere)
        ]
        both = [client for pair in zip(first, second, strict=True) for client in pair]
        led, beside = [players(first), players(second)], [players(first), players(others)]
        in_turn, alone = [players(both, 2 * MATCHES)], [players([*first, *first], 2 * MATCHES)]
        return [
            Round(
                await capacity(led, [*engines, redis], 2),
                await capacity(in_turn, [*engines, redis], 1),
                await capacity(beside, [engines[0], redis], 1),
                await capacity(alone, [engines[0], redis], 1),
            )
            for _ in range(WARM_UP + ROUNDS)
        ][WARM_UP:]


def measure() -> list[Result]:
    """The rows."""
    with (
        redis_process() as (url, redis_pid),
        redis_process() as (url_elsewhere, _),
        engine(url) as one,
        engine(url) as two,
        engine(url_elsewhere) as other,
    ):
        measured = asyncio.run(rounds([one, two], Serving(0, redis_pid), other))
    led, in_turn = [each.led for each in measured], [each.in_turn for each in measured]
    beside, alone = [each.beside for each in measured], [each.alone for each in measured]
    name = "two engines behind one Redis, Apply"
    return [
        compared(f"{name}, led by match", UNIT, led, "one engine, machine as busy", beside, GOAL),
        compared(f"{name}, in turn", UNIT, in_turn, "one engine, machine as busy", beside),
        compared(f"{name}, led by match", UNIT, led, "one engine alone, all clients", alone),
        compared(f"{name}, in turn", UNIT, in_turn, "one engine alone, all clients", alone),
    ]
