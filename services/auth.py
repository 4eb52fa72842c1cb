"""Seat tokens: who may see and move for which seat of which match."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import jwt

from services.errors import Unauthenticated
from services.store import Store

ALGORITHM: Final = "HS256"
KEY_BYTES: Final = 32
SCHEME: Final = "bearer "
TOKEN_MOST: Final = 1024
"""No token is longer."""
READ_MOST: Final = 10_000
"""How many tokens are remembered once they are verified: their keys do not change while the process lives."""


@dataclass(frozen=True)
class Claim:
    """What a token proves: the right to one seat of one match."""

    match_id: str
    seat: int


class Tokens:
    """Signs and reads seat tokens: JSON Web Tokens whose header names their key.

    With `keys` (key by its id) the first signs and all are accepted, so that keys can be rotated. Without, a key is
    made once and kept in the store, so that all who share the store agree.
    """

    def __init__(self, keys: Mapping[str, bytes], store: Store) -> None:
        self._shared: Final = not keys
        self._keys: Final = dict(keys)
        self._store: Final = store
        self._read: Final[dict[str, Claim]] = {}

    async def sign(self, claims: Sequence[Claim]) -> list[str]:
        """A token for each seat."""
        key_id = await self._learn_shared_key() if self._shared else next(iter(self._keys))
        return [
            jwt.encode(
                {"match": claim.match_id, "seat": claim.seat},
                self._keys[key_id],
                algorithm=ALGORITHM,
                headers={"kid": key_id},
            )
            for claim in claims
        ]

    async def claim(self, authorization: str) -> Claim | None:
        """What the token in an `authorization` value proves; None without a value. Raises `Unauthenticated`."""
        token = bearer(authorization)
        return await self.read(token) if token else None

    async def read(self, token: str) -> Claim:
        """What a token proves. Raises `Unauthenticated` for one that cannot be read or has a wrong signature."""
        known = self._read.get(token)
        if known is not None:
            return known
        if len(token) > TOKEN_MOST:
            raise Unauthenticated("the seat token is too long")
        try:
            key_id = jwt.get_unverified_header(token).get("kid", "")
            if key_id not in self._keys and self._shared:
                await self._learn_shared_key()
            claim = self._verified(token, key_id)
        except (jwt.InvalidTokenError, KeyError, TypeError) as error:
            raise Unauthenticated("the seat token cannot be read") from error
        if len(self._read) == READ_MOST:
            self._read.clear()
        self._read[token] = claim
        return claim

    def _verified(self, token: str, key_id: str) -> Claim:
        payload = jwt.decode(token, self._keys[key_id], algorithms=[ALGORITHM])
        match_id, seat = payload["match"], payload["seat"]
        if not isinstance(match_id, str) or type(seat) is not int:
            raise TypeError("a claim of another kind")
        return Claim(match_id, seat)

    async def _learn_shared_key(self) -> str:
        key = await self._store.token_key(secrets.token_bytes(KEY_BYTES))
        key_id = hashlib.sha256(key).hexdigest()[:8]
        self._keys[key_id] = key
        return key_id


def bearer(authorization: str) -> str:
    """The token of an `authorization` value; empty for an empty one. Raises `Unauthenticated` for another scheme."""
    if not authorization:
        return ""
    if not authorization.lower().startswith(SCHEME):
        raise Unauthenticated("the seat token must be a bearer token")
    token = authorization[len(SCHEME) :].strip()
    if not token:
        raise Unauthenticated("the seat token is empty")
    return token
