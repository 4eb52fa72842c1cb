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
from tests.services.client import Refusal, Table
from tests.services.streams import choice, play, watch

HEALTH = "/grpc.health.v1.Health"

Refused = Callable[[Table], Awaitable[object]]


async def _new_game(table: Table, **fields: object) -> object:
    return await table.client.new_game(verbs.NewGameRequest(**fields))  # type: ignore[arg-type]


async def _batch(table: Table) -> object:
    request = verbs.BatchApplyRequest(requests=[verbs.ApplyRequest(notation="take red")] * 3)
    return await table.client.raw("BatchApply", request.SerializeToString())


async def _watch(table: Table, match_id: str, after: int) -> object:
    return await watch(table.client.channel, match_id, after).read()


async def _cancelled_watch(table: Table) -> None:
    call = watch(table.client.channel, table.match_id)
    await call.read()
    call.cancel()
    await asyncio.sleep(0.1)


async def _play(table: Table, *requests: verbs.PlayRequest, token: str = "") -> None:
    async def requests_sent() -> AsyncIterator[verbs.PlayRequest]:
        for request in requests:
            yield request

    async for _ in play(table.client.channel, requests_sent(), token):
        pass


async def _refused_choice(table: Table) -> None:
    choices: asyncio.Queue[verbs.PlayRequest] = asyncio.Queue()
    choices.put_nowait(verbs.PlayRequest(join=verbs.Join(match_id=table.match_id)))

    async def requests_sent() -> AsyncIterator[verbs.PlayRequest]:
        while True:
            yield await choices.get()

    async for answer in play(table.client.channel, requests_sent(), table.token):
        if answer.HasField("refusal"):
            return
        choices.put_nowait(choice(answer.turn, "take purple"))


async def _apply(table: Table, token: str = "", **fields: object) -> object:
    return await table.client.apply(verbs.ApplyRequest(match_id=table.match_id, **fields), token)  # type: ignore[arg-type]


REFUSED: dict[str, Refused] = {
    "bytes that are no message": lambda table: table.client.raw("Apply", b"\xff" * 1000),
    "a seat too many": lambda table: _new_game(table, seats=[SeatSpec()] * 6),
    "an unknown enum": lambda table: _new_game(table, seats=[SeatSpec()] * 2, ephemeral=True, chance=77),
    "an option out of range": lambda table: _new_game(table, seats=[SeatSpec(bot="x" * 99)] * 2),
    "no token": lambda table: _apply(table, notation="take red"),
    "a token that is none": lambda table: _apply(table, "x", notation="take red"),
    "a notation that is none": lambda table: _apply(table, table.token, notation="take purple"),
    "an illegal move": lambda table: _apply(table, table.token, notation="stop"),
    "an unknown match": lambda table: table.client.match("nowhere"),
    "an inline state that is none": lambda table: _new_game(table, seats=[], ephemeral=True),
    "a batch of wrong moves": _batch,
    "a history from below 0": lambda table: table.client.history(table.match_id, after=-1),
    "a method that there is not": lambda table: table.client.raw("Chess", b""),
    "a health check of nothing": lambda table: table.client.raw(f"{HEALTH}/Check", b"\x0a\x01x"),
    "a health check that is no message": lambda table: table.client.raw(f"{HEALTH}/Check", b"\xff\xff"),
    "events of an unknown match": lambda table: _watch(table, "nowhere", 0),
    "events from what has not come": lambda table: _watch(table, table.match_id, 1000),
    "a watcher that goes": _cancelled_watch,
    "a play that joins nothing": lambda table: _play(table, verbs.PlayRequest()),
    "a play without a message": lambda table: _play(table),
    "a play without a token": lambda table: _play(table, verbs.PlayRequest(join=verbs.Join(match_id=table.match_id))),
    "a play that says a second join": lambda table: _play(
        table, *[verbs.PlayRequest(join=verbs.Join(match_id=table.match_id))] * 2, token=table.token
    ),
    "a choice that is refused": _refused_choice,
}


@pytest.mark.parametrize("refused", REFUSED.values(), ids=list(REFUSED))
async def test_fault02_a_refused_call_leaves_nothing_behind(table: Table, refused: Refused) -> None:
    with suppress(Refusal, grpc.aio.AioRpcError):
        await refused(table)
    with collect_cyclic_garbage() as left:
        for _ in range(3):
            with suppress(Refusal, grpc.aio.AioRpcError):
                await refused(table)
        await asyncio.sleep(0.05)
    assert not left
