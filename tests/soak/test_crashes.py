"""Redis, engines and the gateway are killed while matches are played: every acknowledged move is stored once.

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
from tests.soak.killable_stack import ServiceStack, StackProcess
from tests.soak.log_check import Findings, check_logs
from tests.soak.random_matches import AcknowledgedMoves, RandomMatches

TEST_SECONDS = float(os.environ.get("FIRESIDE_CRASH_SECONDS", "12"))
MATCHES_AT_ONCE = int(os.environ.get("FIRESIDE_CRASH_TABLES", "8"))
KILL_INTERVAL_SECONDS = 0.7
DAY_SECONDS = 24 * 60 * 60


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ServiceStack]:
    with ServiceStack(tmp_path) as service:
        yield service


async def test_kills_lose_no_move_and_repeat_none(service: ServiceStack) -> None:
    acknowledged = AcknowledgedMoves()
    kills = await _play_through_kills(service, acknowledged)
    findings = await _check_stored_logs(service, acknowledged)
    _print_findings(acknowledged, kills, findings)
    assert set(kills) == {part.name for part in service.parts}
    assert findings.stored > 0
    assert findings.is_correct, findings


async def _play_through_kills(service: ServiceStack, acknowledged: AcknowledgedMoves) -> dict[str, int]:
    stopping = asyncio.Event()
    async with AsyncExitStack() as stack:
        players = [_random_player(number, service, acknowledged, stack) for number in range(MATCHES_AT_ONCE)]
        playing = [asyncio.ensure_future(player.play(stopping)) for player in players]
        kills = await kill_in_turn(service.parts, playing, TEST_SECONDS)
        stopping.set()
        await asyncio.wait_for(asyncio.gather(*playing), 60)
    return kills


def _random_player(
    number: int, service: ServiceStack, acknowledged: AcknowledgedMoves, stack: AsyncExitStack
) -> RandomMatches:
    """Every third is played over gRPC, every third over REST, and the rest over both in turn."""
    random = Random(number)
    grpc, rest = GrpcClient([engine.address for engine in service.engines], random), RestClient(service.gateway.url)
    stack.push_async_callback(grpc.close)
    stack.push_async_callback(rest.close)
    apis: list[list[ApiClient]] = [[grpc], [rest], [grpc, rest]]
    codecs = list(CODECS.values())
    return RandomMatches(codecs[number // len(apis) % len(codecs)], apis[number % len(apis)], random, acknowledged)


async def kill_in_turn(
    parts: list[StackProcess], playing: Sequence[asyncio.Future[None]], seconds: float
) -> dict[str, int]:
    """Kill one after the other, at a moment of its own, until the time is over; how often each was."""
    random = Random(1)
    kills = dict.fromkeys([part.name for part in parts], 0)
    until = time.monotonic() + seconds
    for part in cycle(parts):
        if time.monotonic() > until and all(kills.values()):
            return kills
        await asyncio.sleep(KILL_INTERVAL_SECONDS * (0.5 + random.random()))
        await asyncio.to_thread(part.kill)
        kills[part.name] += 1
        await asyncio.to_thread(part.start)
        _raise_failures(playing)
    raise AssertionError("a cycle has no end")


def _raise_failures(playing: Sequence[asyncio.Future[None]]) -> None:
    for task in playing:
        if task.done():
            task.result()


async def _check_stored_logs(service: ServiceStack, acknowledged: AcknowledgedMoves) -> Findings:
    """Check the logs in the store after one more kill."""
    service.redis.kill()
    service.redis.start()
    store = open_store(service.redis.url, DAY_SECONDS)
    try:
        return await check_logs(store, acknowledged)
    finally:
        await store.close()


def _print_findings(acknowledged: AcknowledgedMoves, kills: dict[str, int], findings: Findings) -> None:
    moves = sum(map(len, acknowledged.by_match.values()))
    print(f"\nmoves acknowledged {moves}, in the logs {findings.stored}, in {findings.matches} matches")
    print("kills", ", ".join(f"{name} {number}" for name, number in kills.items()))
    print(", ".join(f"{name} {number}" for name, number in sorted(acknowledged.counts.items())))
    print(f"lost {findings.lost}, duplicated {findings.duplicated}, with gaps {findings.gaps}")
    print(f"differing snapshots {findings.differing_snapshots}")
