"""Open seats, join codes, tokens, bots that play on, and rematches, over two engines on one Redis."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from random import Random
from typing import Any, cast

import grpc
import pytest
from fireside.fire_bulls.v1.fire_bulls_pb2 import Options
from fireside.match.v1.match_pb2 import Clock, OpenSeat, Rematch, SeatChange, SeatSpec
from google.protobuf.message_factory import GetMessageClass

from runtime import api_keys
from services.engine.codecs import CODECS, AnyCodec
from services.engine.main import Engine
from services.engine.records.verification import verify
from services.engine.settings import EngineSettings
from services.store.keys import deadlines_key_of, match_keys
from tests.conformance.game_setups import first_setup
from tests.redis_clients import redis_at
from tests.services.client import Refusal
from tests.services.registry import GameClient, MatchDriver, field

EVERY_GAME = pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))
ONE_GAME = pytest.mark.parametrize("codec", [*CODECS.values()][:1], ids=[*CODECS][:1])
OPEN = SeatSpec(open=OpenSeat())
ADA = SeatSpec(name="Ada")
OUR_KEY, OTHER_KEY = api_keys.new_key(), api_keys.new_key()
KNOWN_KEYS = api_keys.parse(f"{api_keys.key_entry('ours', OUR_KEY)},{api_keys.key_entry('other', OTHER_KEY)}")


@pytest.fixture
async def clients(codec: AnyCodec, redis_url: str) -> AsyncIterator[list[GameClient]]:
    async with AsyncExitStack() as stack:
        yield await engines(stack, codec, redis_url)


@pytest.fixture
async def keyed(codec: AnyCodec, redis_url: str) -> AsyncIterator[list[GameClient]]:
    """As `clients`, where beginning a match requires an API key."""
    async with AsyncExitStack() as stack:
        yield await engines(stack, codec, redis_url, KNOWN_KEYS)


async def engines(
    stack: AsyncExitStack, codec: AnyCodec, redis_url: str, keys: api_keys.ApiKeys | None = None
) -> list[GameClient]:
    """Clients of two engines."""
    opened = []
    for _ in range(2):
        keyword = {} if keys is None else {"api_keys": keys}
        engine = Engine(EngineSettings(port=0, redis_url=redis_url, grace_seconds=1, **cast(Any, keyword)))
        await engine.start()
        stack.push_async_callback(engine.stop)
        channel = await stack.enter_async_context(grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}"))
        opened.append(GameClient(channel, codec))
    return opened


async def table(client: GameClient, **fields: Any) -> Any:
    """A new match of Ada and open seats, as few as the game allows: the response of `NewGame`."""
    fields.setdefault("seats", [ADA, *[OPEN] * (client.codec.game.min_seats - 1)])
    return await client.call("NewGame", **fields)


async def join_all(client: GameClient, new: Any) -> list[Any]:
    """The responses of `Join` for all open seats."""
    return [
        await client.call("Join", match_id=new.match_id, code=code.code, name=f"Seat {code.seat}")
        for code in new.join_codes
    ]


async def begun(client: GameClient, **fields: Any) -> tuple[Any, MatchDriver]:
    """A match whose open seats have been taken, and a driver with all tokens."""
    new = await table(client, **fields)
    joined = await join_all(client, new)
    tokens = {seat.seat: seat.token for seat in [*new.seats, *joined]}
    match = field(await client.call("GetMatch", new.seats[0].token, match_id=new.match_id), "match")
    return new, MatchDriver(client, new.match_id, [tokens[seat] for seat in sorted(tokens)], match)


async def reason(call: Any) -> str:
    with pytest.raises(Refusal) as caught:
        await call
    return caught.value.reason


async def first_move(driver: MatchDriver, client: GameClient) -> tuple[int, str]:
    """A seat that is to move, and a legal move of it."""
    match = cast(Any, await client.call("GetMatch", match_id=driver.match_id)).match
    seat = match.to_move[0]
    moves = cast(Any, await client.call("LegalMoves", driver.tokens[seat], match_id=driver.match_id)).moves
    return seat, moves[0].notation


@EVERY_GAME
async def test_a_match_waits_until_every_seat_is_taken_and_is_then_played_and_verified(
    clients: list[GameClient], codec: AnyCodec
) -> None:
    new = await table(clients[0], seats=[ADA, *[OPEN] * (codec.game.max_seats - 1)])
    assert [code.seat for code in new.join_codes] == [*range(1, codec.game.max_seats)]
    assert [seat.seat for seat in new.seats] == [0]
    assert new.match.waiting
    assert new.match.HasField("expire_time")
    codes = list(new.join_codes)
    while codes:
        code = codes.pop()
        for client in clients:
            match = cast(Any, await client.call("GetMatch", new.seats[0].token, match_id=new.match_id)).match
            assert (match.waiting, match.revision, list(match.to_move)) == (True, 0, [])
            listed = cast(Any, await client.call("LegalMoves", new.seats[0].token, match_id=new.match_id))
            assert not listed.moves
            assert not cast(Any, await client.call("History", match_id=new.match_id)).events
            apply = client.call("Apply", new.seats[0].token, match_id=new.match_id, notation=any_notation(codec))
            assert await reason(apply) == "MATCH_WAITING"
        joined = cast(Any, await clients[len(codes) % 2].call("Join", match_id=new.match_id, code=code.code, name="Bo"))
        assert joined.seat == code.seat
    assert (joined.match.waiting, joined.match.HasField("expire_time")) == (False, False)
    assert joined.match.revision
    assert joined.match.commitment == new.commitment
    assert [seat.name for seat in joined.match.seats] == ["Ada", *["Bo"] * (codec.game.max_seats - 1)]
    assert not any(seat.HasField("open") for seat in joined.match.seats)


@EVERY_GAME
async def test_a_match_that_waited_has_a_record_that_can_be_verified(
    clients: list[GameClient], codec: AnyCodec
) -> None:
    new, driver = await begun(clients[0])
    await driver.play(Random(3))
    record = cast(Any, await clients[1].call("GetRecord", match_id=new.match_id)).record
    assert record.commitment == new.commitment
    assert [seat.name for seat in record.seats][:2] == ["Ada", "Seat 1"]
    verified = verify(codec, record)
    assert verified.moves + verified.draws == len(record.events)


@EVERY_GAME
async def test_a_code_works_once_however_many_use_it_at_the_same_time(
    clients: list[GameClient], codec: AnyCodec
) -> None:
    new = await table(clients[0])
    calls = [
        clients[number % 2].call("Join", match_id=new.match_id, code=new.join_codes[0].code, name=f"{number}")
        for number in range(20)
    ]
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    joined = [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
    assert len(joined) == 1
    assert {cast(Refusal, outcome).reason for outcome in outcomes if outcome not in joined} == {"INVALID_CODE"}


@ONE_GAME
async def test_a_repeated_join_gets_its_token_again_and_another_request_does_not(clients: list[GameClient]) -> None:
    new = await table(clients[0])
    request = {"match_id": new.match_id, "code": new.join_codes[0].code, "name": "Bo", "request_id": "one"}
    answers = [cast(Any, await client.call("Join", **request)) for client in (*clients, clients[0])]
    for answer in answers:
        match = cast(Any, await clients[0].call("GetMatch", answer.token, match_id=new.match_id)).match
        assert match.seat == answer.seat == 1
    for changed in ({"name": "Cy"}, {"request_id": "two"}, {"request_id": ""}):
        assert await reason(clients[1].call("Join", **{**request, **changed})) == "INVALID_CODE"


@ONE_GAME
@pytest.mark.parametrize("code", ["", "0000-0000-0000", "é" * 12, "x" * 64, "\x00"])
async def test_a_wrong_code_takes_no_seat(clients: list[GameClient], code: str) -> None:
    new = await table(clients[0])
    assert await reason(clients[0].call("Join", match_id=new.match_id, code=code)) == "INVALID_CODE"
    hidden = await table(clients[0], private=True)
    assert await reason(clients[0].call("Join", match_id=hidden.match_id, code=code)) == "UNKNOWN_MATCH"


@ONE_GAME
async def test_a_code_may_be_written_by_hand(clients: list[GameClient]) -> None:
    new = await table(clients[0])
    code = new.join_codes[0].code
    written = "-".join([code[:4], code[4:8], code[8:]]).lower().replace("0", "o").replace("1", "l")
    assert cast(Any, await clients[0].call("Join", match_id=new.match_id, code=f" {written} ")).seat == 1


@EVERY_GAME
async def test_a_reissued_token_replaces_the_old_one_at_once_on_every_engine(
    clients: list[GameClient], codec: AnyCodec
) -> None:
    new, driver = await begun(clients[0])
    seat, notation = await first_move(driver, clients[1])  # both engines have the match cached
    await first_move(driver, clients[0])
    old = driver.tokens[seat]
    answer = cast(Any, await clients[0].call("Reissue", new.host_token, match_id=new.match_id, seat=seat))
    for client in clients:
        for name, fields in {"GetMatch": {}, "LegalMoves": {}, "Apply": {"notation": notation}, "Leave": {}}.items():
            assert await reason(client.call(name, old, match_id=new.match_id, **fields)) == "UNAUTHENTICATED", name
    await clients[1].call("Apply", answer.seat.token, match_id=new.match_id, notation=notation)
    renewed = cast(Any, await clients[1].call("Reissue", answer.seat.token, match_id=new.match_id)).seat
    assert renewed.seat == seat
    assert await reason(clients[0].call("Reissue", answer.seat.token, match_id=new.match_id)) == "UNAUTHENTICATED"


@ONE_GAME
async def test_a_stream_of_a_replaced_token_ends(clients: list[GameClient], codec: AnyCodec) -> None:
    new, driver = await begun(clients[0])
    stream = watching(clients[1], new.match_id, driver.tokens[0])
    assert (await stream.read()).WhichOneof("kind") == "event"
    await clients[0].call("Reissue", new.host_token, match_id=new.match_id, seat=0)
    assert await end_of(stream) is grpc.StatusCode.UNAUTHENTICATED


@EVERY_GAME
async def test_a_watcher_is_sent_who_joins_and_then_every_line_from_the_first(
    clients: list[GameClient], codec: AnyCodec
) -> None:
    new = await table(clients[0])
    stream = watching(clients[1], new.match_id)
    turn = (await stream.read()).turn
    assert (turn.revision, list(turn.to_move)) == (0, [])
    async with asyncio.timeout(20):
        await join_all(clients[0], new)
        joined: list[tuple[int, int, str]] = []
        revisions: list[int] = []
        heads: list[str] = []
        match = cast(Any, await clients[1].call("GetMatch", match_id=new.match_id)).match
        while revisions[-1:] != [match.revision]:
            answer = await stream.read()
            if answer.WhichOneof("kind") == "seat":
                joined.append((answer.seat.seat, answer.seat.change, answer.seat.player.name))
            elif answer.WhichOneof("kind") == "event":
                revisions.append(answer.event.revision)
                heads.append(answer.event.head)
    assert joined == [(code.seat, SeatChange.SEAT_CHANGE_JOINED, f"Seat {code.seat}") for code in new.join_codes]
    history = cast(Any, await clients[0].call("History", match_id=new.match_id))
    assert revisions == [*range(1, history.revision + 1)]
    assert heads == [event.head for event in history.events]


@ONE_GAME
async def test_a_bot_may_take_the_last_open_seat(clients: list[GameClient]) -> None:
    new = await table(clients[0])
    answer = cast(Any, await clients[1].call("Substitute", new.host_token, match_id=new.match_id, seat=1, bot="greedy"))
    assert (answer.match.waiting, answer.match.seats[1].bot) == (False, "greedy")
    assert await reason(clients[0].call("Join", match_id=new.match_id, code=new.join_codes[0].code)) == "INVALID_CODE"


@ONE_GAME
async def test_only_the_host_withdraws_a_match_and_only_before_it_begins(clients: list[GameClient]) -> None:
    new = await table(clients[0])
    stream = watching(clients[1], new.match_id)
    await stream.read()
    assert await reason(clients[0].call("Withdraw", new.seats[0].token, match_id=new.match_id)) == "PERMISSION_DENIED"
    assert await reason(clients[0].call("Withdraw", match_id=new.match_id)) == "UNAUTHENTICATED"
    await clients[0].call("Withdraw", new.host_token, match_id=new.match_id)
    assert await reason(clients[1].call("GetMatch", match_id=new.match_id)) == "UNKNOWN_MATCH"
    assert await end_of(stream) is grpc.StatusCode.NOT_FOUND
    new, _ = await begun(clients[0])
    assert await reason(clients[0].call("Withdraw", new.host_token, match_id=new.match_id)) == "MATCH_BEGUN"


@ONE_GAME
async def test_a_match_that_waits_expires_after_its_seconds_and_one_that_has_begun_does_not(
    clients: list[GameClient], redis_url: str
) -> None:
    new = await table(clients[0], wait_seconds=60)
    async with redis_at(redis_url) as redis:
        key = match_keys(new.match_id)[0]
        assert 50 < await redis.ttl(key) <= 60
        await join_all(clients[0], new)
        assert await redis.ttl(key) > 3600


@ONE_GAME
async def test_who_leaves_before_the_beginning_opens_the_seat_again(clients: list[GameClient], codec: AnyCodec) -> None:
    new = await table(clients[0], seats=[ADA, OPEN, OPEN])
    codes = {code.seat: code.code for code in new.join_codes}
    joined = cast(Any, await clients[0].call("Join", match_id=new.match_id, code=codes[1], name="Bo"))
    answer = cast(Any, await clients[1].call("Leave", joined.token, match_id=new.match_id))
    assert answer.match.seats[1].HasField("open")
    assert await reason(clients[0].call("GetMatch", joined.token, match_id=new.match_id)) == "UNAUTHENTICATED"
    assert await reason(clients[0].call("Join", match_id=new.match_id, code=codes[1])) == "INVALID_CODE"
    code = cast(Any, await clients[1].call("Invite", new.host_token, match_id=new.match_id, seat=1)).join_code
    assert cast(Any, await clients[0].call("Join", match_id=new.match_id, code=code.code, name="Cy")).seat == 1


@EVERY_GAME
async def test_a_seat_is_handed_over_and_its_player_has_it_until_then(clients: list[GameClient]) -> None:
    new, driver = await begun(clients[0])
    code = cast(Any, await clients[0].call("Invite", driver.tokens[0], match_id=new.match_id)).join_code
    assert code.seat == 0
    invite = clients[0].call("Invite", new.host_token, match_id=new.match_id, seat=0)
    assert await reason(invite) == "PERMISSION_DENIED"
    await driver.play(Random(2), 1)
    joined = cast(Any, await clients[1].call("Join", match_id=new.match_id, code=code.code, name="Di"))
    assert (joined.seat, joined.match.seats[0].name) == (0, "Di")
    assert await reason(clients[0].call("GetMatch", driver.tokens[0], match_id=new.match_id)) == "UNAUTHENTICATED"
    driver.tokens[0] = joined.token
    await driver.play(Random(2))
    assert await reason(clients[1].call("Join", match_id=new.match_id, code=code.code)) == "INVALID_CODE"


@EVERY_GAME
async def test_a_rematch_begins_when_all_players_have_called_with_the_seats_moved_on(
    clients: list[GameClient], codec: AnyCodec
) -> None:
    new, driver = await begun(clients[0], seats=[ADA, *[OPEN] * (codec.game.max_seats - 1)], private=True)
    rematch = clients[0].call("Rematch", driver.tokens[0], match_id=new.match_id)
    assert await reason(rematch) == "MATCH_NOT_OVER"
    await driver.play(Random(5))
    seat_count = codec.game.max_seats
    assert await rematch_of(clients[0], new.match_id, driver.tokens[0]) is None
    tokens = {}
    for number, token in enumerate([*driver.tokens, *driver.tokens]):
        client = clients[number % 2]
        answer = cast(Any, await client.call("Rematch", token, match_id=new.match_id))
        tokens[answer.seat.seat] = answer.seat.token
        assert answer.match.waiting == (number < seat_count - 1)
        called = [*range(min(number + 1, seat_count))]
        heard = await rematch_of(client, new.match_id, driver.tokens[-1])
        assert heard == Rematch(match_id=answer.match_id, seats=called, waiting=answer.match.waiting)
    names = [seat.name for seat in answer.match.seats]
    before = [seat.name for seat in driver.match.seats]  # type: ignore[attr-defined]
    assert names == [*before[1:], before[0]]
    assert await reason(clients[0].call("GetMatch", match_id=answer.match_id)) == "UNKNOWN_MATCH"  # private, as before
    again = MatchDriver(clients[0], answer.match_id, [tokens[seat] for seat in sorted(tokens)], answer.match)
    await again.play(Random(6), 5)


@ONE_GAME
async def test_all_hear_of_a_rematch_until_it_is_given_up_or_withdrawn(
    keyed: list[GameClient], codec: AnyCodec
) -> None:
    client = keyed[0]
    client.metadata = [("x-api-key", OUR_KEY)]
    seats = [ADA, SeatSpec(name="Bo"), SeatSpec(bot="random")]
    new = await table(client, seats=seats, options=Options(first_seat=0))  # else it ends with the turn of the bot
    tokens = [seat.token for seat in new.seats]
    for token in tokens:
        await client.call("Leave", token, match_id=new.match_id)
    rematch = cast(Any, await client.call("Rematch", tokens[1], match_id=new.match_id))
    assert rematch.seat.seat == 0
    wanted = Rematch(match_id=rematch.match_id, seats=[1], waiting=True)
    assert await rematch_of(client, new.match_id) == wanted  # spectators too
    assert await rematch_of(client, new.match_id, revision=new.match.revision) is None  # as it was then
    await client.call("Leave", rematch.seat.token, match_id=rematch.match_id)
    assert await rematch_of(client, new.match_id) == Rematch(match_id=rematch.match_id, waiting=True)
    await client.call("Substitute", match_id=rematch.match_id, seat=0, bot="random")
    again = cast(Any, await client.call("Rematch", tokens[0], match_id=new.match_id))
    assert await rematch_of(client, new.match_id) == Rematch(match_id=again.match_id, seats=[0])
    other = await table(client, seats=[ADA, SeatSpec(bot="random")])
    await client.call("Leave", other.seats[0].token, match_id=other.match_id)
    assert await rematch_of(client, other.match_id) is None


async def rematch_of(client: GameClient, match_id: str, token: str = "", **fields: int) -> Rematch | None:
    """What `GetMatch` says of the rematch of a match."""
    match = cast(Any, await client.call("GetMatch", token, match_id=match_id, **fields)).match
    return match.rematch if match.HasField("rematch") else None


@ONE_GAME
async def test_a_rematch_is_refused_with_a_dead_token_and_without_one(clients: list[GameClient]) -> None:
    new, driver = await begun(clients[0])
    await driver.play(Random(5))
    await clients[0].call("Reissue", new.host_token, match_id=new.match_id, seat=0)
    for token in (driver.tokens[0], new.host_token, ""):
        assert await reason(clients[1].call("Rematch", token, match_id=new.match_id)) == "UNAUTHENTICATED"


@ONE_GAME
async def test_a_repeated_new_game_has_the_same_codes_and_never_the_tokens_of_who_joined(
    clients: list[GameClient],
) -> None:
    request = {"request_id": "a random secret of 22+ c".replace(" ", "-").replace("+", "x")}
    new = await table(clients[0], **request)
    again = await table(clients[1], **request)
    assert (again.match_id, list(again.join_codes), list(again.seats)) == (
        new.match_id,
        list(new.join_codes),
        list(new.seats),
    )
    await join_all(clients[0], new)
    again = await table(clients[1], **request)
    assert (list(again.seats), list(again.join_codes)) == (list(new.seats), [])
    assert (again.match.waiting, again.host_token) == (False, new.host_token)


@ONE_GAME
async def test_the_clock_starts_when_the_match_begins(clients: list[GameClient], redis_url: str) -> None:
    new = await table(clients[0], clock=Clock(move_seconds=60))
    assert not new.match.HasField("deadline")
    async with redis_at(redis_url) as redis:
        assert await redis.zscore(deadlines_key_of(new.match.rules_version, new.match_id), new.match_id) is None
        [joined] = await join_all(clients[0], new)
        assert joined.match.HasField("deadline")
        assert await redis.zscore(deadlines_key_of(new.match.rules_version, new.match_id), new.match_id) is not None


@ONE_GAME
async def test_the_key_that_began_a_match_is_its_host_and_another_is_not(keyed: list[GameClient]) -> None:
    ours, other = keyed
    ours.metadata, other.metadata = [("x-api-key", OUR_KEY)], [("x-api-key", OTHER_KEY)]
    new = await table(ours, seats=[SeatSpec(name="Ada", player_id="a-1"), OPEN])
    assert await reason(other.call("Reissue", match_id=new.match_id, seat=0)) == "PERMISSION_DENIED"
    answer = cast(Any, await ours.call("Reissue", match_id=new.match_id, seat=0))
    assert cast(Any, await other.call("GetMatch", answer.seat.token, match_id=new.match_id)).match.seat == 0
    hidden = await table(ours, private=True)
    assert await reason(other.call("Withdraw", match_id=hidden.match_id)) == "UNKNOWN_MATCH"
    await ours.call("Withdraw", match_id=hidden.match_id)


@ONE_GAME
async def test_a_player_id_needs_a_key_that_vouches_and_no_response_has_it(keyed: list[GameClient]) -> None:
    client, _ = keyed
    client.metadata = [("x-api-key", OUR_KEY)]
    new = await table(client, seats=[SeatSpec(name="Ada", player_id="secret-1"), OPEN])
    code = new.join_codes[0].code
    join = {"match_id": new.match_id, "code": code, "player_id": "secret-2"}
    client.metadata = []
    assert await reason(client.call("Join", **join)) == "UNAUTHENTICATED"
    client.metadata = [("x-api-key", OUR_KEY)]
    joined = await client.call("Join", **join)
    for answer in (new, joined, await client.call("GetMatch", match_id=new.match_id)):
        assert b"secret-" not in answer.SerializeToString()


@ONE_GAME
@pytest.mark.parametrize(
    "fields",
    [
        {"seats": [ADA, SeatSpec(open=OpenSeat(), name="Bo")]},
        {"seats": [ADA, SeatSpec(open=OpenSeat(), bot="greedy")]},
        {"seats": [ADA, SeatSpec(bot="greedy", player_id="x")]},
        {"seats": [ADA, SeatSpec(player_id="x" * 65)]},
        {"seats": [ADA, OPEN], "ephemeral": True},
        {"seats": [ADA, OPEN], "wait_seconds": -1},
        {"seats": [ADA, OPEN], "wait_seconds": 8 * 24 * 60 * 60},
        {"seats": [ADA, ADA], "wait_seconds": 60},
    ],
    ids=["name", "bot", "player of a bot", "long id", "inline", "negative", "long wait", "nothing to wait for"],
)
async def test_impossible_open_seats_are_refused(clients: list[GameClient], fields: dict[str, Any]) -> None:
    assert await reason(clients[0].call("NewGame", **fields)) == "INVALID_REQUEST"


@ONE_GAME
async def test_a_listed_match_that_waits_is_listed_as_such(clients: list[GameClient]) -> None:
    new = await table(clients[0], listed=True)
    for state, expected in ((0, [True]), (3, [True]), (1, []), (2, [])):
        listed = cast(Any, await clients[1].call("ListMatches", state=state)).matches
        assert [match.waiting for match in listed if match.match_id == new.match_id] == expected
    await join_all(clients[0], new)
    for state, expected in ((0, [False]), (3, []), (1, [False])):
        listed = cast(Any, await clients[1].call("ListMatches", state=state)).matches
        assert [match.waiting for match in listed if match.match_id == new.match_id] == expected


@ONE_GAME
async def test_anybody_takes_an_open_seat_of_a_listed_match_without_a_code(clients: list[GameClient]) -> None:
    new = await table(clients[0], listed=True)
    request = {"match_id": new.match_id, "name": "Bo", "request_id": "one"}
    first, again = [cast(Any, await client.call("Join", **request)) for client in clients]
    assert (first.seat, again.seat) == (1, 1)
    match = cast(Any, await clients[0].call("GetMatch", again.token, match_id=new.match_id)).match
    assert [seat.name for seat in match.seats][:2] == ["Ada", "Bo"]
    while match.waiting:
        match = cast(Any, await clients[1].call("Join", match_id=new.match_id)).match
    assert await reason(clients[1].call("Join", match_id=new.match_id)) == "INVALID_CODE"


@ONE_GAME
async def test_the_seats_of_a_rematch_of_a_listed_match_are_for_its_players(clients: list[GameClient]) -> None:
    new = await table(clients[0], listed=True)
    tokens = [seat.token for seat in [*new.seats, *await join_all(clients[0], new)]]
    for token in tokens:
        with suppress(Refusal):
            await clients[0].call("Leave", token, match_id=new.match_id)
    rematch = cast(Any, await clients[0].call("Rematch", tokens[0], match_id=new.match_id))
    assert await reason(clients[1].call("Join", match_id=rematch.match_id)) == "INVALID_CODE"


def watching(client: GameClient, match_id: str, token: str = "") -> Any:
    """A stream of `Watch` from the first line."""
    method = client.codec.service.methods_by_name["Watch"]
    stub = client.channel.unary_stream(
        f"/{client.codec.service.full_name}/Watch",
        request_serializer=GetMessageClass(method.input_type).SerializeToString,
        response_deserializer=GetMessageClass(method.output_type).FromString,
    )
    request = GetMessageClass(method.input_type)(match_id=match_id)
    return stub(request, metadata=[("authorization", f"Bearer {token}")] if token else [])


async def end_of(stream: Any) -> grpc.StatusCode:
    """The status with which a stream ends."""
    async with asyncio.timeout(10):
        with suppress(grpc.aio.AioRpcError):
            while await stream.read() is not grpc.aio.EOF:
                pass
        return cast(grpc.StatusCode, await stream.code())


def any_notation(codec: AnyCodec) -> str:
    """A well-formed notation of a move."""
    match = first_setup(codec.game).match(seed=1)
    return codec.game.notation(match.legal_moves(match.to_move()[0])[0])
