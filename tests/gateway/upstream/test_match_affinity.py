"""Match affinity: calls of a match have its id in their metadata, by which the channel chooses the engine."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from gateway.upstream import channels
from tests.gateway.stub_engine import StubEngine

MATCH_PATH = "/v1/fire-bulls/matches/m1"


def hashed_ids(engine: StubEngine) -> list[object]:
    """The match ids in the metadata of all calls."""
    return [each[channels.MATCH_ID_KEY] for each in engine.metadata if channels.MATCH_ID_KEY in each]


async def test_reads_and_moves_have_the_match_id_in_their_metadata(
    engine: StubEngine, client: httpx.AsyncClient
) -> None:
    async with asyncio.timeout(10):
        while not hashed_ids(engine):
            await client.get(MATCH_PATH)
            await asyncio.sleep(0.01)
    before = len(hashed_ids(engine))
    await client.get(MATCH_PATH)
    await client.post(f"{MATCH_PATH}/moves", json={"notation": "x"}, headers={"Authorization": "Bearer t"})
    assert hashed_ids(engine)[before:] == ["m1", "m1"]
    await client.post("/v1/fire-bulls/matches", json={"seats": [{}, {}]})
    assert len(hashed_ids(engine)) == before + 2


@pytest.mark.parametrize("name", ["m" * 65, "%C3%A9", "a%0Ab"])
async def test_a_malformed_match_id_is_not_sent_as_metadata(
    name: str, engine: StubEngine, client: httpx.AsyncClient
) -> None:
    async with asyncio.timeout(10):
        while not hashed_ids(engine):
            await client.get(MATCH_PATH)
            await asyncio.sleep(0.01)
    before = len(hashed_ids(engine))
    await client.get(f"/v1/fire-bulls/matches/{name}")
    assert len(hashed_ids(engine)) == before
