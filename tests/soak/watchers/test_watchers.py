"""Watchers in separate processes receive every event once and in order; prints how long after its commit.

`make watchers` lets 2,000 watch one match, 500 matches be watched by 4 each, and 300 read server-sent events.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from random import Random

import grpc
import pytest

from services.engine.codecs import CODECS
from tests.redis_server import redis_server
from tests.services.registry import GameClient, MatchDriver, field
from tests.soak.killable_stack import CommandProcess
from tests.soak.watchers.commit_times import CommitTimes
from tests.soak.watchers.watcher_process import WatcherProcess

WATCHER_COUNT = int(os.environ.get("FIRESIDE_WATCHERS", "60"))
MATCH_COUNT = int(os.environ.get("FIRESIDE_WATCHED_MATCHES", "15"))
REST_READER_COUNT = int(os.environ.get("FIRESIDE_WATCHING_READERS", "20"))
MOVES_PER_MATCH = 12
PAUSE_SECONDS = float(os.environ.get("FIRESIDE_WATCHED_PAUSE", "0.1"))
"""Between the moves of a match; of many matches each has its own turn within it."""


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("matches", "watchers", "rest"), [(1, WATCHER_COUNT, False), (MATCH_COUNT, 4, False), (1, REST_READER_COUNT, True)]
)
async def test_watchers_receive_every_event_once_and_in_order(
    matches: int, watchers: int, rest: bool, tmp_path: Path
) -> None:
    with redis_server(tmp_path) as url:
        engine = CommandProcess("engine", ["engine"], REDIS_URL=url)
        gateway = CommandProcess("gateway", ["gateway"], FIRESIDE_ENGINE_ADDRESS=engine.address)
        await asyncio.to_thread(engine.start)
        await asyncio.to_thread(gateway.start)
        try:
            async with grpc.aio.insecure_channel(engine.address) as channel:
                address_or_url = gateway.url if rest else engine.address
                delays = await _measure_delays(channel, address_or_url, url, matches, watchers)
        finally:
            gateway.kill()
            engine.kill()
    delays.sort()
    middle, late = delays[len(delays) // 2], delays[len(delays) * 99 // 100]
    print(
        f"\n{matches} matches with {watchers} {'readers' if rest else 'watchers'} each, {len(delays)} events received: "
        f"half within {1000 * middle:.0f} ms, 99 % {1000 * late:.0f} ms, all {1000 * delays[-1]:.0f} ms"
    )
    assert late < 30


async def _measure_delays(
    channel: grpc.aio.Channel, address_or_url: str, url: str, matches: int, watchers: int
) -> list[float]:
    """Watch matches that are played at random; the delay of each event after its commit, in seconds."""
    codecs = list(CODECS.values())
    drivers = [await GameClient(channel, codecs[number % len(codecs)]).begin() for number in range(matches)]
    first = {each.match_id: _last_revision(each) for each in drivers}
    seats = [(each.game_client.codec.game.name, each.match_id, first[each.match_id]) for each in drivers]
    watcher_process = WatcherProcess(address_or_url, [seat for seat in seats for _ in range(watchers)])
    try:
        await asyncio.to_thread(watcher_process.wait_until_watching)
        async with CommitTimes(url) as commit_times:
            await asyncio.gather(*[_play_matches(number / matches, each) for number, each in enumerate(drivers)])
            last = {each.match_id: _last_revision(each) for each in drivers}
            received = await asyncio.to_thread(watcher_process.received, last)
    finally:
        watcher_process.kill()
    for (_, match_id, _), events in zip(watcher_process.targets, received, strict=True):
        assert [revision for revision, _ in events] == [*range(first[match_id] + 1, last[match_id] + 1)]
    committed_at_by_match = {match_id: commit_times.times_of(match_id) for match_id in last}
    return [
        received_at - committed_at_by_match[match_id][revision]
        for (_, match_id, _), events in zip(watcher_process.targets, received, strict=True)
        for revision, received_at in events
        if revision in committed_at_by_match[match_id]
    ]


def _last_revision(driver: MatchDriver) -> int:
    return int(str(field(driver.match, "revision")))


async def _play_matches(share: float, driver: MatchDriver) -> None:
    random = Random(driver.match_id)
    await asyncio.sleep(PAUSE_SECONDS * share)
    for _ in range(MOVES_PER_MATCH):
        await driver.play(random, 1)
        await asyncio.sleep(PAUSE_SECONDS)
