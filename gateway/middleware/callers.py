"""Whose call it is, for counting: the holder of a known API key, or else an address."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final, TypeAlias

from starlette.datastructures import Headers
from starlette.types import Scope

from runtime.api_keys import HEADER, KEY_MOST, ApiKeys

Address: TypeAlias = IPv4Address | IPv6Address

FORWARDED: Final = "X-Forwarded-For"
NOWHERE: Final = "nowhere"
"""The address of a client of a Unix socket."""
NETWORK_BITS: Final = 64
"""Of an IPv6 address: whoever has one has a whole network of them."""

_WITH_PORT: Final = re.compile(r"\[([0-9a-fA-F:.]+)\](?::\d{1,5})?|([0-9.]+):\d{1,5}")


class Callers:
    """Tells callers apart. `hops` is how many proxies before the gateway are believed; none with 0."""

    def __init__(self, keys: ApiKeys, hops: int) -> None:
        self._keys: Final = keys
        self._hops: Final = hops

    def caller(self, scope: Scope) -> str:
        """`key:NAME` with a key that is known, else `address:IP`."""
        headers = Headers(scope=scope)
        key = headers.get(HEADER, "")
        holder = self._keys.holder(key) if self._keys and 0 < len(key) <= KEY_MOST else ""
        return f"key:{holder}" if holder else f"address:{self._address(scope, headers)}"

    def _address(self, scope: Scope, headers: Headers) -> str:
        forwarded = _entry(headers.getlist(FORWARDED), self._hops) if self._hops else ""
        address = _parsed(forwarded) or _parsed(scope["client"][0] if scope.get("client") else "")
        return _counted(address) if address else NOWHERE


def _entry(values: list[str], hops: int) -> str:
    """The entry that the outermost of the believed proxies has added: any further left, clients can make up."""
    entries = ",".join(values).rsplit(",", hops)
    return entries[-hops].strip() if len(entries) >= hops else ""


def _parsed(text: str) -> Address | None:
    """An address, with or without the port that some proxies add."""
    with_port = _WITH_PORT.fullmatch(text)
    try:
        address = ip_address((with_port[1] or with_port[2]) if with_port else text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def _counted(address: Address) -> str:
    if isinstance(address, IPv4Address):
        return str(address)
    network = int(address) >> NETWORK_BITS << NETWORK_BITS
    return f"{IPv6Address(network)}/{NETWORK_BITS}"
