"""DNS server of the tests: names with several addresses of this machine, which tests can change."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ipaddress import IPv4Address
from typing import cast

HEADER = struct.Struct("!6H")
RECORD = struct.Struct("!HHHIH4s")
QUESTION_NAME = 0xC00C
"""Compression pointer to the name in the question, right after the header."""
RESPONSE, NO_SUCH_NAME = 0x8180, 3
TYPE_A, CLASS_IN = 1, 1


class DnsServer(asyncio.DatagramProtocol):
    """Answers A queries from a table of names; `port` is the UDP port of the server."""

    def __init__(self) -> None:
        self.addresses: dict[str, list[str]] = {}
        self.port = 0
        self._transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.DatagramTransport, transport)
        self.port = transport.get_extra_info("sockname")[1]

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        assert self._transport is not None
        self._transport.sendto(self._response(data), addr)

    def _response(self, data: bytes) -> bytes:
        name, end = _parse_name(data, HEADER.size)
        kind, _ = struct.unpack_from("!HH", data, end)
        known = self.addresses.get(name.lower())
        found = known if known and kind == TYPE_A else []
        records = [RECORD.pack(QUESTION_NAME, TYPE_A, CLASS_IN, 0, 4, IPv4Address(address).packed) for address in found]
        flags = RESPONSE if known else RESPONSE | NO_SUCH_NAME
        head = HEADER.pack(struct.unpack_from("!H", data)[0], flags, 1, len(records), 0, 0)
        return head + data[HEADER.size : end + 4] + b"".join(records)

    def target(self, name: str, port: int) -> str:
        """The gRPC target that resolves a name with this server."""
        return f"dns://127.0.0.1:{self.port}/{name}:{port}"


def _parse_name(data: bytes, start: int) -> tuple[str, int]:
    labels = []
    while length := data[start]:
        labels.append(data[start + 1 : start + 1 + length].decode())
        start += 1 + length
    return ".".join(labels), start + 1


@asynccontextmanager
async def run_dns_server() -> AsyncIterator[DnsServer]:
    """Run a DNS server."""
    loop = asyncio.get_running_loop()
    transport, server = await loop.create_datagram_endpoint(DnsServer, ("127.0.0.1", 0))
    try:
        yield server
    finally:
        transport.close()
