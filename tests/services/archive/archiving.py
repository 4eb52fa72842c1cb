"""An archive in a folder, with a worker that fills it from a Redis."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from redis import Redis

from services.archive.archive import MatchArchive
from services.archive.settings import ArchiveSettings
from services.archive.worker import ArchiveWorker
from services.engine.settings import EngineSettings
from services.store.archive.finished import FINISHED_KEYS
from services.store.archive.store import ArchivingStore
from services.store.keys import match_keys
from services.store.open import open_store
from tests.services.engine.tables.test_calls import KNOWN_KEYS

TAIL_SECONDS = 1000
SECONDS = 20


class Archiving:
    """The archive of a Redis."""

    def __init__(self, redis: Redis, redis_url: str, folder: Path) -> None:
        self.redis, self.redis_url, self.folder = redis, redis_url, folder

    def engine_settings(self) -> EngineSettings:
        """The settings of an engine that reads the archive, and knows two API keys."""
        return EngineSettings(
            port=0, redis_url=self.redis_url, archive=str(self.folder), grace_seconds=1, api_keys=KNOWN_KEYS
        )

    @asynccontextmanager
    async def store(self) -> AsyncIterator[tuple[ArchivingStore, MatchArchive]]:
        """A store that reads the archive, and the archive."""
        archive = MatchArchive(str(self.folder))
        store = open_store(self.redis_url, TAIL_SECONDS, archive=archive)
        assert isinstance(store, ArchivingStore)
        yield store, archive
        await store.close()
        archive.close()

    @asynccontextmanager
    async def worker(self) -> AsyncIterator[None]:
        """A worker runs for the time of the block."""
        settings = ArchiveSettings(tail_seconds=TAIL_SECONDS, takeover_seconds=0.2)
        async with self.store() as (store, archive):
            worker = ArchiveWorker(settings, store, archive)
            worker.start()
            await until(lambda: self.redis.exists(*FINISHED_KEYS) == len(FINISHED_KEYS))
            yield
            await worker.stop()

    async def run(self) -> None:
        """Archive all matches in the stream."""
        async with self.worker():
            await self.is_done()

    async def is_done(self) -> None:
        """Wait until all streams are empty."""
        await until(lambda: sum([int(self.redis.xlen(key)) for key in FINISHED_KEYS]) == 0)

    def seconds_to_live(self, match_id: str) -> list[int]:
        """The remaining seconds of both keys of a match; -1 for a key that does not expire, -2 for none."""
        return [int(self.redis.ttl(key)) for key in match_keys(match_id)]

    def forget(self, match_id: str) -> None:
        """Let Redis forget a match that is in the archive, as it does at the end of the tail."""
        assert all(0 < seconds <= TAIL_SECONDS for seconds in self.seconds_to_live(match_id))
        self.redis.delete(*match_keys(match_id))

    def files(self) -> list[str]:
        """The paths of all objects."""
        found = [path.relative_to(self.folder) for path in self.folder.rglob("*") if path.is_file()]
        return sorted(map(str, found))


async def until(condition: Callable[[], bool]) -> None:
    """Wait until a condition is met."""
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)
