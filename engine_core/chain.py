"""SHA-256 hash chains over the lines of a log: a head proves that no line before it was changed later."""

from __future__ import annotations

import hashlib
from typing import Final

from engine_core.chance import joined

CHAIN_LABEL: Final = b"fireside/chain/1"
HEAD_BYTES: Final = 32
"""Length of a head."""

_BEFORE_HEAD: Final = joined([CHAIN_LABEL]) + HEAD_BYTES.to_bytes(4, "big")


def first(start: bytes) -> bytes:
    """The head of a chain without lines: SHA-256 over the label and all that is public when the match begins."""
    return hashlib.sha256(joined([CHAIN_LABEL, start])).digest()


def after(head: bytes, event: bytes) -> bytes:
    """The head after one more line: SHA-256 over the label, the head before it and the line, each after its length."""
    return hashlib.sha256(_BEFORE_HEAD + head + len(event).to_bytes(4, "big") + event).digest()
