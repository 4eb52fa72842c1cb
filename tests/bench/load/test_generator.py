"""The load generator of `make load`, on a small stack in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bench.load.clients import CallFailed
from bench.load.generator import LoadSettings, run_load
from bench.load.statistics import LoadStatistics
from cli.servers.http_server import HttpServer
from gateway.app import create_app
from gateway.settings import GatewaySettings
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from tests.redis_server import free_port


@pytest.fixture
async def url() -> AsyncIterator[str]:
    engine = Engine(EngineSettings(port=0, grace_seconds=1))
    await engine.start()
    web = HttpServer(create_app(GatewaySettings(engine_address=f"127.0.0.1:{engine.port}")), "127.0.0.1", 0, 1)
    await web.start()
    yield f"http://127.0.0.1:{web.port}"
    await web.stop()
    await engine.stop()


async def test_matches_are_started_played_and_watched_until_the_time_is_up(url: str) -> None:
    statistics = LoadStatistics()
    took = await run_load(LoadSettings(seconds=2.0, tables=3), url, statistics)
    assert 2.0 <= took < 4.0
    assert statistics.counts["matches begun"] >= 3
    assert min(len(statistics.latencies[kind]) for kind in ("legal moves", "move", "event")) >= 3
    assert statistics.errors == {}


async def test_a_failed_move_is_counted_and_the_match_continues(url: str) -> None:
    statistics = LoadStatistics()
    limited = LoadSettings(seconds=1.5, tables=1, key="k" * 1000)
    with pytest.raises(CallFailed):
        await run_load(limited, f"http://127.0.0.1:{free_port()}", statistics)
    assert statistics.failures == 1
    await run_load(limited, url, statistics)
    assert statistics.errors["new game"]["401"] > 1


@pytest.mark.parametrize("variable", ["LOAD_SECONDS", "LOAD_TABLES", "LOAD_WATCHERS"])
def test_the_error_of_an_invalid_variable_names_it(variable: str) -> None:
    with pytest.raises(ValueError, match=f"^{variable}: "):
        LoadSettings.from_environment({variable: "many"})
