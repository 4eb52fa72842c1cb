"""Endless play is stopped: endless chance or default moves, and computations of disconnected clients."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from random import Random
from time import process_time
from typing import Any, cast

import grpc
import pytest

from engine_core.bots.mcts import MctsBot
from engine_core.bots.observation import Observation
from engine_core.chance import Luck
from engine_core.errors import EndlessPlay
from engine_core.explore import playout
from engine_core.game import MAX_DEFAULTS, NATURE, Chance, Move, Phase, Turn
from engine_core.games.fire_bulls.moves import DRAW, FIRSTS, First
from engine_core.games.fire_bulls.rules import FireBulls
from engine_core.games.fire_bulls.stages import ACTION, STEPPING
from engine_core.games.fire_bulls.state import FireBullsOptions, FireBullsState
from engine_core.games.fireship.state import FireshipOptions
from engine_core.match import MAX_DRAWS, Match
from services.engine.clocks.poller import time_out
from services.engine.codecs.fire_bulls import FireBullsCodec
from services.engine.codecs.fireship import FireshipCodec
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from tests.services.client import Refusal
from tests.services.engine.inline.inline_client import InlineClient
from tests.services.registry import GameClient, field


class EndlessFireBulls(FireBulls):
    """Fire Bulls in which nature draws endlessly after a card has been drawn."""

    def phase(self, state: FireBullsState) -> Phase:
        return Chance("endless") if state.stage == STEPPING else super().phase(state)

    def legal_moves(self, state: FireBullsState, seat: int) -> list[Move]:
        if state.stage == STEPPING:
            return [FIRSTS[0]] if seat == NATURE else []
        return super().legal_moves(state, seat)

    def weights(self, state: FireBullsState) -> list[int]:
        return [1] if state.stage == STEPPING else super().weights(state)

    def apply(self, state: FireBullsState, seat: int, move: Move) -> None:
        if not (state.stage == STEPPING and isinstance(move, First)):
            super().apply(state, seat, move)


class IdleFireBulls(FireBulls):
    """Fire Bulls in which default moves change nothing, and seats that have left are still to move."""

    def phase(self, state: FireBullsState) -> Phase:
        return Turn((0, 1)) if state.stage == ACTION else super().phase(state)

    def legal_moves(self, state: FireBullsState, seat: int) -> list[Move]:
        return [DRAW] if state.stage == ACTION and seat != NATURE else super().legal_moves(state, seat)

    def apply(self, state: FireBullsState, seat: int, move: Move) -> None:
        if seat == NATURE:
            super().apply(state, seat, move)


class EndlessCodec(FireBullsCodec):
    """Codec of the endless game, with the messages of Fire Bulls."""

    game = EndlessFireBulls()


GAME = EndlessCodec.game


@pytest.fixture
async def channel() -> AsyncIterator[grpc.aio.Channel]:
    engine = Engine(EngineSettings(port=0, grace_seconds=1), [EndlessCodec()])
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield channel
    await engine.stop()


def new_match() -> Match[FireBullsState, Move, FireBullsOptions, Any]:
    match = Match(GAME, GAME.start(2, FireBullsOptions(first_seat=0)), Luck(bytes(32), []))
    match.begin()
    return match


def test_fault01_endless_draws_are_stopped() -> None:
    with pytest.raises(EndlessPlay) as caught:
        new_match().play(0, DRAW)
    assert (caught.value.game, caught.value.steps) == ("fire_bulls", MAX_DRAWS)
    assert "'endless'" in str(caught.value)


def test_fault01_endless_default_moves_are_stopped() -> None:
    game = IdleFireBulls()
    match = Match(game, game.start(2, FireBullsOptions(first_seat=0)), Luck(bytes(32), []))
    match.begin()
    with pytest.raises(EndlessPlay) as caught:
        time_out(match)
    assert caught.value.steps == MAX_DEFAULTS


def test_fault01_an_endless_turn_of_a_seat_that_has_left_is_stopped() -> None:
    game = IdleFireBulls()
    match = Match(game, game.start(2, FireBullsOptions(first_seat=0)), Luck(bytes(32), []))
    match.begin()
    with pytest.raises(EndlessPlay, match="the turn of a seat that has left"):
        match.leave(0)


def test_fault01_a_search_stops_at_endless_draws() -> None:
    observation = Observation(GAME, new_match().state, 0)
    with pytest.raises(EndlessPlay):
        MctsBot(iterations=200).choose(observation, Random(1))


def test_fault01_a_playout_stops_at_its_limit() -> None:
    with pytest.raises(RuntimeError):
        playout(GAME, GAME.next_state(new_match().state, 0, DRAW), Random(1), limit=5000)


async def test_fault01_an_endless_call_fails_and_is_logged(
    channel: grpc.aio.Channel, caplog: pytest.LogCaptureFixture
) -> None:
    client = InlineClient(channel, EndlessCodec())
    new_match = await client.begin(2, client_seed="s")
    move: dict[str, Any] = {"state": new_match.state, "seat": new_match.match.to_move[0], "notation": "draw"}
    with caplog.at_level(logging.ERROR):
        with pytest.raises(Refusal) as caught:
            await client.call("Apply", **move, seed="t")
        (part,) = (await client.call("BatchApply", requests=[client.request("Apply", **move, seed="t")])).results
    assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")
    assert part.problem.detail == "internal error"
    log_texts = [str(record.exc_info and record.exc_info[1]) for record in caplog.records]
    assert log_texts == [f"fire_bulls: drawing for 'endless' does not end, after {MAX_DRAWS} steps"] * 2
    assert len((await client.call("LegalMoves", state=new_match.state, seat=move["seat"])).moves) > 1


@pytest.mark.parametrize("seat_count", [2, 3, 4])
async def test_fault01_a_turn_skipped_before_the_first_throw_is_refused(seat_count: int) -> None:
    engine = Engine(EngineSettings(port=0, grace_seconds=1))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        codec = FireshipCodec()
        client = InlineClient(channel, codec)
        state: Any = codec.encode_state(codec.game.start(seat_count, FireshipOptions()))
        for seat in state.seats:
            seat.skips = 1
        for method, choice in (("Apply", {"notation": "die skull"}), ("LegalMoves", {})):
            with pytest.raises(Refusal) as caught:
                await client.call(method, state=state, nature=True, **choice)
            assert caught.value.reason == "INCONSISTENT_STATE"
            assert caught.value.fields == ["state.seats[0].skips"]
    await engine.stop()


async def test_fault01_a_stored_match_is_unchanged_by_an_endless_call(channel: grpc.aio.Channel) -> None:
    driver = await GameClient(channel, EndlessCodec()).begin()
    (seat,) = cast(list[int], field(driver.match, "to_move"))
    before = await driver.call("GetMatch", driver.tokens[seat])
    with pytest.raises(Refusal) as caught:
        await driver.call("Apply", driver.tokens[seat], notation="draw")
    assert caught.value.code == grpc.StatusCode.INTERNAL
    assert await driver.call("GetMatch", driver.tokens[seat]) == before


@pytest.mark.parametrize("is_cancelled", [False, True])
@pytest.mark.parametrize("method", ["BatchApply", "Sample"])
async def test_fault01_a_call_whose_client_has_disconnected_stops_computing(method: str, is_cancelled: bool) -> None:
    """Longest calls, many at once: were they computed to their ends, they would take many times as long."""
    engine = Engine(EngineSettings(port=0, grace_seconds=1))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        client = InlineClient(channel, FireBullsCodec())
        new_match = await client.begin(5, client_seed="s")
        apply = client.request(
            "Apply", state=new_match.state, seat=new_match.match.to_move[0], notation="draw", seed="s"
        )
        request: dict[str, Any] = {"requests": [apply] * 1024, "legal_moves": True}
        if method == "Sample":
            request = {"state": new_match.state, "seat": 0, "count": 1000, "seed": "s"}
        before = process_time()
        await client.call(method, **request)
        whole = process_time() - before
        before = process_time()
        calls = [asyncio.ensure_future(check_cancellation(client, method, request, is_cancelled)) for _ in range(8)]
        await asyncio.gather(*calls)
        await client.call("LegalMoves", state=new_match.state, seat=0)
        assert process_time() - before < 5 * whole
    await engine.stop()


async def check_cancellation(client: InlineClient, method: str, request: dict[str, Any], is_cancelled: bool) -> None:
    """Make a call, and give it up as soon as the engine may have begun with it."""
    call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = client.channel.unary_unary(
        f"/{client.codec.service.full_name}/{method}", None, None
    )
    data = client.request(method, **request).SerializeToString()
    sent = call(data, timeout=60 if is_cancelled else 0.1)
    if is_cancelled:
        await asyncio.sleep(0.05)
        sent.cancel()
    with pytest.raises((asyncio.CancelledError, grpc.aio.AioRpcError)):
        await sent
