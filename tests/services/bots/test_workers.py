"""Workers of the bots service in subprocesses: fair queues, and turns of a worker that is killed."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import grpc
from google.protobuf.message import Message
from redis import Redis

from services.bots.costs import QUICK_QUEUE, REMOTE_QUEUE, THINKING_QUEUE
from services.bots.remote.allowed import allowed_addresses
from services.bots.worker import MAX_TURNS_A_SERVER
from services.engine.codecs import CODECS
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from tests.redis_clients import blocking_redis_at
from tests.redis_server import free_port, redis_server
from tests.services.bots.test_hosted import HostedBotService
from tests.services.bots.third_parties import choice_response, webhook
from tests.services.client import Refusal
from tests.services.processes import Process
from tests.services.registry import GameClient, field

MATCH_COUNT = 10
QUEUES = (QUICK_QUEUE, THINKING_QUEUE, REMOTE_QUEUE)


class WorkerProcess(Process):
    """A worker on a Redis."""

    def __init__(self, redis_url: str, allow: str = "", **environment: str) -> None:
        own = {"REDIS_URL": redis_url, "FIRESIDE_BOT_PROCESSES": "1", "FIRESIDE_BOT_ALLOW": allow}
        own["FIRESIDE_LOG_LEVEL"] = "WARNING"
        super().__init__("bots", **own, **environment)


@asynccontextmanager
async def engine_and_worker(
    redis_url: str, allow: str = "", **environment: str
) -> AsyncIterator[tuple[HostedBotService, WorkerProcess]]:
    """An engine on an empty Redis, and a worker in a process of its own."""
    with blocking_redis_at(redis_url) as redis:
        redis.flushall()
    allowed = allowed_addresses(allow)
    engine = Engine(EngineSettings(port=0, redis_url=redis_url, grace_seconds=1, bot_allow=allowed))
    await engine.start()
    try:
        with WorkerProcess(redis_url, allow, **environment) as worker:
            assert worker.line()
            async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
                yield HostedBotService(engine, GameClient(channel, CODECS["fire_bulls"])), worker
    finally:
        await engine.stop()


async def revision(service: HostedBotService, new_game: Message) -> int:
    """How far a match has come."""
    answer = await service.game_client.call("GetMatch", match_id=field(new_game, "match_id"))
    return int(answer.match.revision)  # type: ignore[attr-defined]


async def seconds_of_a_move(service: HostedBotService, *bots: str) -> float:
    """How long the first move of a match takes."""
    new_game = await service.begin(*bots)
    first, began = int(field(new_game, "revision")), time.monotonic()  # type: ignore[call-overload]
    while await revision(service, new_game) == first:
        assert time.monotonic() - began < 60, "no bot moves"
        await asyncio.sleep(0.02)
    return time.monotonic() - began


async def test_fault06_fast_bots_do_not_wait_for_slow_ones(redis_url: str) -> None:
    """Where one process thinks; when every match had its turn in one line, the first move took over 100 seconds."""
    async with engine_and_worker(redis_url) as (service, _):
        await seconds_of_a_move(service, "random", "random")  # by which its process has started
        slow = [await service.begin("mcts:milliseconds=1000", "mcts:milliseconds=1000") for _ in range(6)]
        while not [each for each in slow if await revision(service, each) > int(field(each, "revision"))]:  # type: ignore[call-overload]
            await asyncio.sleep(0.05)
        assert max([await seconds_of_a_move(service, bot, bot) for bot in ("random", "greedy", "random")]) < 3
        await service.final_score(await service.begin("random", "random"), 60)


async def test_fault06_a_slow_bot_server_leaves_capacity_for_another(redis_url: str) -> None:
    received: list[bytes] = []

    async def never_respond(request: bytes, writer: asyncio.StreamWriter) -> None:
        received.append(request)
        await asyncio.sleep(60)

    async def respond_at_once(request: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(choice_response("draw"))

    async with webhook(never_respond) as slow_url, webhook(respond_at_once) as quick_url:
        allow = f"{slow_url},{quick_url}"
        async with engine_and_worker(redis_url, allow, FIRESIDE_BOT_SECONDS="60", FIRESIDE_GRACE_SECONDS="0.1") as (
            service,
            _,
        ):
            for number in range(200):
                await service.begin(f"{slow_url}{number}", "")
            while len(received) < MAX_TURNS_A_SERVER:
                await asyncio.sleep(0.05)
            assert await seconds_of_a_move(service, quick_url, quick_url) < 3


async def seconds_after_loss(
    service: HostedBotService, lose: Callable[[Redis], object], redis_url: str, *bots: str
) -> float:
    """How long a match takes to move on after something was lost, once it is in full play."""
    new_game = await service.begin(*bots)
    while await revision(service, new_game) < 40:
        await asyncio.sleep(0.01)
    with blocking_redis_at(redis_url) as redis:
        lose(redis)
    lost_at, began = await revision(service, new_game), time.monotonic()
    while await revision(service, new_game) < lost_at + 3:
        assert time.monotonic() - began < 60, "no bot moves"
        await asyncio.sleep(0.02)
    return time.monotonic() - began


OVERWRITTEN_KEYS = dict.fromkeys(
    [f"{queue}{part}" for queue in QUEUES for part in ("", ":taken", ":shares", ":bell")], "x"
)
WAYS_TO_LOSE_TURNS: dict[str, Callable[[Redis], object]] = {
    "deleted": lambda redis: redis.delete(*OVERWRITTEN_KEYS),
    "overwritten": lambda redis: [redis.set(key, value) for key, value in OVERWRITTEN_KEYS.items()],
    "scripts too": lambda redis: (redis.script_flush(), redis.delete(*OVERWRITTEN_KEYS)),
}


async def test_fault13_matches_continue_after_their_turns_are_lost_without_errors_in_the_log(redis_url: str) -> None:
    async with engine_and_worker(redis_url) as (service, worker):
        for lose in WAYS_TO_LOSE_TURNS.values():
            for _ in range(2):  # at other moments of a turn each time
                assert await seconds_after_loss(service, lose, redis_url, "random", "mcts:iterations=150") < 10
        assert worker.stop() == (0, "")


async def test_fault13_new_matches_are_played_at_once_after_the_store_is_emptied(redis_url: str) -> None:
    async with engine_and_worker(redis_url) as (service, worker):
        await seconds_of_a_move(service, "random", "mcts:iterations=150")
        for _ in range(5):
            with blocking_redis_at(redis_url) as redis:
                redis.flushall()
            for bot in ("random", "mcts:iterations=150"):
                assert await seconds_of_a_move(service, bot, bot) < 3
        assert worker.stop() == (0, "")


async def test_fault13_new_matches_are_played_after_redis_restarts_empty(tmp_path: Path) -> None:
    port = free_port()
    with redis_server(tmp_path, port=port) as url:
        stack = AsyncExitStack()
        service, worker = await stack.enter_async_context(engine_and_worker(url))
        await seconds_of_a_move(service, "random", "random")
    async with stack:
        with redis_server(tmp_path, port=port):
            while True:
                try:
                    assert await seconds_of_a_move(service, "random", "random") < 10
                    break
                except Refusal:
                    await asyncio.sleep(0.1)
            code, errors = worker.stop()
            assert (code, "Traceback" in errors) == (0, False)


async def test_a_turn_of_a_killed_worker_is_taken_over_and_made_once(redis_url: str) -> None:
    received: list[bytes] = []

    async def slow_at_first(request: bytes, writer: asyncio.StreamWriter) -> None:
        received.append(request.lower().partition(b"webhook-id: ")[2].split(b"\r\n")[0])
        if len(received) == 1:
            await asyncio.sleep(60)
        writer.write(choice_response("draw"))

    codec = CODECS["fire_bulls"]
    async with webhook(slow_at_first) as url:
        engine = Engine(EngineSettings(port=0, redis_url=redis_url, grace_seconds=1, bot_allow=allowed_addresses(url)))
        await engine.start()
        with WorkerProcess(redis_url, url) as doomed:
            assert doomed.line()
            async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
                service = HostedBotService(engine, GameClient(channel, codec))
                new_game = await service.begin(url, url)
                while not received:
                    await asyncio.sleep(0.02)
                doomed.kill()
                with WorkerProcess(redis_url, url) as heir:
                    assert heir.line()
                    moved = await _moves_after_start(service, new_game)
                    assert heir.stop()[0] == 0
        await engine.stop()
    assert moved[0] == "draw"
    assert received[0] == received[1]  # the same request, from two workers
    assert received.count(received[0]) == 2


async def _moves_after_start(service: HostedBotService, new_game: object) -> list[str]:
    """The moves of seats behind the start, once there are some, and a little later."""
    deadline = time.monotonic() + 60
    while True:
        events = await service.events(new_game)  # type: ignore[arg-type]
        moves = [event.notation for event in events if event.HasField("seat")]  # type: ignore
        if moves:
            await asyncio.sleep(1)
            return moves
        assert time.monotonic() < deadline
        await asyncio.sleep(0.1)


async def test_two_workers_share_matches_and_make_no_move_twice(redis_url: str) -> None:
    codec = CODECS["fire_bulls"]
    engine = Engine(EngineSettings(port=0, redis_url=redis_url, grace_seconds=1))
    await engine.start()
    with WorkerProcess(redis_url) as one, WorkerProcess(redis_url) as two:
        assert one.line()
        assert two.line()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
            service = HostedBotService(engine, GameClient(channel, codec))
            new_game = [await service.begin("random", "random") for _ in range(MATCH_COUNT)]
            for match in new_game:
                await service.final_score(match, 200)
                events = await service.events(match)
                revisions = Counter(field(event, "revision") for event in events)
                assert revisions == Counter(range(1, len(events) + 1))
                assert not any(field(event, "notation") == "leave" for event in events)
        assert (one.stop()[0], two.stop()[0]) == (0, 0)
    await engine.stop()
