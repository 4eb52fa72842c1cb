"""API keys: creation, the setting with their hashes, and verification.

A key is 32 random bytes, so plain SHA-256 is enough as its hash: a slow hash protects only guessable secrets. The
settings contain the hashes only, and no log, error or repr contains a key.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from typing import Final

KEYS_VARIABLE: Final = "FIRESIDE_API_KEYS"
API_KEY_HEADER: Final = "X-Api-Key"
CALLER_METADATA: Final = "fireside-caller"
"""gRPC metadata in which a gateway names the caller of a forwarded call: a key's holder, or an address."""
KEY_METHODS: Final = frozenset({"NewGame", "Join"})
"""Methods of a game whose credential is an API key."""
HOST_METHODS: Final = frozenset({"Invite", "Reissue", "Substitute", "Withdraw"})
"""Methods of a game whose credential is a token or the API key that started the match."""
KEY_BYTES: Final = 32
MAX_API_KEY_LENGTH: Final = 256
"""Greatest length of a key in characters."""
MAX_KEYS_OF_HOLDER: Final = 2
"""Most keys of one name: the present one and, while it is replaced, the next."""

_NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_HASH: Final = re.compile(r"[0-9a-fA-F]{64}")


class ApiKeys:
    """Names of the holders of the known keys by the keys' SHA-256 hashes; empty (and false) if no key is required."""

    def __init__(self, hashes: Mapping[bytes, str] | None = None) -> None:
        self._hashes: Final = dict(hashes or {})

    def __bool__(self) -> bool:
        return bool(self._hashes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ApiKeys) and self._hashes == other._hashes

    def __hash__(self) -> int:
        return hash(tuple(self._hashes))

    def holder(self, key: str) -> str:
        """The name of a key's holder; empty for an unknown key. Takes the same time for every key."""
        given = hashlib.sha256(key.encode(errors="replace")).digest()
        found = ""
        for known, name in self._hashes.items():
            if hmac.compare_digest(given, known):
                found = name
        return found


def parse(text: str) -> ApiKeys:
    """Parse a setting `name:hash,name:hash`. Raises `ValueError`, which repeats nothing of the setting."""
    hashes: dict[bytes, str] = {}
    for number, item in enumerate([item.strip() for item in text.split(",") if item.strip()], 1):
        name, _, digest = item.partition(":")
        if not _NAME.fullmatch(name) or not _HASH.fullmatch(digest):
            raise ValueError(
                f"{KEYS_VARIABLE}: entry {number} is not of the form name:sha256, in 64 hexadecimal digits"
            )
        known = bytes.fromhex(digest)
        if known in hashes:
            raise ValueError(f"{KEYS_VARIABLE}: entry {number} has the key of another")
        hashes[known] = name
        if [*hashes.values()].count(name) > MAX_KEYS_OF_HOLDER:
            raise ValueError(f"{KEYS_VARIABLE}: entry {number} is one more than {MAX_KEYS_OF_HOLDER} of its name")
    if text and not hashes:
        raise ValueError(f"{KEYS_VARIABLE}: it has no entry, and would let everybody in")
    return ApiKeys(hashes)


def new_key() -> str:
    """A new random key, in URL-safe Base64."""
    return secrets.token_urlsafe(KEY_BYTES)


def key_entry(name: str, key: str) -> str:
    """The entry of a key for the setting. Raises `ValueError` for an invalid name."""
    if not _NAME.fullmatch(name):
        raise ValueError("a name has 1 to 64 letters, digits, dots, dashes and underscores")
    return f"{name}:{hashlib.sha256(key.encode()).hexdigest()}"
