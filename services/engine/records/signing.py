"""Ed25519 keys that sign match records; their public keys are published."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from services.store.keys import SIGNING_KEY
from services.store.matches.store import Store

ALGORITHM: Final = "Ed25519"


class SigningKey(NamedTuple):
    """An Ed25519 key with its id."""

    key_id: str
    public: bytes
    private: Ed25519PrivateKey

    def sign(self, message: bytes) -> bytes:
        """The signature of a message, 64 bytes."""
        return self.private.sign(message)


class SigningKeys:
    """The signing keys of a service; the first signs.

    `seeds` are their secrets by id. Without any, one is made once and stored, so that all processes on a store share
    it.
    """

    def __init__(self, seeds: Mapping[str, bytes], store: Store) -> None:
        self._seeds: Final = dict(seeds)
        self._store: Final = store
        self._keys: list[SigningKey] = []

    async def current(self) -> SigningKey:
        """The key that signs. Raises the errors of the store."""
        return (await self.all())[0]

    async def all(self) -> list[SigningKey]:
        """Every key. Raises the errors of the store."""
        if not self._keys:
            seeds = self._seeds or _keys_by_id(await self._store.shared_key(SIGNING_KEY))
            self._keys = [_key(key_id, seed) for key_id, seed in seeds.items()]
        return self._keys


def _keys_by_id(seed: bytes) -> dict[str, bytes]:
    return {hashlib.sha256(_key("", seed).public).hexdigest()[:8]: seed}


def _key(key_id: str, seed: bytes) -> SigningKey:
    private = Ed25519PrivateKey.from_private_bytes(seed)
    return SigningKey(key_id, private.public_key().public_bytes_raw(), private)


def is_valid_signature(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether a signature of a message is valid for a public key."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):  # the latter for bytes that are no key
        return False
    return True
