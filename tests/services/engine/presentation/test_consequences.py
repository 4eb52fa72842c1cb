"""The texts of log entries say what the moves brought, alike in every call and stream, and as the rules say it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from random import Random
from typing import cast

import grpc
import pytest
from fireside.match.v1.match_pb2 import SeatSpec
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from engine_core.game import NATURE, SPECTATOR
from engine_core.match import AnyMatch, Entry
from services.engine.codecs import CODECS, AnyCodec
from services.engine.main import Engine
from services.engine.records.replaying import Replays
from services.grpc_server.admission.long_work import LongWork
from tests.services.registry import GameClient, MatchDriver, field
from tests.services.streams import bearer_metadata

LOCALE = "it"
MOVES = 60


@pytest.fixture(params=list(CODECS.values()), ids=list(CODECS))
async def game_client(engine: Engine, request: pytest.FixtureRequest) -> AsyncIterator[GameClient]:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield GameClient(channel, request.param)


def messages(message: Message, name: str) -> Sequence[Message]:
    """The messages of a repeated field."""
    return cast(Sequence[Message], field(message, name))


def said(events: Sequence[Message]) -> list[str]:
    return [str(field(event, "text")) for event in events]


async def watched(driver: MatchDriver, token: str) -> list[str]:
    """The texts of the entries that a stream sends until the match is over."""
    method = driver.game_client.codec.service.methods_by_name["Watch"]
    watch = driver.game_client.channel.unary_stream(
        f"/{driver.game_client.codec.service.full_name}/Watch",
        request_serializer=GetMessageClass(method.input_type).SerializeToString,
        response_deserializer=GetMessageClass(method.output_type).FromString,
    )
    request = GetMessageClass(method.input_type)(match_id=driver.match_id, locale=LOCALE, batched=True, views=True)
    texts: list[str] = []
    async for answer in watch(request, metadata=bearer_metadata(token)):
        for part in (answer, *field(answer, "batch").responses):  # type: ignore[attr-defined]
            if part.WhichOneof("kind") == "event":
                texts += said([part.event])
    return texts


def expected(codec: AnyCodec, record: Message, observer: int) -> list[str]:
    """The texts of the entries of a record for an observer, from the positions and the rules."""
    game, seats = codec.game, cast(Sequence[SeatSpec], field(record, "seats"))
    words = game.words(LOCALE).with_players(tuple([seat.name for seat in seats]))
    replays = Replays(codec, LongWork())
    match: AnyMatch = replays.start(len(seats), cast(Message, field(record, "options")))
    texts = []
    for event in messages(record, "events"):
        before = game.view(match.state, observer)
        entry: Entry
        [entry] = replays.play(match, event)
        move = entry.seen_by(observer)
        if move is None:
            texts.append(words.sentence(str(field(event, "notation"))))
            continue
        clauses = game.consequences(before, entry.seat, move, game.view(match.state, observer), words)
        own = [reveal.move for reveal in entry.reveals if reveal.seat == entry.seat != NATURE]
        texts.append(words.with_consequences(game.sentence(own[-1] if own else move, words), clauses))
    return texts


async def played(driver: MatchDriver, random: Random) -> list[tuple[int, int, list[str]]]:
    """Play random moves, then let all but one leave: by step the seat, the first revision, and the texts it is sent."""
    steps: list[tuple[int, int, list[str]]] = []
    for _ in range(MOVES):
        if field(driver.match, "over"):
            return steps
        revision = cast(int, field(driver.match, "revision"))
        seat = random.choice(cast(list[int], field(driver.match, "to_move")))
        listed = messages(await driver.call("LegalMoves", driver.tokens[seat]), "moves")
        notation = field(random.choice(listed), "notation")
        answer = await driver.call("Apply", driver.tokens[seat], notation=notation, locale=LOCALE)
        driver.match = cast(Message, field(answer, "match"))
        steps.append((seat, revision, said(messages(answer, "events"))))
    for seat in range(len(driver.tokens) - 1):
        answer = await driver.call("Leave", driver.tokens[seat], locale=LOCALE)
        revision = cast(int, field(driver.match, "revision"))
        driver.match = cast(Message, field(answer, "match"))
        steps.append((seat, revision, said(messages(answer, "events"))))
    await driver.play(random)
    return steps


async def test_every_call_and_stream_says_what_moves_brought(game_client: GameClient) -> None:
    driver, codec = await game_client.begin(), game_client.codec
    live = [asyncio.create_task(watched(driver, token)) for token in ("", *driver.tokens)]
    steps = await played(driver, Random(5))
    record = cast(Message, field(await driver.call("GetRecord"), "record"))
    texts = {observer: expected(codec, record, observer) for observer in (SPECTATOR, *range(len(driver.tokens)))}
    for seat, revision, step in steps:
        assert step == texts[seat][revision : revision + len(step)]
    for (observer, whole), stream in zip(texts.items(), live, strict=True):
        token = "" if observer == SPECTATOR else driver.tokens[observer]
        assert await stream == whole
        assert await watched(driver, token) == whole
        history = await driver.call("History", token, locale=LOCALE)
        assert said(messages(history, "events")) == whole
        page = await driver.call("History", token, locale=LOCALE, from_revision=5, page_size=9)
        assert said(messages(page, "events")) == whole[5:14]
        seen: dict[str, object] = {} if observer == SPECTATOR else {"seat": observer}
        for after in (0, 7):
            replay = await game_client.call("Replay", "", record=record, from_revision=after, locale=LOCALE, **seen)
            assert said(messages(replay, "events")) == whole[after:]


async def test_a_move_on_an_inline_state_says_what_it_brought(game_client: GameClient) -> None:
    codec, random, found = game_client.codec, Random(2), 0
    seats = [SeatSpec() for _ in range(codec.game.min_seats)]
    words = codec.game.words(LOCALE)
    begun = await game_client.call("NewGame", seats=seats, ephemeral=True)
    match, state = cast(Message, field(begun, "match")), cast(Message, field(begun, "state"))
    for _ in range(MOVES):
        if field(match, "over"):
            break
        seat = random.choice(cast(list[int], field(match, "to_move")))
        [*listed] = messages(await game_client.call("LegalMoves", state=state, seat=seat), "moves")
        move = random.choice(listed)
        notation = str(field(move, "notation"))
        answer = await game_client.call("Apply", state=state, seat=seat, notation=notation, seed="s", locale=LOCALE)
        events, before = messages(answer, "events"), codec.decode_state(state)
        first = codec.game.next_state(before, seat, codec.decode_move(cast(Message, field(move, "move"))))
        clauses = codec.game.consequences(
            codec.game.view(before, seat),
            seat,
            codec.decode_move(cast(Message, field(move, "move"))),
            codec.game.view(first, seat),
            words,
        )
        sentence = codec.game.sentence(codec.game.parse(notation), words)
        assert said(events)[0] == words.with_consequences(sentence, clauses)
        found += bool(clauses)
        match, state = cast(Message, field(answer, "match")), cast(Message, field(answer, "state"))
    assert found or codec.game.name == "kuhn_poker"
