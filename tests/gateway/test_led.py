"""Requests about a match tell the channel which one, so that its calls go to one engine."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from gateway.upstream import channels
from tests.gateway.engine import Engine

MATCH = "/v1/fire-bulls/matches/m1"


def led_by(engine: Engine) -> list[object]:
    """The matches that calls named."""
    return [words[channels.MATCH] for words in engine.metadata if channels.MATCH in words]


async def test_reads_and_moves_of_a_match_name_it(engine: Engine, client: httpx.AsyncClient) -> None:
    async with asyncio.timeout(10):
        while not led_by(engine):
            await client.get(MATCH)
            await asyncio.sleep(0.01)
    before = len(led_by(engine))
    await client.get(MATCH)
    await client.post(f"{MATCH}/moves", json={"notation": "x"}, headers={"Authorization": "Bearer t"})
    assert led_by(engine)[before:] == ["m1", "m1"]
    await client.post("/v1/fire-bulls/matches", json={"seats": [{}, {}]})
    assert len(led_by(engine)) == before + 2


@pytest.mark.parametrize("name", ["m" * 65, "%C3%A9", "a%0Ab"])
async def test_what_no_match_is_called_leads_nowhere(name: str, engine: Engine, client: httpx.AsyncClient) -> None:
    async with asyncio.timeout(10):
        while not led_by(engine):
            await client.get(MATCH)
            await asyncio.sleep(0.01)
    before = len(led_by(engine))
    await client.get(f"/v1/fire-bulls/matches/{name}")
    assert len(led_by(engine)) == before
