"""Runs a role (engine, gateway, bots ...) in an event loop, with its metrics port and export of traces."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from cli.servers.http_server import HttpServer
from cli.servers.metrics_app import app
from runtime.telemetry import tracing
from runtime.telemetry.settings import TelemetrySettings

logger = logging.getLogger(__name__)

GRACE_SECONDS: Final = 1.0


def run_with_metrics(
    role: str, work: Callable[[], Awaitable[int | None]], ready: asyncio.Event | None = None, number: int = 0
) -> None:
    """Run a role in a new event loop, then exit the process; `ready` decides `/readyz` of the metrics port.

    The exit code is what `work` returns, 0 for nothing.
    `number` is that of this process among those of the role, whose metrics ports follow each other.
    Raises `ValueError` that begins with the name of the wrong variable.
    """
    settings = TelemetrySettings.from_environment(os.environ).of_process(number)
    stop_tracing = tracing.set_up(settings, role)
    try:
        code = asyncio.run(_run(settings, work, ready))
    finally:
        stop_tracing()
    # Not `sys.exit`: threads of granian may call Python while the interpreter shuts down, which aborts the process.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code or 0)


async def _run(
    settings: TelemetrySettings, work: Callable[[], Awaitable[int | None]], ready: asyncio.Event | None
) -> int | None:
    async with serving_metrics(settings, ready):
        return await work()


@asynccontextmanager
async def serving_metrics(
    settings: TelemetrySettings, ready: asyncio.Event | None = None
) -> AsyncIterator[HttpServer | None]:
    """Serve the metrics port within the block, if one is configured. Raises `CannotListen`.

    It shares the event loop of the role, so that the probes of a role whose loop hangs fail.
    """
    if settings.metrics_port is None:
        yield None
        return
    web = HttpServer(
        app(ready), settings.metrics_host, settings.metrics_port, GRACE_SECONDS, setting="FIRESIDE_METRICS_PORT"
    )
    await web.start()
    logger.info("serving metrics", extra={"port": web.port})
    try:
        yield web
    finally:
        await web.stop()
