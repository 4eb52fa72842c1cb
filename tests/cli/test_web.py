"""The web server."""

from __future__ import annotations

from statistics import median
from time import perf_counter

import httpx
from fastapi import FastAPI

from cli.web import Web

DELAY = 0.04
"""How long Linux puts off acknowledging the first part of an answer."""


async def one_request(client: httpx.AsyncClient) -> float:
    start = perf_counter()
    await client.get("/openapi.json")
    return perf_counter() - start


async def test_a_small_answer_does_not_wait_for_an_acknowledgement() -> None:
    web = Web(FastAPI(), "127.0.0.1", 0, grace=1)
    await web.start()
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{web.port}") as client:
        times = [await one_request(client) for _ in range(20)]
    await web.stop()
    assert median(times) < DELAY
