"""TCP proxy that stands for a Kubernetes Service: each new connection goes to a random pod."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from tests.tcp_server import tcp_server

CHUNK = 1 << 16

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def tcp_proxy(endpoints: Callable[[], list[str]], port: int) -> AsyncIterator[str]:
    """Forward new connections to `port` of one of the current endpoints; open connections stay. The proxy's URL."""

    async def serve_connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await _forward_both_ways((reader, writer), await asyncio.open_connection(random.choice(endpoints()), port))
        except (OSError, asyncio.CancelledError):
            writer.transport.abort()  # so that the client sees its connection closed

    async with tcp_server(serve_connection) as proxy_port:
        yield f"http://127.0.0.1:{proxy_port}"


async def _forward_both_ways(client: Streams, pod: Streams) -> None:
    try:
        await asyncio.gather(_forward_bytes(client[0], pod[1]), _forward_bytes(pod[0], client[1]))
    finally:
        pod[1].transport.abort()


async def _forward_bytes(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await source.read(CHUNK):
            sink.write(data)
            await sink.drain()
    sink.close()
