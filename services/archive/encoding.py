"""Encoding of an archived match as an object: a digest of its content, and the content, compressed by zstd.

The digest is in a skippable frame of zstd, so that any program for zstd files decompresses the object.
"""

from __future__ import annotations

import hashlib
import struct
from typing import Final

import zstandard
from fireside.match.v1.archived_match_pb2 import ArchivedMatch

DIGEST_FRAME: Final = struct.pack("<II", 0x184D2A50, hashlib.sha256().digest_size)
"""Head of a skippable frame with the digest."""
CONTENT_START: Final = len(DIGEST_FRAME) + hashlib.sha256().digest_size
LEVEL: Final = 9


class DamagedObject(Exception):
    """An object is not what was written."""


def encode(match: ArchivedMatch) -> bytes:
    """The object of a match; the same for the same match."""
    content = match.SerializeToString(deterministic=True)
    return DIGEST_FRAME + hashlib.sha256(content).digest() + zstandard.ZstdCompressor(LEVEL).compress(content)


def decode(match_id: str, data: bytes) -> ArchivedMatch:
    """The match of an object. Raises `DamagedObject`."""
    digest = data[len(DIGEST_FRAME) : CONTENT_START]
    try:
        content = zstandard.ZstdDecompressor().decompress(data[CONTENT_START:])
    except zstandard.ZstdError as error:
        raise DamagedObject(str(error)) from None
    if not data.startswith(DIGEST_FRAME) or hashlib.sha256(content).digest() != digest:
        raise DamagedObject("the digest is of another content")
    match = ArchivedMatch.FromString(content)
    if match.match_id != match_id:
        raise DamagedObject(f"it is of match {match.match_id!r}")
    return match
