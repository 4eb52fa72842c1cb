"""Clocks in engine processes: deadlines in responses, and default moves after an engine is killed."""

from __future__ import annotations

import asyncio
import time

import grpc
import pytest
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from fireside.match.v1.match_pb2 import Clock, SeatSpec

from tests.services.client import Client, FireBullsDriver, Refusal
from tests.services.processes import EngineProcess

MATCH_COUNT = 12


async def new_timed_driver(client: Client, seconds: int) -> FireBullsDriver:
    request = verbs.NewGameRequest(seats=[SeatSpec()] * 2, clock=Clock(move_seconds=seconds))
    answer = await client.new_game(request)
    return FireBullsDriver(client, answer.match_id, [seat.token for seat in answer.seats], answer.match)


async def test_the_deadline_is_in_every_response(client: Client) -> None:
    driver = await new_timed_driver(client, 100)
    received = driver.match.deadline.ToMilliseconds() / 1000
    assert 90 < received - time.time() < 110
    assert (await client.match(driver.match_id)).deadline == driver.match.deadline
    await asyncio.sleep(0.01)
    answer = await driver.play((await driver.moves())[0].move)
    assert answer.match.deadline.ToMilliseconds() / 1000 > received
    assert (await client.match(driver.match_id, driver.tokens[1])).deadline == answer.match.deadline


async def test_a_move_that_is_only_validated_does_not_extend_the_deadline(client: Client) -> None:
    driver = await new_timed_driver(client, 100)
    move = (await driver.moves())[0].move
    request = verbs.ApplyRequest(match_id=driver.match_id, move=move, validate_only=True)
    assert (await client.apply(request, driver.token)).match.deadline == driver.match.deadline
    assert (await client.match(driver.match_id)).deadline == driver.match.deadline


async def test_without_a_clock_there_is_no_deadline_in_responses(client: Client, driver: FireBullsDriver) -> None:
    assert not driver.match.HasField("deadline")
    answer = await driver.play((await driver.moves())[0].move)
    assert not answer.match.HasField("deadline")


@pytest.mark.parametrize(
    ("seconds", "ephemeral", "field"),
    [(0, False, "clock"), (-1, False, "clock.moveSeconds"), (2592001, False, "clock.moveSeconds"),
     (10, True, "clock")],
)  # fmt: skip
async def test_an_invalid_clock_is_refused(client: Client, seconds: int, ephemeral: bool, field: str) -> None:
    clock = Clock(move_seconds=seconds)
    with pytest.raises(Refusal) as caught:
        await client.new_game(verbs.NewGameRequest(seats=[SeatSpec()] * 2, clock=clock, ephemeral=ephemeral))
    assert (caught.value.code, caught.value.fields) == (grpc.StatusCode.INVALID_ARGUMENT, [field])


async def test_an_engine_makes_the_default_move_of_a_seat_whose_time_is_up(client: Client) -> None:
    driver = await new_timed_driver(client, 1)
    seconds = 0.0
    while (await client.match(driver.match_id)).revision == driver.match.revision:
        await asyncio.sleep(0.05)
        seconds += 0.05
        assert seconds < 30
    match = await client.match(driver.match_id)
    assert match.deadline.ToMilliseconds() >= driver.match.deadline.ToMilliseconds() + 1000


async def test_engines_killed_at_the_deadline_lose_and_repeat_no_move(redis_url: str) -> None:
    with EngineProcess(redis_url) as one, EngineProcess(redis_url) as two, EngineProcess(redis_url) as three:
        survivor = three.ready()
        doomed = [one.ready(), two.ready()]
        async with grpc.aio.insecure_channel(survivor.address) as channel:
            drivers = await asyncio.gather(*[new_timed_driver(Client(channel), 2) for _ in range(MATCH_COUNT)])
            first = min(driver.match.deadline.ToMilliseconds() for driver in drivers) / 1000
            await asyncio.sleep(max(0.0, first - time.time()))
            for process in doomed:
                process.kill()
                await asyncio.sleep(0.05)
            for driver in drivers:
                await check_defaults(driver)


async def check_defaults(driver: FireBullsDriver) -> None:
    """Two deadlines have been played, each once: at the second, two more seconds of the store have passed."""
    start = driver.match.deadline.ToMilliseconds() - 2000
    moves = 0
    waiting = time.monotonic() + 60
    while moves < 2:
        assert time.monotonic() < waiting
        await asyncio.sleep(0.1)
        match = await driver.client.match(driver.match_id)
        history = await driver.client.history(driver.match_id, after=driver.match.revision)
        moves = sum(event.HasField("seat") for event in history.events if event.revision <= match.revision)
        assert start + 2000 * (moves + 1) <= match.deadline.ToMilliseconds() + 2000 * (
            history.revision > match.revision
        )
