"""Worker of the archive: takes finished matches from their stream, archives them, and lets Redis forget them.

Any number of workers share the stream. What a worker does not archive, since it was killed or the archive refused it,
stays in the stream and in Redis, and is taken by a worker again after the time for takeovers.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
import time
from typing import Final

from runtime.telemetry import metrics
from runtime.telemetry.log_throttle import LogThrottle
from services.archive.archive import MatchArchive
from services.archive.settings import ArchiveSettings
from services.grpc_server.errors import ServiceError
from services.store.archive.archived_match import FINISHED_FIELD
from services.store.archive.finished import FinishedEntry
from services.store.archive.store import ArchivingStore

logger = logging.getLogger(__name__)

MATCHES_AT_ONCE: Final = 64
CHECK_SECONDS: Final = 5.0
"""Longest interval between looks for matches of other workers, and between measurements of the lag."""
CLEAN_SECONDS: Final = 60 * 60.0
"""Interval between removals of what killed workers left."""
MAX_PAUSE_SECONDS: Final = 30.0
"""Longest pause after a failure; each failure in a row doubles it."""


class ArchiveWorker:
    """Archives the finished matches of a store, concurrently with any number of other workers."""

    def __init__(self, settings: ArchiveSettings, store: ArchivingStore, archive: MatchArchive) -> None:
        self._settings: Final = settings
        self._matches: Final = store.finished_matches()
        self._archive: Final = archive
        self._name: Final = secrets.token_hex(8)
        self._outage: Final = LogThrottle()
        self._stopping: Final = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._check_at = 0.0
        self._clean_at = 0.0

    def start(self) -> None:
        """Begin to archive."""
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        failures = 0
        while not self._stopping.is_set():
            try:
                failed = await self._archive_some()
            except ServiceError as error:
                failed = True
                self._log_failure(error)
            except Exception:
                failed = True
                logger.exception("the archive failed")
            failures = failures + 1 if failed else 0
            if failures:
                pause = min(MAX_PAUSE_SECONDS, 2.0 ** min(failures - 1, 10))
                await self._sleep(pause * random.uniform(0.5, 1.0))

    async def _sleep(self, seconds: float) -> None:
        """Sleep, but not once the worker stops."""
        try:
            async with asyncio.timeout(seconds):
                await self._stopping.wait()
        except TimeoutError:
            pass

    async def _archive_some(self) -> bool:
        """Archive the next matches; whether one of them could not be."""
        entries = await self._check() or await self._matches.take(self._name, MATCHES_AT_ONCE)
        outcomes = await asyncio.gather(*map(self._archive_entry, entries), return_exceptions=True)
        errors = [outcome for outcome in outcomes if outcome is not None]
        for error in errors:
            if not isinstance(error, Exception):
                raise error
            metrics.ARCHIVE_WRITES.labels(metrics.ARCHIVE_FAILED).inc()
            self._log_failure(error)
        if entries and not errors and self._outage.clear():
            logger.warning("matches are archived again")
        return bool(errors)

    def _log_failure(self, error: Exception) -> None:
        if self._outage.should_log(type(error).__name__):
            logger.error("finished matches stay in Redis, since they cannot be archived: %s", error)

    async def _check(self) -> list[FinishedEntry]:
        """Now and then: measure the lag, clean up, and take matches of workers that have ended."""
        now = time.monotonic()
        if now < self._check_at:
            return []
        if now >= self._clean_at:
            await self._matches.create()
            await self._matches.remove_ended_processes()
            await asyncio.to_thread(self._archive.objects.remove_abandoned)
            self._clean_at = now + CLEAN_SECONDS
        lag = await self._matches.lag()
        metrics.ARCHIVE_LAG_MATCHES.set(lag.entries)
        metrics.ARCHIVE_LAG_SECONDS.set(lag.seconds)
        idle_ms = round(1000 * self._settings.takeover_seconds)
        found = await self._matches.take_over(self._name, idle_ms, MATCHES_AT_ONCE)
        if not found:
            self._check_at = now + min(CHECK_SECONDS, self._settings.takeover_seconds / 2)
        return found

    async def _archive_entry(self, entry: FinishedEntry) -> None:
        """Archive a match, and let Redis forget it; again, if the match was changed meanwhile."""
        while True:
            match = await self._matches.read(entry.match_id)
            if match is None or FINISHED_FIELD not in match.fields:  # archived before, or lost by Redis
                await self._matches.drop(entry)
                return
            await self._archive.store(match)
            if await self._matches.forget(entry, match, self._settings.tail_seconds):
                metrics.ARCHIVE_WRITES.labels(metrics.ARCHIVE_STORED).inc()
                return

    async def stop(self) -> None:
        """Take no more matches, and archive those in flight within the grace period."""
        self._stopping.set()
        if self._task is not None:
            await asyncio.wait([self._task], timeout=self._settings.grace_seconds)
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
