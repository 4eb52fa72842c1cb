"""A role as operators see it: its metrics on a port of their own, and its traces, as long as it runs."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from cli.servers.http_server import Web
from cli.servers.metrics_app import app
from runtime.telemetry import tracing
from runtime.telemetry.settings import TelemetrySettings

log = logging.getLogger(__name__)

GRACE_SECONDS: Final = 1.0


def observed(role: str, work: Callable[[], Awaitable[None]], ready: asyncio.Event | None = None) -> None:
    """Do the work of a role in an event loop of its own; `ready` is what `/readyz` of the metrics port says.

    Raises `ValueError` by the name of a wrong variable.
    """
    settings = TelemetrySettings.from_environment(os.environ)
    send_the_rest = tracing.set_up(settings, role)
    try:
        asyncio.run(_observed(settings, work, ready))
    finally:
        send_the_rest()
    # Threads of granian may call Python while the interpreter ends, which aborts the process.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


async def _observed(
    settings: TelemetrySettings, work: Callable[[], Awaitable[None]], ready: asyncio.Event | None
) -> None:
    async with metrics_served(settings, ready):
        await work()


@asynccontextmanager
async def metrics_served(settings: TelemetrySettings, ready: asyncio.Event | None = None) -> AsyncIterator[Web | None]:
    """Serve `/metrics`, and `/healthz` and `/readyz` for roles without another port, if wanted. Raises `CannotListen`.

    They are answered by the event loop that does the work: one that hangs is seen to hang.
    """
    if settings.metrics_port is None:
        yield None
        return
    web = Web(app(ready), settings.metrics_host, settings.metrics_port, GRACE_SECONDS, setting="FIRESIDE_METRICS_PORT")
    await web.start()
    log.info("metrics are served", extra={"port": web.port})
    try:
        yield web
    finally:
        await web.stop()
