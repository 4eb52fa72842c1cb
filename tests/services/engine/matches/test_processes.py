"""Several engines on one Redis: each of them can continue a match."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random

import grpc
import pytest
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs

from tests.services.client import Client, FireBullsDriver, Refusal, new_driver
from tests.services.processes import EngineProcess


@pytest.fixture(scope="module")
def engines(redis_url: str) -> Iterator[list[EngineProcess]]:
    with EngineProcess(redis_url) as one, EngineProcess(redis_url) as other:
        yield [one.ready(), other.ready()]


@asynccontextmanager
async def open_clients(engines: list[EngineProcess]) -> AsyncIterator[list[Client]]:
    async with AsyncExitStack() as stack:
        channels = [grpc.aio.insecure_channel(engine.address) for engine in engines]
        yield [Client(await stack.enter_async_context(channel)) for channel in channels]


async def test_of_50_concurrent_moves_on_one_revision_exactly_one_is_made(engines: list[EngineProcess]) -> None:
    async with open_clients(engines) as two_clients:
        driver = await new_driver(two_clients[0], 3)
        for _ in range(5):
            await race_moves(driver, two_clients)


async def race_moves(driver: FireBullsDriver, two_clients: list[Client]) -> None:
    moves = await driver.moves()
    requests = [
        verbs.ApplyRequest(
            match_id=driver.match_id,
            move=moves[number % len(moves)].move,
            expected_revision=driver.match.revision,
        )
        for number in range(50)
    ]
    calls = [two_clients[number % 2].apply(request, driver.token) for number, request in enumerate(requests)]
    answers = await asyncio.gather(*calls, return_exceptions=True)
    (move_response,) = [answer for answer in answers if isinstance(answer, verbs.ApplyResponse)]
    refusals = [answer for answer in answers if isinstance(answer, Refusal)]
    assert len(refusals) == 49
    assert {(received.code, received.reason) for received in refusals} == {(grpc.StatusCode.ABORTED, "STALE_REVISION")}
    assert {received.metadata["revision"] for received in refusals} == {str(move_response.revision)}
    history = await two_clients[1].history(driver.match_id, driver.token, driver.match.revision)
    assert list(history.events) == list(move_response.events)
    driver.match = move_response.match


async def test_concurrent_repeats_to_two_engines_make_one_move(engines: list[EngineProcess]) -> None:
    async with open_clients(engines) as two_clients:
        driver = await new_driver(two_clients[0])
        move = (await driver.moves())[0].move
        request = verbs.ApplyRequest(match_id=driver.match_id, move=move, request_id="again")
        answers = await asyncio.gather(*[two_clients[number % 2].apply(request, driver.token) for number in range(100)])
        assert len({answer.SerializeToString(deterministic=True) for answer in answers}) == 1
        history = await two_clients[1].history(driver.match_id, driver.token, driver.match.revision)
        assert list(history.events) == list(answers[0].events)


async def test_a_killed_engine_loses_no_move(redis_url: str) -> None:
    random = Random(7)
    engine = EngineProcess(redis_url).ready()
    driver: FireBullsDriver | None = None
    for _ in range(4):
        successor = EngineProcess(redis_url)
        async with open_clients([engine]) as (client,):
            driver = await begin_or_continue(client, driver, random)
            before = await responses_by_seat(driver)
        engine.kill()
        engine = successor.ready()
        async with open_clients([engine]) as (client,):
            driver.client = client
            assert await responses_by_seat(driver) == before
    engine.kill()


async def begin_or_continue(client: Client, driver: FireBullsDriver | None, random: Random) -> FireBullsDriver:
    """Begin a match, or go on with it."""
    if driver is None:
        return await new_driver(client, 3)
    driver.client = client
    await driver.play_at_random(random, 20)
    return driver


async def responses_by_seat(driver: FireBullsDriver) -> list[bytes]:
    """What each seat is shown, its history and its legal moves."""
    received = []
    for token in driver.tokens:
        match = await driver.client.match(driver.match_id, token)
        history = await driver.client.history(driver.match_id, token)
        moves = await driver.client.legal_moves(verbs.LegalMovesRequest(match_id=driver.match_id), token)
        received += [message.SerializeToString(deterministic=True) for message in (match, history, moves)]
    return received


async def test_an_engine_killed_in_a_burst_makes_each_move_completely_or_not(
    engines: list[EngineProcess], redis_url: str
) -> None:
    victim = EngineProcess(redis_url).ready()
    async with open_clients([victim, engines[0]]) as (doomed, other):
        driver = await new_driver(other)
        burst = FireBullsDriver(doomed, driver.match_id, driver.tokens, driver.match)
        playing = asyncio.ensure_future(burst.play_at_random(Random(1)))
        async with asyncio.timeout(30):
            while burst.match.revision < 20:
                await asyncio.sleep(0.001)
        victim.kill()
        with pytest.raises(Refusal):
            await playing
        driver.match = await other.match(driver.match_id)
        history = await other.history(driver.match_id)
        assert driver.match.revision == history.revision == len(history.events)
        await driver.play_at_random(Random(2))
        assert driver.match.over
