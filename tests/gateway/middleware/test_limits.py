"""Limits on request bodies: size, time, and the bytes of all in flight."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest
from starlette.types import Message, Receive, Scope, Send

from gateway.middleware.limits import BodyLimit
from gateway.problems import Problem
from tests.gateway.stub_engine import StubEngine

MOVES_PATH = "/v1/fire-bulls/matches/m1/moves"
MEBIBYTE = 1 << 20
REQUEST_HEAD = f"POST {MOVES_PATH} HTTP/1.1\r\nHost: gateway\r\nContent-Type: application/json\r\n"
JSON_HEADERS = {"Content-Type": "application/json"}


async def send_and_receive(url: str, sent: bytes) -> bytes:
    """What comes back when something is sent that does not end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
    writer.write(sent)
    answer = await asyncio.wait_for(reader.readuntil(b"}"), 5)
    writer.close()
    await writer.wait_closed()
    return answer


@pytest.mark.parametrize(("size", "status"), [(MEBIBYTE, 400), (MEBIBYTE + 1, 413)])
async def test_a_body_of_exactly_the_limit_is_accepted(size: int, status: int, client: httpx.AsyncClient) -> None:
    assert (await client.post(MOVES_PATH, content=b"x" * size, headers=JSON_HEADERS)).status_code == status


async def test_ten_megabytes_are_refused_by_their_content_length(url: str, engine: StubEngine) -> None:
    answer = await send_and_receive(url, f"{REQUEST_HEAD}Content-Length: 10000000\r\n\r\n".encode())
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b'"limit": "1048576"' in answer
    assert engine.requests == []


async def test_a_body_without_a_length_is_read_up_to_the_limit(url: str, engine: StubEngine) -> None:
    chunk = b"200000\r\n" + b"x" * 0x200000 + b"\r\n"
    answer = await send_and_receive(url, f"{REQUEST_HEAD}Transfer-Encoding: chunked\r\n\r\n".encode() + chunk)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert engine.requests == []


async def test_a_client_that_sends_ten_megabytes_gets_the_refusal(url: str) -> None:
    async with httpx.AsyncClient(base_url=url) as client:
        response = await client.post(MOVES_PATH, content=b"x" * 10_000_000, headers=JSON_HEADERS)
    assert (response.status_code, response.json()["metadata"]) == (413, {"limit": "1048576"})


async def test_a_client_that_sends_ten_megabytes_in_chunks_gets_the_refusal(url: str) -> None:
    async def ten_megabytes_in_chunks() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield b"x" * 100_000

    async with httpx.AsyncClient(base_url=url) as client:
        response = await client.post(MOVES_PATH, content=ten_megabytes_in_chunks(), headers=JSON_HEADERS)
    assert (response.status_code, response.json()["reason"]) == (413, "TOO_LARGE")


async def test_a_client_that_sends_slowly_gets_the_refusal(url: str) -> None:
    async def four_megabytes_in_pieces() -> AsyncIterator[bytes]:
        for _ in range(40):
            yield b"x" * 100_000
            await asyncio.sleep(0.01)

    headers = {**JSON_HEADERS, "Content-Length": "4000000"}
    async with httpx.AsyncClient(base_url=url) as client:
        response = await client.post(MOVES_PATH, content=four_megabytes_in_pieces(), headers=headers)
    assert (response.status_code, response.json()["reason"]) == (413, "TOO_LARGE")


async def test_a_length_of_thousands_of_digits_is_too_large(client: httpx.AsyncClient) -> None:
    headers = {**JSON_HEADERS, "Content-Length": "9" * 5000}
    assert (await client.post(MOVES_PATH, content=b"{}", headers=headers)).status_code == 413


async def test_a_content_length_that_is_not_a_number_does_not_bypass_the_limit(client: httpx.AsyncClient) -> None:
    headers = {**JSON_HEADERS, "Content-Length": "many"}
    assert (await client.post(MOVES_PATH, content=b"x" * (MEBIBYTE + 1), headers=headers)).status_code == 413


async def test_a_get_with_a_body_that_is_too_large_is_refused(url: str, engine: StubEngine) -> None:
    engine.delay = 3.0
    chunk = b"200000\r\n" + b"x" * 0x200000 + b"\r\n"
    head = "GET /v1/fire-bulls/matches/m1 HTTP/1.1\r\nHost: gateway\r\nTransfer-Encoding: chunked\r\n\r\n"
    answer = await send_and_receive(url, head.encode() + chunk)
    assert answer.startswith(b"HTTP/1.1 413 ")


BODY_SECONDS = 0.3


async def never_receive() -> Message:
    """A body that never comes."""
    await asyncio.Event().wait()
    raise AssertionError("it has come")


async def must_not_send(message: Message) -> None:
    raise AssertionError("nothing is answered here")


async def seconds_until_timeout(limit_seconds: float, *pauses: float, processing_seconds: float = 0.0) -> list[float]:
    """How long each of several bodies, begun after pauses of their own, is waited for."""
    waits: list[float] = []

    async def read_body(scope: Scope, receive: Receive, send: Send) -> None:
        began = asyncio.get_running_loop().time()
        await asyncio.sleep(processing_seconds)
        with pytest.raises(Problem, match="did not arrive within"):
            await receive()
        waits.append(asyncio.get_running_loop().time() - began)

    app = BodyLimit(read_body, 100, limit_seconds, 1000, 1)

    async def call_after(pause: float) -> None:
        await asyncio.sleep(pause)
        await app({"type": "http", "path": "/", "headers": []}, never_receive, must_not_send)

    await asyncio.wait_for(asyncio.gather(*map(call_after, pauses)), 10)
    return waits


async def test_each_body_has_its_own_time_limit() -> None:
    waited = await seconds_until_timeout(BODY_SECONDS, 0.0, BODY_SECONDS / 3, BODY_SECONDS * 2)
    assert len(waited) == 3
    assert min(waited) > BODY_SECONDS * 0.95


async def test_a_body_that_is_late_before_it_is_read_times_out_at_once() -> None:
    [waited] = await seconds_until_timeout(BODY_SECONDS / 3, 0.0, processing_seconds=BODY_SECONDS)
    assert waited < 5
