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
from tests.server_sent_events import log_entries
from tests.soak.streams import WatchCall, matches_path, revisions_of, watch_events

WatchTargets = Sequence[tuple[str, str, int]]
"""Of each watcher: the game, the match, and the revision after which it watches."""
WATCHERS_A_CHANNEL = 250
"""Watchers on one gRPC channel."""
CONNECTS_A_SECOND = 100
"""REST watchers that connect in a second."""
Received = list[list[tuple[int, float]]]
"""Of each watcher: the revisions received, each with its time in seconds since 1970."""


class WatcherProcess:
    """Watchers of an engine at a gRPC address, or of a gateway at a URL."""

    def __init__(self, address_or_url: str, targets: WatchTargets) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.targets = targets
        self._pipe, child_pipe = spawn.Pipe()
        self._process = spawn.Process(target=_run_watchers, args=(child_pipe, address_or_url, targets), daemon=True)
        self._process.start()

    def wait_until_watching(self) -> None:
        """Wait until all streams are accepted."""
        assert self._pipe.poll(120)
        assert self._pipe.recv() == "watching"

    def received(self, last: dict[str, int]) -> Received:
        """What they received up to the last revisions of their matches, and half a second longer."""
        self._pipe.send(last)
        assert self._pipe.poll(240)
        received: Received = self._pipe.recv()
        return received

    def kill(self) -> None:
        self._process.kill()
        self._process.join()


def _run_watchers(pipe: Connection, address_or_url: str, targets: WatchTargets) -> None:
    asyncio.run((_over_rest if address_or_url.startswith("http") else _over_grpc)(pipe, address_or_url, targets))


@dataclass
class _ReceivedEvents:
    """The revisions received, and the number of streams accepted."""

    targets: WatchTargets
    received: Received = field(default_factory=list)

    def __post_init__(self) -> None:
        self.received.extend([] for _ in self.targets)
        self.accepted = asyncio.Semaphore(0)

    async def report(self, pipe: Connection) -> None:
        """Report that all watch; then receive the last revisions, wait for them, and report what was received."""
        for _ in self.targets:
            await self.accepted.acquire()
        pipe.send("watching")
        last: dict[str, int] = await asyncio.to_thread(pipe.recv)
        deadline = time.monotonic() + 180
        while not self._has_received(last) and time.monotonic() < deadline:
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.5)  # a duplicate would arrive now
        pipe.send(self.received)

    def _has_received(self, last: dict[str, int]) -> bool:
        received_by_target = zip(self.received, self.targets, strict=True)
        return all(received and received[-1][0] >= last[match_id] for received, (_, match_id, _) in received_by_target)


async def _over_grpc(pipe: Connection, address: str, targets: WatchTargets) -> None:
    events = _ReceivedEvents(targets)
    options = [("grpc.use_local_subchannel_pool", 1)]
    async with AsyncExitStack() as stack:
        channels = [
            await stack.enter_async_context(grpc.aio.insecure_channel(address, options=options))
            for _ in range(0, len(targets), WATCHERS_A_CHANNEL)
        ]

        async def receive_events(number: int) -> None:
            game, match_id, after = targets[number]
            call = await _accepted_call(channels[number // WATCHERS_A_CHANNEL], game, match_id, after)
            events.accepted.release()
            async for revision in revisions_of(call):
                events.received[number].append((revision, time.time()))

        await _report_then_cancel(
            events, pipe, [asyncio.ensure_future(receive_events(number)) for number in range(len(targets))]
        )


async def _accepted_call(channel: grpc.aio.Channel, game: str, match_id: str, after: int) -> WatchCall:
    """A stream that was accepted: an engine that cannot read its store now responds `UNAVAILABLE`, and is retried."""
    while True:
        call = watch_events(channel, CODECS[game], match_id, after)
        if STREAM_ACCEPTED in dict(await call.initial_metadata() or ()):
            return call
        if await call.code() is not grpc.StatusCode.UNAVAILABLE:
            raise RuntimeError(await call.details())
        await asyncio.sleep(1)


async def _over_rest(pipe: Connection, url: str, targets: WatchTargets) -> None:
    events = _ReceivedEvents(targets)
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=url, timeout=60, limits=limits) as client:

        async def receive_events(number: int) -> None:
            game, match_id, after = targets[number]
            await asyncio.sleep(number / CONNECTS_A_SECOND)
            path = f"{matches_path(CODECS[game], match_id)}/events?fromRevision={after}"
            async with client.stream("GET", path) as response:
                assert response.status_code == 200, response.status_code
                events.accepted.release()
                async for event in log_entries(response):
                    events.received[number].append((int(event.id), time.time()))

        await _report_then_cancel(
            events, pipe, [asyncio.ensure_future(receive_events(number)) for number in range(len(targets))]
        )


async def _report_then_cancel(events: _ReceivedEvents, pipe: Connection, listening: list[asyncio.Future[None]]) -> None:
    await events.report(pipe)
    for task in listening:
        if task.done():
            task.result()
        task.cancel()
    await asyncio.gather(*listening, return_exceptions=True)
