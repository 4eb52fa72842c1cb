"""Archive of finished matches: an object a match, written once, and cached reads for those that Redis has forgotten."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from fireside.match.v1.archived_match_pb2 import ArchivedMatch

from runtime.telemetry import metrics
from runtime.telemetry.log_throttle import LogThrottle
from services.archive import encoding, index
from services.archive.objects import ObjectStore
from services.grpc_server.errors import LogContradictsSnapshot, StoreUnavailable

logger = logging.getLogger(__name__)

THREADS: Final = 32
"""Concurrent operations on objects."""
MAX_READS: Final = 256
"""Concurrent reads; further ones are refused, so that guessed ids cannot make a queue."""
CACHED_SECONDS: Final = 10.0
"""How long a read counts, also one that found no match. Shorter than a match stays in Redis after it is archived, so a
match whose token was replaced is not read as it was before."""
MAX_CACHED: Final = 256
READ_SECONDS: Final = 5.0
"""Shorter than a gateway waits for an engine."""


class MatchArchive:
    """The finished matches at an fsspec address."""

    def __init__(self, url: str) -> None:
        """Raises `ValueError` for an address that fsspec does not know."""
        self.objects: Final = ObjectStore(url)
        self._threads: Final = ThreadPoolExecutor(THREADS, "archive")
        self._cache: Final[OrderedDict[str, tuple[float, ArchivedMatch | None]]] = OrderedDict()
        self._reads: Final[dict[str, asyncio.Task[ArchivedMatch | None]]] = {}
        self._outage: Final = LogThrottle()

    async def match(self, match_id: str) -> ArchivedMatch | None:
        """A match, which must not be changed; None if it is not in the archive.

        Raises `StoreUnavailable` if the archive cannot be read, or `LogContradictsSnapshot` for a damaged match.
        """
        until, cached = self._cache.get(match_id, (0.0, None))
        if time.monotonic() < until:
            return cached
        if match_id not in self._reads:
            if len(self._reads) >= MAX_READS:
                raise StoreUnavailable
            reading = self._reads[match_id] = asyncio.create_task(self._read(match_id))
            reading.add_done_callback(lambda _: self._reads.pop(match_id))
        return await asyncio.shield(self._reads[match_id])

    async def _read(self, match_id: str) -> ArchivedMatch | None:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(READ_SECONDS):
                found = await loop.run_in_executor(self._threads, self.read, match_id)
        except encoding.DamagedObject as error:
            logger.error("match %s is damaged in the archive: %s", match_id, error)
            raise LogContradictsSnapshot(match_id) from None
        except Exception as error:  # of drivers of any place
            metrics.ARCHIVE_READS.labels(metrics.ARCHIVE_FAILED).inc()
            if self._outage.should_log(type(error).__name__):
                logger.warning("the archive cannot be read: %s", type(error).__name__)
            raise StoreUnavailable from error
        self._outage.clear()
        metrics.ARCHIVE_READS.labels(metrics.ARCHIVE_FOUND if found else metrics.ARCHIVE_MISSING).inc()
        self._cache[match_id] = time.monotonic() + CACHED_SECONDS, found
        self._cache.move_to_end(match_id)
        if len(self._cache) > MAX_CACHED:
            self._cache.popitem(last=False)
        return found

    async def store(self, match: ArchivedMatch) -> None:
        """Write a match and its index; both are durable when this returns. Raises errors of drivers of any place."""
        await asyncio.get_running_loop().run_in_executor(self._threads, self.write, match)

    def read(self, match_id: str) -> ArchivedMatch | None:
        """A match as it is in the archive now; blocks. Raises `DamagedObject`, and errors of drivers of any place."""
        data = self.objects.get(_path(match_id))
        return None if data is None else encoding.decode(match_id, data)

    def write(self, match: ArchivedMatch) -> None:
        """As `store`, but blocks."""
        self.objects.put(_path(match.match_id), encoding.encode(match))
        for path in index.paths_of(match):  # after it, so that whatever the index has can be read
            self.objects.put(path, b"")

    def close(self) -> None:
        """End the threads; operations in flight are finished."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _path(match_id: str) -> str:
    """The path of a match, in one of 4096 folders."""
    return f"matches/{hashlib.sha256(match_id.encode()).hexdigest()[:3]}/{match_id}.zst"
