"""Variables of the environment that several services read alike."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from access.variables import positive
from engine_core.bots import LIMITS, SERVED_LIMITS, Limits
from services.bots.allowed import BotAddress, allowed_addresses

DAY: Final = 24 * 60 * 60
MEBIBYTE: Final = 1 << 20
INFLIGHT_BYTES: Final = 64 * MEBIBYTE
"""A message takes up to six times as much while it is worked on, and a pod of `k8s/base` has 512 MiB."""
INT_MOST: Final = (1 << 31) - 1
"""What gRPC takes as a size."""
CONNECTION_MOST: Final = INT_MOST // 1000
"""gRPC counts the age of a connection in milliseconds."""
GRACE_SECONDS: Final = 10.0
LEAST_KEY_BYTES: Final = 32
KEY_ID_MOST: Final = 64
SIGNING_SEED: Final = re.compile("[0-9a-fA-F]{64}")


def connection_seconds(environment: Mapping[str, str]) -> float:
    """After how long a connection is ended; 0 for never."""
    return positive(environment, "FIRESIDE_CONNECTION_SECONDS", float, 0.0, CONNECTION_MOST)


def grace_seconds(environment: Mapping[str, str]) -> float:
    """How long what is in hand may take when a service stops."""
    return positive(environment, "FIRESIDE_GRACE_SECONDS", float, GRACE_SECONDS, DAY)


def message_limit(environment: Mapping[str, str]) -> int:
    """Greatest size of a request in bytes."""
    return positive(environment, "FIRESIDE_MESSAGE_LIMIT", int, MEBIBYTE, INT_MOST)


def inflight_bytes(environment: Mapping[str, str]) -> int:
    """How many bytes of requests may be in flight."""
    return positive(environment, "FIRESIDE_INFLIGHT_BYTES", int, INFLIGHT_BYTES, INT_MOST)


def bot_allow(environment: Mapping[str, str]) -> tuple[BotAddress, ...]:
    """Third parties' bots that may be called."""
    try:
        return allowed_addresses(environment.get("FIRESIDE_BOT_ALLOW", ""))
    except ValueError as error:
        raise ValueError(f"FIRESIDE_BOT_ALLOW: {error}") from None


def bot_limits(environment: Mapping[str, str]) -> Limits:
    """How much the options of our bots may cost in seats of matches; what is not named is as usual."""
    given = {}
    for item in filter(None, environment.get("FIRESIDE_BOT_LIMITS", "").split(",")):
        name, _, text = item.strip().partition("=")
        if name not in Limits._fields or name in given:
            raise ValueError(f"FIRESIDE_BOT_LIMITS: {name!r} is none of {', '.join(Limits._fields)}, or is given twice")
        most = getattr(LIMITS, name)
        if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= most):
            raise ValueError(f"FIRESIDE_BOT_LIMITS: {name} must be from 1 to {most}, not {text!r}")
        given[name] = int(text)
    return SERVED_LIMITS._replace(**given)


def keys(environment: Mapping[str, str], name: str) -> dict[str, str]:
    """A variable of the form `id:key,id:key`, as keys by their ids. Errors never repeat a key."""
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
    """Secrets of the keys that sign records, by their ids."""
    seeds = {}
    for number, (key_id, text) in enumerate(keys(environment, "FIRESIDE_SIGNING_KEYS").items(), 1):
        if SIGNING_SEED.fullmatch(text) is None or len(key_id) > KEY_ID_MOST or not key_id.isprintable():
            raise ValueError(f"FIRESIDE_SIGNING_KEYS: entry {number} is not an id and 64 hexadecimal digits")
        seeds[key_id] = bytes.fromhex(text)
    return seeds


def bot_secret(environment: Mapping[str, str]) -> bytes:
    """What requests to webhooks are signed with. Errors never repeat it."""
    text = environment.get("FIRESIDE_BOT_SECRET", "")
    if text and len(text) < LEAST_KEY_BYTES:
        raise ValueError(f"FIRESIDE_BOT_SECRET: it is shorter than {LEAST_KEY_BYTES} characters")
    return text.encode()
