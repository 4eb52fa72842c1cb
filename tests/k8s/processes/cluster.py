"""A cluster of local processes: the pods of a build, started by the commands of the manifests.

Differences from a real cluster: each pod has a loopback address, and binds it instead of 0.0.0.0; ports are replaced by
free ones; a name server of the tests resolves Services, or their address is used where a client cannot use that server;
volumes are folders. All other arguments and variables are those of the manifests.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import grpc
import httpx
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from tests.dns_server import DnsServer
from tests.k8s.builds import (
    ROOT,
    component_of,
    containers_of,
    manifest_named,
    of_kind,
    pod_labels,
    pod_spec,
    ports_by_name,
    workloads,
)
from tests.k8s.environment import environment_of, expand_variables
from tests.k8s.node import Node
from tests.redis_server import free_port

FIRESIDE_COMMAND: Final = [sys.executable, "-m", "cli.main"]
"""The entry point of the image."""
PROGRAMS: Final = {"dask": [sys.executable, "-m", "dask"]}


class PodProcess:
    """A process of a workload, at an address of its own."""

    def __init__(self, workload: Node, address: str, command: list[str], variables: dict[str, str], log: Path) -> None:
        self.workload: Final = workload
        self.address: Final = address
        self.log: Final = log
        path = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "proto" / "gen")])}
        with log.open("wb") as output:
            self.process: Final = subprocess.Popen(
                command, env={**path, **variables}, cwd=log.parent, stdout=output, stderr=output
            )

    @property
    def name(self) -> str:
        """Name of its workload."""
        return self.workload["metadata"]["name"].text

    def kill(self) -> None:
        """Kill the process."""
        self.process.kill()
        self.process.wait()


class Cluster:
    """The pods of a build, and the addresses of its Services."""

    def __init__(self, build: str, dns_server: DnsServer, folder: Path, net: str = "127.7.0") -> None:
        self.pods: Final[list[PodProcess]] = []
        self.secrets: Final[dict[str, str]] = {}
        """New values of changed Secrets, by old value: pods added later get the new values."""
        self._pods_added = 0
        self._build: Final = build
        self._dns_server: Final = dns_server
        self._folder: Final = folder
        self._net: Final = net
        declared = {
            port for each in workloads(build) for one in containers_of(each) for port in ports_by_name(one).values()
        }
        self._ports: Final = {str(port): str(free_port()) for port in declared}
        self._fixed_addresses: Final = {
            name: self._address(100 + n) for n, name in enumerate(["redis", "dask-scheduler"])
        }

    def _address(self, number: int) -> str:
        return f"{self._net}.{number}"

    def port(self, number: int) -> int:
        """The local port for a port of the manifests."""
        return int(self._ports[str(number)])

    def start(self, replicas: dict[str, int]) -> None:
        """Start all workloads, with the given number of pods by component, otherwise one."""
        for workload in workloads(self._build):
            for _ in range(replicas.get(component_of(workload), 1)):
                self.add(workload)

    def add(self, workload: Node) -> PodProcess:
        """Start one more pod of a workload."""
        name = workload["metadata"]["name"].text
        self._pods_added += 1
        address = self._fixed_addresses.get(name) or self._address(self._pods_added)
        folder = self._folder / f"{name}-{self._pods_added}"
        folder.mkdir()
        [container] = containers_of(workload)
        variables = {key: self._secret(value) for key, value in environment_of(self._build, container).items()}
        mounts = self._prepare_mounts(workload, container, folder)

        def localize(text: str) -> str:
            return self._localized(expand_variables(text, variables), address, mounts)

        words = container["args"].texts + self._listen_arguments(name)
        command = container["command"].texts
        program = [*PROGRAMS.get(command[0], command[:1]), *map(localize, command[1:])] if command else FIRESIDE_COMMAND
        found = {key: localize(value) for key, value in variables.items()}
        log = folder / "log.txt"
        self.pods.append(started := PodProcess(workload, address, [*program, *map(localize, words)], found, log))
        return started

    def _secret(self, text: str) -> str:
        for old, new in self.secrets.items():
            text = text.replace(old, new)
        return text

    def _listen_arguments(self, name: str) -> list[str]:
        if name == "redis":
            return ["--bind", "0.0.0.0", "--port", "6379"]
        return ["--host=0.0.0.0"] if name == "dask-worker" else []

    def _prepare_mounts(self, workload: Node, container: Node, folder: Path) -> dict[str, str]:
        """Folders of the volumes by mount path; those of ConfigMaps have their files."""
        maps = {volume["name"].text: volume["configMap"]["name"] for volume in pod_spec(workload)["volumes"]}
        mounts = {mount["mountPath"].text: mount["name"].text for mount in container["volumeMounts"]}
        places = {path: str(folder / name) for path, name in mounts.items()}
        for path, name in mounts.items():
            Path(places[path]).mkdir()
            if maps.get(name):
                for file, text in manifest_named(self._build, "ConfigMap", maps[name].text)["data"].table.items():
                    Path(places[path], file).write_text(self._localized(text, "", places))
        return places

    def _localized(self, text: str, address: str, mounts: dict[str, str]) -> str:
        """A text of the manifests with local addresses, ports and folders."""
        text = re.sub(r"(?<=dns://)(?=/)", f"127.0.0.1:{self._dns_server.port}", text)
        for name, where in self._fixed_addresses.items():
            text = re.sub(rf"(?<=[/@]){name}(?=:)", where, text)
        for path, folder in mounts.items():
            text = re.sub(rf"(?<![\w/.]){path}(?=/|$)", folder, text, flags=re.MULTILINE)
        text = re.sub(r"0\.0\.0\.0|(?<==)(?=:\d)", address, text)
        return re.sub(r"(?<![\d.])\d{4,5}(?!\d)", lambda found: self._ports.get(found[0], found[0]), text)

    def is_ready(self, pod: PodProcess) -> bool:
        """Run the readiness probe of a pod; its result. Fails if the process has ended."""
        assert pod.process.poll() is None, pod.log.read_text()
        probe = containers_of(pod.workload)[0]["readinessProbe"]
        if probe["grpc"]:
            return _is_serving(f"{pod.address}:{self.port(probe['grpc']['port'].number)}")
        if probe["httpGet"]:
            port = self.port(probe["httpGet"]["port"].number)
            return _is_responding(f"http://{pod.address}:{port}{probe['httpGet']['path'].text}")
        return True  # a command of the container's image

    def publish(self, *without: PodProcess) -> None:
        """Update the addresses of all Services, without the given pods."""
        for service in of_kind(self._build, "Service"):
            addresses = [pod.address for pod in self._selected(service) if pod not in without]
            self._dns_server.addresses[service["metadata"]["name"].text] = addresses

    def _selected(self, service: Node) -> list[PodProcess]:
        labels = service["spec"]["selector"].table.items()
        return [pod for pod in self.pods if labels <= pod_labels(pod.workload).items()]

    def addresses(self, service: str) -> list[str]:
        """Addresses of a Service."""
        return self._dns_server.addresses[service]

    def named(self, name: str) -> list[PodProcess]:
        """The pods of a workload."""
        return [pod for pod in self.pods if pod.name == name]

    def close(self) -> None:
        """Kill all pods."""
        for each in self.pods:
            each.kill()


def _is_serving(address: str) -> bool:
    with grpc.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)]) as channel:
        check: grpc.UnaryUnaryMultiCallable[HealthCheckRequest, HealthCheckResponse] = channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            request_serializer=HealthCheckRequest.SerializeToString,
            response_deserializer=HealthCheckResponse.FromString,
        )
        try:
            return check(HealthCheckRequest(), timeout=2).status == HealthCheckResponse.SERVING
        except grpc.RpcError:
            return False


def _is_responding(url: str) -> bool:
    try:
        return httpx.get(url, timeout=3).is_success
    except httpx.TransportError:
        return False
