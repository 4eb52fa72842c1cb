"""Short calls are served while long computations run."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

import grpc
import httpx
import pytest

from services.engine.codecs import CODECS
from tests.services.processes import Process
from tests.services.registry import GameClient, field

CALLER_COUNT = 10
SHORT_CALL_COUNT = 60
MAX_SECONDS = 0.25


@pytest.fixture
async def service_urls() -> AsyncIterator[tuple[str, str]]:
    """A whole service in one process: where REST is, and where gRPC is."""
    with Process("serve", "--port", "0", "--grpc-port", "0", FIRESIDE_LOG_LEVEL="ERROR") as process:
        words = process.line().split()
        yield words[3], words[-1].rstrip(")")


async def _percentile_95_seconds(short: Callable[[], Awaitable[object]]) -> float:
    """How long 19 of 20 short calls take at most."""
    seconds = []
    for _ in range(SHORT_CALL_COUNT):
        began = time.perf_counter()
        await short()
        seconds.append(time.perf_counter() - began)
    return sorted(seconds)[SHORT_CALL_COUNT * 95 // 100]


async def _percentile_during(long: Callable[[], Awaitable[object]], short: Callable[[], Awaitable[object]]) -> float:
    async def repeat_long_call() -> None:
        while True:
            with suppress(httpx.TimeoutException):
                await long()

    callers = [asyncio.create_task(repeat_long_call()) for _ in range(CALLER_COUNT)]
    await asyncio.sleep(1)
    try:
        return await _percentile_95_seconds(short)
    finally:
        for caller in callers:
            caller.cancel()
        await asyncio.gather(*callers, return_exceptions=True)


async def test_fault07_short_calls_over_grpc_do_not_wait_for_samples(service_urls: tuple[str, str]) -> None:
    async with grpc.aio.insecure_channel(service_urls[1], [("grpc.max_receive_message_length", -1)]) as channel:
        game_client = GameClient(channel, CODECS["fire_bulls"])
        driver = await game_client.begin()
        new_game = await game_client.call("NewGame", seats=[{}, {}], ephemeral=True)
        state = field(new_game, "state")
        seconds = await _percentile_during(
            lambda: game_client.call("Sample", state=state, count=1000), lambda: driver.call("GetMatch")
        )
    print(f"{seconds:.3f}")
    assert seconds < MAX_SECONDS


async def test_fault07_short_calls_over_rest_do_not_wait_for_samples(service_urls: tuple[str, str]) -> None:
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=service_urls[0], timeout=60, limits=limits) as rest:
        new_game = (await rest.post("/v1/fire-bulls:newGame", json={"seats": [{}, {}]})).json()
        match = (await rest.post("/v1/fire-bulls/matches", json={"seats": [{}, {}]})).json()["matchId"]
        body = {"state": new_game["state"], "count": 1000}
        seconds = await _percentile_during(
            lambda: rest.post("/v1/fire-bulls:sample", json=body), lambda: rest.get(f"/v1/fire-bulls/matches/{match}")
        )
    print(f"{seconds:.3f}")
    assert seconds < 4 * MAX_SECONDS  # one process interprets it all: gateway, engine and JSON of 4 MB
