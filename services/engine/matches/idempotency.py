"""Idempotency: recognise a repeated request_id, and return the stored response or the match that was begun.

A step stores its response under the request's key, in the same script that stores the step. A new match stores nothing
for that: its id is derived from the request id. So repeats, at any engine and even concurrent ones, find the id taken
and get the match that the first request began, as long as that match is stored.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from base64 import urlsafe_b64encode
from typing import Final, NamedTuple

from services.engine.requests.messages import NamedRequest, NewGameRequest
from services.grpc_server.errors import InvalidRequest, RequestIdReused
from services.store.keys import TOKEN_KEY
from services.store.matches.steps import REQUEST_KEY_LENGTH, IdempotentRequest
from services.store.matches.store import Store

ID_BYTES: Final = 12
ID_LABEL: Final = b"fireside/match/id/1/"
UNGUESSABLE_REQUEST_ID: Final = re.compile("[A-Za-z0-9_-]{22,64}")
"""Unguessable request ids: 22 characters hold 128 random bits, and a UUID has 36 characters."""


class IdempotencyKey(NamedTuple):
    """Recognises a repeated step by the key of its response in the store; empty for a request without an id."""

    request_id: str
    key: str
    digest: bytes
    """SHA-256 of the request."""

    def record(self, response: bytes) -> IdempotentRequest | None:
        """The record to store for repeats; None for a request without an id."""
        return IdempotentRequest(self.key, self.digest + response) if self.key else None

    def first_response(self, stored: bytes) -> bytes:
        """The response in a stored record. Raises `RequestIdReused` if another request had the id."""
        size = len(self.digest)
        if stored[:size] != self.digest:
            raise RequestIdReused(self.request_id)
        return stored[size:]


def idempotency_key(request: NamedRequest, seat: int) -> IdempotencyKey:
    """The key of a request of a seat: equal ids of different seats have different keys."""
    if not request.request_id:
        return IdempotencyKey("", "", b"")
    key = hashlib.sha256(f"{seat}:{request.request_id}".encode()).hexdigest()[:REQUEST_KEY_LENGTH]
    digest = hashlib.sha256(request.SerializeToString(deterministic=True)).digest()
    return IdempotencyKey(request.request_id, key, digest)


class DerivedMatchId(NamedTuple):
    """The id of a match, derived from the request id of its `NewGame`."""

    request_id: str
    match_id: str
    digest: bytes
    """SHA-256 of the request, by which another request with the same id is recognised."""


def check_request_id(request_id: str, holder: str) -> None:
    """Raise `InvalidRequest` for a guessable id, unless it is limited to the holder of an API key."""
    if request_id and not holder and not UNGUESSABLE_REQUEST_ID.fullmatch(request_id):
        raise InvalidRequest(
            "requestId",
            "without an API key it must have 22 to 64 letters, digits, - and _, drawn at random: anybody who "
            "knows it can fetch the tokens",
        )


async def derived_match_id(store: Store, service: str, request: NewGameRequest, holder: str) -> DerivedMatchId | None:
    """The match id of a `NewGame`; None without a request id. `holder` is that of the API key, empty without one."""
    if not request.request_id:
        return None
    key = await store.shared_key(TOKEN_KEY)  # which no client knows, and all engines share
    scope = hashlib.sha256(holder.encode()).digest() if holder else b""
    derived = hmac.digest(key, ID_LABEL + scope + request.request_id.encode(), "sha256")
    body = service.encode() + b"/" + request.SerializeToString(deterministic=True)
    match_id = urlsafe_b64encode(derived[:ID_BYTES]).decode()
    return DerivedMatchId(request.request_id, match_id, hashlib.sha256(body).digest())
