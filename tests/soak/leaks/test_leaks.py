"""Matches that are started, left, finished, watched and abandoned leak nothing in processes or in Redis.

`make leaks` has 10,000 of them.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from redis.asyncio import Redis

from services.engine.codecs import CODECS
from services.engine.matches.cache import MAX_MATCHES
from tests.redis_server import redis_server
from tests.soak.killable_stack import CommandProcess
from tests.soak.leaks.misbehaving_clients import EngineAndGateway

MATCH_COUNT = int(os.environ.get("FIRESIDE_LEAKS", "90"))
FULL_RUN = MATCH_COUNT >= 2000
MATCH_SECONDS = 60 if FULL_RUN else 8
FINISHED_SECONDS = 2
WARM_UP = max(MATCH_COUNT // 4, len(CODECS) * MAX_MATCHES) if FULL_RUN else MATCH_COUNT // 4
"""Clients before the first measurement: in a full run as many as an engine caches matches, as it grows until then."""
MEBIBYTE = 1 << 20
RSS_TOLERANCE = 6 * MEBIBYTE
"""How much a process may grow from the first half to the second: what remains of heaps that are cut up."""
FD_TOLERANCE = 4
"""How many descriptors more, not counting connections to Redis, which are opened as needed and stay open."""


@dataclass(frozen=True)
class ProcessUsage:
    """Resident memory in bytes, and open file descriptors, of a process."""

    rss: int
    descriptors: int

    @staticmethod
    def of(pid: int, connections: int) -> ProcessUsage:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return ProcessUsage(pages * os.sysconf("SC_PAGE_SIZE"), len(os.listdir(f"/proc/{pid}/fd")) - connections)

    def __str__(self) -> str:
        return f"{self.rss / MEBIBYTE:.1f} MiB, {self.descriptors} descriptors"


@asynccontextmanager
async def running_target(url: str) -> AsyncIterator[EngineAndGateway]:
    seconds = {"FIRESIDE_MATCH_SECONDS": str(MATCH_SECONDS), "FIRESIDE_FINISHED_SECONDS": str(FINISHED_SECONDS)}
    engine = CommandProcess("engine", ["engine"], REDIS_URL=url, **seconds)
    gateway = CommandProcess("gateway", ["gateway"], FIRESIDE_ENGINE_ADDRESS=engine.address)
    for part in (engine, gateway):
        await asyncio.to_thread(part.start)
    target = EngineAndGateway(engine, gateway)
    try:
        yield target
    finally:
        await target.close()
        gateway.kill()
        engine.kill()


SHARED_KEYS = [b"fireside:signing-key", b"fireside:token-key"]
"""The keys that all matches share."""


@pytest.mark.timeout(3600)
async def test_misbehaving_clients_leak_nothing(tmp_path: Path) -> None:
    with redis_server(tmp_path) as url:
        async with running_target(url) as target, Redis.from_url(url) as redis:
            await target.run_clients(range(1))
            baseline = await _keys_after_expiry(redis, len(SHARED_KEYS))
            half = MATCH_COUNT // 2
            began = time.monotonic()
            warm = await _usage_after_clients(target, redis, range(WARM_UP))
            first = await _usage_after_clients(target, redis, range(half))
            second = await _usage_after_clients(target, redis, range(half, 2 * half))
            keys = await _keys_after_expiry(redis, len(SHARED_KEYS))
            _print_usages(target, [warm, first, second], time.monotonic() - began, baseline, keys)
            for name, usage in second.items():
                assert usage.rss - first[name].rss < RSS_TOLERANCE, name
                assert usage.descriptors - warm[name].descriptors <= FD_TOLERANCE, name
            assert keys == SHARED_KEYS


async def _usage_after_clients(target: EngineAndGateway, redis: Redis, numbers: range) -> dict[str, ProcessUsage]:
    """Run clients; the usage of the processes once nobody watches any more."""
    await target.run_clients(numbers)
    await _until_unwatched(redis)
    await asyncio.sleep(1)
    connections = len(await redis.client_list()) - 1
    return {
        "engine": ProcessUsage.of(target.engine.pid, connections),
        "gateway": ProcessUsage.of(target.gateway.pid, 0),
    }


async def _until_unwatched(redis: Redis) -> None:
    """Wait until no match has a pub/sub channel, which each one has that an engine still watches."""
    deadline = time.monotonic() + 30
    while left := len(await redis.pubsub_channels("fireside:log:*")):
        assert time.monotonic() < deadline, f"{left} matches are still watched"
        await asyncio.sleep(0.1)


async def _keys_after_expiry(redis: Redis, keys: int) -> list[bytes]:
    """The keys, once there are no more than so many."""
    deadline = time.monotonic() + MATCH_SECONDS + 30
    while await redis.dbsize() > keys and time.monotonic() < deadline:
        await asyncio.sleep(0.1)
    return sorted(key for key in await redis.keys("*") if isinstance(key, bytes))


def _print_usages(
    target: EngineAndGateway,
    usages: list[dict[str, ProcessUsage]],
    seconds: float,
    before: list[bytes],
    after: list[bytes],
) -> None:
    print(f"\n{MATCH_COUNT} matches after {WARM_UP} to warm up, {seconds:.0f} s")
    for name in usages[0]:
        print(f"{name}: warm {usages[0][name]}; first half {usages[1][name]}; second half {usages[2][name]}")
    print(f"keys of Redis before {len(before)}, after {len(after)}")
    print(", ".join(f"{name} {number}" for name, number in sorted(target.counts.items())))
