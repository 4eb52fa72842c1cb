"""Refused and disconnected requests leave no reference cycles for the garbage collector."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import httpx
import pytest

from tests.reference_cycles import collect_cyclic_garbage

RefusedCall = Callable[[httpx.AsyncClient], Awaitable[httpx.Response]]
FIRE_BULLS_PATH = "/v1/fire-bulls"
JSON_HEADERS = {"Content-Type": "application/json"}


def _refused_post(path: str, body: bytes, **headers: str) -> RefusedCall:
    return lambda rest: rest.post(FIRE_BULLS_PATH + path, content=body, headers={**JSON_HEADERS, **headers})


def _refused_get(path: str, **headers: str) -> RefusedCall:
    return lambda rest: rest.get(FIRE_BULLS_PATH + path, headers=headers)


REFUSED_CALLS: dict[str, tuple[RefusedCall, int]] = {
    "a body that is no JSON": (_refused_post(":apply", b"{" * 1000), 400),
    "a field that there is not": (_refused_post(":apply", b'{"x": 1}'), 400),
    "an unknown enum": (_refused_post("/matches", b'{"seats": [{}, {}], "chance": "CHANCE_NONE"}'), 400),
    "a seat too many": (_refused_post("/matches", b'{"seats": [{}, {}, {}, {}, {}, {}]}'), 400),
    "a body that is too large": (_refused_post(":apply", b" " * 1_100_000), 413),
    "a body of another kind": (_refused_post(":apply", b"", **{"Content-Type": "text/plain"}), 415),
    "a wrong state": (_refused_post(":apply", b'{"state": {}, "notation": "take red"}'), 400),
    "wrong moves in a batch": (_refused_post(":batchApply", b'{"requests": [{"notation": "take red"}]}'), 200),
    "no token": (_refused_post("/matches/nowhere/moves", b'{"notation": "take red"}'), 401),
    "a token that is none": (
        _refused_post("/matches/nowhere/moves", b'{"notation": "take red"}', Authorization="Bearer x"),
        401,
    ),
    "an unreadable header": (_refused_get("/matches/nowhere", Authorization="Basic x"), 401),
    "an unknown match": (_refused_get("/matches/nowhere"), 404),
    "a wrong query": (_refused_get("/matches/nowhere/history?fromRevision=x"), 400),
    "events of an unknown match": (_refused_get("/matches/nowhere/events"), 404),
    "events from a wrong place": (_refused_get("/matches/nowhere/events", **{"Last-Event-ID": "x"}), 400),
    "an unknown game": (lambda rest: rest.get("/v1/chess/matches/m"), 404),
    "an unknown route": (lambda rest: rest.get("/nowhere"), 404),
    "a method that is not taken": (lambda rest: rest.delete(f"{FIRE_BULLS_PATH}/matches"), 405),
}


@pytest.mark.parametrize(("refused", "status"), REFUSED_CALLS.values(), ids=list(REFUSED_CALLS))
async def test_fault02_a_refused_request_leaves_no_reference_cycles(
    rest: httpx.AsyncClient, refused: RefusedCall, status: int
) -> None:
    assert (await refused(rest)).status_code == status
    with collect_cyclic_garbage() as left:
        for _ in range(3):
            await refused(rest)
        await asyncio.sleep(0.05)
    assert not left
