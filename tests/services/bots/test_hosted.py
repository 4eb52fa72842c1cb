"""Hosted seats of live matches, embedded and on a real Redis."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path

import grpc
import pytest
from fireside.match.v1.match_pb2 import Clock, OpenSeat, SeatSpec
from fireside.match.v1.match_record_pb2 import MatchHeader
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from services.bots.costs import QUICK_QUEUE
from services.bots.remote.allowed import allowed_addresses
from services.bots.settings import BotSettings
from services.bots.turn import DEADLINE_MARGIN_SECONDS, HostedSeats
from services.bots.worker import Worker
from services.engine.codecs import CODECS, AnyCodec
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from services.store.turns import queue as turn_queue
from services.store.turns.queue import HostedTurn
from tests.services.bots.imported.bot_files import write_bots
from tests.services.bots.third_parties import Handler, choice_response, grpc_bot, http_response, webhook
from tests.services.client import Refusal
from tests.services.registry import GameClient, field

EVERY_GAME = pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))


class HostedBotService:
    """An engine with a worker, and a client of one game."""

    def __init__(self, engine: Engine, game_client: GameClient) -> None:
        self.engine, self.game_client = engine, game_client

    async def begin(self, *bots: str, **fields: object) -> Message:
        """A match of seats with these bots; the answer."""
        return await self.game_client.call("NewGame", "", seats=[SeatSpec(bot=bot) for bot in bots], **fields)

    async def final_score(self, new_game: Message, seconds: float = 60) -> Message:
        """The score of the match, once it is over."""
        deadline = time.monotonic() + seconds
        while True:
            score = await self.game_client.call("Score", match_id=field(new_game, "match_id"))
            if field(score, "over"):
                return score
            assert time.monotonic() < deadline, "the match does not end"
            await asyncio.sleep(0.05)

    async def events(self, new_game: Message) -> list[Message]:
        """The log, as a spectator sees it."""
        history = await self.game_client.call("History", match_id=field(new_game, "match_id"))
        events: list[Message] = [*field(history, "events")]  # type: ignore[misc] # a list of messages
        return events


@asynccontextmanager
async def hosted_bot_service(
    codec: AnyCodec, store_url: str, allow: str = "", imported: tuple[str, ...] = (), **settings: object
) -> AsyncIterator[HostedBotService]:
    allowed = allowed_addresses(allow)
    engine = Engine(
        EngineSettings(port=0, redis_url=store_url, grace_seconds=1, bot_allow=allowed, imported_bots=imported)
    )
    await engine.start()
    bots = BotSettings(
        processes=1,
        allow=allowed,
        imported_bots=imported,
        grace_seconds=2,
        **settings,  # type: ignore[arg-type]
    )
    playing = Worker(bots, engine.store)
    playing.start()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
            yield HostedBotService(engine, GameClient(channel, codec))
    finally:
        await playing.stop()
        await engine.stop()


@EVERY_GAME
async def test_a_match_of_bots_only_is_played_to_its_end(codec: AnyCodec, store_url: str) -> None:
    async with hosted_bot_service(codec, store_url) as service:
        new_game = await service.begin(*["random"] * codec.game.min_seats)
        assert [*field(new_game, "seats")] == []  # type: ignore[misc]
        await service.final_score(new_game)
        events = await service.events(new_game)
        assert [field(event, "revision") for event in events] == [*range(1, len(events) + 1)]
        assert not any(field(event, "notation") == "leave" for event in events)
        assert await service.engine.store.turn_queue(QUICK_QUEUE).claim(9) == []


async def test_an_imported_bot_plays_where_the_operator_names_it(store_url: str, tmp_path: Path) -> None:
    bot = f"{write_bots(tmp_path)}:Last"
    async with hosted_bot_service(CODECS["fire_bulls"], store_url, imported=(bot,)) as service:
        with pytest.raises(Refusal) as caught:
            await service.begin(bot.replace("Last", "Peeking"), "random")
        assert caught.value.fields == ["seats[0].bot"]
        new_game = await service.begin(bot, "random")
        await service.final_score(new_game)
        assert not any(field(event, "notation") == "leave" for event in await service.events(new_game))


async def test_a_human_plays_against_a_bot_and_has_the_only_token(store_url: str) -> None:
    codec = CODECS["fire_bulls"]
    async with hosted_bot_service(codec, store_url) as service:
        new_game = await service.begin("random", "")
        assert [(token.seat, bool(token.token)) for token in new_game.seats] == [(1, True)]  # type: ignore[attr-defined]
        assert [seat.bot for seat in new_game.match.seats] == ["random", ""]  # type: ignore[attr-defined]
        token = new_game.seats[0].token  # type: ignore[attr-defined]
        match_id = str(field(new_game, "match_id"))
        while True:
            match = field(await service.game_client.call("GetMatch", token, match_id=match_id), "match")
            if match.over:  # type: ignore[attr-defined]
                break
            if 1 in match.to_move:  # type: ignore[attr-defined]
                listed = await service.game_client.call("LegalMoves", token, match_id=match_id)
                await service.game_client.call("Apply", token, match_id=match_id, notation=listed.moves[0].notation)  # type: ignore
            else:
                await asyncio.sleep(0.005)
        record = field(await service.game_client.call("GetRecord", token, match_id=match_id), "record")
        assert [seat.bot for seat in record.seats] == ["random", ""]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "bot",
    [
        "nobody",
        "random:wrong=1",
        "grpc:127.0.0.1:1",
        "http://127.0.0.1:2/",
        "https://evil.example/",
        "bots.py:MyBot",
        "x" * 1000,
    ],
)
async def test_an_unknown_bot_is_refused(bot: str, store_url: str) -> None:
    async with hosted_bot_service(CODECS["fire_bulls"], store_url, "http://127.0.0.1:1/") as service:
        with pytest.raises(Refusal) as caught:
            await service.begin("", bot)
        assert (caught.value.code, caught.value.fields) == (grpc.StatusCode.INVALID_ARGUMENT, ["seats[1].bot"])


@pytest.mark.parametrize(
    ("bot", "cap"),
    [
        ("mcts:milliseconds=9500", "milliseconds must be from 1 to 1000"),
        ("mcts:milliseconds=600000", "milliseconds must be from 1 to 1000"),
        ("mcts:iterations=2001", "iterations must be from 1 to 2000"),
        ("mcts:iterations=20,depth=101", "depth must be from 0 to 100"),
        ("greedy:samples=101", "samples must be from 1 to 100"),
    ],
)
async def test_fault06_a_bot_that_costs_too_much_is_refused(bot: str, cap: str, store_url: str) -> None:
    async with hosted_bot_service(CODECS["fire_bulls"], store_url) as service:
        with pytest.raises(Refusal, match=cap) as caught:
            await service.begin("", bot)
        assert (caught.value.code, caught.value.fields) == (grpc.StatusCode.INVALID_ARGUMENT, ["seats[1].bot"])


async def test_an_inline_state_has_no_hosted_seats(store_url: str) -> None:
    async with hosted_bot_service(CODECS["fire_bulls"], store_url) as service:
        with pytest.raises(Refusal) as caught:
            await service.begin("", "random", ephemeral=True)
        assert caught.value.fields == ["seats[1].bot"]


async def test_turns_of_unknown_rules_are_logged_once(
    store_url: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn_queue, "TAKEOVER_MS", 50)
    played = Counter[str]()
    play_at_all = HostedSeats.play

    async def play(hosted: HostedSeats, turn: HostedTurn) -> None:
        played[turn.match_id] += 1
        await play_at_all(hosted, turn)

    monkeypatch.setattr(HostedSeats, "play", play)
    async with hosted_bot_service(CODECS["fire_bulls"], store_url) as service:
        store = service.engine.store
        for match_id in ("one", "two"):
            unknown_turn = HostedTurn("fire_bulls@99", match_id, 0, 0, "random")
            assert await store.create(match_id, b"header", b"state", b"progress", [], hosted_turns=[unknown_turn])
        while min(played["one"], played["two"]) < 4:
            await asyncio.sleep(0.05)
    warnings = [each.getMessage() for each in caplog.records if "does not know" in each.getMessage()]
    assert warnings == ["other workers must play turns of rules that this worker does not know: fire_bulls@99"]


async def never_answer(request: bytes, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(60)


async def respond_byte_by_byte(request: bytes, writer: asyncio.StreamWriter) -> None:
    for byte in choice_response("draw"):
        writer.write(bytes([byte]))
        await asyncio.sleep(1)


async def respond_with_garbage(request: bytes, writer: asyncio.StreamWriter) -> None:
    writer.write(http_response("200 OK", b"garbage"))


@pytest.mark.parametrize("bad", [never_answer, respond_byte_by_byte, respond_with_garbage])
async def test_a_bad_bot_makes_default_moves_and_then_leaves(bad: Handler, store_url: str) -> None:
    async with (
        webhook(bad) as url,
        hosted_bot_service(CODECS["fire_bulls"], store_url, url, move_seconds=0.3, failures=2) as service,
    ):
        new_game = await service.begin(url, "random")
        score = await service.final_score(new_game)
        events = await service.events(new_game)
        own = [field(event, "notation") for event in events if event.HasField("seat") and field(event, "seat") == 0]
        assert field(score, "reason") == "left"
        assert [str(text).partition(" ")[0] for text in own] == ["draw", "leave", "step"], (
            "the step is made for it (FB-87)"
        )


async def test_a_bot_is_sent_only_the_view_of_its_seat(store_url: str) -> None:
    codec = CODECS["fire_bulls"]
    received: list[bytes] = []

    async def record_request(data: bytes) -> bytes:
        received.append(data)
        return b""

    async with grpc_bot(record_request) as name, hosted_bot_service(codec, store_url, name, failures=1) as service:
        new_game = await service.begin("", name)
        token = new_game.seats[0].token  # type: ignore[attr-defined]
        match_id = str(field(new_game, "match_id"))
        while not received:  # the person plays until the bot is called
            listed = await service.game_client.call("LegalMoves", token, match_id=match_id)
            for first in [*listed.moves][:1]:  # type: ignore[attr-defined]
                await service.game_client.call("Apply", token, match_id=match_id, notation=first.notation)
            await asyncio.sleep(0.02)
        await service.final_score(new_game)
        stored = await service.engine.store.load(match_id)
    request: Message = GetMessageClass(codec.bot_service.methods_by_name["Choose"].input_type).FromString(received[0])
    seats = request.match.view.seats  # type: ignore[attr-defined]
    assert request.match.seat == 1  # type: ignore[attr-defined]
    assert [seat.HasField("hand") for seat in seats] == [False, True]
    secret = MatchHeader.FromString(stored.header).secret_seed
    assert secret not in received[0]
    assert secret.hex().encode() not in received[0]


async def test_a_bot_has_no_more_time_than_the_clock_allows(store_url: str) -> None:
    async with (
        webhook(never_answer) as url,
        hosted_bot_service(CODECS["fire_bulls"], store_url, url, move_seconds=30, failures=1) as service,
    ):
        began = time.monotonic()
        await service.final_score(await service.begin(url, "random", clock=Clock(move_seconds=1)), 20)
        assert time.monotonic() - began < 15


async def test_a_bot_has_the_time_of_its_own_seat_from_the_beginning_of_a_match_that_waited(store_url: str) -> None:
    """Both seats are to move at once. Each choice of the bot earns a minute, so its deadline is soon the later one."""
    deadlines: list[float] = []

    async def choose_first(request: bytes, writer: asyncio.StreamWriter) -> None:
        sent = json.loads(request.partition(b"\r\n\r\n")[2])
        deadlines.append(datetime.fromisoformat(sent["deadline"]).timestamp())
        writer.write(choice_response(sent["moves"][0]["notation"]))

    async with (
        webhook(choose_first) as url,
        hosted_bot_service(CODECS["spring_festival"], store_url, url, move_seconds=3600) as service,
    ):
        clock = Clock(bank_seconds=600, increment_seconds=60)
        seats = [SeatSpec(bot=url), SeatSpec(open=OpenSeat())]
        new_game = await service.game_client.call("NewGame", seats=seats, clock=clock)
        await asyncio.sleep(0.3)
        assert not deadlines
        code = field(new_game, "join_codes")[0].code  # type: ignore[index] # a list of messages
        joined_at = time.time()
        await service.game_client.call("Join", match_id=field(new_game, "match_id"), code=code, name="Bo")
        async with asyncio.timeout(20):
            while len(deadlines) < 2:
                await asyncio.sleep(0.02)
    first, second = [deadline - joined_at + DEADLINE_MARGIN_SECONDS for deadline in deadlines[:2]]
    assert 600 <= first < 610
    assert 660 <= second < 670
