"""Hosted bots that take over seats of stored matches."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any, cast

import pytest

from services.engine.codecs import CODECS, AnyCodec
from services.engine.records.verification import verify
from tests.services.bots.test_hosted import EVERY_GAME, hosted_bot_service
from tests.services.client import Refusal


@EVERY_GAME
async def test_a_bot_plays_on_for_a_seat_and_its_token_is_dead(codec: AnyCodec, store_url: str) -> None:
    async with hosted_bot_service(codec, store_url) as service:
        client = service.game_client
        driver = await client.begin()
        await driver.play(Random(1), 3)
        for seat in range(1, codec.game.min_seats):
            await driver.call("Substitute", driver.tokens[seat], bot="random")
        await driver.call("Substitute", driver.tokens[0], seat=0, bot="greedy")
        with pytest.raises(Refusal, match="replaced"):
            await driver.call("GetMatch", driver.tokens[0])
        async with asyncio.timeout(120):
            while not (match := cast(Any, await driver.call("GetMatch")).match).over:
                await asyncio.sleep(0.1)
        assert [seat.bot for seat in match.seats] == ["greedy", *["random"] * (codec.game.min_seats - 1)]
        record = cast(Any, await driver.call("GetRecord")).record
        verified = verify(codec, record)
        assert verified.moves + verified.draws == len(record.events)


async def test_no_bot_takes_the_seat_of_a_match_that_is_over(store_url: str) -> None:
    async with hosted_bot_service(CODECS["fire_bulls"], store_url) as service:
        driver = await service.game_client.begin()
        await driver.play(Random(1))
        with pytest.raises(Refusal, match="the match is over"):
            await driver.call("Substitute", driver.tokens[0], bot="greedy")
