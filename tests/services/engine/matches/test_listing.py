"""Public list of matches: what it shows of which matches, in pages, after crashes and expiry."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Any, cast

import grpc
import pytest
from fireside.match.v1.match_pb2 import MatchState, MatchSummary, SeatSpec
from fireside.match.v1.match_record_pb2 import MatchHeader

from services.engine.codecs import CODECS
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from services.store.keys import match_keys
from services.store.matches.list import ListEntry
from tests.redis_clients import blocking_redis_at
from tests.redis_server import redis_server
from tests.services.client import Client, Refusal
from tests.services.registry import GameClient, field

IN_PLAY, FINISHED = MatchState.MATCH_STATE_IN_PLAY, MatchState.MATCH_STATE_FINISHED
REQUEST_ID = "request-id-of-22-letters"
LONG_AGO_MS = 1_000_000_000_000


@pytest.fixture(params=CODECS.values(), ids=list(CODECS))
def game(request: pytest.FixtureRequest, client: Client) -> GameClient:
    return GameClient(client.channel, request.param)


@pytest.fixture
def fire_bulls(client: Client) -> GameClient:
    return GameClient(client.channel, CODECS["fire_bulls"])


async def page(game: GameClient, **fields: Any) -> tuple[list[MatchSummary], str]:
    answer = await game.call("ListMatches", **fields)
    return list(cast(list[MatchSummary], field(answer, "matches"))), str(field(answer, "next_page_token"))


async def ids(game: GameClient, **fields: Any) -> list[str]:
    return [summary.match_id for summary in (await page(game, **fields))[0]]


async def refused(game: GameClient, method: str, **fields: Any) -> tuple[grpc.StatusCode, list[str]]:
    with pytest.raises(Refusal) as caught:
        await game.call(method, **fields)
    return caught.value.code, caught.value.fields


async def entry_of(engine: Engine, match_id: str) -> ListEntry:
    header = MatchHeader.FromString(await engine.store.header(match_id) or b"")
    return ListEntry(header.begun_ms, match_id)


async def test_a_listed_match_is_shown_as_a_spectator_sees_it(game: GameClient, engine: Engine) -> None:
    before_ms = await engine.store.now_ms()
    driver = await game.begin(listed=True)
    await game.begin()
    [summary], token = await page(game)
    match = cast(Any, await driver.call("GetMatch")).match
    shared = ("match_id", "game", "rules_version", "revision", "over")
    assert [getattr(summary, name) for name in shared] == [getattr(match, name) for name in shared]
    assert (list(summary.to_move), list(summary.seats)) == (list(match.to_move), list(match.seats))
    assert before_ms <= summary.create_time.ToMilliseconds() <= await engine.store.now_ms()
    assert (summary.preset, token) == (next(iter(game.codec.game.presets())), "")


async def test_a_finished_match_is_shown_as_one(game: GameClient) -> None:
    finished, other = await game.begin(listed=True), await game.begin(listed=True)
    await finished.play(Random(1))
    assert await ids(game, state=IN_PLAY) == [other.match_id]
    [summary], _ = await page(game, state=FINISHED)
    assert (summary.match_id, summary.over, list(summary.to_move)) == (finished.match_id, True, [])
    assert set(await ids(game)) == {finished.match_id, other.match_id}


async def test_the_preset_of_the_options_is_shown(game: GameClient) -> None:
    presets = game.codec.game.presets()
    for options in presets.values():
        await game.begin(listed=True, options=game.codec.encode_options(options))
    assert {summary.preset for summary in (await page(game))[0]} == set(presets)


async def test_options_that_no_preset_has_are_shown_without_one(client: Client) -> None:
    game = GameClient(client.channel, CODECS["fireship"])
    await game.begin(listed=True, options={"rounds": 5})
    assert [summary.preset for summary in (await page(game))[0]] == [""]


async def test_a_private_match_or_an_inline_state_cannot_be_listed(game: GameClient) -> None:
    seats = [SeatSpec()] * game.codec.game.min_seats
    for other in ("private", "ephemeral"):
        code = await refused(game, "NewGame", seats=seats, listed=True, **{other: True})
        assert code == (grpc.StatusCode.INVALID_ARGUMENT, ["listed"])
    assert await ids(game) == []


async def test_private_and_unlisted_matches_are_not_shown_even_with_an_entry(
    fire_bulls: GameClient, engine: Engine
) -> None:
    for fields in ({"private": True}, {}):
        driver = await fire_bulls.begin(request_id=f"{REQUEST_ID}-{len(fields)}", **fields)
        await engine.store.match_list("fire_bulls").add(await entry_of(engine, driver.match_id))
    assert await ids(fire_bulls) == []


async def test_a_listed_request_cannot_list_a_private_match_with_its_request_id(
    fire_bulls: GameClient, engine: Engine
) -> None:
    await fire_bulls.begin(private=True, request_id=REQUEST_ID)
    with pytest.raises(Refusal):
        await fire_bulls.begin(listed=True, request_id=REQUEST_ID)
    assert await engine.store.match_list("fire_bulls").page(None, None, 9) == []


async def test_a_repeated_request_lists_its_match_once(fire_bulls: GameClient, engine: Engine) -> None:
    begun = await asyncio.gather(*[fire_bulls.begin(listed=True, request_id=REQUEST_ID) for _ in range(5)])
    await fire_bulls.begin(listed=True, request_id=REQUEST_ID)
    assert await ids(fire_bulls) == [begun[0].match_id]


async def test_no_match_is_listed_twice_or_left_out_while_others_begin_and_end(fire_bulls: GameClient) -> None:
    drivers = [await fire_bulls.begin(listed=True) for _ in range(7)]
    walked: list[str] = []
    token = ""
    for number in range(4):
        summaries, token = await page(fire_bulls, page_size=2, page_token=token)
        walked += [summary.match_id for summary in summaries]
        await fire_bulls.begin(listed=True)
        await drivers[number].play(Random(1))
    assert token == ""
    assert sorted(walked) == sorted(driver.match_id for driver in drivers)


async def test_a_page_has_20_matches_unless_the_request_says_how_many(fire_bulls: GameClient) -> None:
    for _ in range(21):
        await fire_bulls.begin(listed=True)
    assert [len(await ids(fire_bulls, page_size=size)) for size in (0, 1, 21, 100)] == [20, 1, 21, 21]
    _, token = await page(fire_bulls)
    assert len(await ids(fire_bulls, page_token=token)) == 1


@pytest.mark.parametrize(
    ("name", "value", "path"),
    [
        ("page_size", -1, "pageSize"),
        ("page_size", 101, "pageSize"),
        ("page_token", "x", "pageToken"),
        ("state", 9, "state"),
    ],
)
async def test_a_wrong_field_is_refused(fire_bulls: GameClient, name: str, value: object, path: str) -> None:
    refusal = await refused(fire_bulls, "ListMatches", **{name: value})
    assert refusal == (grpc.StatusCode.INVALID_ARGUMENT, [path])


async def test_a_match_that_has_expired_leaves_no_entry(fire_bulls: GameClient, engine: Engine) -> None:
    match_list = engine.store.match_list("fire_bulls")
    gone, pending = ListEntry(LONG_AGO_MS, "gone"), ListEntry(await engine.store.now_ms(), "pending")
    driver = await fire_bulls.begin(listed=True)
    await match_list.move(gone, is_finished=False)
    await match_list.add(pending)
    assert await ids(fire_bulls, state=IN_PLAY) == [driver.match_id]
    assert {entry.match_id for entry in await match_list.page(None, None, 9)} == {driver.match_id, "pending"}


async def test_an_entry_is_written_before_its_match(tmp_path: Path) -> None:
    with redis_server(tmp_path) as url:
        engine = Engine(EngineSettings(port=0, redis_url=url, grace_seconds=1))
        await engine.start()
        with blocking_redis_at(url) as redis:  # refuses the match, as if the engine had crashed before it sent it
            redis.execute_command("ACL", "SETUSER", "default", "-@scripting")
        async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
            fire_bulls = GameClient(channel, CODECS["fire_bulls"])
            with pytest.raises(Refusal):
                await fire_bulls.begin(listed=True)
            [entry] = await engine.store.match_list("fire_bulls").page(None, None, 9)
            assert await engine.store.snapshots([entry.match_id]) == [None]
            assert await ids(fire_bulls) == []
        await engine.stop()


async def test_an_entry_that_a_crash_has_left_in_the_wrong_set_is_moved(fire_bulls: GameClient, engine: Engine) -> None:
    match_list = engine.store.match_list("fire_bulls")
    finished, other = await fire_bulls.begin(listed=True), await fire_bulls.begin(listed=True)
    await finished.play(Random(1))
    await match_list.move(await entry_of(engine, finished.match_id), is_finished=False)
    await match_list.move(await entry_of(engine, other.match_id), is_finished=True)
    assert len(await ids(fire_bulls)) == 2
    assert await ids(fire_bulls, state=FINISHED) == [finished.match_id]
    assert await ids(fire_bulls, state=IN_PLAY) == [other.match_id]


async def test_a_full_store_still_lists_matches_whose_entries_are_in_the_wrong_set(tmp_path: Path) -> None:
    with redis_server(tmp_path, "--maxmemory-policy", "noeviction") as url:
        engine = Engine(EngineSettings(port=0, redis_url=url, grace_seconds=1))
        await engine.start()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
            fire_bulls = GameClient(channel, CODECS["fire_bulls"])
            driver = await fire_bulls.begin(listed=True)
            entry = await entry_of(engine, driver.match_id)
            await engine.store.match_list("fire_bulls").move(entry, is_finished=True)
            with blocking_redis_at(url) as redis:
                redis.config_set("maxmemory", "1")
            assert await ids(fire_bulls) == [driver.match_id]
        await engine.stop()


async def test_a_damaged_match_hides_no_other(client: Client, engine: Engine) -> None:
    game = GameClient(client.channel, CODECS["spring_festival"])
    drivers = [await game.begin(listed=True) for _ in range(3)]
    execute = engine.store._connection.execute
    for driver, name in zip(drivers, ("state", "header"), strict=False):
        await execute("HSET", match_keys(driver.match_id)[0], name, b"\xff")
    assert await ids(game) == [drivers[2].match_id]


async def test_matches_of_another_version_are_listed_by_engines_that_have_it(
    fire_bulls: GameClient, engine: Engine
) -> None:
    driver = await fire_bulls.begin(listed=True)
    snapshot = await engine.store.load(driver.match_id)
    header = MatchHeader.FromString(snapshot.header)
    header.rules_version = "fire_bulls@99"
    await engine.store.create("newer", header.SerializeToString(), snapshot.state, snapshot.match_progress, [])
    await engine.store.match_list("fire_bulls").add(ListEntry(header.begun_ms, "newer"))
    assert await ids(fire_bulls) == [driver.match_id]
    found = await engine.store.match_list("fire_bulls").page(None, None, 9)
    assert {entry.match_id for entry in found} == {driver.match_id, "newer"}
