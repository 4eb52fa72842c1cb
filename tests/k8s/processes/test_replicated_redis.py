"""`components/replicated-redis` fails over, by its own scripts: pods are killed, drained, emptied and restarted."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import Random
from typing import Final

import pytest
from redis import AuthenticationError, ConnectionError, Redis

from tests.k8s.processes.replicated import PODS, REDIS, SENTINELS, ReplicatedRedis, wait_until

NEW_PASSWORD: Final = "a-new-password"


@pytest.fixture
def pods(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[ReplicatedRedis]:
    """All pods, which were started at once in any order, for the first time; each test has a net of its own."""
    number = sum(request.node.name.encode()) % 250
    with ReplicatedRedis(tmp_path, f"127.8.{number}") as pods:
        pods.start(Random(number).sample(PODS, len(PODS)))
        assert pods.wait_until_complete() == "redis-0"
        yield pods


def write(redis: Redis, keys: range) -> None:
    """Set keys, each acknowledged by the replica."""
    for key in keys:
        redis.set(f"key {key}", key)
    assert redis.wait(1, 5000) == 1


def sentinel_id(pods: ReplicatedRedis, sentinel: str) -> str:
    with pods.redis(sentinel) as redis:
        return str(redis.execute_command("SENTINEL", "MYID"))


def test_a_killed_primary_comes_back_as_a_replica(pods: ReplicatedRedis) -> None:
    with pods.redis("redis-0") as redis:
        write(redis, range(100))
    pods.kill("redis-0")
    wait_until(lambda: pods.role("redis-1") == "master" and pods.primary() == "redis-1")
    pods.start(["redis-0"])
    wait_until(lambda: pods.role("redis-0") != "")
    assert pods.role("redis-0") == "slave", "it must not be a second primary until Sentinel notices"
    assert pods.wait_until_complete() == "redis-1"
    with pods.redis("redis-0") as redis:
        assert redis.dbsize() == 100


def test_all_pods_may_restart_at_once(pods: ReplicatedRedis) -> None:
    with pods.redis("redis-0") as redis:
        write(redis, range(100))
    ids = [sentinel_id(pods, sentinel) for sentinel in SENTINELS]
    pods.terminate("redis-0")
    pods.kill("redis-1", *SENTINELS)
    pods.start(["redis-0", *SENTINELS, "redis-1"])
    primary = pods.wait_until_complete()
    for pod in REDIS:
        with pods.redis(pod) as redis:
            assert redis.dbsize() == 100
    assert primary in REDIS
    assert [sentinel_id(pods, sentinel) for sentinel in SENTINELS] == ids


def test_a_pod_that_is_drained_hands_over_and_loses_nothing(pods: ReplicatedRedis) -> None:
    """Writes without `WAIT`, so that only the pause of writes keeps them from being lost."""
    acknowledged, draining = [], None
    with pods.redis("redis-0") as redis, ThreadPoolExecutor() as executor:
        with suppress(ConnectionError):
            for key in count():
                redis.set(f"key {key}", key)
                acknowledged.append(f"key {key}")
                if key == 100:
                    draining = executor.submit(pods.terminate, "redis-0")
        assert draining
        draining.result()
    assert (pods.primary(), pods.role("redis-1")) == ("redis-1", "master")
    with pods.redis("redis-1") as redis:
        assert redis.exists(*acknowledged) == len(acknowledged)
    pods.start(["redis-0"])
    assert pods.wait_until_complete() == "redis-1"


def test_a_primary_without_a_replica_ends_without_handing_over(pods: ReplicatedRedis) -> None:
    pods.terminate("redis-1")
    pods.terminate("redis-0")
    pods.start(["redis-0"])
    wait_until(lambda: pods.is_ready("redis-0"))
    assert (pods.primary(), pods.role("redis-0")) == ("redis-0", "master")


def test_an_empty_volume_never_empties_the_other(pods: ReplicatedRedis) -> None:
    with pods.redis("redis-0") as redis:
        write(redis, range(100))
    pods.kill("redis-0")
    shutil.rmtree(pods.data("redis-0"))
    pods.start(["redis-0"])  # before Sentinel has noticed anything
    assert pods.wait_until_complete() == "redis-1"
    for pod in REDIS:
        with pods.redis(pod) as redis:
            assert redis.dbsize() == 100


def test_a_replica_is_promotable_once_it_has_the_data(pods: ReplicatedRedis) -> None:
    pods.kill("redis-1")
    shutil.rmtree(pods.data("redis-1"))
    pods.kill("redis-0")
    pods.start(["redis-1"])
    with pods.redis("redis-1") as redis:
        wait_until(lambda: pods.role("redis-1") == "slave")
        assert not pods.is_ready("redis-1")
        assert redis.config_get("replica-priority") == {"replica-priority": "0"}
        pods.start(["redis-0"])
        pods.wait_until_complete()
        assert redis.config_get("replica-priority") == {"replica-priority": "100"}


def test_a_new_volume_of_sentinel_learns_the_primary_from_the_others(pods: ReplicatedRedis) -> None:
    pods.restart("redis-0")
    assert pods.wait_until_complete() == "redis-1"
    pods.kill("sentinel-0")
    shutil.rmtree(pods.data("sentinel-0"))
    pods.start(["sentinel-0"])
    wait_until(lambda: pods.named_by("sentinel-0") != "")
    assert pods.named_by("sentinel-0") == "redis-1"
    assert pods.wait_until_complete() == "redis-1"


def test_fault29_two_processes_never_write_one_volume(pods: ReplicatedRedis) -> None:
    with pods.redis("redis-1") as redis:
        replica = redis.info("server")["process_id"]
    with pods.start_process("redis-1") as second:
        try:
            with pytest.raises(subprocess.TimeoutExpired):
                second.wait(0.5)
            with pods.redis("redis-1") as redis:
                assert redis.info("server")["process_id"] == replica
            pods.kill("redis-1")
            assert pods.wait_until_complete() == "redis-0"
        finally:
            second.kill()


def test_the_password_changes_as_the_docs_say(pods: ReplicatedRedis) -> None:
    with pods.redis("redis-0") as redis:
        write(redis, range(100))
    for pod in PODS:
        with pods.redis(pod) as redis:
            redis.execute_command("ACL", "SETUSER", "default", f">{NEW_PASSWORD}")
    for pod in PODS:
        call_with_password(pods, pod, NEW_PASSWORD)
    old, pods.password = pods.password, NEW_PASSWORD
    for pod in (*reversed(REDIS), *reversed(SENTINELS)):  # a StatefulSet restarts its last pod first
        pods.restart(pod)
        pods.wait_until_complete()
    assert pods.primary() == "redis-1", "redis-0 hands over with the old password"
    with pods.redis("redis-1") as redis:
        assert redis.dbsize() == 100
    for pod in PODS:
        with pytest.raises(AuthenticationError), pods.redis(pod, old) as redis:
            redis.ping()


def call_with_password(pods: ReplicatedRedis, pod: str, password: str) -> None:
    """Let a running pod call the others with a password, which they accept."""
    with pods.redis(pod) as redis:
        if pod in REDIS:
            redis.config_set("masterauth", password)
        else:
            redis.execute_command("SENTINEL", "SET", "fireside", "auth-pass", password)
            redis.execute_command("SENTINEL", "CONFIG", "SET", "sentinel-pass", password)
