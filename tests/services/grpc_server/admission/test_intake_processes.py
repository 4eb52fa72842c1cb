"""Memory taken by requests, measured in engine and gateway processes."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, suppress

import grpc
import httpx
import psutil
import pytest

from tests.services.client import refusal
from tests.services.processes import EngineProcess, Process

SERVICE = "/fireside.fire_bulls.v1.FireBullsService"
MEBIBYTE = 1 << 20
JSON_HEADERS = {"Content-Type": "application/json"}
MAX_GROWTH = 32 * MEBIBYTE
BLANK_BODY = b" " * 1_000_000
EMPTY_FIELDS = b"\x0a\x00" * 349_000
APPLY_WITH_MANY_FIELDS = b"\x12" + b"\xd0\xcc\x2a" + b"\x0a\x00" * 349_800
"""A state with as many parts, in an `ApplyRequest`."""


@pytest.fixture
def engine() -> Iterator[EngineProcess]:
    with EngineProcess("") as engine:
        yield engine.ready()


@pytest.fixture
async def channel(engine: EngineProcess) -> AsyncIterator[grpc.aio.Channel]:
    async with grpc.aio.insecure_channel(engine.address) as channel:
        yield channel


def resident_memory(process: Process) -> int:
    size: int = psutil.Process(process.pid).memory_info().rss
    return size


async def status_of(call: grpc.aio.UnaryUnaryCall[bytes, bytes]) -> str:
    try:
        await call
    except grpc.aio.AioRpcError as error:
        return refusal(error).reason or error.code().name
    return "OK"


async def peak_memory(process: Process, work: asyncio.Future[list[str]]) -> int:
    """The peak memory of a process, in bytes, until work is done."""
    most = 0
    while not work.done():
        most = max(most, resident_memory(process))
        await asyncio.sleep(0.01)
    return most


@pytest.mark.parametrize(
    ("method", "data"), [("BatchApply", EMPTY_FIELDS), ("NewGame", EMPTY_FIELDS), ("Apply", APPLY_WITH_MANY_FIELDS)]
)
async def test_fault02_refused_calls_of_a_mebibyte_do_not_grow_an_engine(
    engine: EngineProcess, channel: grpc.aio.Channel, method: str, data: bytes
) -> None:
    call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(f"{SERVICE}/{method}")
    assert await status_of(call(b"\xff")) == "INVALID_REQUEST"
    before = resident_memory(engine)
    assert {await status_of(call(data)) for _ in range(200)} == {"INVALID_REQUEST"}
    assert resident_memory(engine) - before < MAX_GROWTH


async def test_fault02_memory_of_six_hundred_concurrent_calls_of_a_megabyte_is_limited(
    engine: EngineProcess, channel: grpc.aio.Channel
) -> None:
    call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(f"{SERVICE}/BatchApply")
    data = b"\x0a\xe8\x07" + bytes(1000) + b"\x9a\x3f" + b"\xb0\xbd\x3c" + bytes(990_000)
    before = resident_memory(engine)
    work = asyncio.gather(*[status_of(call(data)) for _ in range(600)])
    most = await peak_memory(engine, work)
    assert most - before < 256 * MEBIBYTE
    answers = Counter(await work)
    assert answers.keys() <= {"INVALID_REQUEST", "BUSY", "OK"}
    assert await status_of(call(b"")) == "INVALID_REQUEST"


async def test_fault02_calls_of_many_empty_fields_are_parsed_a_few_at_a_time(
    engine: EngineProcess, channel: grpc.aio.Channel
) -> None:
    """Each of their states is too short to be counted, and a MiB of such takes 40 when it has been read."""
    call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(f"{SERVICE}/BatchApply")
    state = b"\x12\xac\x7f" + b"\x0a\x00" * 8150
    data = (b"\x0a" + bytes([len(state) & 127 | 128, len(state) >> 7]) + state) * 63
    assert await status_of(call(data)) == "OK"
    before = resident_memory(engine)
    work = asyncio.gather(*[status_of(call(data)) for _ in range(24)])
    assert await peak_memory(engine, work) - before < 200 * MEBIBYTE
    assert set(await work) == {"OK"}


@pytest.fixture
def gateway(engine: EngineProcess) -> Iterator[Process]:
    patient = {"FIRESIDE_BODY_SECONDS": "200", "FIRESIDE_LOG_LEVEL": "ERROR"}
    with Process("gateway", "--port", "0", FIRESIDE_ENGINE_ADDRESS=engine.address, **patient) as gateway:
        yield gateway


@pytest.fixture
def url(gateway: Process) -> str:
    return gateway.line().rsplit(" ", 1)[1]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/fire-bulls:batchApply", b'{"requests": [' + b"{}," * 349_323 + b"{}]}"),
        ("/v1/fire-bulls:apply", b'{"state": {"seats": [' + b"{}," * 349_000 + b"{}]}}"),
        ("/v1/fire-bulls/matches", b'{"seats": [' + b"{}," * 349_000 + b"{}]}"),
    ],
)
async def test_fault02_refused_bodies_of_a_mebibyte_do_not_grow_a_gateway(
    gateway: Process, engine: EngineProcess, url: str, path: str, body: bytes
) -> None:
    async with httpx.AsyncClient(base_url=url) as rest:
        assert (await rest.post(path, content=b"{}", headers=JSON_HEADERS)).status_code == 400
        before = resident_memory(gateway), resident_memory(engine)
        for _ in range(200):
            assert (await rest.post(path, content=body, headers=JSON_HEADERS)).status_code == 400
        assert resident_memory(gateway) - before[0] < MAX_GROWTH
        assert resident_memory(engine) - before[1] < MAX_GROWTH


async def test_fault02_memory_of_unfinished_bodies_is_limited_and_small_ones_are_admitted(
    gateway: Process, url: str
) -> None:
    host, port = url.removeprefix("http://").split(":")
    head = b"POST /v1/fire-bulls:apply HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n"
    before = resident_memory(gateway)
    with ExitStack() as stack:
        unfinished = [
            await asyncio.to_thread(_start_request, host, int(port), head + b" " * 990_000) for _ in range(300)
        ]
        for connection in unfinished:
            stack.enter_context(connection)
        async with asyncio.timeout(60):
            while sum(map(_is_refused, unfinished)) < 200:  # at least so many have no room
                await asyncio.sleep(0.1)
        async with httpx.AsyncClient(base_url=url, timeout=60) as rest:
            assert (await rest.post("/v1/fire-bulls:apply", json={})).status_code == 400
        assert resident_memory(gateway) - before < 160 * MEBIBYTE


def _is_refused(connection: socket.socket) -> bool:
    """Whether the answer is there, which is that the gateway is busy; it stays to be read."""
    connection.setblocking(False)
    with suppress(BlockingIOError):
        answer = connection.recv(4096, socket.MSG_PEEK)
        return answer.startswith(b"HTTP/1.1 429 ") and b'"BUSY"' in answer
    return False


def _start_request(host: str, port: int, data: bytes) -> socket.socket:
    """A connection on which so much was sent of a request, or as much as was taken."""
    connection = socket.create_connection((host, port), timeout=0.05)
    with suppress(OSError):
        connection.sendall(data)
    return connection
