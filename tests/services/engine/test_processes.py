"""Several engines on one Redis: each of them can continue a match."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random

import grpc
import pytest
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs

from tests.services.client import Client, Refusal, Table, new_table
from tests.services.processes import EngineProcess


@pytest.fixture(scope="module")
def engines(redis_url: str) -> Iterator[list[EngineProcess]]:
    with EngineProcess(redis_url) as one, EngineProcess(redis_url) as other:
        yield [one.ready(), other.ready()]


@asynccontextmanager
async def clients(engines: list[EngineProcess]) -> AsyncIterator[list[Client]]:
    async with AsyncExitStack() as stack:
        channels = [grpc.aio.insecure_channel(engine.address) for engine in engines]
        yield [Client(await stack.enter_async_context(channel)) for channel in channels]


async def test_of_50_moves_on_one_revision_from_two_engines_one_is_made(engines: list[EngineProcess]) -> None:
    async with clients(engines) as both:
        table = await new_table(both[0], 3)
        for _ in range(5):
            await race(table, both)


async def race(table: Table, both: list[Client]) -> None:
    moves = await table.moves()
    requests = [
        verbs.ApplyRequest(
            match_id=table.match_id, move=moves[number % len(moves)].move, expected_revision=table.match.revision
        )
        for number in range(50)
    ]
    calls = [both[number % 2].apply(request, table.token) for number, request in enumerate(requests)]
    answers = await asyncio.gather(*calls, return_exceptions=True)
    (made,) = [answer for answer in answers if isinstance(answer, verbs.ApplyResponse)]
    refusals = [answer for answer in answers if isinstance(answer, Refusal)]
    assert len(refusals) == 49
    assert {(received.code, received.reason) for received in refusals} == {(grpc.StatusCode.ABORTED, "STALE_REVISION")}
    assert {received.metadata["revision"] for received in refusals} == {str(made.revision)}
    history = await both[1].history(table.match_id, table.token, table.match.revision)
    assert list(history.events) == list(made.events)
    table.match = made.match


async def test_repeats_to_two_engines_at_once_make_one_move(engines: list[EngineProcess]) -> None:
    async with clients(engines) as both:
        table = await new_table(both[0])
        move = (await table.moves())[0].move
        request = verbs.ApplyRequest(match_id=table.match_id, move=move, request_id="again")
        answers = await asyncio.gather(*[both[number % 2].apply(request, table.token) for number in range(100)])
        assert len({answer.SerializeToString(deterministic=True) for answer in answers}) == 1
        history = await both[1].history(table.match_id, table.token, table.match.revision)
        assert list(history.events) == list(answers[0].events)


async def test_a_killed_engine_loses_nothing(redis_url: str) -> None:
    random = Random(7)
    engine = EngineProcess(redis_url).ready()
    table: Table | None = None
    for _ in range(4):
        successor = EngineProcess(redis_url)
        async with clients([engine]) as (client,):
            table = await played(client, table, random)
            before = await responses_by_seat(table)
        engine.kill()
        engine = successor.ready()
        async with clients([engine]) as (client,):
            table.client = client
            assert await responses_by_seat(table) == before
    engine.kill()


async def played(client: Client, table: Table | None, random: Random) -> Table:
    """Begin a match, or go on with it."""
    if table is None:
        return await new_table(client, 3)
    table.client = client
    await table.play_at_random(random, 20)
    return table


async def responses_by_seat(table: Table) -> list[bytes]:
    """What each seat is shown, its history and its legal moves."""
    received = []
    for token in table.tokens:
        match = await table.client.match(table.match_id, token)
        history = await table.client.history(table.match_id, token)
        moves = await table.client.legal_moves(verbs.LegalMovesRequest(match_id=table.match_id), token)
        received += [message.SerializeToString(deterministic=True) for message in (match, history, moves)]
    return received


async def test_an_engine_that_is_killed_in_a_burst_makes_each_move_wholly_or_not(
    engines: list[EngineProcess], redis_url: str
) -> None:
    victim = EngineProcess(redis_url).ready()
    async with clients([victim, engines[0]]) as (doomed, other):
        table = await new_table(other)
        burst = Table(doomed, table.match_id, table.tokens, table.match)
        playing = asyncio.ensure_future(burst.play_at_random(Random(1)))
        async with asyncio.timeout(30):
            while burst.match.revision < 20:
                await asyncio.sleep(0.001)
        victim.kill()
        with pytest.raises(Refusal):
            await playing
        table.match = await other.match(table.match_id)
        history = await other.history(table.match_id)
        assert table.match.revision == history.revision == len(history.events)
        await table.play_at_random(Random(2))
        assert table.match.over
