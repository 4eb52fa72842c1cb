"""A backup of Redis is a file; matches that are restored from it continue, with the same seat tokens."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from random import Random

import grpc
from redis import Redis

from services.engine.main import Engine
from services.engine.settings import EngineSettings
from services.store.keys import match_keys
from tests.redis_server import redis_server
from tests.services.client import Client, FireBullsDriver, new_driver

DURABLE_ARGUMENTS = ("--appendonly", "yes", "--appendfsync", "always")


async def play_some_moves(url: str, moves: int) -> FireBullsDriver:
    """A match after some moves, on an engine that is then stopped."""
    engine = Engine(EngineSettings(port=0, redis_url=url, grace_seconds=1))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        driver = await new_driver(Client(channel))
        await driver.play_at_random(Random(5), moves)
    await engine.stop()
    return driver


async def play_to_end(url: str, driver: FireBullsDriver) -> FireBullsDriver:
    """The same match to its end, on another engine."""
    engine = Engine(EngineSettings(port=0, redis_url=url, grace_seconds=1))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        driver.client = Client(channel)
        driver.match = await driver.client.match(driver.match_id)
        await driver.play_at_random(Random(6))
    await engine.stop()
    return driver


def back_up(url: str, source: Path, target: Path) -> None:
    """Have Redis write its snapshot, and copy that."""
    with Redis.from_url(url) as redis:
        before = redis.lastsave()
        time.sleep(1)  # LASTSAVE has a resolution of one second
        redis.bgsave()
        while redis.lastsave() == before:
            time.sleep(0.05)
    shutil.copy(source / "dump.rdb", target / "dump.rdb")


def keep_durable(url: str) -> None:
    """A Redis that was started on a snapshot writes its log from now on."""
    with Redis.from_url(url) as redis:
        redis.config_set("appendfsync", "always")
        redis.config_set("appendonly", "yes")
        while redis.info("persistence")["aof_rewrite_in_progress"]:
            time.sleep(0.05)


async def test_a_match_in_play_is_played_on_from_a_backup(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    with redis_server(first, *DURABLE_ARGUMENTS) as url:
        driver = await play_some_moves(url, 20)
        back_up(url, first, second)
    with redis_server(second) as url:
        keep_durable(url)
        revision = driver.match.revision
        over = (await play_to_end(url, driver)).match
    assert over.over
    assert over.revision > revision
    with redis_server(second, *DURABLE_ARGUMENTS) as url, Redis.from_url(url) as redis:
        assert redis.hget(match_keys(driver.match_id)[0], "revision") == str(over.revision).encode()
