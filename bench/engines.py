"""Two engines behind one Redis beside one: Apply on stored matches.

Clients, Redis and engines share the machine here, and where they do the second engine can add nothing. So what is
compared is what each process would be the limit of with a processor of its own: the calls of a round for each second of
processor time of the busiest among the engines and Redis. Whatever a second engine adds to the work of the others (lost
races, news, connections) is in there; the clients are not.

At its limit an engine has as many calls at hand as it takes, however many engines there are: so one engine is measured
with as many clients as each of the two has. With the clients of both it does more calls in a turn of its loop, which is
cheaper; that is the second row.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from random import Random
from typing import Final

import grpc

from bench.apply import APPLY, Engine, StoredMatch
from bench.load import channels, seconds
from bench.processes import redis_process
from bench.results import Goal, Result, compared
from bench.serving import Serving, engine

MATCHES: Final = 300
ROUNDS: Final = 9
WARM_UP: Final = 8
"""Rounds that are not counted: an engine checks a token when it meets it first, once in a match of a hundred moves."""
CLIENTS: Final = 4
"""For each engine."""
GOAL: Final = Goal(1.8)
UNIT: Final = "calls/CPU s"


async def capacity(clients: list[grpc.aio.Channel], servers: list[Serving], matches: list[StoredMatch]) -> float:
    """One move in each match; calls for each second of processor time of the busiest server."""
    calls = list(await asyncio.gather(*[match.call() for match in matches]))
    before = [server.cpu_seconds() for server in servers]
    await seconds(clients, APPLY, calls)
    return len(calls) / max(server.cpu_seconds() - was for server, was in zip(servers, before, strict=True))


async def rounds(engines: list[Serving], redis: Serving) -> list[tuple[float, float, float]]:
    """Two engines, one with as many clients as each of them, and one with the clients of both, in turn.

    The calls go to the engines in turn, so that each meets every match.
    """
    async with AsyncExitStack() as open_channels:
        first, second = [await open_channels.enter_async_context(channels(each.port, CLIENTS)) for each in engines]
        both = [client for pair in zip(first, second, strict=True) for client in pair]
        matches = [StoredMatch(Engine(both[number % len(both)]), Random(number)) for number in range(MATCHES)]
        return [
            (
                await capacity(both, [*engines, redis], matches),
                await capacity(first, [engines[0], redis], matches),
                await capacity([*first, *first], [engines[0], redis], matches),
            )
            for _ in range(WARM_UP + ROUNDS)
        ][WARM_UP:]


def measure() -> list[Result]:
    """The row."""
    with redis_process() as (url, redis_pid), engine(url) as one, engine(url) as two:
        measured = asyncio.run(rounds([one, two], Serving(0, redis_pid)))
    twice, once, crowded = zip(*measured, strict=True)
    name = "two engines behind one Redis, Apply"
    return [
        compared(name, UNIT, twice, "one engine, its clients", once, GOAL),
        compared(name, UNIT, twice, "one engine, all clients", crowded),
    ]
