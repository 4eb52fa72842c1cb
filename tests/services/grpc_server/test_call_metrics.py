"""Metrics of calls, moves and store operations."""

from __future__ import annotations

import asyncio
import logging
from random import Random

import grpc
import pytest
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from fireside.match.v1.match_pb2 import SeatSpec
from google.protobuf.message import Message

from services.engine.codecs import CODECS
from services.grpc_server.admission.intake import Intake
from services.grpc_server.call_metrics import timed
from services.grpc_server.calls import service_handler
from services.grpc_server.errors import StoreFull, StoreTimeout, StoreUnavailable, UnknownMatch
from services.grpc_server.server import listen, new_server
from services.store.matches.store import Store
from services.store.open import open_store
from tests.redis_server import free_port
from tests.runtime.telemetry.samples import Growth, sample_value
from tests.services.bots.test_hosted import hosted_bot_service
from tests.services.client import Client, FireBullsDriver, Refusal, new_driver
from tests.services.streams import watch

GAME_LABEL = {"game": "fire_bulls"}
WATCH_LABELS = {"service": "fire_bulls", "method": "Watch"}


async def test_calls_are_counted_by_method_and_status(client: Client) -> None:
    grown = Growth()
    await new_driver(client)
    with pytest.raises(Refusal):
        await client.match("nowhere")
    get_match = {"service": "fire_bulls", "method": "GetMatch"}
    assert grown.of("fireside_calls_total", service="fire_bulls", method="NewGame", code="OK") == 1
    assert grown.of("fireside_calls_total", **get_match, code="NOT_FOUND") == 1
    assert grown.of("fireside_call_seconds_count", **get_match) == 1


async def test_moves_and_matches_are_counted_from_start_to_end(client: Client) -> None:
    grown = Growth()
    driver = await new_driver(client)
    await driver.play_at_random(Random(3))
    assert grown.of("fireside_matches_begun_total", **GAME_LABEL) == 1
    assert grown.of("fireside_matches_ended_total", **GAME_LABEL) == 1
    moves = grown.of("fireside_moves_total", **GAME_LABEL, kind="player")
    assert moves > 20
    assert grown.of("fireside_store_seconds_count", operation="commit") == moves


APPLY_LABELS = {"service": "fire_bulls", "method": "Apply"}


@pytest.mark.parametrize("level", [logging.INFO, logging.DEBUG])
async def test_a_move_on_an_inline_state_is_counted_and_logged_once_on_both_paths(
    client: Client, level: int, caplog: pytest.LogCaptureFixture
) -> None:
    game = await client.new_game(verbs.NewGameRequest(seats=[SeatSpec()] * 2, ephemeral=True))
    seat = game.match.to_move[0]
    moves = await client.legal_moves(verbs.LegalMovesRequest(state=game.state, seat=seat))
    quick = verbs.ApplyRequest(state=game.state, seat=seat, move=moves.moves[0].move)
    careful = verbs.ApplyRequest(state=game.state, seat=seat, notation=moves.moves[0].notation)
    grown = Growth()
    caplog.set_level(level, "services.grpc_server.calls")
    await client.apply(quick)
    await client.apply(careful)
    assert grown.of("fireside_calls_total", **APPLY_LABELS, code="OK") == 2
    assert grown.of("fireside_call_seconds_count", **APPLY_LABELS) == 2
    assert len(caplog.records) == (2 if level == logging.DEBUG else 0)


async def test_a_fast_path_that_fails_is_logged_and_the_request_is_parsed(caplog: pytest.LogCaptureFixture) -> None:
    def failing_fast_path(request: bytes) -> bytes:
        raise RuntimeError("a fault of ours")

    async def general_path(request: Message, authorization: str) -> bytes:
        return verbs.ApplyResponse(revision=7).SerializeToString()

    intake = Intake(bytes_most=1000, message_limit=1000)
    intake.add(
        service_handler(CODECS["fire_bulls"].service, {"Apply": general_path}, fast_path={"Apply": failing_fast_path})
    )
    server = new_server(1000, intake, streams=10)
    port = listen(server, "127.0.0.1", 0)
    await server.start()
    grown = Growth()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        assert (await Client(channel).apply(verbs.ApplyRequest())).revision == 7
    assert grown.of("fireside_calls_total", **APPLY_LABELS, code="OK") == 1
    assert [record.message for record in caplog.records] == ["the fast path failed"]
    await server.stop(None)


async def test_a_repeated_move_is_counted_as_a_repeat(driver: FireBullsDriver) -> None:
    grown = Growth()
    [move, *_] = await driver.moves()
    request = verbs.ApplyRequest(match_id=driver.match_id, move=move.move, request_id="again")
    for _ in range(3):
        await driver.client.apply(request, driver.token)
    assert grown.of("fireside_repeats_total", **GAME_LABEL) == 2
    assert grown.of("fireside_moves_total", **GAME_LABEL, kind="player") == 1


async def test_open_streams_and_watchers_are_counted(driver: FireBullsDriver) -> None:
    before = [
        sample_value("fireside_streams", **WATCH_LABELS),
        sample_value("fireside_watchers"),
        sample_value("fireside_watched_matches"),
    ]
    call = watch(driver.client.channel, driver.match_id)
    await call.read()
    assert sample_value("fireside_streams", **WATCH_LABELS) == before[0] + 1
    assert sample_value("fireside_watchers") == before[1] + 1
    assert sample_value("fireside_watched_matches") == before[2] + 1
    call.cancel()
    while [
        sample_value("fireside_streams", **WATCH_LABELS),
        sample_value("fireside_watchers"),
        sample_value("fireside_watched_matches"),
    ] != before:
        await asyncio.sleep(0.01)


async def test_store_failures_are_counted_by_reason() -> None:
    store: Store = open_store(f"redis://127.0.0.1:{free_port()}/0", 60)
    grown = Growth()
    with pytest.raises(StoreUnavailable):
        await store.load("x")
    await store.close()
    assert grown.of("fireside_store_failures_total", operation="load", reason="StoreUnavailable") == 1


@pytest.mark.parametrize(
    ("error", "reason"), [(StoreTimeout(), "StoreUnavailable"), (StoreFull(), "StoreFull")], ids=repr
)
async def test_the_reasons_are_those_of_the_alerts(error: Exception, reason: str) -> None:
    async def failing_operation() -> None:
        raise error

    grown = Growth()
    with pytest.raises(type(error)):
        await timed(failing_operation)()
    assert grown.of("fireside_store_failures_total", operation="failing_operation", reason=reason) == 1


async def test_an_unknown_match_is_not_a_store_failure() -> None:
    store = open_store("", 60)
    grown = Growth()
    with pytest.raises(UnknownMatch):
        await store.load("x")
    await store.close()
    assert grown.of("fireside_store_seconds_count", operation="load") == 1
    assert grown.of("fireside_store_failures_total", operation="load", reason="StoreUnavailable") == 0


async def test_turns_of_hosted_bots_are_counted_by_the_kind_of_bot() -> None:
    grown = Growth()
    async with hosted_bot_service(CODECS["fire_bulls"], "") as service:
        hosted_match = await service.begin("random", "greedy:")
        await service.final_score(hosted_match)
    turns = [grown.of("fireside_bot_turns_total", bot=bot) for bot in ("random", "greedy")]
    assert min(turns) > 0
    assert sum(turns) == grown.of("fireside_moves_total", **GAME_LABEL, kind="bot")
    assert grown.of("fireside_bot_thinking_seconds_count", bot="random") == turns[0]
    assert sample_value("fireside_bot_turns_in_hand") == 0
