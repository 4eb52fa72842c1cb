"""Process of the bots service: runs a worker until SIGTERM or SIGINT."""

from __future__ import annotations

import asyncio
import logging

from runtime.signals import Signals
from services.bots.settings import BotSettings
from services.bots.worker import Worker
from services.store.open import open_store
from services.store.readiness import ReadinessTask

logger = logging.getLogger(__name__)


async def run(settings: BotSettings, ready: asyncio.Event) -> None:
    """Play hosted seats until SIGTERM or SIGINT; `ready` is set once the store has been reached.

    Raises `ValueError` without a `REDIS_URL`: only a shared store has matches of other processes.
    """
    if not settings.redis_url:
        raise ValueError("REDIS_URL: the bots service plays in the matches of a Redis, and none is given")
    signals = Signals()
    store = open_store(settings.redis_url, settings.match_seconds, settings.finished_seconds, settings.replicas)
    worker = Worker(settings, store)
    readiness = ReadinessTask(store.reach, lambda: _set_event(ready))
    await readiness.start()
    worker.start()
    print(f"Fireside bots think in {settings.processes} processes", flush=True)
    await signals.wait()
    await readiness.cancel()
    ready.clear()
    await signals.sleep_or_second_signal(settings.drain_seconds)
    await worker.stop()
    await store.close()
    logger.info("the bots have stopped")


async def _set_event(event: asyncio.Event) -> None:
    event.set()
