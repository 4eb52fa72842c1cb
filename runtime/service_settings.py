"""Readers of the environment variables that several gRPC services share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from runtime.environment import positive_number

DAY: Final = 24 * 60 * 60
MEBIBYTE: Final = 1 << 20
INFLIGHT_BYTES: Final = 64 * MEBIBYTE
"""A message takes up to six times its size in memory while it is handled; a pod of `k8s/base` has 512 MiB."""
SMALL_BYTES: Final = 16 << 10
"""A request up to this size is accepted when larger ones are refused: its connection takes as much memory anyway."""
MAX_INT: Final = (1 << 31) - 1
"""Largest size that gRPC accepts."""
MAX_CONNECTION_SECONDS: Final = MAX_INT // 1000
"""gRPC counts the age of a connection in milliseconds."""
MAX_REPLICAS: Final = 100
GRACE_SECONDS: Final = 10.0
MIN_KEY_BYTES: Final = 32
MAX_KEY_ID_LENGTH: Final = 64
SIGNING_SEED: Final = re.compile("[0-9a-fA-F]{64}")


def connection_seconds(environment: Mapping[str, str]) -> float:
    """Greatest age of a connection, in seconds; 0 for no limit."""
    return positive_number(environment, "FIRESIDE_CONNECTION_SECONDS", float, 0.0, MAX_CONNECTION_SECONDS)


def grace_seconds(environment: Mapping[str, str]) -> float:
    """How long calls in flight may take when a service stops, in seconds."""
    return positive_number(environment, "FIRESIDE_GRACE_SECONDS", float, GRACE_SECONDS, DAY)


def message_limit(environment: Mapping[str, str]) -> int:
    """Greatest size of a request in bytes."""
    return positive_number(environment, "FIRESIDE_MESSAGE_LIMIT", int, MEBIBYTE, MAX_INT)


def inflight_bytes(environment: Mapping[str, str]) -> int:
    """Limit of the bytes of requests in flight."""
    return positive_number(environment, "FIRESIDE_INFLIGHT_BYTES", int, INFLIGHT_BYTES, MAX_INT)


def replicas(environment: Mapping[str, str]) -> int:
    """How many replicas of Redis must have a change before it is acknowledged; 0 by default."""
    zero = environment.get("FIRESIDE_REPLICAS", "") == "0"
    number = 0 if zero else positive_number(environment, "FIRESIDE_REPLICAS", int, 0, MAX_REPLICAS)
    if number and not environment.get("REDIS_URL"):
        raise ValueError("FIRESIDE_REPLICAS: without a REDIS_URL there are no replicas")
    return number


def parse_keys(environment: Mapping[str, str], name: str) -> dict[str, str]:
    """Parse a variable `id:key,id:key` into keys by id. Raises `ValueError`, which never repeats a key."""
    text, found = environment.get(name, ""), {}
    for number, item in enumerate([item.strip() for item in text.split(",") if item.strip()], 1):
        key_id, separator, key = item.partition(":")
        if not separator or not key_id:
            raise ValueError(f"{name}: entry {number} is not of the form id:key")
        if key_id in found:
            raise ValueError(f"{name}: entry {number} has the id of another")
        found[key_id] = key
    if text and not found:
        raise ValueError(f"{name}: it has no entry")
    return found


def signing_keys(environment: Mapping[str, str]) -> dict[str, bytes]:
    """Ed25519 seeds of the keys that sign records, 32 bytes each, by their ids. Raises `ValueError`."""
    seeds = {}
    for number, (key_id, text) in enumerate(parse_keys(environment, "FIRESIDE_SIGNING_KEYS").items(), 1):
        if SIGNING_SEED.fullmatch(text) is None or len(key_id) > MAX_KEY_ID_LENGTH or not key_id.isprintable():
            raise ValueError(f"FIRESIDE_SIGNING_KEYS: entry {number} is not an id and 64 hexadecimal digits")
        seeds[key_id] = bytes.fromhex(text)
    return seeds
