"""Processes of the archive are killed while they archive: each match is there once, as it was, and Redis forgets it.

`make archive-soak` archives more matches, and kills more often.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from random import Random
from typing import cast

import pytest
from redis import Redis

from services.archive import index
from services.archive.archive import MatchArchive
from services.store.archive.finished import FINISHED_KEYS, GROUP
from services.store.keys import match_keys
from tests.redis_server import redis_server
from tests.services.processes import Process
from tests.soak.finished_matches import StoredFields, copy_matches, played_matches, read_fields, waiting_for_archive

MATCHES = int(os.environ.get("FIRESIDE_ARCHIVE_MATCHES", "200"))
KILLS = int(os.environ.get("FIRESIDE_ARCHIVE_KILLS", "2"))
MEMORY_MATCHES = [int(number) for number in os.environ.get("FIRESIDE_ARCHIVE_MEMORY", "50,500").split(",")]
"""Numbers of archived matches after which the memory of Redis is compared."""
MOST_WAITING = 5000
PROCESSES = 2
TAIL_SECONDS = 10_000


class ArchiveProcesses:
    """Some processes of the archive, of which any can be killed, and is replaced."""

    def __init__(self, redis_url: str, folder: Path) -> None:
        self._environment = {
            "REDIS_URL": redis_url,
            "FIRESIDE_ARCHIVE": str(folder),
            "FIRESIDE_ARCHIVE_TAIL_SECONDS": str(TAIL_SECONDS),
            "FIRESIDE_ARCHIVE_TAKEOVER_SECONDS": "1",
            "FIRESIDE_LOG_LEVEL": "ERROR",
        }
        self._running = [self._start() for _ in range(PROCESSES)]

    def _start(self) -> Process:
        return Process("archive", **self._environment)

    def kill(self, number: int) -> None:
        """Replace a process that SIGKILL ends."""
        self._running[number].kill()
        self._running[number] = self._start()

    def stop(self) -> None:
        """End all by SIGTERM."""
        for process in self._running:
            process.line()  # that it takes matches: the last one may have just begun to start
        assert {process.stop() for process in self._running} == {(0, "")}


@pytest.fixture
async def redis(tmp_path: Path) -> AsyncIterator[Redis]:
    with redis_server(tmp_path) as url, Redis.from_url(url) as redis:
        for key in FINISHED_KEYS:
            redis.xgroup_create(key, GROUP, "0", mkstream=True)
        yield redis


def url_of(redis: Redis) -> str:
    return f"redis://127.0.0.1:{redis.connection_pool.connection_kwargs['port']}/0"


async def test_kills_lose_no_match_and_double_none(redis: Redis, tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    async with played_matches(url_of(redis), str(folder)) as played:
        await played.play()
        before = await played.answers()
        originals = {driver.match_id: read_fields(redis, driver.match_id) for driver in played.drivers}
        ids = copy_matches(redis, list(originals.values()), 0, MATCHES)
        began = time.perf_counter()
        kills = await archive_through_kills(redis, folder, len(ids) + len(originals))
        seconds = time.perf_counter() - began
        expected = {**originals, **copies_of(ids, list(originals.values()))}
        print(f"\n{len(expected)} matches archived in {seconds:.0f} s, {kills} kills, {disk_bytes(folder)} bytes each")
        check_archive(redis, folder, expected)
        forget(redis, expected)
        assert await played.answers() == before
    assert kills == KILLS


def copies_of(ids: list[str], originals: list[StoredFields]) -> dict[str, StoredFields]:
    return {match_id: originals[number % len(originals)] for number, match_id in enumerate(ids)}


async def archive_through_kills(redis: Redis, folder: Path, number: int) -> int:
    """Archive all matches, and kill a process after each share of them; the number of kills."""
    random, kills = Random(1), 0
    processes = ArchiveProcesses(url_of(redis), folder)
    while waiting := waiting_for_archive(redis):
        if waiting <= number * (KILLS - kills) / (KILLS + 1) and kills < KILLS:
            processes.kill(random.randrange(PROCESSES))
            kills += 1
        await asyncio.sleep(random.uniform(0, 0.02))
    processes.stop()
    return kills


def check_archive(redis: Redis, folder: Path, expected: dict[str, StoredFields]) -> None:
    """Each match is in the archive once, as it was in Redis, and in the index once; and Redis is about to forget it."""
    archive = MatchArchive(str(folder))
    times = finished_times(redis, expected)
    for match_id, stored in expected.items():
        assert archive.read(match_id) == stored.archived(match_id, times[match_id])
    assert Counter(path.stem for path in folder.glob("matches/*/*")) == Counter(list(expected))
    by_day = [entry for day in index.days(archive.objects) for entry in index.entries_of_day(archive.objects, day)]
    assert Counter(entry.match_id for entry in by_day) == Counter(list(expected))
    [player] = folder.glob("index/players/*/*")
    assert Counter(path.name.rpartition(".")[2] for path in player.iterdir()) == Counter(list(expected))
    archive.close()


def finished_times(redis: Redis, ids: Iterable[str]) -> dict[str, bytes]:
    """When each match ended, by the field of its hash. All of them expire."""
    found = {}
    for match_id in ids:
        match_key, log_key = match_keys(match_id)
        assert 0 < redis.ttl(match_key) <= TAIL_SECONDS
        assert 0 < redis.ttl(log_key) <= TAIL_SECONDS
        found[match_id] = cast(bytes, redis.hget(match_key, "finished"))
    return found


def forget(redis: Redis, ids: Iterable[str]) -> None:
    """Delete what is about to expire."""
    for match_id in ids:
        redis.delete(*match_keys(match_id))
    assert redis.keys("fireside:match:*") == []


def disk_bytes(folder: Path) -> int:
    """Bytes of an object, on average."""
    sizes = [path.stat().st_size for path in folder.glob("matches/*/*")]
    return sum(sizes) // len(sizes)


async def test_the_memory_of_redis_does_not_grow_with_what_is_archived(redis: Redis, tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    async with played_matches(url_of(redis), str(folder)) as played:
        await played.play()
    originals = [read_fields(redis, driver.match_id) for driver in played.drivers]
    processes = ArchiveProcesses(url_of(redis), folder)
    archived = 0
    bytes_after: list[int] = []
    for number in MEMORY_MATCHES:
        while archived < number:
            chunk = min(MOST_WAITING, number - archived)
            ids = copy_matches(redis, originals, archived, chunk)
            while waiting_for_archive(redis):
                await asyncio.sleep(0.05)
            forget(redis, [*ids, *(driver.match_id for driver in played.drivers)])
            archived += chunk
        bytes_after.append(redis.info("memory")["used_memory"])
        print(f"\nRedis has {bytes_after[-1]} bytes after {number} archived matches", flush=True)
    processes.stop()
    assert max(bytes_after) <= 1.1 * bytes_after[0]
