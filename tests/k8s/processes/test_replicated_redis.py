"""`components/replicated-redis` fails over, by its own scripts: pods are killed, drained, emptied and restarted."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from random import Random
from typing import Final

import pytest
from redis import AuthenticationError, ConnectionError

from runtime.redis_url import blocking_client
from tests.k8s.processes.replicated import PODS, REDIS, SENTINELS, ReplicatedRedis, wait_until

KEYS: Final = 100


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReplicatedRedis]:
    """All pods, which were started at once in any order, for the first time."""
    process = os.getpid()
    with ReplicatedRedis(tmp_path_factory.mktemp("pods"), f"127.8.{process % 250}") as pods:
        pods.start(Random(process).sample(PODS, len(PODS)))
        assert pods.wait_until_complete() == "redis-0"
        assert all(map(pods.is_ready, SENTINELS))
        yield pods


@pytest.fixture
def pods(stack: ReplicatedRedis) -> ReplicatedRedis:
    """All pods, with new data that both Redis have. Either may be the primary."""
    stack.start(stack.missing())
    with stack.redis(stack.wait_until_complete()) as redis:
        redis.flushall()
        for key in range(KEYS):
            redis.set(f"key {key}", key)
        assert redis.wait(1, 5000) == 1
    return stack


def other(pod: str) -> str:
    """The other Redis."""
    return REDIS[1 - REDIS.index(pod)]


def sizes(pods: ReplicatedRedis) -> list[int]:
    """The numbers of keys in each Redis."""
    found = []
    for pod in REDIS:
        with pods.redis(pod) as redis:
            found.append(redis.dbsize())
    return found


def sentinel_id(pods: ReplicatedRedis, sentinel: str) -> str:
    with pods.redis(sentinel) as redis:
        return str(redis.execute_command("SENTINEL", "MYID"))


def test_the_address_of_the_roles_names_the_primary(pods: ReplicatedRedis) -> None:
    with blocking_client(pods.url(), answer_seconds=3, retries=0) as redis:
        assert redis.role()[0] == b"master"


def test_a_killed_primary_comes_back_as_a_replica(pods: ReplicatedRedis) -> None:
    old, new = pods.primary(), other(pods.primary())
    pods.kill(old)
    wait_until(lambda: pods.role(new) == "master" and pods.primary() == new)
    pods.start([old])
    wait_until(lambda: pods.role(old) != "")
    assert pods.role(old) == "slave", "it must not be a second primary until Sentinel notices"
    assert pods.wait_until_complete() == new
    assert sizes(pods) == [KEYS, KEYS]


def test_all_pods_may_restart_at_once(pods: ReplicatedRedis) -> None:
    old, new = pods.primary(), other(pods.primary())
    ids = [sentinel_id(pods, sentinel) for sentinel in SENTINELS]
    pods.terminate(old)
    pods.kill(new, *SENTINELS)
    pods.start([old, *SENTINELS, new])
    pods.wait_until_complete()
    assert sizes(pods) == [KEYS, KEYS]
    assert [sentinel_id(pods, sentinel) for sentinel in SENTINELS] == ids


def test_a_pod_that_is_drained_hands_over_and_loses_nothing(pods: ReplicatedRedis) -> None:
    """Writes without `WAIT`, so that only the pause of writes keeps them from being lost."""
    old, new = pods.primary(), other(pods.primary())
    acknowledged, draining = [], None
    with pods.redis(old) as redis, ThreadPoolExecutor() as executor:
        with suppress(ConnectionError):
            for number in count():
                redis.set(f"write {number}", number)
                acknowledged.append(f"write {number}")
                if number == KEYS:
                    draining = executor.submit(pods.terminate, old)
        assert draining
        draining.result()
    assert (pods.primary(), pods.role(new)) == (new, "master")
    with pods.redis(new) as redis:
        assert redis.exists(*acknowledged) == len(acknowledged)


def test_a_primary_without_a_replica_ends_without_handing_over(pods: ReplicatedRedis) -> None:
    primary = pods.primary()
    pods.terminate(other(primary))
    pods.restart(primary)
    wait_until(lambda: pods.is_ready(primary))
    assert (pods.primary(), pods.role(primary)) == (primary, "master")


def test_an_empty_volume_never_empties_the_other(pods: ReplicatedRedis) -> None:
    old, new = pods.primary(), other(pods.primary())
    pods.kill(old)
    shutil.rmtree(pods.data(old))
    pods.start([old])  # before Sentinel has noticed anything
    assert pods.wait_until_complete() == new
    assert sizes(pods) == [KEYS, KEYS]


def test_a_replica_is_promotable_once_it_has_the_data(pods: ReplicatedRedis) -> None:
    primary, replica = pods.primary(), other(pods.primary())
    pods.kill(replica, primary)
    shutil.rmtree(pods.data(replica))
    pods.start([replica])
    wait_until(lambda: pods.role(replica) == "slave")
    with pods.redis(replica) as redis:
        assert not pods.is_ready(replica)
        assert redis.config_get("replica-priority") == {"replica-priority": "0"}
        pods.start([primary])
        assert pods.wait_until_complete() == primary
        assert redis.config_get("replica-priority") == {"replica-priority": "100"}
    assert sizes(pods) == [KEYS, KEYS]


def test_a_new_volume_of_sentinel_learns_the_primary_from_the_others(pods: ReplicatedRedis) -> None:
    if pods.primary() == "redis-0":  # what it would name without them
        pods.restart("redis-0")
        pods.wait_until_complete()
    pods.kill("sentinel-0")
    shutil.rmtree(pods.data("sentinel-0"))
    pods.start(["sentinel-0"])
    wait_until(lambda: pods.named_by("sentinel-0") != "")
    assert pods.named_by("sentinel-0") == "redis-1"


def test_fault29_two_processes_never_write_one_volume(pods: ReplicatedRedis) -> None:
    primary, replica = pods.primary(), other(pods.primary())
    with pods.start_process(replica) as second:
        try:
            with pytest.raises(subprocess.TimeoutExpired):
                second.wait(0.5)
            assert pods.is_ready(replica)
            pods.kill(replica)
            assert pods.wait_until_complete() == primary  # with the second one
        finally:
            second.kill()


def test_the_password_changes_as_the_docs_say(pods: ReplicatedRedis) -> None:
    old, new = pods.password, f"{pods.password}-2"
    for pod in PODS:
        with pods.redis(pod) as redis:
            redis.execute_command("ACL", "SETUSER", "default", f">{new}")
    for pod in PODS:
        call_with_password(pods, pod, new)
    pods.password = new
    for pod in (*reversed(REDIS), *reversed(SENTINELS)):  # a StatefulSet restarts its last pod first
        pods.restart(pod)
        pods.wait_until_complete()
    assert pods.primary() == "redis-1", "redis-0 hands over with the old password"
    assert sizes(pods) == [KEYS, KEYS]
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
