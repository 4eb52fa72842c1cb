"""Time banks in engine processes: in responses and streams, across engines and kills, and in the record."""

from __future__ import annotations

import asyncio
import time
from random import Random
from typing import cast

import grpc
import pytest
from fireside.match.v1.match_pb2 import Clock, SeatClock
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from services.engine.codecs import CODECS, AnyCodec
from services.engine.records.reading import read
from services.engine.records.verification import verify
from tests.services.client import Client, Refusal
from tests.services.processes import EngineProcess
from tests.services.registry import GameClient, MatchDriver, field

EVERY_GAME = pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))
FISCHER = Clock(bank_seconds=600, increment_seconds=10)
MATCH_COUNT = 6


def clocks(message: object) -> list[SeatClock]:
    """What a match or turn shows of the time of each seat."""
    assert isinstance(message, Message)
    return list(message.clocks)  # type: ignore[attr-defined]


def to_move(driver: MatchDriver) -> list[int]:
    """The seats that are to move."""
    assert isinstance(driver.match, Message)
    return list(driver.match.to_move)  # type: ignore[attr-defined]


@EVERY_GAME
async def test_every_response_shows_the_time_of_each_seat(client: Client, codec: AnyCodec) -> None:
    driver = await GameClient(client.channel, codec).begin(clock=FISCHER)
    before = clocks(driver.match)
    assert [each.bank_ms for each in before] == [600_000] * codec.game.min_seats
    assert [seat for seat, each in enumerate(before) if each.HasField("deadline")] == to_move(driver)
    assert abs(before[to_move(driver)[0]].deadline.ToMilliseconds() / 1000 - time.time() - 600) < 30
    assert field(driver.match, "deadline") == before[to_move(driver)[0]].deadline
    seat = to_move(driver)[0]
    await driver.play(Random(1), 1)
    after = clocks(driver.match)
    assert 609_000 - 30_000 < after[seat].bank_ms <= 610_000
    shown = await driver.call("GetMatch", driver.tokens[1])
    assert clocks(field(shown, "match")) == after


@EVERY_GAME
async def test_a_stream_shows_each_new_deadline(client: Client, codec: AnyCodec) -> None:
    """Also to a spectator, while the same seats are to move."""
    driver = await GameClient(client.channel, codec).begin(clock=FISCHER)
    method = codec.service.methods_by_name["Watch"]
    responses = client.channel.unary_stream(
        f"/{codec.service.full_name}/Watch",
        request_serializer=GetMessageClass(method.input_type).SerializeToString,
        response_deserializer=GetMessageClass(method.output_type).FromString,
    )(GetMessageClass(method.input_type)(match_id=driver.match_id, from_revision=field(driver.match, "revision")))
    stream = aiter(responses)
    shown = [clocks(field(await anext(stream), "turn"))]
    expected = [clocks(driver.match)]
    for _ in range(6):
        await driver.play(Random(2), 1)
        expected.append(clocks(driver.match))
        while (response := await anext(stream)).WhichOneof("kind") != "turn":
            pass
        shown.append(clocks(field(response, "turn")))
    responses.cancel()
    assert shown == expected


async def test_engines_killed_at_the_deadline_empty_a_bank_once(redis_url: str) -> None:
    codec = CODECS["fire_bulls"]
    with EngineProcess(redis_url) as first, EngineProcess(redis_url) as second:
        async with grpc.aio.insecure_channel(second.ready().address) as channel:
            first.ready()
            begin = GameClient(channel, codec).begin
            drivers = [
                await begin(clock=Clock(move_seconds=1, bank_seconds=2, increment_seconds=60))
                for _ in range(MATCH_COUNT)
            ]
            movers = [to_move(driver)[0] for driver in drivers]
            await asyncio.sleep(2.5)
            first.kill()
            await asyncio.gather(*map(wait_for_change, drivers))
            for driver, mover in zip(drivers, movers, strict=True):
                # The default move came too late for the bank, and earned the increment.
                assert clocks(driver.match)[mover].bank_ms == 60_000


async def wait_for_change(driver: MatchDriver) -> None:
    """Wait until the match has gone on by itself."""
    revision = field(driver.match, "revision")
    async with asyncio.timeout(60):
        while field(driver.match, "revision") == revision:
            await asyncio.sleep(0.1)
            driver.match = cast(Message, field(await driver.call("GetMatch"), "match"))


@EVERY_GAME
async def test_the_record_has_the_clock_and_verifies(client: Client, codec: AnyCodec) -> None:
    driver = await GameClient(client.channel, codec).begin(clock=FISCHER)
    await driver.play(Random(4))
    assert clocks(driver.match) == []
    record = read(await driver.record())
    assert record[1].clock == FISCHER
    assert verify(*record).moves > 0


@pytest.mark.parametrize(
    ("clock", "name"),
    [
        (Clock(bank_seconds=-1), "clock.bankSeconds"),
        (Clock(bank_seconds=2_592_001), "clock.bankSeconds"),
        (Clock(move_seconds=5, increment_seconds=2_592_001), "clock.incrementSeconds"),
        (Clock(increment_seconds=5), "clock.incrementSeconds"),
    ],
)
async def test_an_invalid_bank_is_refused(client: Client, clock: Clock, name: str) -> None:
    with pytest.raises(Refusal) as caught:
        await GameClient(client.channel, CODECS["fire_bulls"]).begin(clock=clock)
    assert (caught.value.code, caught.value.fields) == (grpc.StatusCode.INVALID_ARGUMENT, [name])
