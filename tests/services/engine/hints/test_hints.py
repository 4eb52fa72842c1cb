"""Hint and Fork, for every game: from a seat's own knowledge, in the log of a match in play, of finished matches."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from random import Random
from typing import cast

import grpc
import pytest
from google.protobuf.message import Message

from engine_core.chance import Luck
from engine_core.match import AnyMatch, Match
from services.engine.codecs import CODECS
from services.engine.hints import hints
from services.engine.main import Engine
from services.engine.records.reading import VerificationFailed, read
from services.engine.records.verification import verify
from tests.services.client import Refusal
from tests.services.engine.inline.inline_client import InlineClient
from tests.services.registry import GameClient, MatchDriver, field

BOT = "mcts:iterations=8,depth=4"
POSITIONS = 6
"""So many positions of each game are compared with others that look the same."""


@pytest.fixture(params=list(CODECS.values()), ids=list(CODECS))
async def game_client(engine: Engine, request: pytest.FixtureRequest) -> AsyncIterator[GameClient]:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield GameClient(channel, request.param)


@pytest.fixture
async def fire_bulls(engine: Engine) -> AsyncIterator[GameClient]:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield GameClient(channel, CODECS["fire_bulls"])


async def refusal(driver: MatchDriver, name: str, token: str = "", **fields: object) -> str:
    with pytest.raises(Refusal) as caught:
        await driver.call(name, token, **fields)
    return f"{caught.value.code.name} {caught.value.reason} {' '.join(caught.value.fields)}".strip()


async def log_of(driver: MatchDriver) -> list[Message]:
    return cast(list[Message], field(await driver.call("History"), "events"))


def seat_to_move(driver: MatchDriver) -> int:
    return cast(list[int], field(driver.match, "to_move"))[0]


async def test_positions_that_look_the_same_to_a_seat_get_the_same_hint(game_client: GameClient) -> None:
    codec, random = game_client.codec, Random(3)
    inline = InlineClient(game_client.channel, codec)
    compared = 0
    for start in range(200):
        if compared == POSITIONS:
            break
        options = next(iter(codec.game.presets().values()))
        match: AnyMatch = Match(
            codec.game, codec.game.start(codec.game.max_seats, options), Luck(bytes(32), [f"{start}"])
        )
        match.begin()
        while not match.is_over() and compared < POSITIONS:
            seat = match.to_move()[-1]
            other = codec.game.determinize(match.state, seat, random)
            if codec.write_state(other) != codec.write_state(match.state) and random.random() < 0.1:
                compared += 1
                states = [codec.encode_state(each) for each in (match.state, other)]
                hint, same = [await inline.call("Hint", state=each, seat=seat, seed="7", bot=BOT) for each in states]
                assert hint == same
                legal = (await inline.call("LegalMoves", state=states[0], seat=seat)).moves
                assert [each.move for each in hint.moves] == list(legal)
                assert sum(each.best for each in hint.moves) == 1
                assert all(0 <= each.value <= 1 and each.visits for each in hint.moves)
                assert (hint.bot, hint.seat) == (BOT, seat)
            match.play(seat, random.choice(match.legal_moves(seat)))
    assert compared == POSITIONS


async def test_a_seat_that_is_not_to_move_gets_no_moves_and_texts_are_in_the_language(game_client: GameClient) -> None:
    inline = InlineClient(game_client.channel, game_client.codec)
    begun = await inline.begin(game_client.codec.game.min_seats)
    movers = list(begun.match.to_move)
    for seat in range(game_client.codec.game.min_seats):
        answer = await inline.call("Hint", state=begun.state, seat=seat, bot="greedy:samples=1", locale="fr")
        assert bool(answer.moves) == (seat in movers)
        assert all(each.move.text for each in answer.moves)


async def test_a_match_in_play_gives_hints_only_if_it_was_started_with_them(game_client: GameClient) -> None:
    driver = await game_client.begin()
    seat = seat_to_move(driver)
    assert await refusal(driver, "Hint", driver.tokens[seat]) == "PERMISSION_DENIED PERMISSION_DENIED"
    assert await refusal(driver, "Hint") == "UNAUTHENTICATED UNAUTHENTICATED"
    assert field(driver.match, "hints") is False
    assert all(field(event, "notation") != "hint" for event in await log_of(driver))


async def test_a_hint_in_a_match_in_play_is_logged_once_a_turn(game_client: GameClient) -> None:
    driver = await game_client.begin(hints=True)
    assert field(driver.match, "hints") is True
    await driver.play(Random(2), 1)
    seat, revision = seat_to_move(driver), cast(int, field(driver.match, "revision"))
    token = driver.tokens[seat]
    answers = [await driver.call("Hint", token, bot=BOT, seed="s") for _ in range(2)]
    assert answers[0] == answers[1]
    assert field(answers[0], "revision") == revision + 1
    log = await log_of(driver)
    assert (field(log[-1], "notation"), field(log[-1], "seat"), len(log)) == ("hint", seat, revision + 1)
    listed = cast(list[Message], field(await driver.call("LegalMoves", token), "moves"))
    # A move that was chosen before the hint is not stale.
    notation = field(listed[0], "notation")
    answer = await driver.call("Apply", token, notation=notation, expected_revision=revision)
    driver.match = cast(Message, field(answer, "match"))
    if not field(driver.match, "over"):
        assert await driver.call("Hint", driver.tokens[seat_to_move(driver)], bot=BOT)
        assert [field(event, "notation") for event in await log_of(driver)].count("hint") == 2


async def test_only_the_seat_that_is_to_move_gets_a_hint_of_now(game_client: GameClient) -> None:
    driver, other = await game_client.begin(hints=True), await game_client.begin(hints=True)
    await driver.play(Random(1), 1)
    seat = seat_to_move(driver)
    token = driver.tokens[seat]
    assert await refusal(driver, "Hint") == "UNAUTHENTICATED UNAUTHENTICATED"
    assert await refusal(driver, "Hint", other.tokens[seat]) == "PERMISSION_DENIED PERMISSION_DENIED"
    assert await refusal(driver, "Hint", token, seat=1 - seat) == "PERMISSION_DENIED PERMISSION_DENIED"
    assert await refusal(driver, "Hint", token, revision=1) == "FAILED_PRECONDITION MATCH_NOT_OVER"
    assert await refusal(driver, "Hint", token, revision=9999) == "ABORTED STALE_REVISION"
    waiting = [
        each for each in range(len(driver.tokens)) if each not in cast(list[int], field(driver.match, "to_move"))
    ]
    for each in waiting:
        assert await refusal(driver, "Hint", driver.tokens[each]) == "FAILED_PRECONDITION NOT_YOUR_TURN"


async def test_a_record_shows_the_hints_and_is_proved(game_client: GameClient) -> None:
    driver = await game_client.begin(hints=True)
    hinted = 0
    random = Random(5)
    while not field(driver.match, "over"):
        if hinted < 3:
            await driver.call("Hint", driver.tokens[seat_to_move(driver)], bot="greedy:samples=1")
            hinted += 1
        await driver.play(random, 2)
    text = await driver.record()
    codec, record = read(text)
    assert record.hints
    assert verify(codec, record).hints == hinted > 0
    record.hints = False
    with pytest.raises(VerificationFailed, match="without hints"):
        verify(codec, record)
    replayed = await driver.game_client.call("Replay", record=read(text)[1])
    assert field(replayed, "revision") == len(record.events)


async def test_a_finished_match_gives_hints_of_any_seat_and_forks_at_any_revision(game_client: GameClient) -> None:
    driver = await game_client.begin()
    assert await refusal(driver, "Fork", driver.tokens[0]) == "FAILED_PRECONDITION MATCH_NOT_OVER"
    await driver.play(Random(4))
    record = field(await driver.call("GetRecord"), "record")
    last = cast(int, field(driver.match, "revision"))
    inline = InlineClient(game_client.channel, game_client.codec)
    for revision in (0, 1, last // 2, last - 1, last):
        fork = await driver.call("Fork", driver.tokens[1], revision=revision)
        replayed = await game_client.call("Replay", record=record, revision=revision, seat=1)
        for name in ("revision", "match", "state"):
            assert field(fork, name) == field(replayed, name)
        for seat in cast(list[int], field(fork, "match", "to_move")):
            hint = await driver.call("Hint", revision=revision, seat=seat, seed="x", bot=BOT)
            assert field(hint, "revision") == revision
            expected = await inline.call("Hint", state=field(fork, "state"), seat=seat, seed="x", bot=BOT)
            assert list(cast(list[Message], field(hint, "moves"))) == list(expected.moves) != []
            notation = field(cast(list[Message], field(hint, "moves"))[0], "move", "notation")
            assert (await inline.call("Apply", state=field(fork, "state"), seat=seat, notation=notation)).state
    assert len(await log_of(driver)) == last
    assert await refusal(driver, "Hint") == "INVALID_ARGUMENT INVALID_REQUEST seat"
    assert field(await driver.call("Hint", driver.tokens[1]), "seat") == 1
    assert await refusal(driver, "Fork", revision=-1) == "INVALID_ARGUMENT INVALID_REQUEST revision"
    assert await refusal(driver, "Fork", revision=last + 1) == "ABORTED STALE_REVISION"


async def test_a_private_match_gives_nothing_to_others(game_client: GameClient) -> None:
    driver = await game_client.begin(private=True, hints=True)
    for name in ("Hint", "Fork"):
        assert await refusal(driver, name) == "NOT_FOUND UNKNOWN_MATCH"
    await driver.play(Random(1))
    for name in ("Hint", "Fork"):
        assert await refusal(driver, name) == "NOT_FOUND UNKNOWN_MATCH"
        assert await driver.call(name, driver.tokens[0])


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"bot": "random"}, "bot"),
        ({"bot": "https://example.org/bot"}, "bot"),
        ({"bot": "mcts:iterations=2001"}, "bot"),
        ({"seed": "s" * 257}, "seed"),
        ({"seat": None}, "seat"),
        ({"revision": 1}, "revision"),
    ],
)
async def test_an_invalid_request_names_its_field(fields: dict[str, object], path: str, fire_bulls: GameClient) -> None:
    inline = InlineClient(fire_bulls.channel, fire_bulls.codec)
    begun = await inline.begin(2)
    with pytest.raises(Refusal) as caught:
        await inline.call("Hint", **{"state": begun.state, "seat": 0, **fields})
    assert caught.value.fields == [path]
    with pytest.raises(Refusal) as caught:
        await inline.begin(2, hints=True)
    assert caught.value.fields == ["hints"]


async def test_a_caller_has_few_hints_at_once_and_short_calls_are_served_meanwhile(fire_bulls: GameClient) -> None:
    driver = await fire_bulls.begin(hints=True)
    token = driver.tokens[seat_to_move(driver)]
    calls = [driver.call("Hint", token, bot="mcts:iterations=60") for _ in range(2 * hints.MAX_WAITING)]
    computed = asyncio.gather(*calls, return_exceptions=True)
    served = 0
    while not computed.done():
        await driver.call("GetMatch")
        served += 1
    outcomes = await computed
    refused = [each for each in outcomes if isinstance(each, Refusal)]
    assert {each.reason for each in refused} == {"BUSY"}
    assert len(outcomes) - len(refused) >= hints.MAX_WAITING
    assert served > hints.MAX_WAITING
    assert [field(event, "notation") for event in await log_of(driver)].count("hint") == 1
