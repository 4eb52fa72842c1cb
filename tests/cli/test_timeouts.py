"""Timeouts of clients that send incomplete requests or none, over raw sockets."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from cli.servers.http_server import HttpServer, Timeouts
from gateway.app import create_app
from gateway.middleware.limits import BodyLimit
from gateway.settings import GatewaySettings
from tests.services.processes import Process

REQUEST_HEAD = (
    b"POST /v1/fire-bulls:score HTTP/1.1\r\nHost: gateway\r\nContent-Type: application/json\r\nContent-Length: 10\r\n"
)
PROBE_REQUEST = b"GET /healthz HTTP/1.1\r\nHost: gateway\r\n\r\n"


class RawConnection:
    """A TCP connection that sends arbitrary bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def send(self, text: bytes) -> None:
        self._writer.write(text)
        await self._writer.drain()

    async def send_repeatedly(self, text: bytes) -> None:
        """Send the same bytes again and again, until the server closes the connection."""
        while not self._writer.is_closing() and not self._reader.at_eof():
            try:
                await self.send(text)
            except OSError:
                return
            await asyncio.sleep(0.05)

    async def read_response(self) -> bytes:
        """The next response, head and body."""
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        return head + await self._reader.readexactly(int(length.partition(b":")[2]))

    async def read_until_closed(self, seconds: float = 20) -> bytes:
        """What arrives until the server closes."""
        try:
            return await asyncio.wait_for(self._reader.read(), seconds)
        except ConnectionResetError:
            return b""


@asynccontextmanager
async def running_server(
    app: ASGIApp | None = None, body: float = 60, read: float = 60, write: float = 60
) -> AsyncIterator[HttpServer]:
    """A gateway, or another application, with these timeouts."""
    gateway = create_app(GatewaySettings(engine_address="127.0.0.1:1", body_seconds=body))
    web = HttpServer(app or gateway, "127.0.0.1", 0, 1, Timeouts(read, write))
    await web.start()
    try:
        yield web
    finally:
        await web.stop()


@asynccontextmanager
async def connect_to_server(web: HttpServer) -> AsyncIterator[RawConnection]:
    reader, writer = await asyncio.open_connection("127.0.0.1", web.port)
    try:
        yield RawConnection(reader, writer)
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


async def test_an_incomplete_body_gets_408_and_the_connection_closes() -> None:
    async with running_server(body=0.5) as web, connect_to_server(web) as connection:
        await connection.send(REQUEST_HEAD + b'\r\n{"a')
        response = await connection.read_until_closed()
    assert response.startswith(b"HTTP/1.1 408 ")
    assert b"connection: close" in response.lower()
    assert b'"reason": "DEADLINE_EXCEEDED"' in response
    assert b"The body did not arrive within 0.5 seconds." in response


async def test_a_trickling_body_has_the_same_timeout_as_one_that_stops() -> None:
    chunked = REQUEST_HEAD.replace(b"Content-Length: 10", b"Transfer-Encoding: chunked")
    async with running_server(body=0.5) as web, connect_to_server(web) as connection:
        await connection.send(chunked + b"\r\n")
        start_time = time.monotonic()
        sending = asyncio.ensure_future(connection.send_repeatedly(b"1\r\n \r\n"))
        response = await connection.read_response()
        assert time.monotonic() - start_time < 15
        sending.cancel()
    assert response.startswith(b"HTTP/1.1 408 ")


async def test_a_slow_body_that_is_complete_in_time_is_read() -> None:
    async with running_server(body=30) as web, connect_to_server(web) as connection:
        await connection.send(REQUEST_HEAD + b"\r\n")
        for byte in b"[1, 2, 3] ":
            await connection.send(bytes([byte]))
            await asyncio.sleep(0.02)
        assert (await connection.read_response()).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("sent", [b"", b"G", PROBE_REQUEST[:-2], REQUEST_HEAD])
async def test_a_missing_request_head_closes_the_connection(sent: bytes) -> None:
    async with running_server(read=0.5) as web, connect_to_server(web) as connection:
        await connection.send(sent)
        assert await connection.read_until_closed() == b""


async def test_a_trickling_head_has_the_same_timeout() -> None:
    async with running_server(read=0.5) as web, connect_to_server(web) as connection:
        await connection.send(PROBE_REQUEST[:-2])
        sending = asyncio.ensure_future(connection.send_repeatedly(b"X-More: 1\r\n"))
        assert await connection.read_until_closed() == b""
        sending.cancel()


@pytest.mark.parametrize("suffix", [b"X-More: 1\r\n" * 10_000, b"X-More: " + b"1" * 100_000, b"GET /" + b"a" * 100_000])
async def test_a_head_that_is_too_large_is_refused(suffix: bytes) -> None:
    async with running_server() as web, connect_to_server(web) as connection:
        await connection.send(suffix if suffix.startswith(b"GET") else PROBE_REQUEST[:-2] + suffix)
        assert (await connection.read_until_closed()).startswith((b"HTTP/1.1 414 ", b"HTTP/1.1 431 "))


@pytest.mark.parametrize("suffix", [b"X-More: 1\r\n", b"X"])
async def test_endless_data_after_a_chunked_body_closes_the_connection(suffix: bytes) -> None:
    chunked = REQUEST_HEAD.replace(b"Content-Length: 10", b"Transfer-Encoding: chunked")
    async with running_server() as web, connect_to_server(web) as connection:
        await connection.send(chunked + b"\r\n1\r\n[\r\n0\r\n")
        sending = asyncio.ensure_future(connection.send_repeatedly(suffix * 10_000))
        assert (await connection.read_until_closed()).startswith(b"HTTP/1.1 400 ")
        sending.cancel()


async def test_a_client_that_requests_a_protocol_upgrade_is_answered_in_http_1() -> None:
    upgrade = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n"
    async with running_server() as web, connect_to_server(web) as connection:
        await connection.send(REQUEST_HEAD + upgrade + b"\r\n[1, 2, 3] ")
        assert (await connection.read_response()).startswith(b"HTTP/1.1 400 ")
        await connection.send(PROBE_REQUEST)
        assert (await connection.read_response()).startswith(b"HTTP/1.1 200 ")


async def test_each_head_on_a_keep_alive_connection_has_its_own_timeout() -> None:
    async with running_server(read=2.0) as web, connect_to_server(web) as connection:
        await connection.send(PROBE_REQUEST)
        assert (await connection.read_response()).startswith(b"HTTP/1.1 200 ")
        await asyncio.sleep(1.5)
        await connection.send(PROBE_REQUEST)
        assert (await connection.read_response()).startswith(b"HTTP/1.1 200 ")
        await connection.send(PROBE_REQUEST[:10])
        assert await connection.read_until_closed() == b""


async def test_an_idle_connection_is_closed_after_a_timeout() -> None:
    async with running_server(read=1.0) as web, connect_to_server(web) as connection:
        await connection.send(PROBE_REQUEST)
        assert (await connection.read_response()).startswith(b"HTTP/1.1 200 ")
        assert await connection.read_until_closed() == b""


async def test_a_response_may_take_longer_than_the_timeouts_of_heads_and_bodies() -> None:
    async def respond_slowly(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await asyncio.sleep(1.2)
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
            await send({"type": "http.response.body", "body": b"ok"})

    async with (
        running_server(BodyLimit(respond_slowly, 100, 0.3, 1000, 1), read=0.3) as web,
        connect_to_server(web) as connection,
    ):
        await connection.send(PROBE_REQUEST)
        assert (await connection.read_response()).endswith(b"ok")


async def test_a_body_that_goes_on_after_its_response_closes_the_connection() -> None:
    async with running_server(read=0.5) as web, connect_to_server(web) as connection:
        await connection.send(REQUEST_HEAD.replace(b"/v1/fire-bulls:score", b"/nowhere") + b"\r\n{")
        assert (await connection.read_response()).startswith(b"HTTP/1.1 404 ")
        await connection.send(b" ")
        assert await connection.read_until_closed() == b""


async def endless_response(scope: Scope, receive: Receive, send: Send) -> None:
    """ASGI application whose response has no end; it stops when the client disconnects."""
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        left = asyncio.ensure_future(_until_disconnect(receive))
        while not left.done():
            await send({"type": "http.response.body", "body": b"x" * 100_000, "more_body": True})
            await asyncio.sleep(0)
        scope["state"]["left"].set()


async def _until_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def test_a_client_that_does_not_read_its_response_is_disconnected() -> None:
    left = asyncio.Event()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await endless_response({**scope, "state": {"left": left}}, receive, send)

    async with running_server(app, write=0.5) as web, connect_to_server(web) as connection:
        await connection.send(PROBE_REQUEST)
        await asyncio.wait_for(left.wait(), 20)


@pytest.mark.parametrize("sent", [b"", PROBE_REQUEST[:10], REQUEST_HEAD, REQUEST_HEAD + b"\r\n{", PROBE_REQUEST])
async def test_stalled_clients_do_not_keep_the_gateway_from_stopping(sent: bytes) -> None:
    gateway = Process("gateway", "--port", "0", FIRESIDE_GRACE_SECONDS="1")
    with gateway:
        port = int(gateway.line().rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port)) as stalled:
            stalled.sendall(sent)
            start_time = time.monotonic()
            code, log = await asyncio.to_thread(gateway.stop)
            assert time.monotonic() - start_time < 20
    assert (code, "Traceback" in log, "panicked" in log) == (0, False, False)


async def test_forwarded_headers_are_not_trusted() -> None:
    clients: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            clients.append(f"{scope['client'][0]} {scope['scheme']}")
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
            await send({"type": "http.response.body"})

    async with running_server(app) as web, connect_to_server(web) as connection:
        await connection.send(PROBE_REQUEST[:-2] + b"X-Forwarded-For: 6.6.6.6\r\nX-Forwarded-Proto: https\r\n\r\n")
        await connection.read_response()
    assert clients == ["127.0.0.1 http"]
