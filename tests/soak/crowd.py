"""Many watchers in a separate process, which record when each of them received which revision."""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from multiprocessing.connection import Connection

import grpc
import httpx

from services.engine.codecs import CODECS
from services.grpc_server.calls import STREAM_ACCEPTED
from tests.soak.streams import WatchCall, event_of, place, watch

Seats = Sequence[tuple[str, str, int]]
"""Of each watcher: the game, the match, and the revision after which it watches."""
SHARING = 250
"""Watchers on one gRPC channel."""
COMING = 100
"""REST watchers that connect in a second."""
Heard = list[list[tuple[int, float]]]
"""Of each watcher: the revisions received, each with its time in seconds since 1970."""


class Crowd:
    """Watchers of an engine at a gRPC address, or of a gateway at a URL."""

    def __init__(self, where: str, seats: Seats) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.seats = seats
        self._pipe, theirs = spawn.Pipe()
        self._process = spawn.Process(target=_main, args=(theirs, where, seats), daemon=True)
        self._process.start()

    def wait(self) -> None:
        """Wait until all streams are accepted."""
        assert self._pipe.poll(120)
        assert self._pipe.recv() == "watching"

    def heard(self, last: dict[str, int]) -> Heard:
        """What they received up to the last revisions of their matches, and half a second longer."""
        self._pipe.send(last)
        assert self._pipe.poll(240)
        heard: Heard = self._pipe.recv()
        return heard

    def end(self) -> None:
        self._process.kill()
        self._process.join()


def _main(pipe: Connection, where: str, seats: Seats) -> None:
    asyncio.run((_over_rest if where.startswith("http") else _over_grpc)(pipe, where, seats))


@dataclass
class _Ears:
    """The revisions received, and the number of streams accepted."""

    seats: Seats
    heard: Heard = field(default_factory=list)

    def __post_init__(self) -> None:
        self.heard.extend([] for _ in self.seats)
        self.begun = asyncio.Semaphore(0)

    async def tell(self, pipe: Connection) -> None:
        """Report that all watch; then receive the last revisions, wait for them, and report what was received."""
        for _ in self.seats:
            await self.begun.acquire()
        pipe.send("watching")
        last: dict[str, int] = await asyncio.to_thread(pipe.recv)
        deadline = time.monotonic() + 180
        while not self._up_to(last) and time.monotonic() < deadline:
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.5)  # a duplicate would arrive now
        pipe.send(self.heard)

    def _up_to(self, last: dict[str, int]) -> bool:
        pairs = zip(self.heard, self.seats, strict=True)
        return all(heard and heard[-1][0] >= last[match_id] for heard, (_, match_id, _) in pairs)


async def _over_grpc(pipe: Connection, address: str, seats: Seats) -> None:
    ears = _Ears(seats)
    options = [("grpc.use_local_subchannel_pool", 1)]
    async with AsyncExitStack() as stack:
        channels = [
            await stack.enter_async_context(grpc.aio.insecure_channel(address, options=options))
            for _ in range(0, len(seats), SHARING)
        ]

        async def listen(number: int) -> None:
            game, match_id, after = seats[number]
            call = await _accepted(channels[number // SHARING], game, match_id, after)
            ears.begun.release()
            async for answer in call:
                ears.heard[number].append((event_of(answer).revision, time.time()))

        await _until_told(ears, pipe, [asyncio.ensure_future(listen(number)) for number in range(len(seats))])


async def _accepted(channel: grpc.aio.Channel, game: str, match_id: str, after: int) -> WatchCall:
    """A stream that was accepted: an engine that cannot read its store now responds `UNAVAILABLE`, and is retried."""
    while True:
        call = watch(channel, CODECS[game], match_id, after)
        if STREAM_ACCEPTED in dict(await call.initial_metadata() or ()):
            return call
        if await call.code() is not grpc.StatusCode.UNAVAILABLE:
            raise RuntimeError(await call.details())
        await asyncio.sleep(1)


async def _over_rest(pipe: Connection, url: str, seats: Seats) -> None:
    ears = _Ears(seats)
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=url, timeout=60, limits=limits) as client:

        async def listen(number: int) -> None:
            game, match_id, after = seats[number]
            await asyncio.sleep(number / COMING)
            path = f"{place(CODECS[game], match_id)}/events?fromRevision={after}"
            async with client.stream("GET", path) as response:
                assert response.status_code == 200, response.status_code
                ears.begun.release()
                async for line in response.aiter_lines():
                    if line.startswith("id: "):
                        ears.heard[number].append((int(line[4:]), time.time()))

        await _until_told(ears, pipe, [asyncio.ensure_future(listen(number)) for number in range(len(seats))])


async def _until_told(ears: _Ears, pipe: Connection, listening: list[asyncio.Future[None]]) -> None:
    await ears.tell(pipe)
    for task in listening:
        if task.done():
            task.result()
        task.cancel()
    await asyncio.gather(*listening, return_exceptions=True)
