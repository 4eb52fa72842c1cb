"""Runs a Redis that fails over: a primary, a replica and three processes of Sentinel, on free ports."""

from __future__ import annotations

import subprocess
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from redis import Redis, RedisError

from tests.redis_server import free_port, redis_server, redis_server_path

SERVICE: Final = "fireside"
DOWN_MS: Final = 2000
"""How long Sentinel does not hear a primary until it counts as down.

With 500 it took a primary that it had just promoted for down, once in ten times on a busy machine.
"""
SENTINELS: Final = 3
REPLICAS: Final = 1
CONFIGURATION: Final = """
bind 127.0.0.1
port {port}
sentinel monitor {service} 127.0.0.1 {primary} 2
sentinel down-after-milliseconds {service} {down_ms}
sentinel failover-timeout {service} 3000
sentinel parallel-syncs {service} 1
"""


class FailoverRedis:
    """A primary, replicas, and what promotes one of them when the primary is killed. To use as a context."""

    def __init__(self, folder: Path, *options: str, password: str = "", sentinel_password: str = "") -> None:
        """`options` and `password` are of all redis-servers; without passwords nobody has to log in."""
        self._folder: Final = folder
        self._password: Final = password
        self._sentinel_password: Final = sentinel_password
        login = ("--requirepass", password, "--masterauth", password) if password else ()
        self._options: Final = (*options, *login)
        self.ports: Final = tuple([free_port() for _ in range(1 + REPLICAS)])
        self.sentinel_ports: Final = tuple([free_port() for _ in range(SENTINELS)])
        self._servers: Final[dict[int, ExitStack]] = {}
        self._running: Final = ExitStack()

    @property
    def url(self) -> str:
        """The address by Sentinel."""
        login = f":{self._password}@" if self._password else ""
        query = f"?sentinel_password={self._sentinel_password}" if self._sentinel_password else ""
        sentinels = ",".join([f"127.0.0.1:{port}" for port in self.sentinel_ports])
        return f"redis+sentinel://{login}{sentinels}/{SERVICE}/0{query}"

    def __enter__(self) -> Self:
        primary, *replicas = self.ports
        self.start(primary, None)
        for replica in replicas:
            self.start(replica, primary)
        for port in self.sentinel_ports:
            self._start_sentinel(port, primary)
        self.wait_until_complete()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._running.close()
        for server in self._servers.values():
            server.close()

    def start(self, port: int, primary: int | None) -> None:
        """Start a redis-server, as replica of another one or as primary."""
        replication = () if primary is None else ("--replicaof", f"127.0.0.1 {primary}")
        # Replication at once, not after 5 seconds in which further replicas may come.
        options = ("--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1")
        server = ExitStack()
        server.enter_context(redis_server(self._folder, *options, *replication, *self._options, port=port))
        self._servers[port] = server

    def primary(self) -> int:
        """The port of the primary that most processes of Sentinel know."""
        known = [self._primary_of(port) for port in self.sentinel_ports]
        return max(known, key=known.count)

    def kill_primary(self) -> int:
        """Kill the primary by SIGKILL; the port that it had."""
        port = self.primary()
        self._servers.pop(port).close()
        return port

    def fail_over(self) -> float:
        """Kill the primary, wait until Sentinel has promoted another, and start it again as a replica.

        Returns the seconds until the other was promoted.
        """
        began = time.monotonic()
        killed = self.kill_primary()
        while (promoted := self.primary()) == killed or not self._is_primary(promoted):
            time.sleep(0.02)
        seconds = time.monotonic() - began
        self.start(killed, promoted)
        return seconds

    def wait_until_complete(self) -> None:
        """Wait until the primary has its replicas, and all processes of Sentinel know them and each other."""
        deadline = time.monotonic() + 60
        while not self._is_complete():
            if time.monotonic() > deadline:
                raise RuntimeError("Sentinel did not find all servers")
            time.sleep(0.05)

    def _is_complete(self) -> bool:
        with suppress(RedisError):
            primary = self.primary()
            with self._server(primary) as redis:
                facts = redis.info("replication")
            replicas = [facts.get(f"slave{number}") for number in range(REPLICAS)]
            return (
                facts["role"] == "master"
                and all(isinstance(replica, dict) and replica["state"] == "online" for replica in replicas)
                and all(self._knows_all(port, primary) for port in self.sentinel_ports)
            )
        return False

    def _knows_all(self, sentinel: int, primary: int) -> bool:
        with self._sentinel(sentinel) as redis:
            state = redis.sentinel_master(SERVICE)
            replicas = redis.sentinel_slaves(SERVICE)
        healthy = [replica for replica in replicas if not replica["is_disconnected"] and not replica["is_sdown"]]
        return (state["port"], state["flags"], state["num-other-sentinels"]) == (primary, "master", SENTINELS - 1) and (
            len(healthy) == REPLICAS and all(replica["master-link-status"] == "ok" for replica in healthy)
        )

    def _primary_of(self, sentinel: int) -> int:
        with self._sentinel(sentinel) as redis:
            return int(redis.sentinel_get_master_addr_by_name(SERVICE)[1])

    def _start_sentinel(self, port: int, primary: int) -> None:
        file = self._folder / f"sentinel-{port}.conf"
        lines = CONFIGURATION.format(port=port, service=SERVICE, primary=primary, down_ms=DOWN_MS)
        if self._password:
            lines += f"sentinel auth-pass {SERVICE} {self._password}\n"
        if self._sentinel_password:
            lines += f"requirepass {self._sentinel_password}\nsentinel sentinel-pass {self._sentinel_password}\n"
        file.write_text(lines)
        with (self._folder / f"sentinel-{port}.log").open("wb") as output:
            process = subprocess.Popen([redis_server_path(), str(file), "--sentinel"], stdout=output, stderr=output)
        self._running.callback(process.wait)
        self._running.callback(process.kill)

    def _is_primary(self, port: int) -> bool:
        with suppress(RedisError), self._server(port) as redis:
            return bool(redis.info("replication")["role"] == "master")
        return False

    def _server(self, port: int) -> Redis:
        return Redis(port=port, password=self._password or None)

    def _sentinel(self, port: int) -> Redis:
        return Redis(port=port, password=self._sentinel_password or None)
