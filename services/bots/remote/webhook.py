"""Client of remote bots that are HTTP webhooks: POSTs the messages of the game's bot service as ProtoJSON."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from collections.abc import Sequence
from typing import Final, TypeVar

import httpx
from google.protobuf.json_format import MessageToJson, Parse, ParseError
from google.protobuf.message import Message

from engine_core.game import Move
from runtime.connection_faults import connection_fault
from services.bots.remote.allowed import BotAddress
from services.bots.remote.bot import MAX_ANSWER_BYTES, MAX_CALLS, BotUnreachable, RemoteBot
from services.bots.remote.bot_call import BotCall
from services.bots.remote.failure import INVALID_ANSWER, UNREACHABLE, BotFailed
from services.bots.remote.guard import GuardedTransport, PrivateAddress, Resolve, resolve_public

M = TypeVar("M", bound=Move)

JSON: Final = "application/json"
HEADERS: Final = {"content-type": JSON, "accept": JSON, "accept-encoding": "identity", "connection": "close"}
RETRIED_STATUSES: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
"""HTTP statuses after which the call is retried."""
PARSE_ERRORS: Final = (ParseError, ValueError, TypeError, RecursionError)


def webhook_client(calls: int, resolve: Resolve = resolve_public) -> httpx.AsyncClient:
    """A client for requests to third parties, at most `calls` at once; their time has to be limited by the caller.

    Requests raise `PrivateAddress` for a name that has no public address, and `httpx.TransportError`.
    Redirects are not followed, since they could lead to addresses that are not allowed.
    """
    return httpx.AsyncClient(
        timeout=None,
        trust_env=False,
        follow_redirects=False,
        transport=GuardedTransport(resolve, calls),
    )


class Webhook(RemoteBot):
    """Client of a bot at a URL. With a secret, requests are signed as in Standard Webhooks."""

    def __init__(
        self, where: BotAddress, secret: bytes = b"", calls: int = MAX_CALLS, resolve: Resolve = resolve_public
    ) -> None:
        super().__init__(calls)
        self._url: Final = where.url
        self._secret: Final = secret
        self._client: Final = webhook_client(calls, resolve)

    async def call(self, bot_call: BotCall[M], request: Message) -> Message:
        """POST the request once."""
        body = MessageToJson(request, always_print_fields_with_no_presence=True, indent=None).encode()
        try:
            text = await self._post(body, self._headers(bot_call.name, body))
        except httpx.TransportError as error:
            raise BotUnreachable(connection_fault(error)) from None
        except httpx.InvalidURL:
            raise BotFailed(UNREACHABLE, "its address is no URL") from None
        except PrivateAddress as error:
            raise BotFailed(UNREACHABLE, str(error)) from None
        try:
            return Parse(text, bot_call.response_class(), ignore_unknown_fields=True)
        except PARSE_ERRORS:
            raise BotFailed(
                INVALID_ANSWER, f"the answer is no {bot_call.response_class.DESCRIPTOR.name} in ProtoJSON"
            ) from None

    async def _post(self, body: bytes, headers: dict[str, str]) -> bytes:
        async with self._client.stream("POST", self._url, content=body, headers=headers) as response:
            if response.status_code in RETRIED_STATUSES:
                raise BotUnreachable(f"status {response.status_code}")
            if response.status_code != httpx.codes.OK:
                raise BotFailed(INVALID_ANSWER, f"status {response.status_code}")
            return await _read_limited(response)

    def _headers(self, name: str, body: bytes) -> dict[str, str]:
        keys = [self._secret] if self._secret else []
        return {**HEADERS, **signature(keys, name, round(time.time()), body)}

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()


async def _read_limited(response: httpx.Response) -> bytes:
    """The raw body, never decompressed, so that it cannot exceed the limit. Raises `BotFailed` if it is too long."""
    text = b""
    async for chunk in response.aiter_raw():
        text += chunk
        if len(text) > MAX_ANSWER_BYTES:
            raise BotFailed(INVALID_ANSWER, f"the answer is longer than {MAX_ANSWER_BYTES} bytes")
    return text


def signature(keys: Sequence[bytes], name: str, seconds: int, body: bytes) -> dict[str, str]:
    """Headers of Standard Webhooks: id and timestamp, and for each key an HMAC-SHA256 over id, time and body."""
    headers = {"webhook-id": name, "webhook-timestamp": str(seconds)}
    signed = f"{name}.{seconds}.".encode() + body
    digests = [base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode() for key in keys]
    if digests:
        headers["webhook-signature"] = " ".join([f"v1,{digest}" for digest in digests])
    return headers
