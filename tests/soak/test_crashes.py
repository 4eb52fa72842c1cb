"""Redis, engines and the gateway are killed while matches are played: every promise to a client is kept.

`make crashes` plays for longer.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from itertools import cycle
from pathlib import Path
from random import Random

import pytest

from services.engine.codecs import CODECS
from services.store.open import open_store
from tests.soak.clients import ApiClient, GrpcClient, RestClient
from tests.soak.logs import Findings, examine
from tests.soak.parts import Part, Service
from tests.soak.tables import Promises, Table

SECONDS = float(os.environ.get("FIRESIDE_CRASH_SECONDS", "12"))
TABLES = int(os.environ.get("FIRESIDE_CRASH_TABLES", "8"))
BETWEEN_KILLS = 0.7
DAY = 24 * 60 * 60


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with Service(tmp_path) as service:
        yield service


async def test_kills_lose_no_move_and_make_none_twice(service: Service) -> None:
    promises = Promises()
    kills = await _play_through_kills(service, promises)
    findings = await _examined(service, promises)
    _print(promises, kills, findings)
    assert set(kills) == {part.name for part in service.parts}
    assert findings.kept > 0
    assert findings.sound, findings


async def _play_through_kills(service: Service, promises: Promises) -> dict[str, int]:
    stopping = asyncio.Event()
    async with AsyncExitStack() as stack:
        tables = [_table(number, service, promises, stack) for number in range(TABLES)]
        playing = [asyncio.ensure_future(table.play(stopping)) for table in tables]
        kills = await _kill_in_turn(service.parts, playing)
        stopping.set()
        await asyncio.wait_for(asyncio.gather(*playing), 60)
    return kills


def _table(number: int, service: Service, promises: Promises, stack: AsyncExitStack) -> Table:
    """Every third is played over gRPC, every third over REST, and the rest over both in turn."""
    random = Random(number)
    grpc, rest = GrpcClient([engine.address for engine in service.engines], random), RestClient(service.gateway.url)
    stack.push_async_callback(grpc.close)
    stack.push_async_callback(rest.close)
    apis: list[list[ApiClient]] = [[grpc], [rest], [grpc, rest]]
    codecs = list(CODECS.values())
    return Table(codecs[number // len(apis) % len(codecs)], apis[number % len(apis)], random, promises)


async def _kill_in_turn(parts: list[Part], playing: Sequence[asyncio.Future[None]]) -> dict[str, int]:
    """Kill one after the other, at a moment of its own, until the time is over; how often each was."""
    random = Random(1)
    kills = dict.fromkeys([part.name for part in parts], 0)
    until = time.monotonic() + SECONDS
    for part in cycle(parts):
        if time.monotonic() > until and all(kills.values()):
            return kills
        await asyncio.sleep(BETWEEN_KILLS * (0.5 + random.random()))
        await asyncio.to_thread(part.kill)
        kills[part.name] += 1
        await asyncio.to_thread(part.start)
        _raise_from(playing)
    raise AssertionError("a cycle has no end")


def _raise_from(playing: Sequence[asyncio.Future[None]]) -> None:
    for task in playing:
        if task.done():
            task.result()


async def _examined(service: Service, promises: Promises) -> Findings:
    """What the store has after one more kill."""
    service.redis.kill()
    service.redis.start()
    store = open_store(service.redis.url, DAY)
    try:
        return await examine(store, promises)
    finally:
        await store.close()


def _print(promises: Promises, kills: dict[str, int], findings: Findings) -> None:
    acknowledged = sum(len(promised) for promised in promises.promised.values())
    print(f"\nmoves acknowledged {acknowledged}, in the logs {findings.kept}, in {findings.matches} matches")
    print("kills", ", ".join(f"{name} {number}" for name, number in kills.items()))
    print(", ".join(f"{name} {number}" for name, number in sorted(promises.counts.items())))
    print(f"lost {findings.lost}, doubled {findings.doubled}, with gaps {findings.gaps}, astray {findings.astray}")
