"""Caller identity for fair sharing of hosted bots and of PNG rendering; it is never used for authorization."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextvars import ContextVar
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final
from urllib.parse import unquote

from runtime.api_keys import CALLER_METADATA

NETWORK_BITS: Final = 64
"""Leading bits of an IPv6 address that identify a caller: a host usually has a whole network of this size."""
DIGEST_BYTES: Final = 8

_origin: Final[ContextVar[str]] = ContextVar("origin_of_the_call", default="")


def set_call_origin(peer: str, metadata: Mapping[str, str]) -> None:
    """Record where the call of this task comes from; `peer` is in gRPC's form.

    The caller named by metadata counts only together with the peer, so that nobody can pass as a gateway's caller.
    """
    _origin.set(f"{_network(peer)} {metadata.get(CALLER_METADATA, '')}")


def caller_digest(holder: str) -> str:
    """Digest of the API key's holder, or without one of the call's origin; empty if that is unknown."""
    origin = f"key {holder}" if holder else _origin.get()
    return hashlib.blake2b(origin.encode(), digest_size=DIGEST_BYTES).hexdigest() if origin else ""


def _network(peer: str) -> str:
    host = unquote(peer).partition(":")[2].rpartition(":")[0].strip("[]")
    try:
        address = ip_address(host)
    except ValueError:
        return peer
    return str(ip_network((address, NETWORK_BITS), strict=False)) if isinstance(address, IPv6Address) else host
