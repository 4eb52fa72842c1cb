"""SSRF guard of calls to third parties: resolves a host to the addresses that may be connected to.

The operator's list has the hosts that may be called, but the owner of a listed name chooses its addresses. So
a name may have public addresses only. An address as a host was listed as such, and may be a private one.
Connections are made to the addresses that were checked, never to the name: it could have changed in between.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from ssl import SSLContext
from typing import Final

import httpx

from services.bots.remote.allowed import WEB_PORTS

Resolve = Callable[[str, int], Awaitable[list[str]]]
"""Resolves a host and port to IP addresses, at least one. Raises `OSError`, or `PrivateAddress`."""

CONNECT_SECONDS: Final = 4.0
"""Time to connect to an address, TLS included, if there is another one to try."""
GLOBAL_UNICAST: Final = IPv6Network("2000::/3")
SIX_TO_FOUR: Final = IPv6Network("2002::/16")  # has IPv4 addresses in it, private ones too
NAT64: Final = IPv6Network("64:ff9b::/96")
METADATA: Final = (IPv4Network("168.63.129.16"), IPv4Network("192.0.0.0/24"))
"""Metadata addresses of Azure and Oracle, which Python 3.11 takes for public; other clouds have private ones."""


class PrivateAddress(Exception):
    """A name has no public address."""

    def __init__(self) -> None:
        super().__init__("its name has no public address")


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public internet."""
    ip = ip_address(address)
    if isinstance(ip, IPv6Address):
        embedded = IPv4Address(ip.packed[-4:]) if ip in NAT64 else ip.ipv4_mapped
        if embedded is None:
            return ip.is_global and ip in GLOBAL_UNICAST and ip not in SIX_TO_FOUR
        ip = embedded
    return ip.is_global and not ip.is_multicast and not any(ip in network for network in METADATA)


async def resolve(host: str, port: int) -> list[str]:
    """All addresses of a host, in the order of RFC 6724. Raises `OSError`."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError:  # a label is empty or too long
        raise OSError("there is no such name") from None
    return list(dict.fromkeys([str(entry[4][0]) for entry in found]))


async def resolve_public(host: str, port: int) -> list[str]:
    """A host that is an address, or else the public addresses of a name. Raises `PrivateAddress` or `OSError`."""
    if _is_address(host):
        return [host]
    addresses = [address for address in await resolve(host, port) if is_public(address)]
    if not addresses:
        raise PrivateAddress
    return addresses


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:  # also for 127.1 and 0x7f000001, which `resolve` knows
        return False
    return True


class GuardedTransport(httpx.AsyncHTTPTransport):
    """HTTP transport to the addresses of `resolve`, where `Host` and the certificate are still those of the name.

    Each request has a connection of its own. A reused one could have been verified for another name of its address,
    and a second response to an earlier request would be taken for the response to this one.
    """

    def __init__(self, resolve: Resolve, calls: int, verify: SSLContext | bool = True) -> None:
        limits = httpx.Limits(max_connections=calls, max_keepalive_connections=0)
        super().__init__(verify, trust_env=False, limits=limits)
        self._resolve: Final = resolve

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request to the first address that accepts a connection. Raises `PrivateAddress` too."""
        host = request.url.raw_host.decode()
        port = request.url.port or WEB_PORTS[request.url.scheme]
        try:
            *others, last = await self._resolve(host, port)
        except OSError as error:
            raise httpx.ConnectError(str(error), request=request) from None
        request.extensions = {**request.extensions, "sni_hostname": host}
        for address in others:
            with suppress(httpx.ConnectError, httpx.ConnectTimeout):  # so far nothing was sent
                return await self._send(request, address, CONNECT_SECONDS)
        return await self._send(request, last, None)

    async def _send(self, request: httpx.Request, address: str, connect_seconds: float | None) -> httpx.Response:
        request.url = request.url.copy_with(host=address)
        request.extensions["timeout"] = {**request.extensions["timeout"], "connect": connect_seconds}
        return await super().handle_async_request(request)
