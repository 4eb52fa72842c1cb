"""SHA-256 hash chain over the entries of a match log: a head proves that no earlier entry was changed."""

from __future__ import annotations

import hashlib
from typing import Final

from engine_core.chance import length_prefixed

CHAIN_LABEL: Final = b"fireside/chain/1"
HEAD_BYTES: Final = 32
"""Length of a head in bytes."""

_LINK_PREFIX: Final = length_prefixed([CHAIN_LABEL]) + HEAD_BYTES.to_bytes(4, "big")


def empty_head(start: bytes) -> bytes:
    """The head of an empty chain: SHA-256 over the label and the public facts at the start of the match."""
    return hashlib.sha256(length_prefixed([CHAIN_LABEL, start])).digest()


def next_head(head: bytes, event: bytes) -> bytes:
    """The head after one more entry: SHA-256 over label, previous head and entry, each preceded by its length."""
    return hashlib.sha256(_LINK_PREFIX + head + len(event).to_bytes(4, "big") + event).digest()
