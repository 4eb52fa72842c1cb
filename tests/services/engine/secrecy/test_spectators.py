"""Spectators with a delay: the last log entries change nothing that they are sent; and finished matches that are open.

Two ends of a match are played from one position, to which the store is set back, each by a new engine: so their logs
differ in the last entries only.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any, NamedTuple, cast

import grpc
import pytest
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from redis.asyncio import Redis

from services.engine.codecs import CODECS, AnyCodec
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from tests.conformance.game_setups import match_length
from tests.redis_clients import keys_of, redis_at
from tests.services.client import Refusal, refusal
from tests.services.engine.streams.following import Follower
from tests.services.registry import GameClient, MatchDriver, field

FIRST_CODEC = next(iter(CODECS.values()))
DELAY = 40
"""Log entries: more than the last moves have."""
LAST_MOVES = 4
"""How many moves the two ends have; fewer in short games."""
ENDS = 12
"""How many ends are played at most until two have equally many entries."""
MOVES_BEFORE = (0, 3, 40)


@asynccontextmanager
async def engine_client(codec: AnyCodec, redis_url: str) -> AsyncIterator[GameClient]:
    """A client of a new engine, which has no cached match."""
    engine = Engine(EngineSettings(port=0, redis_url=redis_url, grace_seconds=1))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield GameClient(channel, codec)
    await engine.stop()


@pytest.fixture
async def client(redis_url: str) -> AsyncIterator[GameClient]:
    async with engine_client(FIRST_CODEC, redis_url) as client:
        yield client


@pytest.fixture(params=CODECS.values(), ids=list(CODECS))
async def any_client(request: pytest.FixtureRequest, redis_url: str) -> AsyncIterator[GameClient]:
    async with engine_client(cast(AnyCodec, request.param), redis_url) as client:
        yield client


async def dump(redis: Redis, match_id: str) -> dict[bytes, bytes]:
    """Everything that the store has of a match."""
    keys = await keys_of(redis, f"*{match_id}*")
    return {key: cast(bytes, await redis.dump(key)) for key in keys}


async def restore(redis: Redis, match_id: str, dumped: dict[bytes, bytes]) -> None:
    """Set a match back."""
    for key in await keys_of(redis, f"*{match_id}*"):
        await redis.delete(key)
    for key, data in dumped.items():
        await redis.restore(key, 0, data)


async def response_bytes(driver: MatchDriver, name: str, token: str, **fields: object) -> bytes:
    """The bytes of a response, or the text of an error."""
    try:
        answer = await driver.call(name, token, **fields)
    except Refusal as error:
        return repr(error).encode()
    return answer.SerializeToString(deterministic=True)


async def spectated(driver: MatchDriver, host: str, asked: int) -> dict[str, bytes]:
    """All that spectators are sent about a match in play, by call; `asked` is its revision, or near it."""
    found = {}
    shown = max(0, asked - DELAY)
    for token in ("", host):
        for revision in (None, 0, shown, shown + 1, asked, asked + 1):
            at = {} if revision is None else {"revision": revision}
            for name in ("GetMatch", "LegalMoves", "Score", "GetPicture", "Fork", "Hint"):
                found[f"{name} {revision} {bool(token)}"] = await response_bytes(driver, name, token, **at)
            if revision is not None:
                name = f"History {revision} {bool(token)}"
                found[name] = await response_bytes(driver, "History", token, from_revision=revision)
                found[f"Watch {name}"] = await streamed(driver, token, revision)
        found[f"GetRecord {bool(token)}"] = await response_bytes(driver, "GetRecord", token)
        found[f"Sample {bool(token)}"] = await response_bytes(driver, "Sample", token, count=3, seed="a")
        found[f"seat {bool(token)}"] = await response_bytes(driver, "GetMatch", token, seat=0)
    newest = await driver.game_client.call("ListMatches", page_size=1)
    assert cast(Any, newest).matches[0].match_id == driver.match_id
    found["ListMatches"] = newest.SerializeToString(deterministic=True)
    return found


async def streamed(driver: MatchDriver, token: str, after: int) -> bytes:
    """What a stream sends until it waits for the next move, or its error."""
    service = driver.game_client.codec.service
    method = service.methods_by_name["Watch"]
    stub: grpc.aio.UnaryStreamMultiCallable[Message, Message] = driver.game_client.channel.unary_stream(
        f"/{service.full_name}/Watch",
        request_serializer=GetMessageClass(method.input_type).SerializeToString,
        response_deserializer=GetMessageClass(method.output_type).FromString,
    )
    metadata = [("authorization", f"Bearer {token}")] if token else []
    request = GetMessageClass(method.input_type)(match_id=driver.match_id, from_revision=after, views=True)
    call = stub(request, metadata=metadata)
    found = b""
    try:
        async with asyncio.timeout(10):
            async for response in call:
                found += response.SerializeToString(deterministic=True)
                if cast(Any, response).WhichOneof("kind") == "turn":
                    break
    except grpc.aio.AioRpcError as error:
        return repr(refusal(error)).encode()
    finally:
        call.cancel()
    return found


class End(NamedTuple):
    """An end of a match in play: its revision, what seat 0 sees, and what spectators were sent."""

    revision: int
    seen_by_seat: bytes
    streamed: list[bytes]
    spectated: dict[str, bytes]


async def play_end(
    driver: MatchDriver, host: str, random: Random, moves: int, revision: int | None = None
) -> End | None:
    """Play the last moves while a spectator watches.

    None if the match ends, or is not at the revision then; any will do while spectators are shown nothing yet.
    """
    follower = Follower.watch(driver)
    began = cast(int, field(driver.match, "revision"))
    await follower.until_turn(max(0, began - DELAY))
    await driver.play(random, moves)
    reached = cast(int, field(driver.match, "revision"))
    if (
        field(driver.match, "over")
        or reached > began + DELAY
        or (revision not in (None, reached) and max(revision or 0, reached) > DELAY)
    ):
        follower.cancel()
        return None
    last = await follower.until_turn(max(0, reached - DELAY))
    follower.cancel()
    events = [event.SerializeToString() for event in [*follower.of_kind("event"), *follower.of_kind("seat"), last]]
    seen = await response_bytes(driver, "History", driver.tokens[0])
    return End(reached, seen, events, await spectated(driver, host, revision or reached))


@pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))
@pytest.mark.timeout(200)
async def test_the_last_entries_change_nothing_that_spectators_are_sent(codec: AnyCodec, redis_url: str) -> None:
    compared, length = 0, match_length(codec.game)
    moves_before = [moves for moves in MOVES_BEFORE if moves < length // 2]
    last_moves = min(LAST_MOVES, max(1, length // 4))
    async with redis_at(redis_url) as redis, engine_client(codec, redis_url) as client:
        for number, moves in enumerate(moves_before):
            random = Random(f"{codec.game.name} {number}")
            began = cast(
                Any,
                await client.call("NewGame", seats=[{}] * codec.game.min_seats, listed=True, spectator_delay=DELAY),
            )
            driver = MatchDriver(client, began.match_id, [seat.token for seat in began.seats], None)
            driver.match = cast(Any, await driver.call("GetMatch", driver.tokens[0])).match
            await driver.play(random, moves)
            dumped = await dump(redis, driver.match_id)
            first: End | None = None
            for _ in range(ENDS):
                await restore(redis, driver.match_id, dumped)
                async with engine_client(codec, redis_url) as own:
                    again = MatchDriver(own, driver.match_id, driver.tokens, driver.match)
                    end = await play_end(again, began.host_token, random, last_moves, first and first.revision)
                if end is not None and first is not None and end.seen_by_seat != first.seen_by_seat:
                    assert end.spectated == first.spectated
                    assert end.streamed == first.streamed
                    compared += 1
                    break
                first = first or end
    assert compared >= min(2, len(moves_before)), "hardly any two ends differed"


async def test_spectators_see_the_match_of_so_many_entries_ago_and_all_of_it_at_the_end(
    any_client: GameClient,
) -> None:
    random = Random(any_client.codec.game.name)
    driver = await any_client.begin(spectator_delay=DELAY, clock={"move_seconds": 1000}, listed=True)
    assert field(driver.match, "revision") == 0
    assert not driver.match.HasField("deadline")
    seen: dict[int, Message] = {}
    follower = Follower.watch(driver)
    while True:
        seat = cast(Any, await driver.call("GetMatch", driver.tokens[0])).match
        if seat.over:
            break
        late = cast(Any, await driver.call("GetMatch")).match
        assert late.revision == max(0, seat.revision - DELAY)
        [listed] = cast(Any, await any_client.call("ListMatches", page_size=1)).matches
        assert (listed.match_id, listed.revision, listed.spectator_delay) == (driver.match_id, late.revision, DELAY)
        assert not listed.to_move
        with pytest.raises(Refusal) as caught:
            await driver.call("GetMatch", revision=seat.revision)
        assert caught.value.metadata == {"expectedRevision": str(seat.revision), "revision": str(late.revision)}
        assert late.spectator_delay == seat.spectator_delay == DELAY
        assert not late.HasField("deadline")
        seen[late.revision] = late
        history = cast(Any, await driver.call("History"))
        assert (history.revision, len(history.events), history.head) == (late.revision, late.revision, late.head)
        driver.match = seat
        await driver.play(random, 1 if len(seen) < 2 else 5)
    await follower.until_end()
    turns = {cast(Any, turn).revision: cast(Any, turn).match for turn in follower.of_kind("turn")}
    assert turns.keys() >= seen.keys()
    for revision, late in seen.items():
        assert turns[revision] == late
        assert cast(Any, await driver.call("GetMatch", revision=revision)).match == late
    events = cast(Any, await driver.call("History")).events
    assert [cast(Any, event).head for event in follower.of_kind("event")] == [event.head for event in events]
    assert cast(Any, follower.of_kind("over")[0]).revision == seat.revision
    record = cast(Any, await driver.call("GetRecord")).record
    assert (record.spectator_delay, record.open_after) == (DELAY, False)


async def test_an_open_match_that_is_over_is_shown_as_each_seat_to_everybody(
    any_client: GameClient,
) -> None:
    random = Random(any_client.codec.game.name)
    driver = await any_client.begin(open_after=True)
    asked: dict[str, dict[str, Any]] = {
        "GetMatch": {},
        "LegalMoves": {},
        "History": {},
        "GetPicture": {},
        "Sample": {"count": 1, "seed": "a"},
    }
    await driver.play(random, 1)
    for name, more in asked.items():
        with pytest.raises(Refusal) as caught:
            await driver.call(name, seat=1, **more)
        assert caught.value.reason == "UNAUTHENTICATED"
    before = cast(Any, await driver.call("GetMatch", driver.tokens[1])).match
    assert before.open_after
    await driver.play(random)
    for token in ("", driver.tokens[0]):
        at = cast(Any, await driver.call("GetMatch", token, seat=1, revision=before.revision)).match
        assert (at.view, at.seat, at.head) == (before.view, 1, before.head)
        for name, more in asked.items():
            as_seat = await response_bytes(driver, name, driver.tokens[1], **more)
            assert await response_bytes(driver, name, token, seat=1, **more) == as_seat
    with pytest.raises(Refusal) as caught:
        await driver.call("GetMatch", seat=9)
    assert caught.value.reason == "SEAT_OUT_OF_RANGE"


async def test_a_finished_match_that_is_not_open_is_shown_as_before(client: GameClient) -> None:
    driver = await client.begin()
    await driver.play(Random(1))
    with pytest.raises(Refusal) as caught:
        await driver.call("GetMatch", seat=1)
    assert caught.value.reason == "UNAUTHENTICATED"


async def test_an_open_private_match_is_open_to_its_seats_only(client: GameClient) -> None:
    driver = await client.begin(open_after=True, private=True)
    driver.match = cast(Any, await driver.call("GetMatch", driver.tokens[0])).match
    await driver.play(Random(1))
    with pytest.raises(Refusal) as caught:
        await driver.call("GetMatch", seat=1)
    assert caught.value.reason == "UNKNOWN_MATCH"
    assert cast(Any, await driver.call("GetMatch", driver.tokens[0], seat=1)).match.seat == 1


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"spectator_delay": -1}, "spectatorDelay"),
        ({"spectator_delay": 1001}, "spectatorDelay"),
        ({"spectator_delay": 1, "ephemeral": True}, "spectatorDelay"),
        ({"open_after": True, "ephemeral": True}, "openAfter"),
    ],
)
async def test_options_for_spectators_are_checked(client: GameClient, fields: dict[str, Any], named: str) -> None:
    with pytest.raises(Refusal) as caught:
        await client.begin(**fields)
    assert caught.value.fields == [named]
