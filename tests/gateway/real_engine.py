"""Client of a gateway and a real engine, both in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import httpx

from gateway.app import create_app
from gateway.settings import GatewaySettings
from services.engine.main import Engine
from services.engine.settings import EngineSettings


@asynccontextmanager
async def client_of(
    engine_settings: EngineSettings, origins: tuple[str, ...] = (), headers: Mapping[str, str] | None = None
) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a gateway with these CORS origins, whose requests have these headers."""
    engine = Engine(engine_settings)
    await engine.start()
    app = create_app(GatewaySettings(engine_address=f"127.0.0.1:{engine.port}", cors_origins=origins))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    client = httpx.AsyncClient(transport=transport, base_url="http://gateway", headers=headers)
    async with app.router.lifespan_context(app), client:
        yield client
    await engine.stop()
