"""A stack of processes that tests kill and restart: a Redis that persists every write, two engines, a gateway."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from tests.redis_server import free_port, redis_server
from tests.services.processes import Process


class StackProcess(Protocol):
    """A process of the stack, which always restarts at the same address."""

    name: str

    def start(self) -> None:
        """Start it, and wait until it is ready."""

    def kill(self) -> None:
        """End it by SIGKILL."""


class DurableRedis:
    """A redis-server that has each write on disk before it replies."""

    name = "redis"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = free_port()
        self._running: AbstractContextManager[str] | None = None
        self.url = f"redis://127.0.0.1:{self._port}/0"

    def start(self) -> None:
        options = ("--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction")
        self._running = redis_server(self._folder, *options, port=self._port)
        self._running.__enter__()

    def kill(self) -> None:
        if self._running is not None:
            self._running.__exit__(None, None, None)
            self._running = None


class CommandProcess:
    """A `fireside` command on a port of its own."""

    def __init__(self, name: str, arguments: list[str], **environment: str) -> None:
        self.name = name
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.url = f"http://{self.address}"
        self._words = [*arguments, "--port", str(self.port)]
        self._environment = environment
        self._process: Process | None = None

    @property
    def pid(self) -> int:
        """The id of the running process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        self._process = Process(*self._words, FIRESIDE_LOG_LEVEL="ERROR", **self._environment)
        if not self._process.line():
            raise RuntimeError(self._process.wait()[1])

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process = None

    def stop(self) -> None:
        """End it by SIGTERM; it must exit with 0."""
        if self._process is not None:
            code, errors = self._process.stop()
            assert code == 0, errors
            self._process = None


class ServiceStack:
    """The whole stack: `engines` are two on one Redis, and the gateway calls both.

    With a `redis_url` the Redis is that one, and not a part of the stack.
    """

    def __init__(self, folder: Path, redis_url: str = "", **environment: str) -> None:
        self.redis = DurableRedis(folder)
        self._redis_url = redis_url or self.redis.url
        self.engines = [self._engine(name, environment) for name in ("engine 1", "engine 2")]
        both = ",".join(engine.address for engine in self.engines)
        self.gateway = CommandProcess("gateway", ["gateway"], FIRESIDE_ENGINE_ADDRESS=f"ipv4:{both}", **environment)
        own = [] if redis_url else [self.redis]
        self.parts: list[StackProcess] = [*own, *self.engines, self.gateway]

    def _engine(self, name: str, environment: dict[str, str]) -> CommandProcess:
        return CommandProcess(name, ["engine"], REDIS_URL=self._redis_url, **environment)

    def __enter__(self) -> ServiceStack:
        for part in self.parts:
            part.start()
        return self

    def __exit__(self, *_: object) -> None:
        for part in reversed(self.parts):
            part.kill()
