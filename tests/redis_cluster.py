"""Runs a Redis Cluster on free ports: three primaries, each with a replica if it is to fail over."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Final, Self

from redis import Redis
from redis.crc import key_slot

from tests.redis_server import free_port, redis_server

PRIMARIES: Final = 3
SLOTS: Final = 16384
NODE_TIMEOUT_MS: Final = 2000
"""How long a node does not hear a primary until it counts as failed."""
KEYS_A_CALL: Final = 10
MIGRATION_MS: Final = 5000


class ClusterRedis:
    """A cluster; to use as a context."""

    def __init__(self, folder: Path, *options: str, replicas: int = 0) -> None:
        """`replicas`: how many each primary has; `options` are of all servers."""
        self._folder: Final = folder
        self._options: Final = options
        self.ports: Final = tuple([free_port() for _ in range(PRIMARIES)])
        """The ports of the primaries at the start."""
        self.replica_ports: Final = tuple([free_port() for _ in range(PRIMARIES * replicas)])
        self._servers: Final[dict[int, ExitStack]] = {}

    @property
    def url(self) -> str:
        """The address of the cluster, which names its first two primaries."""
        return "redis+cluster://" + ",".join([f"127.0.0.1:{port}" for port in self.ports[:2]])

    def __enter__(self) -> Self:
        bus_ports = {port: free_port() for port in (*self.ports, *self.replica_ports)}
        for port, bus_port in bus_ports.items():
            self._start(port, bus_port)
        for number, port in enumerate(self.ports):
            first, end = (SLOTS * each // PRIMARIES for each in (number, number + 1))
            self._call(port, "CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            self._call(port, "CLUSTER", "ADDSLOTSRANGE", first, end - 1)
        for port, bus_port in bus_ports.items():
            self._call(self.ports[0], "CLUSTER", "MEET", "127.0.0.1", port, bus_port)
        self.wait_until(lambda: all(self._knows(port, len(bus_ports)) for port in bus_ports))
        for number, port in enumerate(self.replica_ports):
            self._call(port, "CLUSTER", "REPLICATE", self.node_id(self.ports[number % PRIMARIES]))
        self.wait_until(lambda: all(self._is_ready(port) for port in bus_ports))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for server in self._servers.values():
            server.close()

    def _start(self, port: int, bus_port: int) -> None:
        cluster = ("--cluster-enabled", "yes", "--cluster-config-file", f"nodes-{port}.conf")
        bus = ("--cluster-port", str(bus_port), "--cluster-node-timeout", str(NODE_TIMEOUT_MS))
        coverage = ("--cluster-require-full-coverage", "no", "--repl-diskless-sync-delay", "0")
        server = ExitStack()
        options = (*cluster, *bus, *coverage, *self._options)
        server.enter_context(redis_server(self._folder, *options, port=port))
        self._servers[port] = server

    def kill(self, port: int) -> None:
        """Kill a server by SIGKILL."""
        self._servers.pop(port).close()

    def _call(self, port: int, *arguments: object) -> Any:
        with Redis(port=port, decode_responses=True) as redis:
            return redis.execute_command(*arguments)

    def node_id(self, port: int) -> str:
        """The id of a node in the cluster."""
        return str(self._call(port, "CLUSTER", "MYID"))

    def _knows(self, port: int, nodes: int) -> bool:
        return f"cluster_known_nodes:{nodes}" in self._info(port)

    def _is_ready(self, port: int) -> bool:
        replication = self._call(port, "INFO", "replication")
        is_complete = replication["role"] == "master" or replication["master_link_status"] == "up"
        return is_complete and "cluster_state:ok" in self._info(port)

    def _info(self, port: int) -> list[str]:
        return str(self._call(port, "CLUSTER", "INFO")).split()

    def primary_of(self, key: str) -> int:
        """The port of the primary that has the slot of a key, as the servers that run tell."""
        for port in self._servers:
            for first, last, primary, *_ in self._slots(port):
                if first <= key_slot(key.encode()) <= last and primary[1] in self._servers:
                    return int(primary[1])
        raise RuntimeError("no node has the slot")

    def _slots(self, port: int) -> Any:
        with Redis(port=port, decode_responses=True) as redis:
            redis.set_response_callback("CLUSTER SLOTS", lambda reply, **_: reply)
            return redis.execute_command("CLUSTER SLOTS")

    def primaries(self) -> list[int]:
        """The ports of the primaries."""
        return [port for port in self._servers if self._call(port, "INFO", "replication")["role"] == "master"]

    def promote_a_replica(self, random: Random) -> None:
        """Let a replica and its primary change places, as for maintenance, and wait until all nodes are ready."""
        primaries = self.primaries()
        replica = random.choice([port for port in self._servers if port not in primaries])
        self._call(replica, "CLUSTER", "FAILOVER")
        self.wait_until(lambda: replica in self.primaries() and all(self._is_ready(port) for port in self._servers))

    def move_slot(self, key: str, target: int) -> int:
        """Move the slot of a key with all its keys to another primary, as `redis-cli` does; the number of keys."""
        slot, source = key_slot(key.encode()), self.primary_of(key)
        source_id, target_id = self.node_id(source), self.node_id(target)
        self._call(target, "CLUSTER", "SETSLOT", slot, "IMPORTING", source_id)
        self._call(source, "CLUSTER", "SETSLOT", slot, "MIGRATING", target_id)
        moved = 0
        while keys := self._call(source, "CLUSTER", "GETKEYSINSLOT", slot, KEYS_A_CALL):
            self._call(source, "MIGRATE", "127.0.0.1", target, "", 0, MIGRATION_MS, "KEYS", *keys)
            moved += len(keys)
        for port in (target, source, *self.primaries()):
            self._call(port, "CLUSTER", "SETSLOT", slot, "NODE", target_id)
        return moved

    def wait_until(self, condition: Callable[[], bool], seconds: float = 30) -> None:
        """Wait for a condition. Raises `TimeoutError`."""
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                raise TimeoutError
            time.sleep(0.02)
