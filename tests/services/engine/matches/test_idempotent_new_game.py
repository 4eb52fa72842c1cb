"""Repeated NewGame and Leave requests with a request id, for every game, on both kinds of store."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from random import Random

import grpc
import pytest
from fireside.match.v1.match_pb2 import Clock, SeatSpec
from google.protobuf.message import Message

from runtime import api_keys
from services.engine.codecs import CODECS, AnyCodec
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from tests.redis_clients import blocking_redis_at
from tests.services.client import Refusal
from tests.services.processes import EngineProcess
from tests.services.registry import GameClient, MatchDriver, field

TWO_SEATS = [SeatSpec(name="Ada"), SeatSpec(name="Ben")]
API_KEYS = [api_keys.new_key(), api_keys.new_key()]
CALL_COUNT = 100


@pytest.fixture(params=list(CODECS.values()), ids=list(CODECS))
async def game_client(engine: Engine, request: pytest.FixtureRequest) -> AsyncIterator[GameClient]:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield GameClient(channel, request.param)


async def new_game_with_id(game_client: GameClient, request_id: str, **fields: object) -> Message:
    return await game_client.call("NewGame", "", seats=TWO_SEATS, request_id=request_id, **fields)


async def refusal_reason(game_client: GameClient, name: str, token: str = "", **fields: object) -> str:
    with pytest.raises(Refusal) as caught:
        await game_client.call(name, token, **fields)
    return caught.value.reason


def driver_of(game_client: GameClient, new_game: Message) -> MatchDriver:
    tokens = [seat.token for seat in new_game.seats]  # type: ignore[attr-defined]
    return MatchDriver(game_client, str(field(new_game, "match_id")), tokens, field(new_game, "match"))


async def test_fault11_a_repeated_new_game_has_the_first_response(game_client: GameClient) -> None:
    name = secrets.token_urlsafe(16)
    clock = Clock(move_seconds=600, bank_seconds=60)
    first = await new_game_with_id(game_client, name, client_seed="of us", clock=clock, private=True)
    assert await new_game_with_id(game_client, name, client_seed="of us", clock=clock, private=True) == first
    driver = driver_of(game_client, first)
    await driver.play(Random(1), 3)
    assert await new_game_with_id(game_client, name, client_seed="of us", clock=clock, private=True) == first
    others = [
        await new_game_with_id(game_client, other, client_seed="of us") for other in ("", "", secrets.token_urlsafe(16))
    ]
    assert len({field(match, "match_id") for match in [first, *others]}) == 4


async def test_fault11_another_request_with_that_id_is_refused(game_client: GameClient) -> None:
    name = secrets.token_urlsafe(16)
    await new_game_with_id(game_client, name)
    assert (
        await refusal_reason(game_client, "NewGame", seats=TWO_SEATS, request_id=name, client_seed="x")
        == "REQUEST_ID_REUSED"
    )
    other = GameClient(game_client.channel, next(codec for codec in CODECS.values() if codec is not game_client.codec))
    assert await refusal_reason(other, "NewGame", seats=TWO_SEATS, request_id=name) == "REQUEST_ID_REUSED"


@pytest.mark.parametrize("name", ["k1", "a" * 21, "a" * 65, f"{'a' * 30} ", "é" * 30, "a.b" * 10])
async def test_fault11_without_an_api_key_the_request_id_must_be_unguessable(
    name: str, game_client: GameClient
) -> None:
    assert await refusal_reason(game_client, "NewGame", seats=TWO_SEATS, request_id=name) == "INVALID_REQUEST"


async def test_fault11_a_hundred_concurrent_repeats_create_one_match(game_client: GameClient) -> None:
    name = secrets.token_urlsafe(16)
    answers = await asyncio.gather(*(new_game_with_id(game_client, name) for _ in range(CALL_COUNT)))
    assert len({answer.SerializeToString(deterministic=True) for answer in answers}) == 1


async def test_fault11_a_repeated_leave_has_the_first_response(game_client: GameClient) -> None:
    driver = await game_client.begin()
    token = driver.tokens[1]
    answers = await asyncio.gather(*(driver.call("Leave", token, request_id="away") for _ in range(20)))
    assert len({answer.SerializeToString(deterministic=True) for answer in answers}) == 1
    second_refusal = await refusal_reason(game_client, "Leave", token, match_id=driver.match_id)
    assert second_refusal in ("SEAT_HAS_LEFT", "MATCH_OVER")
    assert await driver.call("Leave", token, request_id="away") == answers[0]
    assert (
        await refusal_reason(game_client, "Leave", token, match_id=driver.match_id, request_id="a" * 65)
        == "INVALID_REQUEST"
    )


async def test_fault11_leaving_and_moving_do_not_share_request_ids(game_client: GameClient) -> None:
    driver = await game_client.begin()
    seat = field(driver.match, "to_move")[0]  # type: ignore[index]
    token = driver.tokens[seat]
    moves = field(await driver.call("LegalMoves", token), "moves")
    await driver.call("Apply", token, notation=moves[0].notation, request_id="one")  # type: ignore[index]
    assert (
        await refusal_reason(game_client, "Leave", token, match_id=driver.match_id, request_id="one")
        == "REQUEST_ID_REUSED"
    )


@pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)
async def test_fault11_request_ids_are_scoped_to_an_api_key(codec: AnyCodec) -> None:
    known = api_keys.parse(",".join(api_keys.key_entry(f"k{number}", key) for number, key in enumerate(API_KEYS)))
    engine = Engine(EngineSettings(port=0, api_keys=known, grace_seconds=1))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        answers = []
        for key in (*API_KEYS, *API_KEYS):
            game_client = GameClient(channel, codec)
            game_client.metadata = [("x-api-key", key)]
            answers.append(await new_game_with_id(game_client, "k1"))
    await engine.stop()
    assert answers[:2] == answers[2:]
    assert field(answers[0], "match_id") != field(answers[1], "match_id")


async def test_fault11_one_match_is_created_even_if_an_engine_dies_before_it_responds(redis_url: str) -> None:
    codec = CODECS["fireship"]
    name = secrets.token_urlsafe(16)
    with blocking_redis_at(redis_url) as redis:
        redis.flushdb()
        with EngineProcess(redis_url) as one, EngineProcess(redis_url) as other:
            addresses = [one.ready().address, other.ready().address]
            async with (
                grpc.aio.insecure_channel(addresses[0]) as dying,
                grpc.aio.insecure_channel(addresses[1]) as left,
            ):
                game_clients = [GameClient(dying, codec), GameClient(left, codec)]
                calls = [
                    asyncio.ensure_future(new_game_with_id(game_clients[number % 2], name))
                    for number in range(CALL_COUNT)
                ]
                await calls[1]
                one.kill()
                answers = await asyncio.gather(*calls, return_exceptions=True)
                answers.append(await new_game_with_id(game_clients[1], name))
        new_games = {answer.SerializeToString() for answer in answers if isinstance(answer, Message)}
        assert len(new_games) == 1
        assert sum(redis.type(key) == b"hash" for key in redis.scan_iter()) == 1
