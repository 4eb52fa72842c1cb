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

from services.bots.settings import BotSettings
from services.bots.worker import Worker
from services.engine.codecs import CODECS, AnyCodec
from services.engine.main import Engine
from services.engine.records.reading import read
from services.engine.records.verification import verify
from services.engine.settings import EngineSettings
from services.store.open import open_store
from tests.redis_clients import blocking_redis_at
from tests.redis_server import free_port, redis_server
from tests.services.client import Refusal
from tests.services.registry import GameClient, MatchDriver, field

EVERY_GAME = pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))
MOVE_COUNT = 40


class RedisHost:
    """Runs a Redis on one folder and port, kills it and restarts it from what it last wrote to disk."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"

    @contextmanager
    def running(self, *options: str) -> Iterator[None]:
        """Run the Redis on its folder, and kill it at the end."""
        with redis_server(self.folder, *options, port=self.port):
            yield

    def save(self) -> None:
        """Write the data of the Redis to its disk."""
        with blocking_redis_at(self.url) as redis:
            redis.save()


@asynccontextmanager
async def game_client(codec: AnyCodec, url: str) -> AsyncIterator[GameClient]:
    engine = Engine(EngineSettings(port=0, redis_url=url, grace_seconds=1))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield GameClient(channel, codec)
    await engine.stop()


async def wait_until(is_so: Callable[[], Awaitable[bool]], seconds: float = 30) -> None:
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

    await wait_until(is_answered)


async def history_of(driver: MatchDriver) -> list[Message]:
    return list(cast(Sequence[Message], field(await driver.call("History"), "events")))


async def epoch_events_of(driver: MatchDriver) -> list[Message]:
    return [event for event in await history_of(driver) if str(field(event, "notation")).startswith("epoch ")]


async def choose_legal_move(driver: MatchDriver, random: Random) -> tuple[int, str]:
    seat = random.choice(cast(Sequence[int], field(driver.match, "to_move")))
    moves = cast(Sequence[Message], field(await driver.call("LegalMoves", driver.tokens[seat]), "moves"))
    return seat, str(field(random.choice(moves), "notation"))


async def apply(driver: MatchDriver, seat: int, notation: str, **fields: int) -> list[str]:
    """Make a move; what was drawn after it."""
    answer = await driver.call("Apply", driver.tokens[seat], notation=notation, **fields)
    driver.match = cast(Message, field(answer, "match"))
    added = cast(Sequence[Message], field(answer, "events"))
    return [str(field(event, "notation")) for event in added if not event.HasField("seat") and event.HasField("move")]


@EVERY_GAME
async def test_fault16_draws_that_were_seen_are_not_repeated_after_lost_steps(codec: AnyCodec, tmp_path: Path) -> None:
    redis_host, random = RedisHost(tmp_path), Random(codec.game.name)
    async with game_client(codec, redis_host.url) as playing:
        with redis_host.running():
            driver = await playing.begin(2, client_seed="Ada")
            await driver.play(random, 10)
            redis_host.save()
            before = driver.match
            choices: list[tuple[int, str]] = []
            seen = []
            while len(choices) < MOVE_COUNT and not field(driver.match, "over"):
                choices.append(await choose_legal_move(driver, random))
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
            [line] = await epoch_events_of(driver)
            assert field(line, "revision") == revision + 1
            await driver.play(random)
            codec, record = read(await driver.record())
            assert verify(codec, record).epochs == [revision + 1]


@EVERY_GAME
async def test_fault16_a_restart_without_loss_is_one_epoch_event_for_every_kind_of_step(
    codec: AnyCodec, tmp_path: Path
) -> None:
    redis_host, random = RedisHost(tmp_path), Random(codec.game.name)
    async with game_client(codec, redis_host.url) as first, game_client(codec, redis_host.url) as second:
        with redis_host.running():
            driver = await first.begin(2)
            await driver.play(random, 5)
            assert await epoch_events_of(driver) == []
            redis_host.save()
        for restarts in (1, 2):
            with redis_host.running():
                for each in (second, first, second):
                    driver.game_client = each
                    await wait_until_answered(driver)
                    await driver.play(random, 2)
                    lines = await epoch_events_of(driver)
                    assert len(lines) == restarts
                redis_host.save()
        with redis_host.running():
            await wait_until_answered(driver)
            assert await epoch_events_of(driver) == lines
            await driver.play(random)
            codec, record = read(await driver.record())
            assert len(verify(codec, record).epochs) == 3
            assert len({str(field(line, "notation")) for line in await epoch_events_of(driver)}) == 3


async def test_fault16_a_seat_that_leaves_starts_an_epoch(tmp_path: Path) -> None:
    redis_host = RedisHost(tmp_path)
    async with game_client(CODECS["fire_bulls"], redis_host.url) as playing:
        with redis_host.running():
            driver = await playing.begin(3)
            redis_host.save()
        with redis_host.running():
            await wait_until_answered(driver)
            await driver.call("Leave", driver.tokens[1])
            [line] = await epoch_events_of(driver)
            after = (await history_of(driver))[cast(int, field(line, "revision"))]
            assert field(after, "notation") == "leave"


async def test_fault16_a_default_move_starts_an_epoch_and_keeps_its_deadline(tmp_path: Path) -> None:
    redis_host = RedisHost(tmp_path)
    async with game_client(CODECS["fire_bulls"], redis_host.url) as playing:
        with redis_host.running():
            driver = await playing.begin(2, clock=Clock(move_seconds=2))
            redis_host.save()
        with redis_host.running():
            await wait_until_answered(driver)

            async def has_epoch_event() -> bool:
                return bool(await epoch_events_of(driver))

            await wait_until(has_epoch_event)
            lines = await history_of(driver)
            at = lines.index((await epoch_events_of(driver))[0])
            assert lines[at + 1].HasField("seat"), "the default move that the clock made"


async def test_fault16_a_hosted_bot_starts_an_epoch(tmp_path: Path) -> None:
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

            async def is_match_over() -> bool:
                return bool(field(await driver.call("GetMatch"), "match", "over"))

            await wait_until(is_match_over, 60)
            await worker.stop()
            await store.close()
            assert len(await epoch_events_of(driver)) == 1


async def test_a_redis_that_does_not_report_its_run_id_works_without_epochs(tmp_path: Path) -> None:
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
            assert await epoch_events_of(driver) == []
