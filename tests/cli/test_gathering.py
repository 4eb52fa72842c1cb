"""What reaches the transport, and when."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from cli.gathering import GATHERED_MOST, Gathering


class Pieces(asyncio.Protocol):
    """Keeps what comes, piece by piece."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.is_over = asyncio.Event()

    def data_received(self, data: bytes) -> None:
        self.pieces.append(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_over.set()


class Sender(asyncio.Protocol):
    """Is told when the other side takes less than is sent."""

    is_paused = False

    def pause_writing(self) -> None:
        self.is_paused = True


@asynccontextmanager
async def connected() -> AsyncIterator[tuple[Gathering, Sender, Pieces]]:
    loop = asyncio.get_running_loop()
    pieces = Pieces()
    server = await loop.create_server(lambda: pieces, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    transport, sender = await loop.create_connection(Sender, "127.0.0.1", port)
    try:
        yield Gathering(transport, loop), sender, pieces
    finally:
        transport.abort()
        server.close()
        await pieces.is_over.wait()


async def test_what_is_written_in_one_turn_comes_in_one_piece() -> None:
    async with connected() as (gathering, _, pieces):
        gathering.write(b"head ")
        gathering.write(b"body")
        while not pieces.pieces:
            await asyncio.sleep(0.01)
        assert pieces.pieces == [b"head body"]


async def test_what_was_written_comes_before_the_end() -> None:
    async with connected() as (gathering, _, pieces):
        gathering.write(b"all")
        gathering.close()
        assert gathering.is_closing()
        await pieces.is_over.wait()
        assert pieces.pieces == [b"all"]


async def test_nothing_comes_after_giving_up() -> None:
    async with connected() as (gathering, _, pieces):
        gathering.write(b"all")
        gathering.abort()
        await pieces.is_over.wait()
        assert pieces.pieces == []


async def test_much_does_not_wait_for_the_end_of_the_turn() -> None:
    async with connected() as (gathering, sender, _):
        for _ in range(1000):
            gathering.write(bytes(GATHERED_MOST))
        assert sender.is_paused
