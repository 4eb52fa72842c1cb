"""The password of Redis is changed as docs/operations.md says, under load, without a failed call."""

from __future__ import annotations

import asyncio
import os
import subprocess
from pathlib import Path
from typing import Final

import pytest
from redis import Redis
from redis.exceptions import AuthenticationError

from tests.dns_server import run_dns_server
from tests.k8s.builds import containers_of, workloads
from tests.k8s.processes.cluster import Cluster, PodProcess
from tests.k8s.processes.test_processes import RandomPlayer, terminate_pods, wait_until
from tests.k8s.processes.test_redis import ONE_REDIS, connect_to_redis, running_redis, stateful_set
from tests.tcp_proxy import tcp_proxy

OLD_PASSWORD: Final = "known-to-everybody"
NEW_PASSWORD: Final = "fresh-password"
ROLES: Final = ("engine-fire-bulls", "bots", "webhooks", "gateway")


def redis_client(cluster: Cluster, password: str) -> Redis:
    """A client of the Redis pod, as `kubectl exec redis-0 -- redis-cli`."""
    [pod] = cluster.named("redis")
    return Redis(host=pod.address, port=cluster.port(6379), password=password)


async def roll_out(cluster: Cluster, name: str) -> None:
    """Start a new pod, wait until it is ready, then terminate the old one."""
    [old] = cluster.named(name)
    new = cluster.add(old.workload)
    await wait_until(lambda: cluster.is_ready(new))
    cluster.publish(old)
    await terminate_pods(cluster, old)


async def test_fault30_the_password_of_redis_changes_without_a_failed_call(tmp_path: Path) -> None:
    async with run_dns_server() as dns_server:
        cluster = Cluster("local", dns_server, tmp_path, "127.7.1")
        try:
            cluster.publish()
            for workload in workloads("local"):
                if workload["metadata"]["name"].text in (*ROLES, "redis"):
                    cluster.add(workload)
            cluster.publish()
            await wait_until(lambda: all(map(cluster.is_ready, cluster.pods)))
            async with tcp_proxy(lambda: cluster.addresses("gateway"), cluster.port(8080)) as url:
                await change_under_load(cluster, url)
        finally:
            cluster.close()


async def change_under_load(cluster: Cluster, url: str) -> None:
    player, changed = RandomPlayer(url, "fire_bulls", 1), asyncio.Event()
    playing = asyncio.create_task(player.play(changed.is_set))
    await wait_until(lambda: player.client.calls > 20 or playing.done())
    with redis_client(cluster, OLD_PASSWORD) as redis:
        redis.execute_command("ACL", "SETUSER", "default", f">{NEW_PASSWORD}")
    cluster.secrets[OLD_PASSWORD] = NEW_PASSWORD
    for name in ROLES:
        await roll_out(cluster, name)
    with redis_client(cluster, OLD_PASSWORD) as redis:
        redis.execute_command("ACL", "SETUSER", "default", f"<{OLD_PASSWORD}")
    with redis_client(cluster, OLD_PASSWORD) as redis, pytest.raises(AuthenticationError):
        redis.ping()
    before = player.client.calls
    await wait_until(lambda: player.client.calls > before + 20 or playing.done())
    changed.set()
    await playing
    assert player.over
    logs = "".join(pod.log.read_text() for pod in fireside_pods(cluster))
    assert "the store does not answer" not in logs


def fireside_pods(cluster: Cluster) -> list[PodProcess]:
    return [pod for pod in cluster.pods if pod.name != "redis"]


@pytest.mark.parametrize("name", ONE_REDIS)
def test_fault30_a_redis_whose_password_has_changed_stays_ready(name: str, tmp_path: Path) -> None:
    probe = containers_of(stateful_set(name))[0]["readinessProbe"]["exec"]["command"].texts
    with running_redis(name, tmp_path) as socket:
        redis = connect_to_redis(socket)

        def is_ready(password: str) -> bool:
            words = [word.replace("redis-cli", f"redis-cli -s {socket}") for word in probe]
            variables = {"PATH": os.environ["PATH"], "REDISCLI_AUTH": password}
            return subprocess.run(words, env=variables, timeout=30, check=False).returncode == 0

        right = redis.connection_pool.connection_kwargs["password"]
        assert (is_ready(right), is_ready("wrong"), is_ready("")) == (True, True, True)
        redis.config_set("requirepass", NEW_PASSWORD)
        assert is_ready(right)
        redis.close()
    assert not is_ready(right)
