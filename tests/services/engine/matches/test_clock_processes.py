"""Clocks in engine processes: deadlines in responses, and default moves after an engine is killed."""

from __future__ import annotations

import asyncio
import time

import grpc
import pytest
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from fireside.match.v1.match_pb2 import Clock, SeatSpec

from tests.services.client import Client, Refusal, Table
from tests.services.processes import EngineProcess

MATCHES = 12


async def new_timed_table(client: Client, seconds: int) -> Table:
    request = verbs.NewGameRequest(seats=[SeatSpec()] * 2, clock=Clock(move_seconds=seconds))
    answer = await client.new_game(request)
    return Table(client, answer.match_id, [seat.token for seat in answer.seats], answer.match)


async def test_everybody_is_told_the_deadline(client: Client) -> None:
    table = await new_timed_table(client, 100)
    received = table.match.deadline.ToMilliseconds() / 1000
    assert 90 < received - time.time() < 110
    assert (await client.match(table.match_id)).deadline == table.match.deadline
    await asyncio.sleep(0.01)
    answer = await table.play((await table.moves())[0].move)
    assert answer.match.deadline.ToMilliseconds() / 1000 > received
    assert (await client.match(table.match_id, table.tokens[1])).deadline == answer.match.deadline


async def test_a_move_that_is_only_checked_gives_no_time(client: Client) -> None:
    table = await new_timed_table(client, 100)
    move = (await table.moves())[0].move
    request = verbs.ApplyRequest(match_id=table.match_id, move=move, validate_only=True)
    assert (await client.apply(request, table.token)).match.deadline == table.match.deadline
    assert (await client.match(table.match_id)).deadline == table.match.deadline


async def test_without_a_clock_nobody_is_told_a_deadline(client: Client, table: Table) -> None:
    assert not table.match.HasField("deadline")
    answer = await table.play((await table.moves())[0].move)
    assert not answer.match.HasField("deadline")


@pytest.mark.parametrize(
    ("seconds", "ephemeral", "field"),
    [(0, False, "clock"), (-1, False, "clock.moveSeconds"), (604801, False, "clock.moveSeconds"),
     (10, True, "clock")],
)  # fmt: skip
async def test_a_clock_that_there_is_not_is_refused(client: Client, seconds: int, ephemeral: bool, field: str) -> None:
    clock = Clock(move_seconds=seconds)
    with pytest.raises(Refusal) as caught:
        await client.new_game(verbs.NewGameRequest(seats=[SeatSpec()] * 2, clock=clock, ephemeral=ephemeral))
    assert (caught.value.code, caught.value.fields) == (grpc.StatusCode.INVALID_ARGUMENT, [field])


async def test_an_engine_plays_for_a_seat_whose_time_is_up(client: Client) -> None:
    table = await new_timed_table(client, 1)
    seconds = 0.0
    while (await client.match(table.match_id)).revision == table.match.revision:
        await asyncio.sleep(0.05)
        seconds += 0.05
        assert seconds < 30
    match = await client.match(table.match_id)
    assert match.deadline.ToMilliseconds() >= table.match.deadline.ToMilliseconds() + 1000


async def test_engines_that_are_killed_at_the_deadline_cost_and_double_no_move(redis_url: str) -> None:
    with EngineProcess(redis_url) as one, EngineProcess(redis_url) as two, EngineProcess(redis_url) as three:
        survivor = three.ready()
        doomed = [one.ready(), two.ready()]
        async with grpc.aio.insecure_channel(survivor.address) as channel:
            tables = await asyncio.gather(*[new_timed_table(Client(channel), 2) for _ in range(MATCHES)])
            first = min(table.match.deadline.ToMilliseconds() for table in tables) / 1000
            await asyncio.sleep(max(0.0, first - time.time()))
            for process in doomed:
                process.kill()
                await asyncio.sleep(0.05)
            for table in tables:
                await check_defaults(table)


async def check_defaults(table: Table) -> None:
    """Two deadlines have been played, each once: at the second, two more seconds of the store have passed."""
    start = table.match.deadline.ToMilliseconds() - 2000
    moves = 0
    waiting = time.monotonic() + 60
    while moves < 2:
        assert time.monotonic() < waiting
        await asyncio.sleep(0.1)
        match = await table.client.match(table.match_id)
        history = await table.client.history(table.match_id, after=table.match.revision)
        moves = sum(event.HasField("seat") for event in history.events if event.revision <= match.revision)
        assert start + 2000 * (moves + 1) <= match.deadline.ToMilliseconds() + 2000 * (
            history.revision > match.revision
        )
