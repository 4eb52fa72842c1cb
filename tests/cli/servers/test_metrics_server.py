"""Metrics have a port of their own, in every role that keeps running."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from cli.servers.metrics_server import serving_metrics
from runtime.telemetry.settings import TelemetrySettings
from tests.runtime.telemetry.stack import running_stack


async def test_metrics_and_health_are_served_while_a_role_runs() -> None:
    async with serving_metrics(TelemetrySettings(metrics_port=0)) as web:
        assert web is not None
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{web.port}") as client:
            response = (await client.get("/metrics")).raise_for_status()
            assert (await client.get("/healthz")).json() == {"status": "up"}
            assert (await client.get("/secrets")).status_code == 404
            assert (await client.get("/readyz")).status_code == 404  # an engine says so over gRPC
    assert response.headers["content-type"].startswith("text/plain")
    assert "# TYPE fireside_moves_total counter" in response.text
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://127.0.0.1:{web.port}/healthz")


async def test_no_metrics_port_is_open_without_the_setting() -> None:
    async with serving_metrics(TelemetrySettings()) as web:
        assert web is None


async def test_an_error_for_a_port_in_use_names_its_address() -> None:
    taken = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
    port = taken.sockets[0].getsockname()[1]
    async with taken:
        with pytest.raises(OSError, match=f"127.0.0.1:{port}"):
            async with serving_metrics(TelemetrySettings(metrics_port=port)):
                pass


def test_bots_have_a_liveness_endpoint(tmp_path: Path, redis_url: str) -> None:
    with running_stack(tmp_path, "bots", REDIS_URL=redis_url, FIRESIDE_BOT_PROCESSES="1") as bots:
        assert httpx.get(f"{bots.metrics_url}/healthz").json() == {"status": "up"}
        assert "fireside_bot_turns_in_hand 0.0" in bots.metrics()
