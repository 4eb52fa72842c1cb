"""Fixtures: an engine on each kind of store, and a client of it. What tests all games needs each store once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

from services.engine.codec import Codec
from services.engine.codecs import CODECS
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from tests.redis_clients import blocking_redis_at
from tests.services.client import Client, FireBullsDriver, new_driver


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run what tests every game on a Redis, and on the embedded store with one game: stores know no game."""
    repeated = [item for item in items if is_repeated(getattr(item, "callspec", None))]
    config.hook.pytest_deselected(items=repeated)
    items[:] = [item for item in items if item not in repeated]


def is_repeated(callspec: Any) -> bool:
    """Whether the parameters of a test are the embedded store and a game other than the first."""
    found = callspec.params if callspec else {}
    others = [value for value in found.values() if isinstance(value, Codec) and value.game.name != next(iter(CODECS))]
    return found.get("store_url") == "embedded" and others != []


@pytest.fixture(params=["embedded", "redis"])
def store_url(request: pytest.FixtureRequest) -> str:
    """URL of the engine's store: empty for the embedded one, or that of an empty Redis."""
    if request.param == "embedded":
        return ""
    url = str(request.getfixturevalue("redis_url"))
    with blocking_redis_at(url) as redis:
        redis.flushdb()
    return url


@pytest.fixture
async def engine(store_url: str) -> AsyncIterator[Engine]:
    engine = Engine(EngineSettings(port=0, redis_url=store_url, grace_seconds=1))
    await engine.start()
    yield engine
    await engine.stop()


@pytest.fixture
async def client(engine: Engine) -> AsyncIterator[Client]:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield Client(channel)


@pytest.fixture
async def driver(client: Client) -> FireBullsDriver:
    return await new_driver(client)
