"""Leave, private matches, and records, for every game."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from random import Random
from typing import cast

import grpc
import pytest
from google.protobuf.message import Message

from services.engine.codecs import CODECS
from services.engine.main import Engine
from services.engine.records.reading import read
from services.engine.records.verification import verify
from tests.services.client import Refusal
from tests.services.registry import GameClient, MatchDriver, field

READ_METHODS = ("GetMatch", "LegalMoves", "Score", "History", "GetRecord")


@pytest.fixture(params=list(CODECS.values()), ids=list(CODECS))
async def game_client(engine: Engine, request: pytest.FixtureRequest) -> AsyncIterator[GameClient]:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield GameClient(channel, request.param)


async def refusal_text(driver: MatchDriver, name: str, token: str = "", **fields: object) -> str:
    with pytest.raises(Refusal) as caught:
        await driver.call(name, token, **fields)
    return f"{caught.value.code.name} {caught.value.reason}"


async def test_leaving_is_logged_and_may_end_the_match(game_client: GameClient) -> None:
    driver = await game_client.begin()
    answer = await driver.call("Leave", driver.tokens[1])
    events = cast(list[Message], field(answer, "events"))
    assert (field(events[0], "seat"), field(events[0], "notation")) == (1, "leave")
    history = cast(list[Message], field(await driver.call("History", driver.tokens[1]), "events"))
    assert history[-len(events) :] == list(events)
    assert field(answer, "revision") == len(history)
    driver.match = cast(Message, field(answer, "match"))
    await driver.play(Random(1))  # a game may let a turn be ended first
    assert await refusal_text(driver, "Leave", driver.tokens[0]) == "FAILED_PRECONDITION MATCH_OVER"
    assert verify(*read(await driver.record())).left == 1


async def test_fault20_moves_made_for_absent_seats_are_sent_to_every_observer(game_client: GameClient) -> None:
    """In the answers to who leaves and to the others, in histories and streams, and in the record."""
    driver = await game_client.begin(3)
    watched = asyncio.ensure_future(driver.watched())
    await driver.play(Random(4), 7)
    revision_before = cast(int, field(driver.match, "revision"))
    leaver = cast(list[int], field(driver.match, "to_move"))[-1]
    answer = await driver.call("Leave", driver.tokens[leaver])
    driver.match = cast(Message, field(answer, "match"))
    received = [*cast(list[Message], field(answer, "events"))]
    while not field(driver.match, "over"):
        seat = cast(list[int], field(driver.match, "to_move"))[0]
        assert seat != leaver
        listed = cast(list[Message], field(await driver.call("LegalMoves", driver.tokens[seat]), "moves"))
        answer = await driver.call("Apply", driver.tokens[seat], notation=field(listed[-1], "notation"))
        driver.match = cast(Message, field(answer, "match"))
        received += cast(list[Message], field(answer, "events"))
    history = cast(list[Message], field(await driver.call("History"), "events"))
    assert await asyncio.wait_for(watched, 30) == history
    assert [field(event, "revision") for event in received] == [
        field(event, "revision") for event in history[revision_before:]
    ]
    mine = [event for event in received[1:] if event.HasField("seat") and field(event, "seat") == leaver]
    assert len(mine) > 2
    assert all(event.HasField("move") for event in mine)
    assert verify(*read(await driver.record())).left == 1


async def test_a_seat_can_be_left_only_with_its_own_token(game_client: GameClient) -> None:
    driver, other = await game_client.begin(), await game_client.begin()
    assert await refusal_text(driver, "Leave") == "UNAUTHENTICATED UNAUTHENTICATED"
    assert await refusal_text(driver, "Leave", other.tokens[0]) == "PERMISSION_DENIED PERMISSION_DENIED"
    assert not field(await driver.call("GetMatch"), "match", "over")


async def test_a_record_is_readable_only_after_the_end_and_verified(game_client: GameClient) -> None:
    driver = await game_client.begin(client_seed="a seed of mine")
    await driver.play(Random(1), 5)
    for token in ("", *driver.tokens):
        assert await refusal_text(driver, "GetRecord", token) == "FAILED_PRECONDITION MATCH_NOT_OVER"
    await driver.play(Random(2))
    codec, record = read(await driver.record())
    assert verify(codec, record).moves
    assert (record.match_id, list(record.client_seeds)) == (driver.match_id, ["a seed of mine"])
    assert record.commitment == field(driver.match, "commitment")
    assert record.rules_version == f"{game_client.codec.game.name}@{game_client.codec.game.version}"


async def test_a_private_match_is_not_found_without_a_seat_token(game_client: GameClient) -> None:
    driver, other = await game_client.begin(private=True), await game_client.begin()
    for name in READ_METHODS:
        for token in ("", other.tokens[0]):
            assert await refusal_text(driver, name, token) == "NOT_FOUND UNKNOWN_MATCH"
    assert await refusal_text(driver, "Leave", other.tokens[0]) == "NOT_FOUND UNKNOWN_MATCH"
    for token in driver.tokens:
        for name in READ_METHODS[:-1]:
            assert await driver.call(name, token)
    await driver.play(Random(1))
    assert await refusal_text(driver, "GetRecord") == "NOT_FOUND UNKNOWN_MATCH"
    assert await driver.call("GetRecord", driver.tokens[1])


async def leave_or_refusal(driver: MatchDriver, token: str) -> str:
    try:
        await driver.call("Leave", token)
    except Refusal as received:
        return received.reason
    return "LEFT"


async def test_concurrent_leaves_are_each_logged_once(game_client: GameClient) -> None:
    driver = await game_client.begin(game_client.codec.game.max_seats)
    tokens = driver.tokens[1:]
    outcomes = await asyncio.gather(*[leave_or_refusal(driver, token) for token in tokens for _ in range(3)])
    assert outcomes.count("LEFT") == len(tokens)
    assert set(outcomes) <= {"LEFT", "SEAT_HAS_LEFT", "MATCH_OVER"}
    history = cast(list[Message], field(await driver.call("History"), "events"))
    assert sum(field(event, "notation") == "leave" for event in history) == len(tokens)


async def test_a_seat_cannot_leave_twice(game_client: GameClient) -> None:
    driver = await game_client.begin(game_client.codec.game.max_seats)
    await driver.call("Leave", driver.tokens[1])
    assert await refusal_text(driver, "Leave", driver.tokens[1]) == "FAILED_PRECONDITION SEAT_HAS_LEFT"
    assert await driver.call("GetMatch", driver.tokens[1])
