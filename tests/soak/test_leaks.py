"""Matches that are begun, left, finished, watched and forgotten leave nothing behind, neither here nor in Redis.

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
from services.engine.matches.cache import MATCHES_MOST
from tests.redis_server import redis_server
from tests.soak.guests import House
from tests.soak.parts import Command

LEAKS = int(os.environ.get("FIRESIDE_LEAKS", "90"))
FULL = LEAKS >= 2000
MATCH_SECONDS = 60 if FULL else 8
FINISHED_SECONDS = 2
WARM_UP = max(LEAKS // 4, len(CODECS) * MATCHES_MOST) if FULL else LEAKS // 4
"""Guests before the first look: of a full run as many as an engine keeps matches of, since until then it grows."""
MEBIBYTE = 1 << 20
RSS_TOLERANCE = 6 * MEBIBYTE
"""How much a process may grow from the first half to the second: what remains of heaps that are cut up."""
FD_TOLERANCE = 4
"""How many descriptors more, beside the connections to Redis, which are opened as they are needed, and kept."""


@dataclass(frozen=True)
class Look:
    """What a process holds."""

    rss: int
    descriptors: int

    @staticmethod
    def at(pid: int, connections: int) -> Look:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return Look(pages * os.sysconf("SC_PAGE_SIZE"), len(os.listdir(f"/proc/{pid}/fd")) - connections)

    def __str__(self) -> str:
        return f"{self.rss / MEBIBYTE:.1f} MiB, {self.descriptors} descriptors"


@asynccontextmanager
async def house_on(url: str) -> AsyncIterator[House]:
    seconds = {"FIRESIDE_MATCH_SECONDS": str(MATCH_SECONDS), "FIRESIDE_FINISHED_SECONDS": str(FINISHED_SECONDS)}
    engine = Command("engine", ["engine"], REDIS_URL=url, **seconds)
    gateway = Command("gateway", ["gateway"], FIRESIDE_ENGINE_ADDRESS=engine.address)
    for part in (engine, gateway):
        await asyncio.to_thread(part.start)
    house = House(engine, gateway)
    try:
        yield house
    finally:
        await house.close()
        gateway.kill()
        engine.kill()


SHARED = [b"fireside:signing-key", b"fireside:token-key"]
"""The keys that all matches share."""


@pytest.mark.timeout(3600)
async def test_guests_leave_nothing_behind(tmp_path: Path) -> None:
    with redis_server(tmp_path) as url:
        async with house_on(url) as house, Redis.from_url(url) as redis:
            await house.receive(range(1))
            baseline = await _expired(redis, len(SHARED))
            half = LEAKS // 2
            began = time.monotonic()
            warm = await _looks(house, redis, range(WARM_UP))
            first = await _looks(house, redis, range(half))
            second = await _looks(house, redis, range(half, 2 * half))
            keys = await _expired(redis, len(SHARED))
            _print(house, [warm, first, second], time.monotonic() - began, baseline, keys)
            for name, look in second.items():
                assert look.rss - first[name].rss < RSS_TOLERANCE, name
                assert look.descriptors - warm[name].descriptors <= FD_TOLERANCE, name
            assert keys == SHARED


async def _looks(house: House, redis: Redis, numbers: range) -> dict[str, Look]:
    """Let guests come, and look at what the processes hold when nobody watches any more."""
    await house.receive(numbers)
    await _until_unwatched(redis)
    await asyncio.sleep(1)
    connections = len(await redis.client_list()) - 1
    return {"engine": Look.at(house.engine.pid, connections), "gateway": Look.at(house.gateway.pid, 0)}


async def _until_unwatched(redis: Redis) -> None:
    """A match that an engine still follows has a channel."""
    deadline = time.monotonic() + 30
    while left := len(await redis.pubsub_channels("fireside:log:*")):
        assert time.monotonic() < deadline, f"{left} matches are followed for nobody"
        await asyncio.sleep(0.1)


async def _expired(redis: Redis, keys: int) -> list[bytes]:
    """The keys, once there are no more than so many."""
    deadline = time.monotonic() + MATCH_SECONDS + 30
    while await redis.dbsize() > keys and time.monotonic() < deadline:
        await asyncio.sleep(0.1)
    return sorted(key for key in await redis.keys("*") if isinstance(key, bytes))


def _print(house: House, looks: list[dict[str, Look]], seconds: float, before: list[bytes], after: list[bytes]) -> None:
    print(f"\n{LEAKS} matches behind {WARM_UP} to warm up, {seconds:.0f} s")
    for name in looks[0]:
        print(f"{name}: warm {looks[0][name]}; first half {looks[1][name]}; second half {looks[2][name]}")
    print(f"keys of Redis before {len(before)}, after {len(after)}")
    print(", ".join(f"{name} {number}" for name, number in sorted(house.counts.items())))
