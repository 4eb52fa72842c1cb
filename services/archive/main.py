"""Process of the archive: runs a worker until SIGTERM or SIGINT."""

from __future__ import annotations

import asyncio
import logging

from runtime.service_settings import DAY
from runtime.signals import Signals
from services.archive.settings import ArchiveSettings, open_archive
from services.archive.worker import ArchiveWorker
from services.store.archive.store import ArchivingStore
from services.store.open import open_store
from services.store.readiness import ReadinessTask

logger = logging.getLogger(__name__)


async def run(settings: ArchiveSettings, ready: asyncio.Event) -> None:
    """Archive matches until SIGTERM or SIGINT; `ready` is set once the store has been reached.

    Raises `ValueError` without a `REDIS_URL` or a `FIRESIDE_ARCHIVE`.
    """
    if not settings.redis_url:
        raise ValueError("REDIS_URL: the archive takes the finished matches of a Redis, and none is given")
    archive = open_archive(settings.archive)
    if archive is None:
        raise ValueError("FIRESIDE_ARCHIVE: a folder or an address must be given")
    signals = Signals()
    store = open_store(settings.redis_url, DAY, archive=archive)  # it stores no match, so the expiry counts for nothing
    assert isinstance(store, ArchivingStore)
    worker = ArchiveWorker(settings, store, archive)
    readiness = ReadinessTask(store.reach, lambda: _set_event(ready))
    await readiness.start()
    worker.start()
    print("Fireside archive takes finished matches", flush=True)
    await signals.wait()
    await readiness.cancel()
    ready.clear()
    await signals.sleep_or_second_signal(settings.drain_seconds)
    await worker.stop()
    await store.close()
    archive.close()
    logger.info("the archive has stopped")


async def _set_event(event: asyncio.Event) -> None:
    event.set()
