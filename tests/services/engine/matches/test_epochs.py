"""Epochs: after Redis lost its latest steps, no draw that was seen is repeated."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import cast

import grpc
import pytest
from fireside.match.v1.match_pb2 import Clock, SeatSpec
from google.protobuf.message import Message
from redis import Redis

from services.bots.settings import BotSettings
from services.bots.worker import Worker
from services.engine.codecs import CODECS, AnyCodec
from services.engine.main import Engine
from services.engine.records.reading import read
from services.engine.records.verification import verify
from services.engine.settings import EngineSettings
from services.store.open import open_store
from tests.redis_server import free_port, redis_server
from tests.services.client import Refusal
from tests.services.registry import GameClient, MatchDriver, field

GAMES = pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))
MOVES = 40


class RedisHost:
    """Where a Redis runs, is killed, and comes back with what it last wrote to its disk."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"

    @contextmanager
    def running(self, *options: str) -> Iterator[None]:
        with redis_server(self.folder, *options, port=self.port):
            yield

    def save(self) -> None:
        with Redis.from_url(self.url) as redis:
            redis.save()


@asynccontextmanager
async def game_client(codec: AnyCodec, url: str) -> AsyncIterator[GameClient]:
    engine = Engine(EngineSettings(port=0, redis_url=url, grace_seconds=1))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield GameClient(channel, codec)
    await engine.stop()


async def until(is_so: Callable[[], Awaitable[bool]], seconds: float = 30) -> None:
    async with asyncio.timeout(seconds):
        while not await is_so():
            await asyncio.sleep(0.05)


async def wait_until_answered(driver: MatchDriver) -> None:
    """Wait until an engine has found its Redis again."""

    async def is_answered() -> bool:
        with suppress(Refusal):
            await driver.call("GetMatch")
            return True
        return False

    await until(is_answered)


async def events(driver: MatchDriver) -> list[Message]:
    return list(cast(Sequence[Message], field(await driver.call("History"), "events")))


async def epochs(driver: MatchDriver) -> list[Message]:
    return [event for event in await events(driver) if str(field(event, "notation")).startswith("epoch ")]


async def choose(driver: MatchDriver, random: Random) -> tuple[int, str]:
    seat = random.choice(cast(Sequence[int], field(driver.match, "to_move")))
    moves = cast(Sequence[Message], field(await driver.call("LegalMoves", driver.tokens[seat]), "moves"))
    return seat, str(field(random.choice(moves), "notation"))


async def apply(driver: MatchDriver, seat: int, notation: str, **fields: int) -> list[str]:
    """Make a move; what was drawn after it."""
    answer = await driver.call("Apply", driver.tokens[seat], notation=notation, **fields)
    driver.match = cast(Message, field(answer, "match"))
    added = cast(Sequence[Message], field(answer, "events"))
    return [str(field(event, "notation")) for event in added if not event.HasField("seat") and event.HasField("move")]


@GAMES
async def test_fault16_what_was_seen_is_not_drawn_again_after_a_fallback(codec: AnyCodec, tmp_path: Path) -> None:
    redis_host, random = RedisHost(tmp_path), Random(codec.game.name)
    async with game_client(codec, redis_host.url) as playing:
        with redis_host.running():
            driver = await playing.begin(2, client_seed="Ada")
            await driver.play(random, 10)
            redis_host.save()
            before = driver.match
            choices: list[tuple[int, str]] = []
            seen = []
            while len(choices) < MOVES and not field(driver.match, "over"):
                choices.append(await choose(driver, random))
                seen.append(await apply(driver, *choices[-1]))
        with redis_host.running():
            await wait_until_answered(driver)
            driver.match = before
            revision = cast(int, field(before, "revision"))
            drawn = []
            for number, (seat, notation) in enumerate(choices):
                expected = {} if number else {"expected_revision": revision}
                drawn.append(await apply(driver, seat, notation, **expected))
                if drawn[-1] != seen[number]:
                    break
            assert drawn[-1] != seen[len(drawn) - 1], "as it was drawn before"
            [line] = await epochs(driver)
            assert field(line, "revision") == revision + 1
            await driver.play(random)
            codec, record = read(await driver.record())
            assert verify(codec, record).epochs == [revision + 1]


@GAMES
async def test_fault16_a_plain_restart_is_one_line_whoever_plays_on(codec: AnyCodec, tmp_path: Path) -> None:
    redis_host, random = RedisHost(tmp_path), Random(codec.game.name)
    async with game_client(codec, redis_host.url) as first, game_client(codec, redis_host.url) as second:
        with redis_host.running():
            driver = await first.begin(2)
            await driver.play(random, 5)
            assert await epochs(driver) == []
            redis_host.save()
        for restarts in (1, 2):
            with redis_host.running():
                for each in (second, first, second):
                    driver.game_client = each
                    await wait_until_answered(driver)
                    await driver.play(random, 2)
                    lines = await epochs(driver)
                    assert len(lines) == restarts
                redis_host.save()
        with redis_host.running():
            await wait_until_answered(driver)
            assert await epochs(driver) == lines
            await driver.play(random)
            codec, record = read(await driver.record())
            assert len(verify(codec, record).epochs) == 3
            assert len({str(field(line, "notation")) for line in await epochs(driver)}) == 3


async def test_fault16_a_seat_that_leaves_begins_an_epoch(tmp_path: Path) -> None:
    redis_host = RedisHost(tmp_path)
    async with game_client(CODECS["fire_bulls"], redis_host.url) as playing:
        with redis_host.running():
            driver = await playing.begin(3)
            redis_host.save()
        with redis_host.running():
            await wait_until_answered(driver)
            await driver.call("Leave", driver.tokens[1])
            [line] = await epochs(driver)
            after = (await events(driver))[cast(int, field(line, "revision"))]
            assert field(after, "notation") == "leave"


async def test_fault16_a_clock_begins_an_epoch_and_its_deadline_stands(tmp_path: Path) -> None:
    redis_host = RedisHost(tmp_path)
    async with game_client(CODECS["fire_bulls"], redis_host.url) as playing:
        with redis_host.running():
            driver = await playing.begin(2, clock=Clock(move_seconds=2))
            redis_host.save()
        with redis_host.running():
            await wait_until_answered(driver)

            async def played() -> bool:
                return bool(await epochs(driver))

            await until(played)
            lines = await events(driver)
            at = lines.index((await epochs(driver))[0])
            assert lines[at + 1].HasField("seat"), "the default move that the clock made"


async def test_fault16_a_hosted_bot_begins_an_epoch(tmp_path: Path) -> None:
    redis_host, codec = RedisHost(tmp_path), CODECS["fire_bulls"]
    async with game_client(codec, redis_host.url) as playing:
        with redis_host.running():
            answer = await playing.call("NewGame", seats=[SeatSpec(bot="random"), SeatSpec(bot="random")])
            driver = MatchDriver(playing, str(field(answer, "match_id")), [], field(answer, "match"))
            redis_host.save()
        with redis_host.running():
            await wait_until_answered(driver)
            store = open_store(redis_host.url, 3600)
            worker = Worker(BotSettings(processes=1), store)
            worker.start()

            async def over() -> bool:
                return bool(field(await driver.call("GetMatch"), "match", "over"))

            await until(over, 60)
            await worker.stop()
            await store.close()
            assert len(await epochs(driver)) == 1


async def test_a_redis_that_does_not_tell_its_run_id_plays_on_without_epochs(tmp_path: Path) -> None:
    redis_host = RedisHost(tmp_path)
    quiet = ["--user", *["default", "on", "nopass", "~*", "&*", "+@all", "-info"]]
    async with game_client(CODECS["fireship"], redis_host.url) as playing:
        with redis_host.running(*quiet):
            driver = await playing.begin(2)
            await driver.play(Random(1), 3)
            redis_host.save()
        with redis_host.running(*quiet):
            await wait_until_answered(driver)
            await driver.play(Random(2))
            assert await epochs(driver) == []
