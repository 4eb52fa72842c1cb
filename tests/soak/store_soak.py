"""Players and watchers for soaks in which the store fails over: over gRPC and REST, on two engines and a gateway."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import cycle
from random import Random

import grpc

from services.engine.codecs import CODECS
from services.store.matches.store import Store
from tests.soak.clients import ApiClient, GrpcClient, RestClient
from tests.soak.killable_stack import ServiceStack
from tests.soak.random_matches import AcknowledgedMoves, RandomMatches
from tests.soak.streams import revisions_of, watch_events

WATCHERS = 6


@dataclass
class WatchedStream:
    """The revisions that a watcher has received, reconnecting after the last one whenever its engine had no store."""

    match_id: str
    received: list[int] = field(default_factory=list)
    error: str = ""

    async def watch(self, channels: list[grpc.aio.Channel], acknowledged: AcknowledgedMoves) -> None:
        """Receive the lines of the match from the engines by turns, until it is over."""
        codec, _ = acknowledged.games[self.match_id]
        for channel in cycle(channels):
            try:
                after = self.received[-1] if self.received else 0
                async for revision in revisions_of(watch_events(channel, codec, self.match_id, after)):
                    self.received.append(revision)
                return
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE:
                    self.error = f"{error.code().name}: {error.details()}"
                    return
            await asyncio.sleep(0.05)


def new_player(
    number: int, service: ServiceStack, acknowledged: AcknowledgedMoves, stack: AsyncExitStack
) -> RandomMatches:
    """Every other player calls over gRPC, the others over REST."""
    random = Random(number)
    api: ApiClient
    if number % 2:
        api = rest = RestClient(service.gateway.url)
        stack.push_async_callback(rest.close)
    else:
        api = client = GrpcClient([engine.address for engine in service.engines], random)
        stack.push_async_callback(client.close)
    codecs = list(CODECS.values())
    return RandomMatches(codecs[number // 2 % len(codecs)], [api], random, acknowledged, longest_wait=0.2)


async def watch_new_matches(
    channels: list[grpc.aio.Channel],
    acknowledged: AcknowledgedMoves,
    streams: list[WatchedStream],
    stopping: asyncio.Event,
) -> None:
    """Watch always so many matches, from their beginning."""
    watching: set[asyncio.Task[None]] = set()
    while not stopping.is_set():
        watching = {task for task in watching if not task.done()}
        known = {stream.match_id for stream in streams}
        for match_id in [each for each in acknowledged.by_match if each not in known][: WATCHERS - len(watching)]:
            streams.append(WatchedStream(match_id))
            watching.add(asyncio.ensure_future(streams[-1].watch(channels[len(streams) % 2 :], acknowledged)))
        await asyncio.sleep(0.1)
    await asyncio.sleep(0.5)  # what was acknowledged has been published by then
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)


def moves_of(acknowledged: AcknowledgedMoves) -> int:
    """Number of acknowledged moves."""
    return sum(map(len, acknowledged.by_match.values()))


async def wait_for_more_moves(
    acknowledged: AcknowledgedMoves, number: int, playing: Sequence[asyncio.Future[None]]
) -> None:
    """Wait until so many more moves are acknowledged; raises what has ended a player."""
    wanted = moves_of(acknowledged) + number
    while moves_of(acknowledged) < wanted:
        await asyncio.sleep(0.005)
        for task in playing:
            if task.done():
                task.result()


async def is_whole(stream: WatchedStream, store: Store) -> bool:
    """Whether a watcher has received the lines of its match in order, each once, and as many as there are by now."""
    snapshot, _ = await store.read_log(stream.match_id, 0)
    return not stream.error and stream.received == list(range(1, snapshot.revision + 1))
