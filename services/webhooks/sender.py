"""HTTP client of webhooks: signs and sends one request, and says in words how it went."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Final, NamedTuple

import httpx

from runtime.connection_faults import connection_fault
from services.bots.remote.allowed import BotAddress, bot_address, is_allowed
from services.bots.remote.guard import PrivateAddress
from services.bots.remote.webhook import HEADERS, signature, webhook_client
from services.store.webhooks.store import WebhookTarget
from services.webhooks.signing_secret import key_of

MAX_REQUESTS: Final = 1024
"""Concurrent requests of a worker."""
NOT_ALLOWED: Final = "the service does not allow this address"


class SendResult(NamedTuple):
    """What came back: the HTTP status, 0 without one, and why that is a failure, in words; empty for a success."""

    status: int
    error: str
    latency_ms: int

    @property
    def is_gone(self) -> bool:
        """Whether the receiver wants nothing more."""
        return self.status == httpx.codes.GONE


class WebhookSender:
    """Sends requests to the allowed addresses; `close` it after use."""

    def __init__(self, allowed: Sequence[BotAddress], seconds: float) -> None:
        """`seconds` limits the time of a request."""
        self._allowed: Final = allowed
        self._seconds: Final = seconds
        self._client: Final = webhook_client(MAX_REQUESTS)

    async def send(self, target: WebhookTarget, event_id: str, body: bytes) -> SendResult:
        """POST a body; the response's body is not read."""
        began = time.monotonic()
        status, error = await self._status(target, event_id, body)
        return SendResult(status, error, round(1000 * (time.monotonic() - began)))

    async def _status(self, target: WebhookTarget, event_id: str, body: bytes) -> tuple[int, str]:
        where = bot_address(target.url)
        if not is_allowed(where, self._allowed):  # the operator's list may have changed since it was created
            return 0, NOT_ALLOWED
        headers = {**HEADERS, **signature(key_of(target.secret), event_id, round(time.time()), body)}
        try:
            async with (
                asyncio.timeout(self._seconds),
                self._client.stream("POST", where.url, content=body, headers=headers) as response,
            ):
                status = response.status_code
        except TimeoutError:
            return 0, f"no response within {self._seconds:g} seconds"
        except httpx.TransportError as error:
            return 0, connection_fault(error)
        except httpx.InvalidURL:
            return 0, "its address is no URL"
        except PrivateAddress as error:
            return 0, str(error)
        if response.is_redirect:
            return status, f"status {status}: redirects are not followed"
        return status, "" if response.is_success else f"status {status}"

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()
