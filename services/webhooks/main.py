"""Process of the webhooks role: runs a worker until SIGTERM or SIGINT."""

from __future__ import annotations

import asyncio
import logging

from runtime.service_settings import DAY
from runtime.signals import Signals
from services.store.open import open_store
from services.store.readiness import ReadinessTask
from services.webhooks.settings import WebhookSettings
from services.webhooks.worker import WebhookWorker

logger = logging.getLogger(__name__)


async def run(settings: WebhookSettings, ready: asyncio.Event) -> None:
    """Deliver events until SIGTERM or SIGINT; `ready` is set once the store has been reached.

    Raises `ValueError` without a `REDIS_URL`: only a shared store has events of other processes.
    """
    if not settings.redis_url:
        raise ValueError("REDIS_URL: the webhooks have the events of the matches of a Redis, and none is given")
    signals = Signals()
    store = open_store(settings.redis_url, DAY)  # it stores no match, so the expiry counts for nothing
    worker = WebhookWorker(settings, store)
    readiness = ReadinessTask(store.reach, lambda: _set_event(ready))
    await readiness.start()
    worker.start()
    print("Fireside webhooks deliver events", flush=True)
    await signals.wait()
    await readiness.cancel()
    ready.clear()
    await signals.sleep_or_second_signal(settings.drain_seconds)
    await worker.stop()
    await store.close()
    logger.info("the webhooks have stopped")


async def _set_event(event: asyncio.Event) -> None:
    event.set()
