"""Seat tokens end to end: expiry, key rotation and refusals, for every game."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc
import jwt
import pytest

from services.engine.codecs import CODECS, AnyCodec
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from tests.services.client import Refusal
from tests.services.registry import GameClient, MatchDriver, field

OLD_KEY, NEW_KEY = b"o" * 32, b"n" * 32
WEEK_SECONDS = 7 * 24 * 60 * 60
EVERY_GAME = pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)


@asynccontextmanager
async def engine_at(codec: AnyCodec, redis_url: str, **keys: bytes) -> AsyncIterator[GameClient]:
    engine = Engine(EngineSettings(port=0, redis_url=redis_url, token_keys=keys, grace_seconds=1))
    await engine.start()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
            yield GameClient(channel, codec)
    finally:
        await engine.stop()


async def seat_of_token(game_client: GameClient, driver: MatchDriver, token: str) -> object:
    """The seat as which the token's holder is answered."""
    return field(await game_client.call("GetMatch", token, match_id=driver.match_id), "match", "seat")


async def refusal_of(game_client: GameClient, driver: MatchDriver, token: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        await seat_of_token(game_client, driver, token)
    return caught.value


@EVERY_GAME
async def test_keys_are_rotated_during_a_match(codec: AnyCodec, redis_url: str) -> None:
    async with engine_at(codec, redis_url, old=OLD_KEY) as game_client:
        driver = await game_client.begin()
        [token, *_] = driver.tokens
    async with engine_at(codec, redis_url, new=NEW_KEY, old=OLD_KEY) as game_client:
        assert await seat_of_token(game_client, driver, token) == 0
        assert jwt.get_unverified_header((await game_client.begin()).tokens[0])["kid"] == "new"
    async with engine_at(codec, redis_url, new=NEW_KEY) as game_client:
        refusal = await refusal_of(game_client, driver, token)
        assert (refusal.code, refusal.metadata) == (grpc.StatusCode.UNAUTHENTICATED, {"credential": "seatToken"})


@EVERY_GAME
async def test_forged_tokens_are_refused(codec: AnyCodec, redis_url: str) -> None:
    async with engine_at(codec, redis_url, a=OLD_KEY) as game_client:
        driver, until = await game_client.begin(), int(time.time()) + WEEK_SECONDS
        good = {"match": driver.match_id, "seat": 0, "exp": until}
        head = {"kid": "a"}
        assert await seat_of_token(game_client, driver, jwt.encode(good, OLD_KEY, "HS256", head)) == 0
        forged = [
            jwt.encode(good, "", "none", head),
            jwt.encode(good, OLD_KEY.ljust(64, b"o"), "HS256", head),
            jwt.encode(good, NEW_KEY, "HS256", head),
            jwt.encode(good, OLD_KEY, "HS256", {"kid": "b"}),
            jwt.encode(good, OLD_KEY, "HS256"),
            jwt.encode({"match": driver.match_id, "seat": 0}, OLD_KEY, "HS256", head),
            driver.tokens[0][:-6] + driver.tokens[0][-5:] + driver.tokens[0][-6],
        ]
        for token in forged:
            refusal = await refusal_of(game_client, driver, token)
            assert (refusal.code, refusal.message) == (
                grpc.StatusCode.UNAUTHENTICATED,
                "the seat token is invalid",
            )


@EVERY_GAME
async def test_the_token_of_another_match_is_refused(codec: AnyCodec, redis_url: str) -> None:
    async with engine_at(codec, redis_url, a=OLD_KEY) as game_client:
        driver, other = await game_client.begin(), await game_client.begin()
        refusal = await refusal_of(game_client, driver, other.tokens[0])
        assert refusal.code == grpc.StatusCode.PERMISSION_DENIED


@EVERY_GAME
async def test_an_expired_token_is_refused_as_expired(codec: AnyCodec, redis_url: str) -> None:
    async with engine_at(codec, redis_url, a=OLD_KEY) as game_client:
        driver = await game_client.begin()
        past = {"match": driver.match_id, "seat": 0, "exp": int(time.time()) - 1}
        refusal = await refusal_of(game_client, driver, jwt.encode(past, OLD_KEY, "HS256", {"kid": "a"}))
        assert (refusal.code, refusal.message) == (grpc.StatusCode.UNAUTHENTICATED, "the seat token has expired")
        forged = await refusal_of(game_client, driver, jwt.encode(past, NEW_KEY, "HS256", {"kid": "a"}))
        assert forged.message == "the seat token is invalid"  # whose time nobody vouches for


async def test_a_token_outlives_the_longest_idle_time_of_a_match() -> None:
    settings = EngineSettings()
    assert settings.token_seconds > 10 * (settings.match_seconds + WEEK_SECONDS)


async def test_the_lifetime_of_tokens_is_a_setting(redis_url: str) -> None:
    settings = EngineSettings(
        port=0, redis_url=redis_url, token_keys={"a": OLD_KEY}, token_seconds=1000, grace_seconds=1
    )
    engine = Engine(settings)
    await engine.start()
    started = int(time.time())
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        driver = await GameClient(channel, next(iter(CODECS.values()))).begin()
    await engine.stop()
    for token in driver.tokens:
        assert 1000 <= jwt.decode(token, OLD_KEY, algorithms=["HS256"])["exp"] - started <= 1060
