"""Redis hangs: calls fail within their timeouts, and succeed when it recovers."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import httpx
import pytest
from redis.asyncio import Redis

from services.engine.settings import EngineSettings
from services.store.redis import ANSWER_SECONDS
from tests.gateway.real_engine import client_of
from tests.redis_server import pause_process, process_of, redis_server

MATCHES_PATH = "/v1/fire-bulls/matches"


async def call_outcome(answer: asyncio.Future[httpx.Response]) -> tuple[int, str, float]:
    """How a call ends: its status, the reason, and the seconds that it took."""
    started = time.monotonic()
    response = await answer
    problem = response.json() if response.status_code >= 400 else {}
    return response.status_code, problem.get("reason", ""), time.monotonic() - started


@pytest.mark.parametrize("password", ["", "secret"], ids=["open", "with a password"])
async def test_calls_fail_within_their_timeout_and_recover(
    tmp_path: Path, password: str, caplog: pytest.LogCaptureFixture
) -> None:
    with redis_server(tmp_path) as url:
        process = process_of(url)
        if password:
            async with Redis.from_url(url) as redis:
                await redis.config_set("requirepass", password)
            url = url.replace("//", f"//:{password}@")
        async with client_of(EngineSettings(port=0, redis_url=url, grace_seconds=1)) as client:
            new_game = (await client.post(MATCHES_PATH, json={"seats": [{}, {}], "options": {"firstSeat": 0}})).json()
            match = f"{MATCHES_PATH}/{new_game['matchId']}"
            seat = {"Authorization": f"Bearer {new_game['seats'][0]['token']}"}
            notation = (await client.get(f"{match}/legal-moves", headers=seat)).json()["moves"][0]["notation"]
            for _ in range(20):  # until calls of the match go to one engine by affinity
                await client.get(match)
            keyed = {**seat, "Idempotency-Key": "once"}
            with pause_process(process):
                for _ in range(2):  # over the connection that stood, and over one that has to be made
                    calls = [
                        client.get(match),
                        client.post(f"{match}/moves", json={"notation": notation}, headers=keyed),
                        client.get(f"{match}/history"),
                    ]
                    ends = await asyncio.gather(*[call_outcome(asyncio.ensure_future(call)) for call in calls])
                    assert {end[:2] for end in ends} == {(503, "STORE_UNAVAILABLE")}
                    assert max(end[2] for end in ends) < ANSWER_SECONDS + 1.5
            moved = await client.post(f"{match}/moves", json={"notation": notation}, headers=keyed)
            assert moved.status_code == 200
            assert (await client.get(match)).json()["revision"] == moved.json()["revision"]
    messages = [record.getMessage() for record in caplog.records if record.name == "services.store.connection"]
    assert messages.count("the store does not answer: Timeout") == 1
    assert messages[-1] == "the store answers again"
