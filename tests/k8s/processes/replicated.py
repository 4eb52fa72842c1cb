"""The Redis of `components/replicated-redis` as local processes, started by the commands and scripts of the manifests.

Differences from a cluster: each pod has a loopback address, which stands for its host name everywhere; ports are free
ones; volumes are folders; `redis-cli` without a host calls the pod that it runs in.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

from tests.k8s.builds import containers_of, manifest_named, pod_spec
from tests.k8s.environment import environment_of, expand_variables
from tests.k8s.node import Node
from tests.redis_server import free_port

BUILD: Final = "production"
REDIS: Final = ("redis-0", "redis-1")
SENTINELS: Final = ("sentinel-0", "sentinel-1", "sentinel-2")
PODS: Final = (*REDIS, *SENTINELS)
REDIS_PORT: Final = 6379
SENTINEL_PORT: Final = 26379
SERVICE: Final = "fireside"
DOWN_MS: Final = 2000
"""Instead of five seconds, which would be waiting."""
PERIOD_MS: Final = 500
"""How often Sentinel looks for replicas, instead of every ten seconds, and tells others of itself."""
TIMEOUT_SECONDS: Final = 30.0


class ReplicatedRedis:
    """The pods by name. To use as a context, which kills them at its end."""

    def __init__(self, folder: Path, net: str) -> None:
        """`net`: the first three numbers of the addresses."""
        self.password = "a-password-of-the-test"
        """Of the Secret: pods that start later get another value, running ones keep theirs."""
        self._folder: Final = folder
        self._hosts: Final = {pod: f"{net}.{number}" for number, pod in enumerate(PODS, 1)}
        self._ports: Final = {port: free_port() for port in (REDIS_PORT, SENTINEL_PORT)}
        self._processes: Final[dict[str, subprocess.Popen[bytes]]] = {}
        self._variables: Final[dict[str, dict[str, str]]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for pod in [*self._processes]:
            self.kill(pod)

    def start(self, pods: Iterable[str] = PODS) -> None:
        """Start the containers of pods, in this order, without waiting."""
        for pod in pods:
            self._processes[pod] = self.start_process(pod)

    def start_process(self, pod: str) -> subprocess.Popen[bytes]:
        """Start the container of a pod. The caller kills it."""
        container = _container(pod)
        self._prepare_files(pod)
        self._variables[pod] = self._environment(pod, container)
        bind = ("--bind", self._hosts[pod], *(("--port", str(self._ports[REDIS_PORT])) if pod in REDIS else ()))
        words = [expand_variables(word, self._variables[pod]) for word in container["args"].texts]
        words = [self._localized(pod, word) for word in (*container["command"].texts, *words)]
        with self.log(pod).open("ab") as output:
            return subprocess.Popen([*words, *bind], env=self._variables[pod], stdout=output, stderr=output)

    def url(self) -> str:
        """`REDIS_URL` of an engine."""
        [container] = containers_of(manifest_named(BUILD, "Deployment", "engine-fire-bulls"))
        variables = environment_of(BUILD, container)
        return self._localized(REDIS[0], variables["REDIS_URL"]).replace("$(REDIS_PASSWORD)", self.password)

    def missing(self) -> list[str]:
        """The pods that were ended, or never started."""
        return [pod for pod in PODS if pod not in self._processes]

    def log(self, pod: str) -> Path:
        """The output of all containers of a pod."""
        return self._folder / f"{pod}.log"

    def data(self, pod: str) -> Path:
        """The volume of a pod."""
        return self._folder / pod / "data"

    def kill(self, *pods: str) -> None:
        """Kill pods by SIGKILL, all at once."""
        processes = [self._processes.pop(pod) for pod in pods]
        for process in processes:
            process.kill()
        for process in processes:
            process.wait()

    def terminate(self, pod: str) -> None:
        """End a pod as a drain of its node does: its `preStop`, then SIGTERM. Fails if it does not end by itself."""
        hook = _container(pod)["lifecycle"]["preStop"]["exec"]["command"]
        if hook:
            assert self.run(pod, hook) == 0, self.log(pod).read_text()
        process = self._processes.pop(pod)
        process.terminate()
        assert process.wait(TIMEOUT_SECONDS) == 0

    def restart(self, pod: str) -> None:
        """End a pod and start its successor."""
        self.terminate(pod)
        self.start([pod])

    def is_ready(self, pod: str) -> bool:
        """The readiness probe of a pod."""
        return self.run(pod, _container(pod)["readinessProbe"]["exec"]["command"]) == 0

    def run(self, pod: str, command: Node) -> int:
        """The exit code of a command in a running container."""
        words = [self._localized(pod, word) for word in command.texts]
        with self.log(pod).open("ab") as output:
            return subprocess.run(
                words, env=self._variables[pod], timeout=TIMEOUT_SECONDS, check=False, stdout=output, stderr=output
            ).returncode

    def redis(self, pod: str, password: str = "") -> Redis:
        """A client of a Redis, or of a process of Sentinel."""
        port = self._ports[REDIS_PORT if pod in REDIS else SENTINEL_PORT]
        return Redis(
            self._hosts[pod],
            port,
            password=password or self.password,
            decode_responses=True,
            socket_timeout=20,
            retry=Retry(NoBackoff(), 0),
        )

    def primary(self) -> str:
        """The pod that most processes of Sentinel name; empty without a majority."""
        named = [self.named_by(sentinel) for sentinel in SENTINELS]
        first = max(REDIS, key=named.count)
        return first if 2 * named.count(first) > len(SENTINELS) else ""

    def named_by(self, sentinel: str) -> str:
        """The primary by a process of Sentinel; empty if it does not answer."""
        with suppress(RedisError), self.redis(sentinel) as redis:
            host, _ = redis.sentinel_get_master_addr_by_name(SERVICE)
            return next(pod for pod in REDIS if self._hosts[pod] == host)
        return ""

    def wait_until_complete(self) -> str:
        """Wait until one Redis replicates the other, both are ready, and all pods know each other: the primary."""
        wait_until(self._is_complete, lambda: "\n".join([self.log(pod).read_text() for pod in PODS]))
        return self.primary()

    def role(self, pod: str) -> str:
        """`master` or `slave`; empty if the pod does not answer."""
        with suppress(RedisError), self.redis(pod) as redis:
            return str(redis.role()[0])
        return ""

    def _is_complete(self) -> bool:
        with suppress(RedisError):
            roles = sorted([self.role(pod) for pod in REDIS])
            return (
                roles == ["master", "slave"]
                and self.role(self.primary()) == "master"
                and all(map(self.is_ready, REDIS))
                and all(map(self._knows_all, SENTINELS))
            )
        return False

    def _knows_all(self, sentinel: str) -> bool:
        with self.redis(sentinel) as redis:
            redis.execute_command("SENTINEL", "DEBUG", "INFO-PERIOD", PERIOD_MS, "PUBLISH-PERIOD", PERIOD_MS)
            state = redis.sentinel_master(SERVICE)
            replicas = [
                (each["flags"], each["master-link-status"], int(each["slave-priority"]) > 0)
                for each in redis.sentinel_slaves(SERVICE)
            ]
            others = [each["flags"] for each in redis.sentinel_sentinels(SERVICE)]
        return (
            state["flags"] == "master"
            and replicas == [("slave", "ok", True)]
            and others == ["sentinel"] * (len(SENTINELS) - 1)
        )

    def _environment(self, pod: str, container: Node) -> dict[str, str]:
        ordinal = int(pod.rpartition("-")[2])
        found = {key: self._localized(pod, text) for key, text in environment_of(BUILD, container, ordinal).items()}
        path = f"{self._folder / pod / 'bin'}:{os.environ['PATH']}"
        secret = {"REDIS_PASSWORD": self.password, "REDISCLI_AUTH": self.password}
        return {**found, **secret, "PATH": path, "DOWN_AFTER_MILLISECONDS": str(DOWN_MS)}

    def _prepare_files(self, pod: str) -> None:
        """The volumes of a pod, and its `redis-cli`."""
        for name in ("bin", "data", "config"):
            (self._folder / pod / name).mkdir(parents=True, exist_ok=True)
        spec = pod_spec(_workload(pod))
        [config] = [volume["configMap"]["name"].text for volume in spec["volumes"]]
        for file, text in manifest_named(BUILD, "ConfigMap", config)["data"].table.items():
            (self._folder / pod / "config" / file).write_text(self._localized(pod, text))
        client = self._folder / pod / "bin" / "redis-cli"
        where = f"-h {self._hosts[pod]} -p {self._ports[REDIS_PORT]}"
        client.write_text(f'#!/bin/sh\nexec {shutil.which("redis-cli")} {where} "$@"\n')
        client.chmod(0o755)

    def _localized(self, pod: str, text: str) -> str:
        """A text of the manifests with local addresses, ports and folders."""
        text = re.sub(r"\b(redis|sentinel)-(\d)\.\1\b", lambda found: self._hosts[f"{found[1]}-{found[2]}"], text)
        for mount in _container(pod)["volumeMounts"]:
            path = re.escape(mount["mountPath"].text)
            text = re.sub(rf"(?<![\w/.]){path}(?=/|\s|$)", str(self._folder / pod / mount["name"].text), text)
        return re.sub(r"(?<![\d.])\d{4,5}(?!\d)", lambda found: str(self._ports.get(int(found[0]), found[0])), text)


def wait_until(condition: Callable[[], bool], explain: Callable[[], str] = str) -> None:
    """Wait until a condition holds; a failure has the explanation."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not condition():
        assert time.monotonic() < deadline, explain()
        time.sleep(0.2)  # a look starts processes: readiness probes


def _workload(pod: str) -> Node:
    return manifest_named(BUILD, "StatefulSet", pod.rpartition("-")[0])


def _container(pod: str) -> Node:
    [container] = containers_of(_workload(pod))
    return container
