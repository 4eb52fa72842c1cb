"""HTTP client of webhooks: signs and sends one request, and says in words how it went."""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from email.utils import parsedate_to_datetime
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
HOLDING: Final = frozenset({httpx.codes.TOO_MANY_REQUESTS, httpx.codes.SERVICE_UNAVAILABLE})
"""Statuses whose `Retry-After` holds."""
MAX_HOLD_SECONDS: Final = 3600
"""Longest time that a receiver can ask for at once."""
NOT_ALLOWED: Final = "the service does not allow this address"


class SendResult(NamedTuple):
    """What came back: the HTTP status, 0 without one, and why that is a failure, in words; empty for a success.

    The receiver wants nothing for `hold_seconds`.
    """

    status: int
    error: str = ""
    hold_seconds: int = 0
    latency_ms: int = 0

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
        result = await self._result(target, event_id, body)
        return result._replace(latency_ms=round(1000 * (time.monotonic() - began)))

    async def _result(self, target: WebhookTarget, event_id: str, body: bytes) -> SendResult:
        where = bot_address(target.url)
        if not is_allowed(where, self._allowed):  # the operator's list may have changed since it was created
            return SendResult(0, NOT_ALLOWED)
        headers = {
            **HEADERS,
            **signature(
                [key_of(each) for each in (target.secret, *target.old_secrets)], event_id, round(time.time()), body
            ),
        }
        try:
            async with (
                asyncio.timeout(self._seconds),
                self._client.stream("POST", where.url, content=body, headers=headers) as response,
            ):
                return _result_of(response)
        except TimeoutError:
            return SendResult(0, f"no response within {self._seconds:g} seconds")
        except httpx.TransportError as error:
            return SendResult(0, connection_fault(error))
        except httpx.InvalidURL:
            return SendResult(0, "its address is no URL")
        except PrivateAddress as error:
            return SendResult(0, str(error))

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()


def _result_of(response: httpx.Response) -> SendResult:
    status = response.status_code
    if response.is_success:
        return SendResult(status)
    if response.is_redirect:
        return SendResult(status, f"status {status}: redirects are not followed")
    hold = min(_retry_after(response.headers.get("retry-after", "")), MAX_HOLD_SECONDS) if status in HOLDING else 0
    return SendResult(status, f"status {status}" + (f", which asks to wait {hold} seconds" if hold else ""), hold)


def _retry_after(text: str) -> int:
    """Seconds of a `Retry-After` header, which has a number or a date; 0 for one that cannot be read."""
    if re.fullmatch(r"[0-9]{1,10}", text):
        return int(text)
    with suppress(ValueError, OverflowError):
        return max(0, math.ceil(parsedate_to_datetime(text).timestamp() - time.time()))
    return 0
