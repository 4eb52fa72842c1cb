"""Fixtures: a gateway and an engine with an archive in a folder, and a worker that fills it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest

from tests.gateway.real_engine import client_of
from tests.redis_clients import blocking_redis_at
from tests.services.archive.archiving import Archiving


@pytest.fixture
def archive(redis_url: str, tmp_path: Path) -> Iterator[Archiving]:
    """An archive in an empty folder, of an empty Redis."""
    with blocking_redis_at(redis_url) as redis:
        redis.flushdb()
        yield Archiving(redis, redis_url, tmp_path / "archive")


@pytest.fixture
async def rest(archive: Archiving) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a gateway, whose engine reads the archive."""
    async with client_of(archive.engine_settings()) as rest:
        yield rest
