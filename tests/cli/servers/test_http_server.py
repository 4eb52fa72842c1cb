"""The HTTP server responds without delay, and stops without losing a request."""

from __future__ import annotations

import asyncio
import statistics
import time

import httpx
from fastapi import FastAPI

from cli.servers.http_server import HttpServer


async def test_responses_on_a_keep_alive_connection_have_no_delay() -> None:
    app = FastAPI()
    app.add_api_route("/", lambda: {"body": "x" * 100})
    web = HttpServer(app, "127.0.0.1", 0, 1)
    await web.start()
    times = []
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{web.port}") as client:
        for _ in range(15):
            start_time = time.perf_counter()
            (await client.get("/")).raise_for_status()
            times.append(time.perf_counter() - start_time)
    await web.stop()
    assert statistics.median(times) < 0.03


async def ask_until_sent_away(url: str) -> None:
    """Use one connection for all requests, until an answer says that it is the last."""
    async with httpx.AsyncClient(base_url=url) as client:
        while (await client.get("/")).raise_for_status().headers.get("connection") != "close":
            pass


async def test_a_stopping_server_loses_no_request() -> None:
    app = FastAPI()
    app.add_api_route("/", lambda: {"body": ""})
    web = HttpServer(app, "127.0.0.1", 0, 1)
    await web.start()
    clients = [asyncio.ensure_future(ask_until_sent_away(f"http://127.0.0.1:{web.port}")) for _ in range(16)]
    await asyncio.sleep(0.5)
    await web.stop()
    await asyncio.wait_for(asyncio.gather(*clients), 5)
