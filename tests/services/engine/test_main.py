"""An engine process: start, failures and stop."""

from __future__ import annotations

import asyncio
import logging

import grpc
import pytest
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from fireside.match.v1.match_pb2 import SeatSpec

from engine_core.errors import UnknownGame
from services.engine.codecs.fire_bulls import FireBullsCodec
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from tests.redis_server import free_port
from tests.services.client import Client, Refusal


def new_game(ephemeral: bool = True) -> verbs.NewGameRequest:
    return verbs.NewGameRequest(seats=[SeatSpec()] * 2, ephemeral=ephemeral)


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(UnknownGame):
        Engine(EngineSettings(games=("chess",)))


async def test_a_port_in_use_is_refused(engine: Engine) -> None:
    second = Engine(EngineSettings(port=engine.port))
    with pytest.raises(OSError, match=f"127.0.0.1:{engine.port}"):
        await second.start()
    await second.stop()


async def test_without_redis_an_engine_still_plays_inline_states() -> None:
    engine = Engine(EngineSettings(port=0, redis_url=f"redis://127.0.0.1:{free_port()}/0", grace_seconds=1))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        client = Client(channel)
        assert (await client.new_game(new_game())).HasField("state")
        with pytest.raises(Refusal) as caught:
            await client.new_game(new_game(ephemeral=False))
        with pytest.raises(Refusal) as found:
            await client.match("anything")
    await engine.stop()
    for error in (caught.value, found.value):
        assert (error.code, error.reason) == (grpc.StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE")
        assert error.retry_seconds > 0


async def test_calls_in_flight_finish_when_the_engine_stops() -> None:
    engine = Engine(EngineSettings(port=0))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        client = Client(channel)
        ephemeral_game = await client.new_game(new_game())
        request = verbs.ApplyRequest(state=ephemeral_game.state, seat=ephemeral_game.match.to_move[0], notation="draw")
        calls = [asyncio.ensure_future(client.apply(request)) for _ in range(200)]
        await asyncio.sleep(0.05)
        await engine.stop()
        answers = await asyncio.gather(*calls)
    assert all(answer.HasField("state") for answer in answers)


class InternalFault(Exception):
    """An internal error with a secret in its text."""


@pytest.mark.parametrize("store_url", ["embedded"], indirect=True)
async def test_an_internal_error_is_logged_with_its_trace_and_sent_without(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def raise_fault(codec: FireBullsCodec, view: object) -> None:
        raise InternalFault("the hand is red red")

    monkeypatch.setattr(FireBullsCodec, "write_view", raise_fault)
    with caplog.at_level(logging.ERROR), pytest.raises(Refusal) as caught:
        await client.new_game(new_game())
    assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")
    assert "red" not in caught.value.message
    assert "InternalFault" in caplog.text
    assert "fireside.fire_bulls.v1.FireBullsService.NewGame" in [getattr(each, "method", "") for each in caplog.records]


async def test_many_concurrent_connections_are_served(client: Client) -> None:
    answers = await asyncio.gather(
        *[client.raw("/fireside.catalog.v1.CatalogService/ListGames", b"") for _ in range(2500)]
    )
    assert set(answers) == {answers[0]}
