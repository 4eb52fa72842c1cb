"""Independent implementation of hash chains and signatures, from docs/fairness.md and SHA-256 alone."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from google.protobuf.message import Message

CHAIN_LABEL = b"fireside/chain/1"
START_FIELDS = {
    "match_id",
    "game",
    "rules_version",
    "seats",
    "options",
    "client_seeds",
    "commitment",
    "clock",
    "hints",
    "spectator_delay",
    "open_after",
}
"""The fields of a record that are public when the match begins."""


def length_prefixed(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def canonical_bytes(message: Message, excluded: Iterable[str] = ()) -> bytes:
    """The canonical bytes of a message without some of its fields."""
    rest = type(message)()
    rest.CopyFrom(message)
    for name in excluded:
        rest.ClearField(name)
    return rest.SerializeToString(deterministic=True)


def empty_head(record: Message) -> bytes:
    fields = [field.name for field in record.DESCRIPTOR.fields]
    return sha256(
        length_prefixed(CHAIN_LABEL, canonical_bytes(record, [name for name in fields if name not in START_FIELDS]))
    ).digest()


def heads_after(head: bytes, events: Iterable[Message]) -> list[str]:
    """The head after each event, in hexadecimal."""
    heads = []
    for event in events:
        head = sha256(length_prefixed(CHAIN_LABEL, head, canonical_bytes(event, ["head"]))).digest()
        heads.append(head.hex())
    return heads


RECORD_LABEL = b"fireside/record/1"


def signed_message(record: Message) -> bytes:
    """The bytes of a record that the service signs."""
    head = bytes.fromhex(heads_after(empty_head(record), record.events)[-1])  # type: ignore[attr-defined]
    return length_prefixed(RECORD_LABEL, canonical_bytes(record, ["events", "signature"]), head)
