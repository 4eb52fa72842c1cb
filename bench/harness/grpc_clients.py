"""Concurrent gRPC clients of one server, all in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import perf_counter

import grpc

CLIENTS = 8


@dataclass(frozen=True)
class Call:
    """An encoded request, with the token of its caller."""

    request: bytes
    token: str = ""

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """The gRPC metadata with the token."""
        return (("authorization", f"Bearer {self.token}"),) if self.token else ()


@asynccontextmanager
async def open_channels(port: int, count: int = CLIENTS) -> AsyncIterator[list[grpc.aio.Channel]]:
    """Open `count` channels, each with its own connection."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    opened = [grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=options) for _ in range(count)]
    try:
        yield opened
    finally:
        for channel in opened:
            await channel.close()


async def seconds_of_calls(clients: list[grpc.aio.Channel], method: str, calls: list[Call]) -> float:
    """Seconds that the clients take for all calls together; each takes the next call once it has a response."""
    queue = iter(calls)
    start = perf_counter()
    await asyncio.gather(*[_send_calls(client, method, queue) for client in clients])
    return perf_counter() - start


async def _send_calls(client: grpc.aio.Channel, method: str, queue: Iterator[Call]) -> None:
    send: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = client.unary_unary(method)
    for call in queue:
        await send(call.request, metadata=call.metadata)
