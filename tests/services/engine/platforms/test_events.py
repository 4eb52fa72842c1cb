"""Events of platforms: every step adds them to the streams of those who have to hear of it, all or nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from random import Random
from typing import Any, cast

import pytest
from fireside.match.v1.match_pb2 import SeatChange, SeatSpec
from fireside.platform.v1.platform_pb2 import PlatformEvent

from services.engine.codecs import AnyCodec
from services.grpc_server.admission.callers import caller_digest
from services.store.keys import events_key
from tests.redis_clients import redis_at
from tests.services.engine.tables.test_calls import (
    EVERY_GAME,
    KNOWN_KEYS,
    ONE_GAME,
    OPEN,
    OTHER_KEY,
    OUR_KEY,
    engines,
)
from tests.services.registry import GameClient, MatchDriver

OURS, OTHERS = events_key(caller_digest("ours")), events_key(caller_digest("other"))


@pytest.fixture
async def client(codec: AnyCodec, redis_url: str) -> AsyncIterator[GameClient]:
    async with AsyncExitStack() as stack:
        [first, _] = await engines(stack, codec, redis_url, KNOWN_KEYS)
        first.metadata = [("x-api-key", OUR_KEY)]
        yield first


async def events(redis_url: str, key: str, match_id: str) -> list[PlatformEvent]:
    """The events of a match in a stream."""
    async with redis_at(redis_url) as redis:
        found = cast(list[tuple[bytes, dict[bytes, bytes]]], await redis.xrange(key))
    heard = [PlatformEvent.FromString(fields[b"event"]) for _, fields in found]
    return [event for event in heard if event.match_id == match_id]


@EVERY_GAME
async def test_a_platform_hears_of_every_turn_and_of_the_end(client: GameClient, redis_url: str) -> None:
    seats = [SeatSpec(name=f"N{seat}", player_id=f"p{seat}") for seat in range(client.codec.game.min_seats)]
    new = cast(Any, await client.call("NewGame", seats=seats))
    driver = MatchDriver(client, new.match_id, [seat.token for seat in new.seats], new.match)
    turns: list[tuple[int, list[int]]] = []
    owed: dict[int, int] = {}
    while True:
        match = cast(Any, driver.match)
        turns.append((match.revision, sorted(match.to_move)))
        if match.over:
            break
        await driver.play(Random(match.revision), 1)
    heard = await events(redis_url, OURS, new.match_id)
    assert [event.match_id for event in heard] == [new.match_id] * len(heard)
    for event in heard[:-1]:
        assert event.WhichOneof("kind") == "turn"
        seats_to_move = dict(turns)[event.revision]
        for player in event.turn.players:
            assert player.seat in seats_to_move
            assert (player.name, player.player_id) == (f"N{player.seat}", f"p{player.seat}")
            assert owed.get(player.seat, -1) < event.revision
            owed[player.seat] = event.revision
    over = heard[-1].over
    score = cast(Any, await driver.call("Score"))
    assert over.reason == score.reason
    assert [(each.player.seat, each.points, each.rank) for each in over.standings] == [
        (each.seat, each.points, each.rank) for each in score.standings
    ]
    assert not await events(redis_url, OTHERS, new.match_id)
    rematch = cast(Any, await client.call("Rematch", new.seats[0].token, match_id=new.match_id))
    [joined] = await events(redis_url, OURS, rematch.match_id)
    assert (joined.seat.change, joined.seat.player.player_id) == (SeatChange.SEAT_CHANGE_JOINED, "p0")


@ONE_GAME
async def test_who_vouches_for_a_player_hears_of_the_match_and_of_no_id_of_others(
    client: GameClient, redis_url: str
) -> None:
    new = cast(Any, await client.call("NewGame", seats=[SeatSpec(name="Ada", player_id="ours-1"), OPEN]))
    assert not await events(redis_url, OURS, new.match_id)
    client.metadata = [("x-api-key", OTHER_KEY)]
    code = new.join_codes[0].code
    joined = cast(Any, await client.call("Join", match_id=new.match_id, code=code, name="Bo", player_id="theirs-1"))
    driver = MatchDriver(client, new.match_id, [new.seats[0].token, joined.token], joined.match)
    await driver.play(Random(1), 5)
    await driver.call("Leave", joined.token)
    ours, theirs = await events(redis_url, OURS, new.match_id), await events(redis_url, OTHERS, new.match_id)
    for heard, own in ((ours, "ours-1"), (theirs, "theirs-1")):
        assert (heard[0].seat.change, heard[0].seat.player.name) == (SeatChange.SEAT_CHANGE_JOINED, "Bo")
        assert {own} == {player.player_id for event in heard for player in event.turn.players if player.player_id} | {
            event.seat.player.player_id for event in heard if event.seat.player.player_id
        } | {own}
        changes = [event.seat.change for event in heard if event.WhichOneof("kind") == "seat"]
        assert changes == [SeatChange.SEAT_CHANGE_JOINED, SeatChange.SEAT_CHANGE_LEFT]
    assert b"theirs-1" not in b"".join(event.SerializeToString() for event in ours)
    assert b"ours-1" not in b"".join(event.SerializeToString() for event in theirs)
