"""Clients that do not read their streams and disconnect: no errors in the log, and bounded memory."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import ExitStack, suppress
from random import Random

import grpc
import psutil
import pytest
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from google.protobuf.message import Message

from services.engine.main import Engine
from tests.http2 import (
    DATA,
    END_HEADERS,
    END_STREAM,
    HEADERS,
    encode_frame,
    encode_message,
    header_block,
    http2_connection,
)
from tests.runtime.telemetry.samples import Growth, sample_value
from tests.services.client import SERVICE, Client, FireBullsDriver, new_driver
from tests.services.processes import EngineProcess

MEBIBYTE = 1 << 20
WINDOW_BYTES = 500
"""Bytes that a client takes before it reads: less than any of these answers."""
CLIENT_COUNT = 50


@pytest.fixture(params=["redis"])
def store_url(redis_url: str) -> str:
    return redis_url


@pytest.fixture
async def played(client: Client) -> FireBullsDriver:
    driver = await new_driver(client)
    await driver.play_at_random(Random(1), 60)
    return driver


def _stream_requests(driver: FireBullsDriver) -> dict[str, list[Message]]:
    join = verbs.Join(match_id=driver.match_id, from_revision=0)
    return {
        "Watch": [verbs.WatchRequest(match_id=driver.match_id)],
        "Play": [verbs.PlayRequest(join=join), verbs.PlayRequest(choice=verbs.Choice(notation="take purple"))],
        "History": [verbs.HistoryRequest(match_id=driver.match_id)],
    }


@pytest.mark.parametrize("method", ["Watch", "Play", "History"])
async def test_fault38_a_slow_reader_that_disconnects_is_not_logged_as_an_error(
    engine: Engine, played: FireBullsDriver, method: str, caplog: pytest.LogCaptureFixture
) -> None:
    labels = {"service": "fire_bulls", "method": method}
    grown = Growth()
    caplog.set_level(logging.INFO)
    block = header_block(f"/{SERVICE}/{method}", authorization=f"Bearer {played.token}")
    request_frames = b"".join(
        encode_frame(DATA, 0, 1, encode_message(each.SerializeToString())) for each in _stream_requests(played)[method]
    )
    with ExitStack() as stack:
        for _ in range(CLIENT_COUNT):
            connection = stack.enter_context(http2_connection(f"127.0.0.1:{engine.port}", WINDOW_BYTES))
            end = encode_frame(DATA, END_STREAM, 1) if method != "Play" else b""
            connection.sendall(encode_frame(HEADERS, END_HEADERS, 1, block) + request_frames + end)
        if method == "History":
            while grown.of("fireside_calls_total", **labels, code="OK") < CLIENT_COUNT:
                await asyncio.sleep(0.01)
        else:
            while sample_value("fireside_streams", **labels) < CLIENT_COUNT:
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.3)  # until their answers wait for room
    while sample_value("fireside_inflight_bytes", over="grpc"):
        await asyncio.sleep(0.01)
    assert grown.of("fireside_calls_total", **labels, code="INTERNAL") == 0
    assert grown.of("fireside_calls_total", **labels, code="OK" if method == "History" else "CANCELLED") == CLIENT_COUNT
    assert [record.getMessage() for record in caplog.records if record.levelno > logging.INFO] == []


async def _log_texts(call: grpc.aio.StreamStreamCall[bytes, bytes], match_id: str) -> None:
    """Say much that is refused, until the service takes no more."""
    await call.write(verbs.PlayRequest(join=verbs.Join(match_id=match_id)).SerializeToString())
    choice = verbs.PlayRequest(choice=verbs.Choice(notation="take purple" * 3000)).SerializeToString()
    with suppress(TimeoutError):
        for _ in range(100):
            await asyncio.wait_for(asyncio.shield(call.write(choice)), 2)


async def _open_channels(address: str, number: int) -> AsyncIterator[grpc.aio.Channel]:
    for each in range(number):
        yield grpc.aio.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", each + 1)])


async def test_fault39_unread_play_streams_use_little_memory() -> None:
    with EngineProcess("") as engine:
        process = psutil.Process(engine.ready().pid)
        channels = [channel async for channel in _open_channels(engine.address, 20)]
        driver = await new_driver(Client(channels[0]))
        before = process.memory_info().rss
        stubs: list[grpc.aio.StreamStreamMultiCallable[bytes, bytes]]
        stubs = [channel.stream_stream(f"/{SERVICE}/Play") for channel in channels]
        metadata = [("authorization", f"Bearer {driver.token}")]
        calls: list[grpc.aio.StreamStreamCall[bytes, bytes]] = []
        for _ in range(10):
            calls += (opened := [stub(metadata=metadata) for stub in stubs])
            await asyncio.gather(*[_log_texts(call, driver.match_id) for call in opened])
        assert process.memory_info().rss - before < 96 * MEBIBYTE
        for channel in channels:
            await channel.close()
