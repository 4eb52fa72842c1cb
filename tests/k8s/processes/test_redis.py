"""Redis, started as in the manifest, persists what it acknowledges and requires the password.

The Redis of `components/replicated-redis` needs Sentinel to start: `test_replicated_redis.py`.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Final

import pytest
from redis import Redis
from redis.exceptions import AuthenticationError, ConnectionError, OutOfMemoryError

from tests.k8s.builds import (
    OVERLAYS,
    component_of,
    containers_of,
    is_replicated,
    manifest_named,
    pod_spec,
    workloads,
)
from tests.k8s.environment import environment_of, expand_variables
from tests.k8s.node import Node
from tests.k8s.quantities import parse_quantity

PASSWORD: Final = "a-password-of-the-test"
TIMEOUT_SECONDS: Final = 20.0
ONE_REDIS: Final = [name for name in OVERLAYS if not is_replicated(name)]
"""Overlays whose Redis has no replica."""
BYTES_BY_UNIT: Final = {"mb": 2**20, "gb": 2**30}


def stateful_set(name: str) -> Node:
    [found] = [workload for workload in workloads(name) if component_of(workload) == "redis"]
    return found


def redis_arguments(name: str, folder: Path) -> list[str]:
    """The arguments of the container, for files in a folder of the test."""
    [container] = containers_of(stateful_set(name))
    variables = environment_of(name, container) | {"REDIS_PASSWORD": PASSWORD}
    [volume] = [volume for volume in pod_spec(stateful_set(name))["volumes"] if volume["configMap"]]
    files = manifest_named(name, "ConfigMap", volume["configMap"]["name"].text)["data"].table
    for file, contents in files.items():
        (folder / file).write_text(contents.replace("dir /data", f"dir {folder}"))
    [mount] = [m["mountPath"].text for m in container["volumeMounts"] if m["name"].text == volume["name"].text]
    return [expand_variables(word, variables).replace(mount, str(folder)) for word in container["args"].texts]


def start_redis(name: str, folder: Path, socket: Path) -> subprocess.Popen[bytes]:
    """Start Redis as the container of an overlay does, with a data folder and a Unix socket."""
    [container] = containers_of(stateful_set(name))
    command = [word.replace("/data", str(folder)) for word in container["command"].texts]
    words = [*command, *redis_arguments(name, folder), "--port", "0", "--unixsocket", str(socket)]
    return subprocess.Popen(words, stdout=subprocess.DEVNULL)


@contextmanager
def running_redis(name: str, folder: Path) -> Iterator[Path]:
    """The Unix socket of a running Redis of an overlay."""
    socket = folder / "redis.sock"
    with start_redis(name, folder, socket) as process:
        try:
            yield socket
        finally:
            process.terminate()


@pytest.fixture(params=ONE_REDIS)
def socket(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """The Unix socket of a running Redis, for each overlay."""
    with running_redis(request.param, tmp_path) as socket:
        yield socket


def connect_to_redis(socket: Path) -> Redis:
    redis = Redis(unix_socket_path=str(socket), password=PASSWORD, decode_responses=True)
    end = monotonic() + TIMEOUT_SECONDS
    while True:
        try:
            redis.ping()
            return redis
        except ConnectionError:
            assert monotonic() < end
            sleep(0.05)


def test_redis_persists_writes_and_rejects_them_when_full(socket: Path) -> None:
    with connect_to_redis(socket) as redis:
        config = redis.config_get("append*") | redis.config_get("maxmemory-policy") | redis.config_get("save")
        assert {
            "appendonly": "yes",
            "appendfsync": "always",
            "maxmemory-policy": "noeviction",
        }.items() <= config.items()
        redis.config_set("maxmemory", "1")
        with pytest.raises(OutOfMemoryError):
            redis.set("key", "value")


@pytest.mark.parametrize("name", ONE_REDIS)
def test_fault29_two_processes_never_write_one_folder(name: str, tmp_path: Path) -> None:
    """As after `kubectl delete pod redis-0 --force`, when the old process goes on while the new one starts."""
    first, second = tmp_path / "first.sock", tmp_path / "second.sock"
    with start_redis(name, tmp_path, first) as old:
        try:
            connect_to_redis(first).close()  # only then has it the lock: of two that start at once, either may get it
            check_second(name, tmp_path, old, first, second)
        finally:
            old.kill()


def check_second(name: str, folder: Path, old: subprocess.Popen[bytes], first: Path, second: Path) -> None:
    """A second process waits until the first has ended, and then has all that it wrote."""
    with start_redis(name, folder, second) as new:
        try:
            with connect_to_redis(first) as redis:
                for number in range(100):
                    redis.set(f"key {number}", "value")
            with pytest.raises(subprocess.TimeoutExpired):
                new.wait(0.5)
            assert not second.exists()
            old.kill()
            old.wait()
            with connect_to_redis(second) as redis:
                assert redis.dbsize() == 100
            new.terminate()
            assert new.wait(TIMEOUT_SECONDS) == 0, "SIGTERM must reach redis-server itself"
        finally:
            new.kill()


@pytest.mark.parametrize("name", OVERLAYS)
def test_fault29_the_image_of_redis_has_the_lock_command(name: str) -> None:
    [container] = containers_of(stateful_set(name))
    started = ["sh", "/etc/redis/start.sh"] if is_replicated(name) else ["redis-server"]
    assert container["command"].texts == ["flock", "--no-fork", "/data", *started]
    assert container["image"].text.endswith("-bookworm")  # util-linux; busybox of Alpine has no --no-fork


def test_redis_requires_the_password(socket: Path) -> None:
    connect_to_redis(socket).close()
    with Redis(unix_socket_path=str(socket)) as stranger, pytest.raises(AuthenticationError):
        stranger.ping()


@pytest.mark.parametrize("name", OVERLAYS)
def test_the_memory_limit_of_redis_leaves_room_for_the_fork_that_rewrites_its_file(name: str) -> None:
    [container] = containers_of(stateful_set(name))
    most = environment_of(name, container)["REDIS_MAXMEMORY"]
    assert 2 * int(most[:-2]) * BYTES_BY_UNIT[most[-2:]] <= parse_quantity(
        container["resources"]["limits"]["memory"].text
    )
