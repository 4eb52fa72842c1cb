"""Admission limits: time to the first message, and bytes of messages in flight."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

import grpc
import psutil
import pytest
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from google.protobuf.message import Message

from services.engine.codecs import CODECS
from services.grpc_server.admission.intake import Intake
from services.grpc_server.calls import NextRequest, ResponseStream, service_handler
from services.grpc_server.health import HEALTH, Health
from services.grpc_server.reflection import reflection_handlers
from services.grpc_server.server import listen, new_server
from tests.http2 import (
    CANCEL_ERROR_CODE,
    END_HEADERS,
    HEADERS,
    RST_STREAM,
    encode_frame,
    header_block,
    http2_connection,
    send_and_discard,
)
from tests.runtime.telemetry.samples import Growth, sample_value
from tests.services.client import Refusal, refusal
from tests.services.processes import EngineProcess

SERVICE = CODECS["fire_bulls"].service.full_name
MEBIBYTE = 1 << 20
MAX_BYTES = 64 << 10
METHODS = (
    f"/{SERVICE}/Apply",
    f"/{SERVICE}/Watch",
    f"/{SERVICE}/Play",
    f"/{HEALTH}/Check",
    f"/{HEALTH}/Watch",
    "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
)


async def _respond_to_apply(request: Message, _: str) -> bytes:
    if getattr(request, "notation", "") == "wait":
        await asyncio.sleep(30)
    return b""


async def _respond_to_watch(request: Message, _: str, responses: ResponseStream) -> None:
    await responses.begin()


async def _respond_to_play(next_request: NextRequest, _: str, responses: ResponseStream) -> None:
    while await next_request():
        await responses.send(b"")


@asynccontextmanager
async def serve_intake(intake: Intake) -> AsyncIterator[str]:
    service = CODECS["fire_bulls"].service
    intake.add(
        service_handler(service, {"Apply": _respond_to_apply, "Watch": _respond_to_watch, "Play": _respond_to_play})
    )
    intake.add(Health([SERVICE]).handler(), *reflection_handlers([SERVICE]))
    server = new_server(MEBIBYTE, intake, streams=100)
    port = listen(server, "127.0.0.1", 0)
    await server.start()
    yield f"127.0.0.1:{port}"
    await server.stop(None)


@pytest.fixture
async def address() -> AsyncIterator[str]:
    """A server whose calls have half a second for their message."""
    async with serve_intake(Intake(MAX_BYTES, 4096, seconds=0.5)) as address:
        yield address


@pytest.fixture
async def channel(address: str) -> AsyncIterator[grpc.aio.Channel]:
    async with grpc.aio.insecure_channel(address) as channel:
        yield channel


async def _refusal_of(call: grpc.aio.StreamStreamCall[bytes, bytes]) -> Refusal:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call.read()
    return refusal(caught.value)


@pytest.mark.parametrize("method", METHODS)
async def test_fault37_a_call_whose_message_never_comes_has_a_deadline(channel: grpc.aio.Channel, method: str) -> None:
    grown = Growth()
    stub: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(method)
    call = stub(timeout=20)
    refusal_of_call = await _refusal_of(call)
    assert (refusal_of_call.code, refusal_of_call.reason) == (grpc.StatusCode.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED")
    assert grown.of("fireside_turned_away_total", reason="late") == 1


@pytest.mark.parametrize("method", [*METHODS[:2], *METHODS[3:5]])
async def test_a_call_that_ends_without_a_message_is_refused(channel: grpc.aio.Channel, method: str) -> None:
    stub: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(method)
    call = stub(timeout=20)
    await call.done_writing()
    assert (await _refusal_of(call)).code is grpc.StatusCode.INVALID_ARGUMENT


async def test_a_call_that_waits_for_its_message_is_counted(channel: grpc.aio.Channel) -> None:
    stub: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(METHODS[0])
    call = stub(timeout=20)
    while sample_value("fireside_calls_without_message") != 1:
        await asyncio.sleep(0.01)
    await _refusal_of(call)
    while sample_value("fireside_calls_without_message") != 0:
        await asyncio.sleep(0.01)


async def test_fault37_the_slowest_calls_are_cancelled_to_admit_others() -> None:
    async with serve_intake(Intake(MAX_BYTES, 4096)) as address, grpc.aio.insecure_channel(address) as channel:
        grown = Growth()
        stub: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(METHODS[0])
        calls = [stub(timeout=30) for _ in range(40)]
        while sum(call.done() for call in calls) < 24:
            await asyncio.sleep(0.01)
        turned_away = [call for call in calls if call.done()]
        for call in calls:
            if call not in turned_away:
                await call.write(b"")
        assert grown.of("fireside_turned_away_total", reason="waiting") == 24
        assert [(await _refusal_of(call)).reason for call in turned_away] == ["BUSY"] * 24


async def test_fault02_calls_above_the_limit_of_bytes_in_flight_are_refused(channel: grpc.aio.Channel) -> None:
    grown = Growth()
    stub: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(METHODS[0])
    large = verbs.ApplyRequest(notation="wait", seed="x" * (MAX_BYTES // 3)).SerializeToString()
    small = verbs.ApplyRequest(notation="go", seed="x" * 1000).SerializeToString()
    running = stub(large, timeout=20)
    while sample_value("fireside_inflight_bytes", over="grpc") < len(large):
        await asyncio.sleep(0.01)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await stub(large, timeout=20)
    refused_call = refusal(caught.value)
    assert (refused_call.code, refused_call.reason, refused_call.retry_seconds) == (
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        "BUSY",
        1,
    )
    assert grown.of("fireside_turned_away_total", reason="bytes") == 1
    await stub(small, timeout=20)
    running.cancel()
    while sample_value("fireside_inflight_bytes", over="grpc"):
        await asyncio.sleep(0.01)


@pytest.fixture
def engine() -> Iterator[EngineProcess]:
    with EngineProcess("") as engine:
        yield engine.ready()


def _open_stream(method: str, stream: int) -> bytes:
    return encode_frame(HEADERS, END_HEADERS, stream, header_block(method))


def _reset_frame(method: str, stream: int) -> bytes:
    return _open_stream(method, stream) + encode_frame(RST_STREAM, 0, stream, CANCEL_ERROR_CODE)


@pytest.mark.parametrize(
    ("attack", "number"), [(_open_stream, 30_000), (_reset_frame, 60_000)], ids=["calls without a message", "resets"]
)
@pytest.mark.parametrize("method", METHODS[:2])
async def test_fault37_one_connection_exhausts_neither_memory_nor_time_of_others(
    engine: EngineProcess, attack: Callable[[str, int], bytes], number: int, method: str
) -> None:
    process = psutil.Process(engine.pid)
    async with grpc.aio.insecure_channel(engine.address) as channel:
        call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(
            "/fireside.catalog.v1.CatalogService/ListGames"
        )
        await call(b"", timeout=30)
        before = process.memory_info().rss
        with http2_connection(engine.address) as connection:
            data = b"".join(attack(method, 2 * each + 1) for each in range(number))
            await asyncio.to_thread(send_and_discard, connection, data)
            for _ in range(3):
                await call(b"", timeout=30)
            assert process.memory_info().rss - before < 256 * MEBIBYTE
