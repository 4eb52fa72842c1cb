"""HTTP trailers are not headers (RFC 9110, section 6.5.1)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import limits
import pytest

from cli.servers.http_server import HttpServer
from gateway.app import create_app
from gateway.settings import GatewaySettings
from tests.gateway.stub_engine import StubEngine
from tests.raw_http import HttpResponse, encode_request, response_to


@pytest.fixture
async def web(engine: StubEngine) -> AsyncIterator[HttpServer]:
    settings = GatewaySettings(engine_address=engine.address, rate_limit=limits.parse("5/minute"), trusted_hops=1)
    web = HttpServer(create_app(settings), "127.0.0.1", 0, 1)
    await web.start()
    yield web
    await web.stop()


async def make_move(web: HttpServer, client: str, trailer: str) -> HttpResponse:
    """The answer to a move, which a proxy says is the client's."""
    headers = (f"X-Forwarded-For: {client}", "Content-Type: application/json", "Transfer-Encoding: chunked")
    head = encode_request("POST", "/v1/fire-bulls/matches/m1/moves", *headers)
    body = f'14\r\n{{"notation": "stop"}}\r\n0\r\n{trailer}\r\n\r\n'
    return await asyncio.to_thread(response_to, web.port, head + body.encode(), "POST")


async def test_fault03_a_trailer_does_not_bypass_a_limit(web: HttpServer) -> None:
    answers = [await make_move(web, "9.9.9.9", f"X-Forwarded-For: 5.2.3.{number}") for number in range(7)]
    assert [answer.status for answer in answers] == [200] * 5 + [429] * 2


async def test_fault03_a_trailer_does_not_lock_out_other_callers(web: HttpServer) -> None:
    for _ in range(7):
        await make_move(web, "9.9.9.9", "X-Forwarded-For: 7.7.7.7")
    assert (await make_move(web, "7.7.7.7", "X-A: b")).status == 200


async def test_fault03_a_trailer_is_not_a_token_key_or_revision(web: HttpServer, engine: StubEngine) -> None:
    for trailer in (
        "Authorization: Bearer t0",
        "X-Api-Key: k",
        "X-Request-Id: r",
        "Idempotency-Key: k",
        'If-Match: "1"',
    ):
        engine.requests.clear()
        engine.metadata.clear()
        assert (await make_move(web, trailer, trailer)).status == 200
        [metadata], [sent] = engine.metadata, engine.requests
        assert "authorization" not in metadata
        assert "x-api-key" not in metadata
        assert metadata["x-request-id"] != "r"
        assert not sent.HasField("expected_revision")
        assert not getattr(sent, "request_id")  # noqa: B009 # of any game's request
