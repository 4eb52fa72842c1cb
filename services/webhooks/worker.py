"""Worker of webhooks: claims attempts that are due, makes them, and stores how they ended.

Any number of workers share the webhooks of a store. A webhook has a task of its own while it has attempts that are due,
so a slow receiver delays only its own events.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Final

from fireside.platform.v1.platform_pb2 import PlatformEvent
from fireside.platform.v1.webhook_pb2 import WebhookDelivery

from runtime.telemetry import metrics
from services.grpc_server.errors import ServiceError
from services.store.events.streams import EventId
from services.store.matches.store import Store
from services.store.webhooks.store import (
    DELIVERED,
    FAILED,
    SKIPPED,
    TEST_PREFIX,
    AttemptEnd,
    ClaimedAttempt,
    WebhookRef,
    WebhookTarget,
)
from services.webhooks.payload import DISABLED_TYPE, TEST_TYPE, body_of_test, event_body, event_type
from services.webhooks.sender import SendResult, WebhookSender
from services.webhooks.settings import WebhookSettings

logger = logging.getLogger(__name__)

RETRY_SECONDS: Final = (5, 300, 1800, 7200, 18_000, 36_000)
"""Pauses before further attempts, as Standard Webhooks proposes: the last one is 17.6 hours after the event."""
JITTER: Final = 0.2
"""Greatest change of a pause, as a share of it: events that failed together do not return together."""
DISABLE_MS: Final = 5 * 24 * 60 * 60 * 1000
"""Time without a successful attempt after which a webhook is disabled."""
REQUESTS_A_WEBHOOK: Final = 8
"""Concurrent requests of a worker to one webhook."""
MAX_WEBHOOKS_AT_ONCE: Final = 128
POLL_SECONDS: Final = 0.5
STORE_RETRY_SECONDS: Final = 2.0
CLAIM_MARGIN_SECONDS: Final = 5.0
"""How much longer a claim lasts than a request may: time to store how it ended."""


class WebhookWorker:
    """Delivers the events of the platforms in a store, concurrently with any number of other workers."""

    def __init__(self, settings: WebhookSettings, store: Store) -> None:
        self._settings: Final = settings
        self._store: Final = store.webhooks()
        self._events: Final = store.event_streams()
        self._ends: dict[str, EventId] = {}
        """Ids of the last events that this worker has noticed, by platform."""
        self._sender: Final = WebhookSender(settings.allow, settings.seconds)
        self._claim_ms: Final = round(1000 * (settings.seconds + CLAIM_MARGIN_SECONDS))
        self._tasks: Final[dict[WebhookRef, asyncio.Task[None]]] = {}
        self._woken: Final[set[WebhookRef]] = set()
        """Webhooks with new events since their task has claimed the last time."""
        self._loops: Final[list[asyncio.Task[None]]] = []
        self._stopping = False

    def start(self) -> None:
        """Start to listen for events, and to look for attempts that are due."""
        self._loops.extend([asyncio.create_task(_repeat(step)) for step in (self._look, self._listen)])

    async def _look(self) -> None:
        """Serve the webhooks that are due."""
        room = MAX_WEBHOOKS_AT_ONCE - len(self._tasks)
        for ref in await self._store.due(room) if room > 0 else ():
            self._serve(ref)
        await asyncio.sleep(POLL_SECONDS)

    async def _listen(self) -> None:
        """Wait for events, and serve the webhooks of their platforms."""
        refs = await self._store.in_use()
        new = {ref.platform: await self._events.end(ref.platform) for ref in refs if ref.platform not in self._ends}
        self._ends = {ref.platform: (self._ends | new)[ref.platform] for ref in refs}
        self._serve_all(refs, new)  # an event may have come just before its end was read
        if not refs:
            await asyncio.sleep(POLL_SECONDS)
            return
        news = await self._events.wait(self._ends)
        self._ends |= news
        if news:  # read again: a webhook that was created meanwhile would get its event 30 seconds later
            self._serve_all(await self._store.in_use(), news)

    def _serve_all(self, refs: Sequence[WebhookRef], platforms: Collection[str]) -> None:
        for ref in refs:
            if ref.platform in platforms:
                self._serve(ref)

    def _serve(self, ref: WebhookRef) -> None:
        self._woken.add(ref)
        if ref not in self._tasks and not self._stopping and len(self._tasks) < MAX_WEBHOOKS_AT_ONCE:
            self._tasks[ref] = asyncio.create_task(self._make_attempts(ref))

    async def _make_attempts(self, ref: WebhookRef) -> None:
        """Make the attempts of a webhook that are due, until none is left."""
        more = True
        try:
            while not self._stopping and (more or ref in self._woken):
                self._woken.discard(ref)
                more = await self._make_claimed(ref)
        except ServiceError as error:
            logger.warning("the store is unavailable to the webhooks: %s", error)
        except Exception:
            logger.exception("a webhook failed")
        finally:
            self._woken.discard(ref)
            del self._tasks[ref]

    async def _make_claimed(self, ref: WebhookRef) -> bool:
        """Claim attempts and make them at once; False if there were none."""
        claimed = await self._store.claim(ref, self._claim_ms, REQUESTS_A_WEBHOOK)
        if claimed is None:
            return False
        target, attempts = claimed
        making = [self._make(ref, target, attempt) for attempt in attempts]
        for failure in await asyncio.gather(*making, return_exceptions=True):
            if failure is not None:
                raise failure
        return bool(attempts)

    async def _make(self, ref: WebhookRef, target: WebhookTarget, claimed: ClaimedAttempt) -> None:
        """Make an attempt, and store how it ended."""
        is_test = claimed.event_id.startswith(TEST_PREFIX)
        event = PlatformEvent.FromString(claimed.event)
        kind = TEST_TYPE if is_test else event_type(event)
        if not is_test and (not claimed.event or (target.types and kind not in target.types)):
            await self._store.finish(ref, AttemptEnd(claimed.event_id, SKIPPED))
            return
        began_ms = time.time_ns() // 1_000_000
        body = body_of_test() if is_test else event_body(claimed.event_id, event)
        result = await self._sender.send(target, claimed.event_id, body)
        metrics.WEBHOOK_ATTEMPTS.labels(FAILED if result.error else DELIVERED).inc()
        delivery = WebhookDelivery(
            event_id=claimed.event_id,
            type=kind,
            attempt=claimed.attempt,
            status=result.status,
            error=result.error,
            latency_ms=result.latency_ms,
        )
        delivery.attempt_time.FromMilliseconds(began_ms)
        await self._store.finish(ref, _end(claimed, delivery.SerializeToString(), result, is_test))

    async def stop(self) -> None:
        """Claim nothing more, and let the requests in flight end within the grace period."""
        self._stopping = True
        if self._tasks:
            await asyncio.wait([*self._tasks.values()], timeout=self._settings.grace_seconds)
        running = [*self._loops, *self._tasks.values()]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self._sender.close()


def _end(claimed: ClaimedAttempt, line: bytes, result: SendResult, is_test: bool) -> AttemptEnd:
    """How an attempt has ended, and when there will be another one."""
    if not result.error:
        return AttemptEnd(claimed.event_id, DELIVERED, line)
    if is_test:
        end = AttemptEnd(claimed.event_id, SKIPPED, line)
    else:
        hold_ms, retry_ms = 1000 * result.hold_seconds, None
        if claimed.attempt <= len(RETRY_SECONDS):
            pause = RETRY_SECONDS[claimed.attempt - 1] * random.uniform(1 - JITTER, 1 + JITTER)
            retry_ms = max(round(1000 * pause), hold_ms)
        end = AttemptEnd(claimed.event_id, FAILED, line, retry_ms, hold_ms)
    if result.is_gone:
        return _disabling(end, 0, "the receiver answered 410 Gone")
    return end if is_test else _disabling(end, DISABLE_MS, "no attempt has succeeded for days")


def _disabling(end: AttemptEnd, disable_ms: int, reason: str) -> AttemptEnd:
    line = WebhookDelivery(type=DISABLED_TYPE, error=reason)
    line.attempt_time.GetCurrentTime()
    return end._replace(disable_ms=disable_ms, disable_reason=reason, disabled_line=line.SerializeToString())


async def _repeat(step: Callable[[], Awaitable[None]]) -> None:
    """Repeat a step until cancelled; after an error, pause and try again."""
    while True:
        try:
            await step()
            continue
        except ServiceError as error:
            logger.warning("the store is unavailable to the webhooks: %s", error)
        except Exception:
            logger.exception("the webhooks failed")
        await asyncio.sleep(STORE_RETRY_SECONDS * random.uniform(0.5, 1.5))
