"""Identity of a caller, for rate limits: the holder of a known API key, or else the IP address."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final, TypeAlias

from starlette.datastructures import Headers
from starlette.types import Scope

from runtime.api_keys import API_KEY_HEADER, MAX_API_KEY_LENGTH, ApiKeys

IpAddress: TypeAlias = IPv4Address | IPv6Address

FORWARDED_HEADER: Final = "X-Forwarded-For"
NO_ADDRESS: Final = "nowhere"
"""Stands for the address of a client on a Unix socket, which has none."""
NETWORK_BITS: Final = 64
"""IPv6 addresses are counted by this prefix length, since one client usually owns a whole /64."""

_ADDRESS_WITH_PORT: Final = re.compile(r"\[([0-9a-fA-F:.]+)\](?::\d{1,5})?|([0-9.]+):\d{1,5}")


class CallerResolver:
    """Identifies callers. `trusted_hops` is the number of proxies whose entries in `X-Forwarded-For` are trusted."""

    def __init__(self, keys: ApiKeys, trusted_hops: int) -> None:
        self._keys: Final = keys
        self._trusted_hops: Final = trusted_hops

    def caller(self, scope: Scope) -> str:
        """`key:NAME` for a known API key, else `address:IP`."""
        headers = Headers(scope=scope)
        key = headers.get(API_KEY_HEADER, "")
        holder = self._keys.holder(key) if self._keys and 0 < len(key) <= MAX_API_KEY_LENGTH else ""
        return f"key:{holder}" if holder else f"address:{self._address(scope, headers)}"

    def _address(self, scope: Scope, headers: Headers) -> str:
        forwarded = (
            _forwarded_entry(headers.getlist(FORWARDED_HEADER), self._trusted_hops) if self._trusted_hops else ""
        )
        address = _parse_address(forwarded) or _parse_address(scope["client"][0] if scope.get("client") else "")
        return _network(address) if address else NO_ADDRESS


def _forwarded_entry(values: list[str], trusted_hops: int) -> str:
    """The entry added by the outermost trusted proxy; clients can forge every entry to the left of it."""
    entries = ",".join(values).rsplit(",", trusted_hops)
    return entries[-trusted_hops].strip() if len(entries) >= trusted_hops else ""


def _parse_address(text: str) -> IpAddress | None:
    """An address with or without a port, which some proxies add. None for anything else."""
    with_port = _ADDRESS_WITH_PORT.fullmatch(text)
    try:
        address = ip_address((with_port[1] or with_port[2]) if with_port else text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def _network(address: IpAddress) -> str:
    if isinstance(address, IPv4Address):
        return str(address)
    network = int(address) >> NETWORK_BITS << NETWORK_BITS
    return f"{IPv6Address(network)}/{NETWORK_BITS}"
