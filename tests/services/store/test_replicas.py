"""Replicas: a change is acknowledged once replicas have it; if too few do, the call says so and may be repeated."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import cast

import grpc
import pytest
from google.protobuf.message import Message
from redis import Redis

from services.engine.codecs import CODECS
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from services.grpc_server.errors import StoreNotReplicated, StoreUnavailable
from services.store.keys import match_keys
from services.store.matches.store import Store
from services.store.open import open_store
from tests.redis_sentinel import DOWN_MS, FailoverRedis
from tests.redis_server import pause_process, process_of, redis_server
from tests.services.client import Refusal
from tests.services.registry import GameClient, field

DAY_SECONDS = 24 * 60 * 60


@pytest.fixture
def urls(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A primary and its replica."""
    with ExitStack() as stack:
        primary = stack.enter_context(redis_server(tmp_path, "--repl-diskless-sync-delay", "0"))
        port = primary.rpartition(":")[2].partition("/")[0]
        replica = stack.enter_context(redis_server(tmp_path, "--replicaof", f"127.0.0.1 {port}"))
        with Redis.from_url(primary) as redis:
            while redis.wait(1, 100) < 1:
                time.sleep(0.02)
        yield primary, replica


@pytest.fixture
async def store(urls: tuple[str, str]) -> AsyncIterator[Store]:
    store = open_store(urls[0], DAY_SECONDS, replicas=1)
    yield store
    await store.close()


async def create(store: Store, match_id: str) -> str | None:
    return await store.create(match_id, b"header", b"state", b"progress", [b"line"])


async def test_a_change_is_acknowledged_when_a_replica_has_it(store: Store, urls: tuple[str, str]) -> None:
    assert await create(store, "m1")
    with Redis.from_url(urls[1]) as replica:
        assert replica.exists(match_keys("m1")[0]) == 1


async def test_a_change_that_no_replica_has_is_not_acknowledged_and_can_be_repeated(
    store: Store, urls: tuple[str, str]
) -> None:
    with pause_process(process_of(urls[1])):
        with pytest.raises(StoreNotReplicated, match="too few replicas have it"):
            await create(store, "m1")
        assert (await store.load("m1")).revision == 1  # reads go on
        with pytest.raises(StoreNotReplicated):  # what is there already is acknowledged only with its replica, too
            await create(store, "m1")
    assert await create(store, "m1") is None


async def test_many_changes_at_once_wait_together(store: Store, urls: tuple[str, str]) -> None:
    with Redis.from_url(urls[0]) as redis:
        redis.config_resetstat()
        await asyncio.gather(*[create(store, f"m{number}") for number in range(50)])
        calls = redis.info("commandstats")
    assert calls["cmdstat_evalsha"]["calls"] + calls.get("cmdstat_eval", {"calls": 0})["calls"] >= 50
    assert calls["cmdstat_wait"]["calls"] < 25


async def test_a_lost_primary_is_reported_while_a_change_waits_for_its_replica(
    store: Store, urls: tuple[str, str]
) -> None:
    await store.reach()
    with pause_process(process_of(urls[1])):
        creating = asyncio.create_task(create(store, "m1"))
        with Redis.from_url(urls[0]) as redis:
            while not redis.info("clients")["blocked_clients"]:
                await asyncio.sleep(0.01)
        os.kill(process_of(urls[0]), signal.SIGKILL)
        with pytest.raises(StoreUnavailable) as refusal:
            await creating
    assert type(refusal.value) is StoreUnavailable


async def test_a_repeated_move_is_acknowledged_once_a_replica_has_it(urls: tuple[str, str]) -> None:
    engine = Engine(EngineSettings(port=0, redis_url=urls[0], grace_seconds=1, replicas=1))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        driver = await GameClient(channel, CODECS["fire_bulls"]).begin()
        [seat] = cast(list[int], field(driver.match, "to_move"))
        listed = cast(list[Message], field(await driver.call("LegalMoves", driver.tokens[seat]), "moves"))
        move = {"notation": field(listed[0], "notation"), "request_id": "a"}
        with pause_process(process_of(urls[1])):
            for _ in range(2):
                with pytest.raises(Refusal, match="too few replicas have it: repeat the call"):
                    await driver.call("Apply", driver.tokens[seat], **move)
        answer = await driver.call("Apply", driver.tokens[seat], **move)
        history = await driver.call("History")
        events = cast(list[Message], field(history, "events"))
        assert [field(event, "notation") for event in events if event.HasField("seat")] == [move["notation"]]
        assert field(answer, "match", "revision") == field(events[-1], "revision")
    await engine.stop()


async def test_a_store_by_sentinel_goes_on_with_another_primary(tmp_path: Path) -> None:
    with FailoverRedis(tmp_path) as redis:
        store = open_store(redis.url, DAY_SECONDS, replicas=1)
        run_id = await create(store, "m1")
        redis.kill_primary()
        deadline = time.monotonic() + DOWN_MS / 1000 + 30  # a vote that fails is repeated after six seconds
        snapshot = None
        while snapshot is None:
            assert time.monotonic() < deadline
            with suppress(StoreUnavailable):
                snapshot = await store.load("m1")
            await asyncio.sleep(0.02)
        assert (snapshot.state, snapshot.run_id) == (b"state", run_id)
        assert store.run_id_of("m1") != run_id  # so that the match begins an epoch with its next step
        await store.close()
