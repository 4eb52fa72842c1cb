"""Idempotent beginnings: a match that is begun with a `request_id` has an id that follows from it.

So a repeat of the request, at whatever engine and however many at once, finds the id taken, and is answered with the
match that the first one began. Nothing but the match itself has to be stored for that, so it cannot be lost between
the two, and a repeat is known for as long as the match lives.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from base64 import urlsafe_b64encode
from typing import Final, NamedTuple

from services.engine.requests import NewGameRequest
from services.grpc_server.errors import InvalidRequest
from services.store.match_store import TOKEN_KEY, Store

ID_BYTES: Final = 12
ID_LABEL: Final = b"fireside/match/id/1/"
SECRET: Final = re.compile("[A-Za-z0-9_-]{22,64}")
"""A request id that nobody guesses: 22 characters hold 128 random bits, and a UUID has 36."""


class Beginning(NamedTuple):
    """The id of a match that follows from a request, and what tells whether another request is the same."""

    request_id: str
    match_id: str
    digest: bytes


def check_request_id(request_id: str, holder: str) -> None:
    """Raise `InvalidRequest` for one that others could guess, unless it counts for the holder of an API key alone."""
    if request_id and not holder and not SECRET.fullmatch(request_id):
        raise InvalidRequest(
            "requestId",
            "without an API key it must have 22 to 64 letters, digits, - and _, drawn at random: anybody who "
            "knows it can fetch the tokens",
        )


async def beginning(store: Store, service: str, request: NewGameRequest, api_key: str) -> Beginning | None:
    """The beginning that a request names; None for one without an id. `api_key` is empty, or known to be good."""
    if not request.request_id:
        return None
    key = await store.shared_key(TOKEN_KEY)  # which no client knows, and all engines share
    scope = hashlib.sha256(api_key.encode()).digest() if api_key else b""
    derived = hmac.digest(key, ID_LABEL + scope + request.request_id.encode(), "sha256")
    body = service.encode() + b"/" + request.SerializeToString(deterministic=True)
    return Beginning(request.request_id, urlsafe_b64encode(derived[:ID_BYTES]).decode(), hashlib.sha256(body).digest())
