"""Aborted and cancelled calls leave no reference cycles to the garbage collector."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

import grpc
import pytest
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from fireside.match.v1.match_pb2 import SeatSpec

from tests.reference_cycles import collect_cyclic_garbage
from tests.services.client import FireBullsDriver, Refusal
from tests.services.streams import choice_request, play, watch

HEALTH = "/grpc.health.v1.Health"

RefusedCall = Callable[[FireBullsDriver], Awaitable[object]]


async def _new_game(driver: FireBullsDriver, **fields: object) -> object:
    return await driver.client.new_game(verbs.NewGameRequest(**fields))  # type: ignore[arg-type]


async def _call_batch_apply(driver: FireBullsDriver) -> object:
    request = verbs.BatchApplyRequest(requests=[verbs.ApplyRequest(notation="take red")] * 3)
    return await driver.client.raw("BatchApply", request.SerializeToString())


async def _call_watch(driver: FireBullsDriver, match_id: str, after: int) -> object:
    return await watch(driver.client.channel, match_id, after).read()


async def _cancelled_watch(driver: FireBullsDriver) -> None:
    call = watch(driver.client.channel, driver.match_id)
    await call.read()
    call.cancel()
    await asyncio.sleep(0.1)


async def _call_play(driver: FireBullsDriver, *requests: verbs.PlayRequest, token: str = "") -> None:
    async def requests_sent() -> AsyncIterator[verbs.PlayRequest]:
        for request in requests:
            yield request

    async for _ in play(driver.client.channel, requests_sent(), token):
        pass


async def _refused_choice(driver: FireBullsDriver) -> None:
    choices: asyncio.Queue[verbs.PlayRequest] = asyncio.Queue()
    choices.put_nowait(verbs.PlayRequest(join=verbs.Join(match_id=driver.match_id)))

    async def requests_sent() -> AsyncIterator[verbs.PlayRequest]:
        while True:
            yield await choices.get()

    async for answer in play(driver.client.channel, requests_sent(), driver.token):
        if answer.HasField("refusal"):
            return
        choices.put_nowait(choice_request(answer.turn, "take purple"))


async def _call_apply(driver: FireBullsDriver, token: str = "", **fields: object) -> object:
    return await driver.client.apply(verbs.ApplyRequest(match_id=driver.match_id, **fields), token)  # type: ignore[arg-type]


REFUSED_CALLS: dict[str, RefusedCall] = {
    "bytes that are no message": lambda driver: driver.client.raw("Apply", b"\xff" * 1000),
    "a seat too many": lambda driver: _new_game(driver, seats=[SeatSpec()] * 6),
    "an unknown enum": lambda driver: _new_game(driver, seats=[SeatSpec()] * 2, ephemeral=True, chance=77),
    "an option out of range": lambda driver: _new_game(driver, seats=[SeatSpec(bot="x" * 99)] * 2),
    "no token": lambda driver: _call_apply(driver, notation="take red"),
    "a token that is none": lambda driver: _call_apply(driver, "x", notation="take red"),
    "a notation that is none": lambda driver: _call_apply(driver, driver.token, notation="take purple"),
    "an illegal move": lambda driver: _call_apply(driver, driver.token, notation="stop"),
    "an unknown match": lambda driver: driver.client.match("nowhere"),
    "an inline state that is none": lambda driver: _new_game(driver, seats=[], ephemeral=True),
    "a batch of wrong moves": _call_batch_apply,
    "a history from below 0": lambda driver: driver.client.history(driver.match_id, after=-1),
    "a method that there is not": lambda driver: driver.client.raw("Chess", b""),
    "a health check of nothing": lambda driver: driver.client.raw(f"{HEALTH}/Check", b"\x0a\x01x"),
    "a health check that is no message": lambda driver: driver.client.raw(f"{HEALTH}/Check", b"\xff\xff"),
    "events of an unknown match": lambda driver: _call_watch(driver, "nowhere", 0),
    "events from what has not come": lambda driver: _call_watch(driver, driver.match_id, 1000),
    "a watcher that goes": _cancelled_watch,
    "a play that joins nothing": lambda driver: _call_play(driver, verbs.PlayRequest()),
    "a play without a message": lambda driver: _call_play(driver),
    "a play without a token": lambda driver: _call_play(
        driver, verbs.PlayRequest(join=verbs.Join(match_id=driver.match_id))
    ),
    "a play that says a second join": lambda driver: _call_play(
        driver,
        *[verbs.PlayRequest(join=verbs.Join(match_id=driver.match_id))] * 2,
        token=driver.token,
    ),
    "a choice that is refused": _refused_choice,
}


@pytest.mark.parametrize("refused", REFUSED_CALLS.values(), ids=list(REFUSED_CALLS))
async def test_fault02_a_refused_call_leaves_no_reference_cycles(driver: FireBullsDriver, refused: RefusedCall) -> None:
    with suppress(Refusal, grpc.aio.AioRpcError):
        await refused(driver)
    with collect_cyclic_garbage() as left:
        for _ in range(3):
            with suppress(Refusal, grpc.aio.AioRpcError):
                await refused(driver)
        await asyncio.sleep(0.05)
    assert not left
