"""Rate limits, counted in a real Redis and in the process."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from secrets import token_hex

import httpx
import limits
import pytest
from redis.asyncio import Redis

from cli.servers.http_server import HttpServer
from gateway.app import create_app
from gateway.middleware import rates
from gateway.middleware.rates import CallCounter
from gateway.routing import registry
from gateway.settings import GatewaySettings
from runtime import api_keys
from tests.gateway.stub_engine import StubEngine
from tests.redis_server import free_port, pause_process, process_of, redis_server

MATCH_PATH = "/v1/fire-bulls/matches/m1"
KEY = api_keys.new_key()
FIFTY_A_MINUTE = limits.parse("50/minute")
ORIGIN = "https://play.example"
TWO_SEATS = {"seats": [{"name": "Ada"}, {"name": "Ben"}]}
MATCHES_PATHS = [f"/v1/{game.replace('_', '-')}/matches" for game in registry.GAMES]


@pytest.fixture(params=["embedded", "redis"])
def counted_at(request: pytest.FixtureRequest) -> str:
    """Where calls are counted: in the process, or in a real Redis."""
    return "" if request.param == "embedded" else str(request.getfixturevalue("redis_url"))


@pytest.fixture
async def fresh_redis(redis_url: str) -> str:
    """A Redis that has counted nothing yet."""
    url = redis_url.removesuffix("/0") + "/1"
    async with Redis.from_url(url) as redis:
        await redis.flushdb()
    return url


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine is no reason to let a call pass uncounted."""
    monkeypatch.setattr(rates, "REDIS_TIMEOUT_SECONDS", 30.0)


@asynccontextmanager
async def open_counter(url: str) -> AsyncIterator[CallCounter]:
    counting = CallCounter(url)
    yield counting
    await counting.close()


@asynccontextmanager
async def gateway(settings: GatewaySettings) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a gateway under the web server of the command."""
    web = HttpServer(create_app(settings), "127.0.0.1", 0, 1)
    await web.start()
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{web.port}", timeout=30) as client:
        yield client
    await web.stop()


def settings_with_limits(engine: StubEngine, rate: str = "", matches: str = "", redis_url: str = "") -> GatewaySettings:
    return replace(
        GatewaySettings(engine_address=engine.address, cors_origins=(ORIGIN,), redis_url=redis_url),
        rate_limit=limits.parse(rate) if rate else None,
        match_rate_limit=limits.parse(matches) if matches else None,
        api_keys=api_keys.parse(api_keys.key_entry("ours", KEY)),
        trusted_hops=1,
    )


@pytest.mark.usefixtures("patient")
async def test_of_two_hundred_concurrent_calls_exactly_the_limit_pass(counted_at: str) -> None:
    caller = token_hex(8)
    async with open_counter(counted_at) as counting:
        waits = await asyncio.gather(*(counting.count(FIFTY_A_MINUTE, "calls", caller) for _ in range(200)))
    assert waits.count(0.0) == 50
    assert all(0 < wait <= 60 for wait in waits if wait)


@pytest.mark.usefixtures("patient")
async def test_counters_on_one_redis_share_their_count(redis_url: str) -> None:
    caller = token_hex(8)
    async with open_counter(redis_url) as one, open_counter(redis_url) as other:
        both = [counting.count(FIFTY_A_MINUTE, "calls", caller) for counting in (one, other) for _ in range(100)]
        waits = await asyncio.gather(*both)
    assert waits.count(0.0) == 50


@pytest.mark.usefixtures("patient")
async def test_the_window_of_a_limit_slides(counted_at: str) -> None:
    caller, two = token_hex(8), limits.parse("2/2 seconds")
    async with open_counter(counted_at) as counting:
        assert [await counting.count(two, caller) for _ in range(2)] == [0.0, 0.0]
        wait = await counting.count(two, caller)
        assert 0 < wait <= 2
        await asyncio.sleep(wait + 0.1)
        assert await counting.count(two, caller) == 0.0


@pytest.mark.usefixtures("patient")
async def test_counts_in_redis_expire(redis_url: str) -> None:
    caller = token_hex(8)
    async with open_counter(redis_url) as counting, Redis.from_url(redis_url) as redis:
        await counting.count(limits.parse("2/second"), caller)
        [key] = [key async for key in redis.scan_iter(f"{rates.KEY_PREFIX}*{caller}*")]
        assert 0 < await redis.ttl(key) <= 1


@pytest.mark.usefixtures("patient")
async def test_two_gateways_on_one_redis_share_a_limit(engine: StubEngine, fresh_redis: str) -> None:
    settings = settings_with_limits(engine, "50/minute", redis_url=fresh_redis)
    async with gateway(settings) as one, gateway(settings) as other:
        answers = await asyncio.gather(*(client.get(MATCH_PATH) for client in (one, other) for _ in range(40)))
    assert sorted(answer.status_code for answer in answers) == [200] * 50 + [429] * 30
    assert len(engine.requests) == 50


async def test_a_call_beyond_the_limit_is_a_problem_with_a_retry_delay(engine: StubEngine) -> None:
    async with gateway(settings_with_limits(engine, "2/10 seconds")) as client:
        for _ in range(2):
            assert (await client.get(MATCH_PATH)).status_code == 200
        refused = await client.get(MATCH_PATH, headers={"Origin": ORIGIN, "X-Request-Id": "r-1"})
    assert refused.status_code == 429
    assert refused.headers["content-type"] == "application/problem+json"
    assert 1 <= int(refused.headers["retry-after"]) <= 10
    assert (refused.json()["reason"], refused.json()["metadata"]) == ("RATE_LIMITED", {"limit": "2/10 seconds"})
    assert refused.headers["access-control-allow-origin"] == ORIGIN
    assert "Retry-After" in refused.headers["access-control-expose-headers"]
    assert refused.headers["x-request-id"] == "r-1"


async def test_a_hint_counts_as_several_calls_but_never_more_than_the_limit(engine: StubEngine) -> None:
    async with gateway(settings_with_limits(engine, f"{rates.HINT_COST + 1}/minute")) as client:
        path = f"{MATCH_PATH}:hint"
        statuses = [(await client.post(path, json={})).status_code, (await client.get(MATCH_PATH)).status_code]
        assert [*statuses, (await client.get(MATCH_PATH)).status_code] == [200, 200, 429]
    async with gateway(settings_with_limits(engine, f"{rates.HINT_COST - 1}/minute")) as client:
        assert [(await client.post(path, json={})).status_code for _ in range(2)] == [200, 429]


async def test_callers_are_counted_separately(engine: StubEngine) -> None:
    ours, stranger = {"X-Api-Key": KEY}, {"X-Api-Key": api_keys.new_key()}
    near, far = {"X-Forwarded-For": "9.9.9.9, 192.0.2.1"}, {"X-Forwarded-For": "192.0.2.2"}
    async with gateway(settings_with_limits(engine, "1/minute")) as client:
        for headers in (ours, near, far, {}):
            assert (await client.get(MATCH_PATH, headers=headers)).status_code == 200
        for headers in (ours, near, far, {}, stranger, {**ours, **far}, {"X-Forwarded-For": "8.8.8.8, 192.0.2.1"}):
            assert (await client.get(MATCH_PATH, headers=headers)).status_code == 429


@pytest.mark.parametrize("path", MATCHES_PATHS)
async def test_new_matches_have_their_own_limit(path: str, engine: StubEngine) -> None:
    async with gateway(settings_with_limits(engine, "100/minute", "2/minute")) as client:
        answers = [await client.post(path, json=TWO_SEATS) for _ in range(3)]
        inline = await client.post(f"{path.removesuffix('/matches')}:newGame", json=TWO_SEATS)
        read = await client.get(f"{path}/m1")
    assert [answer.status_code == 429 for answer in answers] == [False, False, True]
    assert answers[2].json()["metadata"] == {"limit": "2/minute"}
    assert [inline.status_code, read.status_code] == [200, 200]  # of an engine that has nothing to say


async def test_new_matches_of_all_games_are_counted_together(engine: StubEngine) -> None:
    async with gateway(settings_with_limits(engine, "", f"{len(MATCHES_PATHS)}/minute")) as client:
        answers = [await client.post(path, json=TWO_SEATS) for path in [*MATCHES_PATHS, MATCHES_PATHS[0]]]
    assert [answer.status_code == 429 for answer in answers] == [False] * len(MATCHES_PATHS) + [True]


async def test_probes_documents_and_preflights_are_not_counted(engine: StubEngine) -> None:
    free = ["/healthz", "/readyz", "/openapi.json", "/docs", "/docs/assets/swagger-ui.css", "/errors/RATE_LIMITED"]
    free += ["/", "/page/main.js", "/match/fire_bulls/1", "/tournaments", "/replay", "/embed/fire_bulls/1"]
    asks = {"Origin": ORIGIN, "Access-Control-Request-Method": "POST"}
    async with gateway(settings_with_limits(engine, "1/minute")) as client:
        for _ in range(2):
            assert [(await client.get(path)).status_code for path in free] == [200] * len(free)
            assert (await client.options(MATCHES_PATHS[0], headers=asks)).status_code == 200
        assert (await client.get(MATCH_PATH)).status_code == 200
        assert (await client.get("/nowhere")).status_code == 429


async def test_without_settings_nothing_is_limited(engine: StubEngine, caplog: pytest.LogCaptureFixture) -> None:
    async with gateway(settings_with_limits(engine)) as client:
        answers = await asyncio.gather(*(client.get(MATCH_PATH) for _ in range(100)))
    assert {answer.status_code for answer in answers} == {200}
    assert "in this process" not in caplog.text


async def test_counting_in_the_process_is_logged(engine: StubEngine, caplog: pytest.LogCaptureFixture) -> None:
    async with gateway(settings_with_limits(engine, "1/minute")):
        pass
    assert "rate limits hold for this process alone" in caplog.text


async def test_without_redis_calls_pass_quickly_with_one_warning(
    engine: StubEngine, caplog: pytest.LogCaptureFixture
) -> None:
    url = f"redis://:secret@127.0.0.1:{free_port()}/0"
    async with gateway(settings_with_limits(engine, "1/minute", redis_url=url)) as client:
        started = time.monotonic()
        answers = [await client.get(MATCH_PATH) for _ in range(20)]
        seconds = time.monotonic() - started
    assert {answer.status_code for answer in answers} == {200}
    assert seconds < 5
    assert logged_warnings(caplog) == ["Redis is unreachable: calls pass without being counted"]
    assert "secret" not in repr([record.__dict__ for record in caplog.records])


def logged_warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == rates.logger.name]


async def test_a_hanging_redis_delays_few_calls_and_counting_resumes_when_it_recovers(
    engine: StubEngine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with redis_server(tmp_path) as url:
        process = process_of(url)
        async with gateway(settings_with_limits(engine, "5/minute", redis_url=url)) as client:
            assert (await client.get(MATCH_PATH)).status_code == 200
            with pause_process(process):
                started = time.monotonic()
                answers = await asyncio.gather(*(client.get(MATCH_PATH) for _ in range(20)))
                answers += [await client.get(MATCH_PATH) for _ in range(20)]
                assert time.monotonic() - started < 10 * rates.REDIS_TIMEOUT_SECONDS
            assert {answer.status_code for answer in answers} == {200}
            await until_refused(client)
    assert logged_warnings(caplog) == [
        "Redis is unreachable: calls pass without being counted",
        "Redis is reachable again: calls are counted",
    ]


async def until_refused(client: httpx.AsyncClient) -> None:
    async with asyncio.timeout(30):
        while (await client.get(MATCH_PATH)).status_code != 429:
            await asyncio.sleep(0.1)


@pytest.mark.usefixtures("patient")
async def test_a_disconnected_client_leaves_no_half_read_reply(redis_url: str) -> None:
    caller = token_hex(8)
    async with open_counter(redis_url) as counting:
        calls = [asyncio.ensure_future(counting.count(FIFTY_A_MINUTE, caller)) for _ in range(40)]
        await asyncio.sleep(0)
        for call in calls[::2]:
            call.cancel()
        results = await asyncio.gather(*calls, return_exceptions=True)
        later = [await counting.count(FIFTY_A_MINUTE, caller) for _ in range(100)]
    assert results[1::2] == [0.0] * 20
    assert 10 <= later.count(0.0) <= 30
    assert all(0 <= wait <= 60 for wait in later)
