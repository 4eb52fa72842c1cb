"""Authentication: tokens of seats and hosts of matches (JSON Web Tokens), and API keys to begin matches."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import jwt

from runtime.api_keys import MAX_API_KEY_LENGTH, ApiKeys
from services.grpc_server.errors import API_KEY, Unauthenticated
from services.store.keys import TOKEN_KEY
from services.store.matches.store import Store

ALGORITHM: Final = "HS256"
BEARER_PREFIX: Final = "bearer "
MAX_TOKEN_LENGTH: Final = 1024
"""Longest token in characters."""
TOKEN_SECONDS: Final = 365 * 24 * 60 * 60
MAX_CACHED_TOKENS: Final = 10_000
"""Number of cached verified tokens; keys do not change while the process runs, so entries stay valid."""
EXPIRED_TEXT: Final = "the seat token has expired"


HOST: Final = -3
"""The `seat` of a host's claim; unlike `SPECTATOR` and `NATURE`, which no token names."""


class Claim(NamedTuple):
    """What a token proves: the right to one seat of one match, or to be its host."""

    match_id: str
    seat: int
    number: int = 0
    """Number of the seat's token: only the last one that was issued is valid."""


class _VerifiedClaim(NamedTuple):
    """A verified claim, and the second since 1970 at which it expires."""

    claim: Claim
    until: int


class SeatTokens:
    """Signs and verifies seat tokens: JSON Web Tokens whose header names their key.

    Of `keys` (by id) the first signs and all are accepted, so that keys can be rotated. Without `keys`, a key is made
    once and stored, so that all processes on a store share it. A token is valid for `seconds`. It is issued only when a
    match begins, so it has to outlive every match.
    """

    def __init__(self, keys: Mapping[str, bytes], store: Store, seconds: int = TOKEN_SECONDS) -> None:
        self._seconds: Final = seconds
        self._shared: Final = not keys
        self._keys: Final = dict(keys)
        self._store: Final = store
        self._verified_tokens: Final[dict[str, _VerifiedClaim]] = {}

    async def sign(self, claims: Sequence[Claim], since: int = 0) -> list[str]:
        """A token for each seat, valid from `since` (seconds since 1970; 0 for now); equal claims give equal tokens."""
        key_id = await self._learn_shared_key() if self._shared else next(iter(self._keys))
        until = (since or int(time.time())) + self._seconds
        return [
            jwt.encode(
                _payload(claim, until),
                self._keys[key_id],
                algorithm=ALGORITHM,
                headers={"kid": key_id},
            )
            for claim in claims
        ]

    async def claim(self, authorization: str) -> Claim | None:
        """The claim of the token in an `authorization` value; None without a value. Raises `Unauthenticated`."""
        token = bearer(authorization)
        return await self.read(token) if token else None

    async def read(self, token: str) -> Claim:
        """The claim of a token. Raises `Unauthenticated` if it is malformed, forged or expired."""
        verified = self._verified_tokens.get(token) or await self._verify(token)
        if verified.until <= time.time():
            self._verified_tokens.pop(token, None)
            raise Unauthenticated(EXPIRED_TEXT)
        return verified.claim

    async def _verify(self, token: str) -> _VerifiedClaim:
        if len(token) > MAX_TOKEN_LENGTH:
            raise Unauthenticated("the seat token is too long")
        try:
            key_id = jwt.get_unverified_header(token).get("kid", "")
            if key_id not in self._keys and self._shared:  # signed by another process of the store
                await self._learn_shared_key()
            verified = self._decode(token, key_id)
        except jwt.ExpiredSignatureError:
            raise Unauthenticated(EXPIRED_TEXT) from None
        except (jwt.InvalidTokenError, KeyError, TypeError) as error:
            raise Unauthenticated("the seat token is invalid") from error
        if len(self._verified_tokens) == MAX_CACHED_TOKENS:
            self._verified_tokens.clear()
        self._verified_tokens[token] = verified
        return verified

    def _decode(self, token: str, key_id: str) -> _VerifiedClaim:
        payload = jwt.decode(token, self._keys[key_id], algorithms=[ALGORITHM], options={"require": ["exp"]})
        match_id, until, number = payload["match"], payload["exp"], payload.get("number", 0)
        seat = HOST if payload.get("host") is True else payload["seat"]
        # `type`, for a JSON `true` is an instance of int.
        if not isinstance(match_id, str) or any(type(value) is not int for value in (seat, until, number)):
            raise TypeError("a claim of another kind")
        return _VerifiedClaim(Claim(match_id, seat, number), until)

    async def _learn_shared_key(self) -> str:
        key = await self._store.shared_key(TOKEN_KEY)
        key_id = hashlib.sha256(key).hexdigest()[:8]
        self._keys[key_id] = key
        return key_id


def _payload(claim: Claim, until: int) -> dict[str, object]:
    """The payload of a token, without what has its default."""
    payload: dict[str, object] = {"match": claim.match_id}
    payload |= {"host": True} if claim.seat == HOST else {"seat": claim.seat}
    if claim.number:
        payload["number"] = claim.number
    return payload | {"exp": until}


def bearer(authorization: str) -> str:
    """The token in an `authorization` value; empty for an empty value. Raises `Unauthenticated` for another scheme."""
    if not authorization:
        return ""
    if not authorization.lower().startswith(BEARER_PREFIX):
        raise Unauthenticated("the seat token must be a bearer token")
    token = authorization[len(BEARER_PREFIX) :].strip()
    if not token:
        raise Unauthenticated("the seat token is empty")
    return token


def check_api_key(keys: ApiKeys, key: str, requirement: str = "beginning a match requires an API key") -> None:
    """Raise `Unauthenticated` unless the key is known; the error does not repeat it."""
    if not key:
        raise Unauthenticated(requirement, API_KEY)
    if len(key) > MAX_API_KEY_LENGTH or not keys.holder(key):
        raise Unauthenticated("unknown API key", API_KEY)
