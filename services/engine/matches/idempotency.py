"""Requests that come again: how a repeat is known, and how the first answer is kept for it."""

from __future__ import annotations

import hashlib
from typing import Final

from services.engine.requests import NamedRequest
from services.grpc_server.errors import RequestIdReused
from services.store.match_store import REQUEST_KEY_LENGTH, Request

DIGEST_BYTES: Final = 32


def request_key(request: NamedRequest, seat: int) -> str:
    """The name of the request in the store; empty when it has no id. The ids of different seats never meet."""
    if not request.request_id:
        return ""
    return hashlib.sha256(f"{seat}:{request.request_id}".encode()).hexdigest()[:REQUEST_KEY_LENGTH]


def stored_response(request: NamedRequest, seat: int, response: bytes) -> Request | None:
    """What a repeat of the request will find; None when it has no id."""
    if not request.request_id:
        return None
    return Request(request_key(request, seat), _digest(request) + response)


def first_response(request: NamedRequest, found: bytes) -> bytes:
    """The answer to the first request of that id. Raises `RequestIdReused` when its body was another."""
    if found[:DIGEST_BYTES] != _digest(request):
        raise RequestIdReused(request.request_id)
    return found[DIGEST_BYTES:]


def _digest(request: NamedRequest) -> bytes:
    return hashlib.sha256(request.SerializeToString(deterministic=True)).digest()
