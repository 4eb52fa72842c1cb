"""Workers of the bots service in processes of their own: turns of one that is killed are another's."""

from __future__ import annotations

import asyncio
import time
from collections import Counter

import grpc

from services.bots.allowed import allowed_addresses
from services.engine.codecs import CODECS
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from tests.services.bots.test_hosted import House
from tests.services.bots.third_parties import chosen, webhook
from tests.services.processes import Process
from tests.services.registry import Desk, field

MATCHES = 20


class WorkerProcess(Process):
    """A worker on a Redis."""

    def __init__(self, redis_url: str, allow: str = "") -> None:
        super().__init__("bots", REDIS_URL=redis_url, FIRESIDE_BOT_PROCESSES="1", FIRESIDE_BOT_ALLOW=allow)


async def test_a_turn_of_a_killed_worker_is_taken_over_and_made_once(redis_url: str) -> None:
    asked: list[bytes] = []

    async def slow_at_first(request: bytes, writer: asyncio.StreamWriter) -> None:
        asked.append(request.lower().partition(b"webhook-id: ")[2].split(b"\r\n")[0])
        if len(asked) == 1:
            await asyncio.sleep(60)
        writer.write(chosen("draw"))

    codec = CODECS["fire_bulls"]
    async with webhook(slow_at_first) as url:
        engine = Engine(EngineSettings(port=0, redis_url=redis_url, grace_seconds=1, bot_allow=allowed_addresses(url)))
        await engine.start()
        with WorkerProcess(redis_url, url) as doomed:
            assert doomed.line()
            async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
                here = House(engine, Desk(channel, codec))
                begun = await here.begin(url, url)
                while not asked:
                    await asyncio.sleep(0.02)
                doomed.kill()
                with WorkerProcess(redis_url, url) as heir:
                    assert heir.line()
                    moved = await _moves(here, begun)
                    assert heir.stop()[0] == 0
        await engine.stop()
    assert moved[0] == "draw"
    assert asked[0] == asked[1]  # the same question, of two workers
    assert asked.count(asked[0]) == 2


async def _moves(here: House, begun: object) -> list[str]:
    """The moves of seats behind the start, once there are some, and a little later."""
    deadline = time.monotonic() + 40
    while True:
        events = await here.events(begun)  # type: ignore[arg-type]
        moves = [event.notation for event in events if event.HasField("seat")]  # type: ignore
        if moves:
            await asyncio.sleep(1)
            return moves
        assert time.monotonic() < deadline
        await asyncio.sleep(0.1)


async def test_two_workers_share_matches_and_double_no_move(redis_url: str) -> None:
    codec = CODECS["fire_bulls"]
    engine = Engine(EngineSettings(port=0, redis_url=redis_url, grace_seconds=1))
    await engine.start()
    with WorkerProcess(redis_url) as one, WorkerProcess(redis_url) as two:
        assert one.line()
        assert two.line()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
            here = House(engine, Desk(channel, codec))
            begun = [await here.begin("random", "random") for _ in range(MATCHES)]
            for match in begun:
                await here.over(match, 200)
                events = await here.events(match)
                revisions = Counter(field(event, "revision") for event in events)
                assert revisions == Counter(range(1, len(events) + 1))
                assert not any(field(event, "notation") == "leave" for event in events)
        assert (one.stop()[0], two.stop()[0]) == (0, 0)
    await engine.stop()
