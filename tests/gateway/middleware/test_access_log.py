"""The access log: metrics have the template of the route as their label, never the path."""

from __future__ import annotations

import logging
from dataclasses import replace

import httpx
import limits
import pytest

from gateway.app import create_app
from gateway.settings import GatewaySettings
from tests.runtime.telemetry.samples import Growth

MATCH_ROUTE = "/v1/fire-bulls/matches/{match_id}"


async def test_a_request_is_counted_by_its_route_and_status(client: httpx.AsyncClient) -> None:
    grown = Growth()
    for match_id in ("m1", "m2"):
        await client.get(MATCH_ROUTE.format(match_id=match_id))
    await client.delete(MATCH_ROUTE.format(match_id="m1"))
    assert grown.of("fireside_http_requests_total", method="GET", route=MATCH_ROUTE, status="200") == 2
    assert grown.of("fireside_http_requests_total", method="DELETE", route=MATCH_ROUTE, status="405") == 1
    assert grown.of("fireside_http_seconds_count", method="GET", route=MATCH_ROUTE) == 2


async def test_unknown_paths_and_methods_share_one_label(client: httpx.AsyncClient) -> None:
    grown = Growth()
    for number in range(3):
        await client.request(f"MADE-UP-{number}", f"/made/up/{number}")
    await client.get("/docs/assets/none.js")
    assert grown.of("fireside_http_requests_total", method="other", route="other", status="404") == 3
    assert grown.of("fireside_http_requests_total", method="GET", route="/docs/assets/{name}", status="404") == 1


async def test_rate_limited_calls_are_counted(settings: GatewaySettings) -> None:
    app = create_app(replace(settings, rate_limit=limits.parse("1/minute")))
    grown = Growth()
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://gateway") as client,
    ):
        for _ in range(3):
            await client.get(MATCH_ROUTE.format(match_id="m1"))
    assert grown.of("fireside_rate_limited_total", limit="calls") == 2
    assert grown.of("fireside_http_requests_total", method="GET", route="other", status="429") == 2


async def test_the_log_line_of_a_request_has_its_facts(
    client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, "gateway.middleware.access_log"):
        await client.get(MATCH_ROUTE.format(match_id="m1"))
    [line] = [record for record in caplog.records if record.name == "gateway.middleware.access_log"]
    assert {"method": "GET", "route": MATCH_ROUTE, "status": 200}.items() <= vars(line).items()
