"""Requests that begin a match, or end one's part in it, and come again: for every game, on both kinds of store."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from random import Random

import grpc
import pytest
from fireside.match.v1.match_pb2 import Clock, SeatSpec
from google.protobuf.message import Message
from redis import Redis

from runtime import api_keys
from services.engine.codecs import CODECS, AnyCodec
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from tests.services.client import Refusal
from tests.services.processes import EngineProcess
from tests.services.registry import Desk, Sitting, field

TWO = [SeatSpec(name="Ada"), SeatSpec(name="Ben")]
KEYS = [api_keys.fresh(), api_keys.fresh()]
CALLS = 100


@pytest.fixture(params=list(CODECS.values()), ids=list(CODECS))
async def desk(engine: Engine, request: pytest.FixtureRequest) -> AsyncIterator[Desk]:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield Desk(channel, request.param)


async def begin(desk: Desk, request_id: str, **fields: object) -> Message:
    return await desk.call("NewGame", "", seats=TWO, request_id=request_id, **fields)


async def refused(desk: Desk, name: str, token: str = "", **fields: object) -> str:
    with pytest.raises(Refusal) as caught:
        await desk.call(name, token, **fields)
    return caught.value.reason


def sitting_of(desk: Desk, begun: Message) -> Sitting:
    tokens = [seat.token for seat in begun.seats]  # type: ignore[attr-defined]
    return Sitting(desk, str(field(begun, "match_id")), tokens, field(begun, "match"))


async def test_fault11_a_repeat_of_a_beginning_is_the_first_answer(desk: Desk) -> None:
    name = secrets.token_urlsafe(16)
    clock = Clock(move_seconds=600)
    first = await begin(desk, name, client_seed="of us", clock=clock, private=True)
    assert await begin(desk, name, client_seed="of us", clock=clock, private=True) == first
    sitting = sitting_of(desk, first)
    await sitting.play(Random(1), 3)
    assert await begin(desk, name, client_seed="of us", clock=clock, private=True) == first
    others = [await begin(desk, other, client_seed="of us") for other in ("", "", secrets.token_urlsafe(16))]
    assert len({field(match, "match_id") for match in [first, *others]}) == 4


async def test_fault11_another_request_of_that_name_is_refused(desk: Desk) -> None:
    name = secrets.token_urlsafe(16)
    await begin(desk, name)
    assert await refused(desk, "NewGame", seats=TWO, request_id=name, client_seed="x") == "REQUEST_ID_REUSED"
    other = Desk(desk.channel, next(codec for codec in CODECS.values() if codec is not desk.codec))
    assert await refused(other, "NewGame", seats=TWO, request_id=name) == "REQUEST_ID_REUSED"


@pytest.mark.parametrize("name", ["k1", "a" * 21, "a" * 65, f"{'a' * 30} ", "é" * 30, "a.b" * 10])
async def test_fault11_without_an_api_key_the_name_is_a_secret(name: str, desk: Desk) -> None:
    assert await refused(desk, "NewGame", seats=TWO, request_id=name) == "INVALID_REQUEST"


async def test_fault11_a_hundred_repeats_at_once_begin_one_match(desk: Desk) -> None:
    name = secrets.token_urlsafe(16)
    answers = await asyncio.gather(*(begin(desk, name) for _ in range(CALLS)))
    assert len({answer.SerializeToString(deterministic=True) for answer in answers}) == 1


async def test_fault11_a_repeat_of_leaving_is_the_first_answer(desk: Desk) -> None:
    sitting = await desk.begin()
    token = sitting.tokens[1]
    answers = await asyncio.gather(*(sitting.call("Leave", token, request_id="away") for _ in range(20)))
    assert len({answer.SerializeToString(deterministic=True) for answer in answers}) == 1
    again = await refused(desk, "Leave", token, match_id=sitting.match_id)
    assert again in ("SEAT_HAS_LEFT", "MATCH_OVER")
    assert await sitting.call("Leave", token, request_id="away") == answers[0]
    assert await refused(desk, "Leave", token, match_id=sitting.match_id, request_id="a" * 65) == "INVALID_REQUEST"


async def test_fault11_leaving_and_moving_share_no_name(desk: Desk) -> None:
    sitting = await desk.begin()
    seat = field(sitting.match, "to_move")[0]  # type: ignore[index]
    token = sitting.tokens[seat]
    moves = field(await sitting.call("LegalMoves", token), "moves")
    await sitting.call("Apply", token, notation=moves[0].notation, request_id="one")  # type: ignore[index]
    assert await refused(desk, "Leave", token, match_id=sitting.match_id, request_id="one") == "REQUEST_ID_REUSED"


@pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)
async def test_fault11_a_name_counts_for_one_api_key(codec: AnyCodec) -> None:
    known = api_keys.parse(",".join(api_keys.entry(f"k{number}", key) for number, key in enumerate(KEYS)))
    engine = Engine(EngineSettings(port=0, api_keys=known, grace_seconds=1))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        answers = []
        for key in (*KEYS, *KEYS):
            desk = Desk(channel, codec)
            desk.metadata = [("x-api-key", key)]
            answers.append(await begin(desk, "k1"))
    await engine.stop()
    assert answers[:2] == answers[2:]
    assert field(answers[0], "match_id") != field(answers[1], "match_id")


async def test_fault11_one_match_is_begun_though_an_engine_dies_before_it_answers(redis_url: str) -> None:
    codec = CODECS["fireship"]
    name = secrets.token_urlsafe(16)
    with Redis.from_url(redis_url) as redis:
        redis.flushdb()
        with EngineProcess(redis_url) as one, EngineProcess(redis_url) as other:
            addresses = [one.ready().address, other.ready().address]
            async with (
                grpc.aio.insecure_channel(addresses[0]) as dying,
                grpc.aio.insecure_channel(addresses[1]) as left,
            ):
                desks = [Desk(dying, codec), Desk(left, codec)]
                calls = [asyncio.ensure_future(begin(desks[number % 2], name)) for number in range(CALLS)]
                await calls[1]
                one.kill()
                answers = await asyncio.gather(*calls, return_exceptions=True)
                answers.append(await begin(desks[1], name))
        begun = {answer.SerializeToString() for answer in answers if isinstance(answer, Message)}
        assert len(begun) == 1
        assert sum(redis.type(key) == b"hash" for key in redis.scan_iter()) == 1
