"""TCP server of the tests that closes every connection at its end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
ACCEPT_TURNS = 10
"""Turns of the event loop; asyncio needs three from accepting a connection to calling back."""


@asynccontextmanager
async def tcp_server(serve: Serve, port: int = 0) -> AsyncIterator[int]:
    """Serve connections on a port of 127.0.0.1, a free one by default; yield the port.

    `serve` is cancelled at the end. Its connection is closed when it returns or fails.
    """
    running: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    async def serve_and_close(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            await serve(reader, writer)
        writer.close()

    def accept_connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        running[asyncio.ensure_future(serve_and_close(reader, writer))] = writer

    server = await asyncio.start_server(accept_connection, "127.0.0.1", port)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        # asyncio cannot attach a connection, which it has accepted, to a server that was closed meanwhile.
        for _ in range(ACCEPT_TURNS):
            await asyncio.sleep(0)
        server.close()
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        for writer in running.values():
            writer.transport.abort()
            with suppress(OSError):
                await writer.wait_closed()
