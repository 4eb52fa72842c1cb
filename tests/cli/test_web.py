"""The web server answers at once: the two parts of an answer never wait for an acknowledgement between them."""

from __future__ import annotations

import statistics
import time

import httpx
from fastapi import FastAPI

from cli.web import Web


async def test_answers_on_a_connection_that_is_kept_come_without_delay() -> None:
    app = FastAPI()
    app.add_api_route("/", lambda: {"body": "x" * 100})
    web = Web(app, "127.0.0.1", 0, 1)
    await web.start()
    times = []
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{web.port}") as client:
        for _ in range(15):
            begun = time.perf_counter()
            (await client.get("/")).raise_for_status()
            times.append(time.perf_counter() - begun)
    await web.stop()
    assert statistics.median(times) < 0.03
