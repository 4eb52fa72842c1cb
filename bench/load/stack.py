"""A small stack like that of production: a Redis, two engines and a gateway, each in its own process."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from bench.harness.processes import redis_server, running_process

ENGINE_COUNT = 2


@contextmanager
def running_role(*arguments: str, **settings: str) -> Iterator[str]:
    """Run a `fireside` command; the address that it prints."""
    environment = {**os.environ, "FIRESIDE_LOG_LEVEL": "WARNING", **settings}
    with running_process([sys.executable, "-m", "cli.main", *arguments, "--port", "0"], environment) as running:
        assert running.stdout is not None
        yield running.stdout.readline().rsplit(" ", 1)[-1].strip()


@contextmanager
def running_stack() -> Iterator[str]:
    """Run the stack; the URL of the gateway."""
    with ExitStack() as running:
        redis = running.enter_context(redis_server())
        engines = [running.enter_context(running_role("engine", REDIS_URL=redis)) for _ in range(ENGINE_COUNT)]
        where = f"ipv4:{','.join(engines)}"
        yield running.enter_context(running_role("gateway", REDIS_URL=redis, FIRESIDE_ENGINE_ADDRESS=where))
