"""Streams tell clients whose turn it is, who has left and that the match is over, in addition to the events."""

from __future__ import annotations

import asyncio
from itertools import product
from random import Random

import grpc
import pytest
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from fireside.match.v1.match_pb2 import Clock, SeatSpec
from redis.asyncio import Redis

from services.engine.codecs import CODECS
from services.engine.main import Engine
from services.engine.records.signing import SigningKeys
from services.engine.servicer import Servicer
from services.engine.settings import EngineSettings
from services.grpc_server.auth import SeatTokens
from services.grpc_server.errors import UnknownMatch
from services.store.open import open_store
from services.watch.feed import Feed
from tests.redis_clients import redis_at
from tests.reference_cycles import collect_cyclic_garbage
from tests.services.client import SERVICE, Client, FireBullsDriver, new_driver
from tests.services.engine.streams.following import Follower
from tests.services.registry import GameClient, MatchDriver
from tests.services.streams import WatchCall, bearer_metadata, watch


async def next_response(call: WatchCall) -> verbs.WatchResponse:
    """The next response of a stream."""
    response = await asyncio.wait_for(call.read(), 10)
    assert isinstance(response, verbs.WatchResponse)
    return response


async def responses_to_the_end(call: WatchCall) -> list[verbs.WatchResponse]:
    """All responses of a stream, to its end."""
    return [response async for response in call]


@pytest.mark.parametrize("observer", [-1, 0, 1])
async def test_a_client_of_the_stream_needs_no_other_call(client: Client, observer: int) -> None:
    driver = await new_driver(client)
    token = "" if observer < 0 else driver.tokens[observer]
    stream = asyncio.ensure_future(responses_to_the_end(watch(client.channel, driver.match_id, 0, token, views=True)))
    random = Random(observer)
    views = {}
    while not driver.match.over:
        views[driver.match.revision] = await client.match(driver.match_id, token)
        await driver.play(random.choice(await driver.moves()).move)
        await asyncio.sleep(0)
    responses = await asyncio.wait_for(stream, 30)
    revision = 0
    for response in responses:
        kind = response.WhichOneof("kind")
        if kind == "event":
            revision += 1
            assert response.event.revision == revision
        elif kind == "turn":
            assert response.turn.revision == revision
            match = views[revision]
            assert response.turn.match == match
            assert response.turn.to_move == match.to_move
            assert bool(response.turn.moves) == (observer in match.to_move)
    turns = [response.turn.revision for response in responses if response.WhichOneof("kind") == "turn"]
    assert turns == sorted(set(turns))
    assert turns
    assert responses[-1].over.revision == driver.match.revision
    assert responses[-1].over.score == await client.score(verbs.ScoreRequest(match_id=driver.match_id))


async def test_a_resumed_stream_begins_with_the_turn(driver: FireBullsDriver) -> None:
    await driver.play_at_random(Random(3), 5)
    call = watch(driver.client.channel, driver.match_id, driver.match.revision)
    turn = (await next_response(call)).turn
    assert (turn.revision, list(turn.to_move)) == (driver.match.revision, list(driver.match.to_move))
    assert not turn.HasField("match")
    assert not turn.moves
    call.cancel()


async def test_a_batch_has_the_events_of_a_step_and_the_next_turn(driver: FireBullsDriver) -> None:
    channel, match_id = driver.client.channel, driver.match_id
    single, batched = [
        asyncio.ensure_future(responses_to_the_end(watch(channel, match_id, views=True, batched=batched)))
        for batched in (False, True)
    ]
    await driver.play_at_random(Random(3))
    messages = [list(each.batch.responses) or [each] for each in await asyncio.wait_for(batched, 30)]
    lines = [each.event for message in messages for each in message if each.HasField("event")]
    assert lines == [each.event for each in await asyncio.wait_for(single, 30) if each.HasField("event")]
    assert all(not each.HasField("batch") for message in messages for each in message)
    for *before, last in messages:
        assert {each.WhichOneof("kind") for each in before} <= {"event", "seat"}
        if before and last.HasField("turn"):
            assert last.turn.revision == before[-1].event.revision
    assert [each.WhichOneof("kind") for each in messages[-1]][-2:] == ["event", "over"]


async def test_a_batch_has_texts_in_the_language_of_the_request(driver: FireBullsDriver) -> None:
    await driver.play_at_random(Random(3), 5)
    call = watch(driver.client.channel, driver.match_id, locale="fr", batched=True)
    batch = (await next_response(call)).batch
    assert len(batch.responses) == driver.match.revision + 1
    assert all(each.event.text for each in batch.responses[:-1])


async def test_a_turn_has_its_deadline(client: Client) -> None:
    request = verbs.NewGameRequest(seats=[SeatSpec(), SeatSpec()], clock=Clock(move_seconds=100))
    game = await client.new_game(request)
    driver = FireBullsDriver(client, game.match_id, [seat.token for seat in game.seats], game.match)
    call = watch(client.channel, driver.match_id, game.match.revision)
    assert (await next_response(call)).turn.deadline == game.match.deadline
    call.cancel()


async def test_a_seat_that_leaves_is_reported_after_its_event(client: Client) -> None:
    driver = await new_driver(client, 3)
    call = watch(driver.client.channel, driver.match_id, driver.match.revision)
    leaver = (driver.seat + 1) % 3
    await client.raw("Leave", verbs.LeaveRequest(match_id=driver.match_id).SerializeToString(), driver.tokens[leaver])
    kinds: list[tuple[str | None, verbs.WatchResponse]] = []
    while not kinds or kinds[-1][0] != "seat":
        response = await next_response(call)
        kinds.append((response.WhichOneof("kind"), response))
    assert kinds[-2][0] == "event"
    assert kinds[-2][1].event.notation == "leave"
    change = kinds[-1][1].seat
    assert (change.seat, change.revision) == (leaver, kinds[-2][1].event.revision)
    call.cancel()


WATCHER_COUNT = 30
MOVE_COUNT = 20


async def test_many_watchers_at_another_engine_share_one_read_a_step(redis_url: str) -> None:
    """As often as a single watcher does, though a third of the crowd sees what the others do not."""
    reads = [await _reads_of_crowd(redis_url, watchers) for watchers in (3, WATCHER_COUNT)]
    assert reads[1] <= reads[0] + 5


async def _reads_of_crowd(redis_url: str, watchers: int) -> int:
    """The number of Redis commands that read the match while it is moved at one engine and watched at another."""
    moving, watching = [Engine(EngineSettings(port=0, redis_url=redis_url, grace_seconds=1)) for _ in range(2)]
    await moving.start()
    await watching.start()
    async with (
        redis_at(redis_url) as redis,
        grpc.aio.insecure_channel(f"127.0.0.1:{moving.port}") as first,
        grpc.aio.insecure_channel(f"127.0.0.1:{watching.port}") as second,
    ):
        driver = await new_driver(Client(first))
        watched = MatchDriver(GameClient(second, CODECS["fire_bulls"]), driver.match_id, driver.tokens, driver.match)
        tokens = ["", *driver.tokens]
        crowd = [Follower.watch(watched, tokens[number % 3]) for number in range(watchers)]
        await asyncio.gather(*[each.until_turn(driver.match.revision) for each in crowd])
        before = await _match_reads(redis)
        random = Random(1)
        for _ in range(MOVE_COUNT):
            await driver.play(random.choice(await driver.moves()).move)
            await asyncio.gather(*[each.until_turn(driver.match.revision) for each in crowd])
        await driver.client.raw("Leave", verbs.LeaveRequest(match_id=driver.match_id).SerializeToString(), driver.token)
        for each in crowd:
            await each.until_end()
            assert each.received[-1][0] == "over"
        reads = await _match_reads(redis) - before
    await watching.stop()
    await moving.stop()
    return reads


async def _match_reads(redis: Redis) -> int:
    """Each read is an HMGET and an XRANGE; engines look into outboxes by XRANGE, too."""
    commands = await redis.info("commandstats")
    return int(commands.get("cmdstat_hmget", {}).get("calls", 0))


async def test_cancelled_watchers_of_a_failing_shared_read_leave_no_state(
    store_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    store = open_store(store_url, 60)
    servicer = Servicer(CODECS["fire_bulls"], store, SeatTokens({}, store), SigningKeys({}, store), Feed(store))
    streams = servicer.streams
    with pytest.raises(UnknownMatch):
        await streams._current("nowhere", 1)  # connects
    with collect_cyclic_garbage() as left:
        for watchers, steps in product((1, 3, 10), range(1, 4)):
            waiting = [asyncio.ensure_future(streams._current("nowhere", 1)) for _ in range(watchers)]
            for _ in range(steps):
                await asyncio.sleep(0)
            assert len(streams._reads) == 1
            for task in waiting:
                task.cancel()
            results = await asyncio.gather(*waiting, return_exceptions=True)
            assert [type(result) for result in results] == [asyncio.CancelledError] * watchers
            del waiting, task, results
            while streams._reads:
                await asyncio.sleep(0.001)
        results = await asyncio.gather(*[streams._current("nowhere", 1) for _ in range(3)], return_exceptions=True)
        assert [type(result) for result in results] == [UnknownMatch] * 3
        del results
    assert not left
    assert [record.getMessage() for record in caplog.records if record.name == "asyncio"] == []
    await store.close()


@pytest.mark.parametrize("seat", range(3))
async def test_a_player_gets_the_same_turns_as_a_watcher(client: Client, seat: int) -> None:
    driver = await new_driver(client, 3)
    stub: grpc.aio.StreamStreamMultiCallable[verbs.PlayRequest, verbs.PlayResponse] = client.channel.stream_stream(
        f"/{SERVICE}/Play",
        request_serializer=verbs.PlayRequest.SerializeToString,
        response_deserializer=verbs.PlayResponse.FromString,
    )
    playing = stub(metadata=bearer_metadata(driver.tokens[seat]))
    await playing.write(
        verbs.PlayRequest(join=verbs.Join(match_id=driver.match_id, from_revision=driver.match.revision))
    )
    watching = watch(client.channel, driver.match_id, driver.match.revision)
    for _ in range(30):
        turns = [await _turn_at(call, driver.match.revision) for call in (playing, watching)]
        assert [list(turn.to_move) for turn in turns] == [list(driver.match.to_move)] * 2
        assert (turns[0].HasField("match"), bool(turns[0].moves)) == (seat in driver.match.to_move,) * 2
        turn_of = list(driver.match.to_move)
        while list(driver.match.to_move) == turn_of:
            await driver.play((await driver.moves())[-1].move)
    playing.cancel()


async def _turn_at(call: grpc.aio.Call, revision: int) -> verbs.Turn:
    while True:
        response = await asyncio.wait_for(call.read(), 10)  # type: ignore[attr-defined]
        if response.HasField("turn") and response.turn.revision == revision:
            turn: verbs.Turn = response.turn
            return turn
