"""Two versions of a game's rules: engines before and after an upgrade, on one Redis."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from random import Random
from typing import cast

import grpc
import pytest
from fireside.catalog.v1.catalog_service_pb2 import ListGamesRequest, ListGamesResponse
from fireside.fire_bulls.v1 import fire_bulls_pb2 as pb
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from fireside.match.v1.error_reason_pb2 import ErrorReason
from fireside.match.v1.match_pb2 import Chance, Clock, SeatSpec
from google.protobuf.json_format import Parse
from google.protobuf.message import Message

from services.engine.codecs import CODECS
from services.engine.records.reading import VerificationFailed, read
from services.engine.records.records import record_class
from services.engine.records.verification import verify
from tests.services.client import Client, Refusal
from tests.services.registry import GameClient, MatchDriver, field
from tests.services.second_rules import FIRST_VERSION, NEW_CODECS, OLD_CODECS, SECOND_VERSION, SecondCodec, engine

CODEC = CODECS["fire_bulls"]
TWO_SEATS = [SeatSpec(), SeatSpec()]


@dataclass
class OldAndNewEngines:
    """A client of an engine with the old rules, and one of an engine with both."""

    old: GameClient
    new: GameClient


@pytest.fixture
async def old_and_new(redis_url: str) -> AsyncIterator[OldAndNewEngines]:
    async with AsyncExitStack() as stack:
        engines = [await stack.enter_async_context(engine(redis_url, codecs)) for codecs in (OLD_CODECS, NEW_CODECS)]
        channels = [
            await stack.enter_async_context(grpc.aio.insecure_channel(f"127.0.0.1:{each.port}")) for each in engines
        ]
        old, new = [GameClient(channel, CODEC) for channel in channels]
        yield OldAndNewEngines(old, new)


def driver_at(game_client: GameClient, driver: MatchDriver) -> MatchDriver:
    """The same match at another engine."""
    return MatchDriver(game_client, driver.match_id, driver.tokens, driver.match)


def rules_version_of(served_message: Message) -> str:
    return str(field(served_message, "rules_version"))


async def legal_moves_to_move(driver: MatchDriver) -> list[str]:
    """What the seat that is to move may choose."""
    [seat] = cast(list[int], field(driver.match, "to_move"))
    listed = await driver.call("LegalMoves", driver.tokens[seat])
    return [move.notation for move in cast(verbs.LegalMovesResponse, listed).moves]


async def test_each_engine_creates_matches_with_its_newest_rules(old_and_new: OldAndNewEngines) -> None:
    assert rules_version_of((await old_and_new.old.begin()).match) == FIRST_VERSION
    assert rules_version_of((await old_and_new.new.begin()).match) == SECOND_VERSION


async def test_the_two_versions_allow_different_moves(old_and_new: OldAndNewEngines) -> None:
    assert "draw" in await legal_moves_to_move(await old_and_new.old.begin())
    second = await old_and_new.new.begin()
    assert "draw" not in await legal_moves_to_move(second)
    [seat] = cast(list[int], field(second.match, "to_move"))
    with pytest.raises(Refusal) as caught:
        await second.call("Apply", second.tokens[seat], notation="draw")
    assert caught.value.reason == "ILLEGAL_MOVE"


@pytest.mark.parametrize("seed", range(3))
async def test_a_match_of_the_first_rules_is_played_by_both_engines_in_turn(
    old_and_new: OldAndNewEngines, seed: int
) -> None:
    random = Random(seed)
    driver = await old_and_new.old.begin()
    while not field(driver.match, "over"):
        driver = driver_at(random.choice([old_and_new.old, old_and_new.new]), driver)
        await driver.play(random, 5)
    assert rules_version_of(driver.match) == FIRST_VERSION
    codec, record = read(await driver_at(old_and_new.new, driver).record())
    assert codec.rules_version == FIRST_VERSION
    assert verify(codec, record).moves > 0


async def test_a_match_of_the_second_rules_is_played_only_by_engines_that_have_them(
    old_and_new: OldAndNewEngines,
) -> None:
    driver = await old_and_new.new.begin()
    await driver.play(Random(1), 4)
    for name in ("GetMatch", "History", "Score", "GetRecord"):
        with pytest.raises(Refusal) as caught:
            await driver_at(old_and_new.old, driver).call(name, driver.tokens[0])
        refusal = caught.value
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAVAILABLE, "UNKNOWN_RULES")
        assert refusal.metadata == {"matchId": driver.match_id, "rulesVersion": SECOND_VERSION}
        assert refusal.retry_seconds > 0
    with pytest.raises(Refusal, match="cannot play by fire_bulls@2"):
        await driver_at(old_and_new.old, driver).play(Random(1), 1)
    await driver.play(Random(1))
    assert field(driver.match, "over")


async def test_the_record_of_the_second_rules_is_verified_only_by_them(old_and_new: OldAndNewEngines) -> None:
    driver = await old_and_new.new.begin()
    await driver.play(Random(2))
    text = await driver.record()
    with pytest.raises(VerificationFailed, match="no rules of version 'fire_bulls@2'"):
        read(text)
    record = Parse(text, record_class(CODEC)())
    assert verify(SecondCodec(), cast(verbs.MatchRecord, record)).moves > 0  # type: ignore[arg-type]


async def test_the_catalogue_lists_every_served_version(old_and_new: OldAndNewEngines) -> None:
    for game_client, served in ((old_and_new.old, [FIRST_VERSION]), (old_and_new.new, [SECOND_VERSION, FIRST_VERSION])):
        data = await Client(game_client.channel).raw(
            "/fireside.catalog.v1.CatalogService/ListGames", ListGamesRequest().SerializeToString()
        )
        [game] = [game for game in ListGamesResponse.FromString(data).games if game.name == "fire_bulls"]
        assert (game.rules_version, [*game.rules_versions]) == (served[0], served)


async def test_matches_of_both_versions_can_be_streamed(old_and_new: OldAndNewEngines) -> None:
    for game_client, rules in ((old_and_new.old, FIRST_VERSION), (old_and_new.new, SECOND_VERSION)):
        driver = await game_client.begin()
        turn = await _first_turn_of_play(old_and_new.new, driver)
        assert turn.match.rules_version == rules
        assert ("draw" in [move.notation for move in turn.moves]) == (rules == FIRST_VERSION)
        assert (await _first_response_of_watch(old_and_new.new, driver)).event.revision == 1


async def _first_turn_of_play(game_client: GameClient, driver: MatchDriver) -> verbs.Turn:
    play: grpc.aio.StreamStreamMultiCallable[verbs.PlayRequest, verbs.PlayResponse] = game_client.channel.stream_stream(
        f"/{CODEC.service.full_name}/Play",
        request_serializer=verbs.PlayRequest.SerializeToString,
        response_deserializer=verbs.PlayResponse.FromString,
    )
    [seat] = cast(list[int], field(driver.match, "to_move"))
    call = play(metadata=[("authorization", f"Bearer {driver.tokens[seat]}")], timeout=30)
    await call.write(verbs.PlayRequest(join=verbs.Join(match_id=driver.match_id)))
    answer = cast(verbs.PlayResponse, await call.read())
    call.cancel()
    return answer.turn


async def _first_response_of_watch(game_client: GameClient, driver: MatchDriver) -> verbs.WatchResponse:
    watch: grpc.aio.UnaryStreamMultiCallable[verbs.WatchRequest, verbs.WatchResponse] = (
        game_client.channel.unary_stream(
            f"/{CODEC.service.full_name}/Watch",
            request_serializer=verbs.WatchRequest.SerializeToString,
            response_deserializer=verbs.WatchResponse.FromString,
        )
    )
    call = watch(verbs.WatchRequest(match_id=driver.match_id), timeout=30)
    line = cast(verbs.WatchResponse, await call.read())
    call.cancel()
    return line


async def _new_inline_state(game_client: GameClient) -> pb.State:
    answer = await game_client.call("NewGame", seats=TWO_SEATS, ephemeral=True, client_seed="s")
    return cast(verbs.NewGameResponse, answer).state


async def _legal_notations(game_client: GameClient, state: pb.State) -> list[str]:
    answer = await game_client.call("LegalMoves", state=state, seat=state.active_seat)
    return [move.notation for move in cast(verbs.LegalMovesResponse, answer).moves]


async def test_an_inline_state_is_played_by_its_rules_version(old_and_new: OldAndNewEngines) -> None:
    first, second = await _new_inline_state(old_and_new.old), await _new_inline_state(old_and_new.new)
    assert (first.rules_version, second.rules_version) == (FIRST_VERSION, SECOND_VERSION)
    assert "draw" in await _legal_notations(old_and_new.new, first)
    assert "draw" not in await _legal_notations(old_and_new.new, second)
    with pytest.raises(Refusal) as caught:
        await _legal_notations(old_and_new.old, second)
    assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.UNAVAILABLE, "UNKNOWN_RULES")


async def test_an_inline_state_without_a_rules_version_has_the_first(old_and_new: OldAndNewEngines) -> None:
    state = await _new_inline_state(old_and_new.new)
    state.ClearField("rules_version")
    assert "draw" in await _legal_notations(old_and_new.new, state)
    answer = await old_and_new.new.call("Apply", state=state, seat=state.active_seat, notation="draw", seed="s")
    assert cast(verbs.ApplyResponse, answer).state.rules_version == FIRST_VERSION


@pytest.mark.parametrize("named", ["fire_bulls", "fireship@1", "fire_bulls@x", "fire_bulls@" + "9" * 99])
async def test_a_malformed_rules_version_is_an_invalid_argument(old_and_new: OldAndNewEngines, named: str) -> None:
    state = await _new_inline_state(old_and_new.new)
    state.rules_version = named
    with pytest.raises(Refusal) as caught:
        await _legal_notations(old_and_new.new, state)
    assert (caught.value.reason, caught.value.fields) == ("INVALID_REQUEST", ["state.rulesVersion"])


async def test_a_batch_may_mix_rules_versions(old_and_new: OldAndNewEngines) -> None:
    states = [
        await _new_inline_state(game_client)
        for game_client in (old_and_new.old, old_and_new.new, old_and_new.old, old_and_new.new)
    ]
    states[3].rules_version = "fire_bulls@3"
    requests = [
        verbs.ApplyRequest(state=state, seat=state.active_seat, notation="draw", chance=Chance.CHANCE_MANUAL)
        for state in states
    ]
    answer = cast(
        verbs.BatchApplyResponse, await old_and_new.new.call("BatchApply", requests=requests, legal_moves=True)
    )
    outcomes = [result.problem.reason or result.response.match.rules_version for result in answer.results]
    assert outcomes == [
        FIRST_VERSION,
        ErrorReason.ERROR_REASON_ILLEGAL_MOVE,
        FIRST_VERSION,
        ErrorReason.ERROR_REASON_UNKNOWN_RULES,
    ]


async def test_samples_have_the_rules_version_of_their_match(old_and_new: OldAndNewEngines) -> None:
    driver = await old_and_new.new.begin()
    answer = await driver.call("Sample", driver.tokens[0], count=2)
    assert [state.rules_version for state in cast(verbs.SampleResponse, answer).states] == [SECOND_VERSION] * 2


async def test_clocks_of_both_versions_run(old_and_new: OldAndNewEngines) -> None:
    drivers = [
        await game_client.begin(clock=Clock(move_seconds=1)) for game_client in (old_and_new.old, old_and_new.new)
    ]
    async with asyncio.timeout(20):
        for driver in drivers:
            while await _revision_of(old_and_new.new, driver) == field(driver.match, "revision"):
                await asyncio.sleep(0.1)


async def _revision_of(game_client: GameClient, driver: MatchDriver) -> object:
    return field(await driver_at(game_client, driver).call("GetMatch"), "match", "revision")
