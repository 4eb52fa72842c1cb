"""Hosted seats of live matches, embedded and on a real Redis."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc
import pytest
from fireside.match.v1.match_pb2 import SeatSpec
from google.protobuf.message import Message

from services.bots.allowed import allowed_addresses
from services.bots.worker import Worker
from services.engine.codecs import CODECS, AnyCodec
from services.engine.main import Engine
from services.settings import BotSettings, EngineSettings
from services.turns import THINKING
from tests.services.client import Refusal
from tests.services.registry import Desk, field

GAMES = pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))
ANY_PORT = allowed_addresses("http://127.0.0.1:1/")


class House:
    """An engine with a worker, and a client of one game."""

    def __init__(self, engine: Engine, desk: Desk) -> None:
        self.engine, self.desk = engine, desk

    async def begin(self, *bots: str, **fields: object) -> Message:
        """A match of seats with these bots; the answer."""
        return await self.desk.call("NewGame", seats=[SeatSpec(bot=bot) for bot in bots], **fields)

    async def over(self, begun: Message, seconds: float = 60) -> Message:
        """The score of the match, once it is over."""
        deadline = time.monotonic() + seconds
        while True:
            score = await self.desk.call("Score", match_id=field(begun, "match_id"))
            if field(score, "over"):
                return score
            assert time.monotonic() < deadline, "the match does not end"
            await asyncio.sleep(0.05)

    async def events(self, begun: Message) -> list[Message]:
        """The log, as a spectator sees it."""
        history = await self.desk.call("History", match_id=field(begun, "match_id"))
        events: list[Message] = [*field(history, "events")]  # type: ignore[misc] # a list of messages
        return events


@asynccontextmanager
async def house(codec: AnyCodec, store_url: str, allow: str = "", **settings: object) -> AsyncIterator[House]:
    allowed = allowed_addresses(allow)
    engine = Engine(EngineSettings(port=0, redis_url=store_url, grace_seconds=1, bot_allow=allowed))
    await engine.start()
    bots = BotSettings(processes=1, allow=allowed, grace_seconds=2, **settings)  # type: ignore[arg-type]
    worker = Worker(bots, engine.store)
    worker.start()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
            yield House(engine, Desk(channel, codec))
    finally:
        await worker.stop()
        await engine.stop()


@GAMES
async def test_a_match_of_bots_alone_is_played_to_its_end(codec: AnyCodec, store_url: str) -> None:
    async with house(codec, store_url) as here:
        begun = await here.begin(*["random"] * codec.game.min_seats)
        assert [*field(begun, "seats")] == []  # type: ignore[misc]
        await here.over(begun)
        events = await here.events(begun)
        assert [field(event, "revision") for event in events] == [*range(1, len(events) + 1)]
        assert not any(field(event, "notation") == "leave" for event in events)
        assert await here.engine.store._redis.xlen(THINKING) == 0


async def test_a_person_plays_against_a_bot_and_has_the_only_token(store_url: str) -> None:
    codec = CODECS["fire_bulls"]
    async with house(codec, store_url) as here:
        begun = await here.begin("random", "")
        assert [(token.seat, bool(token.token)) for token in begun.seats] == [(1, True)]  # type: ignore[attr-defined]
        assert [seat.bot for seat in begun.match.seats] == ["random", ""]  # type: ignore[attr-defined]
        token = begun.seats[0].token  # type: ignore[attr-defined]
        match_id = str(field(begun, "match_id"))
        while True:
            match = field(await here.desk.call("GetMatch", token, match_id=match_id), "match")
            if match.over:  # type: ignore[attr-defined]
                break
            if 1 in match.to_move:  # type: ignore[attr-defined]
                listed = await here.desk.call("LegalMoves", token, match_id=match_id)
                await here.desk.call("Apply", token, match_id=match_id, notation=listed.moves[0].notation)  # type: ignore
            else:
                await asyncio.sleep(0.005)
        record = field(await here.desk.call("GetRecord", token, match_id=match_id), "record")
        assert [seat.bot for seat in record.seats] == ["random", ""]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "bot",
    ["nobody", "mcts:wrong=1", "grpc:127.0.0.1:1", "http://127.0.0.1:2/", "https://evil.example/", "x" * 1000],
)
async def test_a_bot_that_there_is_not_is_refused(bot: str, store_url: str) -> None:
    async with house(CODECS["fire_bulls"], store_url, "http://127.0.0.1:1/") as here:
        with pytest.raises(Refusal) as caught:
            await here.begin("", bot)
        assert (caught.value.code, caught.value.fields) == (grpc.StatusCode.INVALID_ARGUMENT, ["seats[1].bot"])


async def test_an_inline_state_has_no_hosted_seats(store_url: str) -> None:
    async with house(CODECS["fire_bulls"], store_url) as here:
        with pytest.raises(Refusal) as caught:
            await here.begin("", "random", ephemeral=True)
        assert caught.value.fields == ["seats[1].bot"]
