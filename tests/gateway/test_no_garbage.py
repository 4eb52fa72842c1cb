"""Refused and disconnected requests leave no reference cycles for the garbage collector."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import httpx
import pytest

from tests.reference_cycles import collect_cyclic_garbage

Refused = Callable[[httpx.AsyncClient], Awaitable[httpx.Response]]
BULLS = "/v1/fire-bulls"
JSON = {"Content-Type": "application/json"}


def _post(path: str, body: bytes, **headers: str) -> Refused:
    return lambda rest: rest.post(BULLS + path, content=body, headers={**JSON, **headers})


def _get(path: str, **headers: str) -> Refused:
    return lambda rest: rest.get(BULLS + path, headers=headers)


REFUSED: dict[str, tuple[Refused, int]] = {
    "a body that is no JSON": (_post(":apply", b"{" * 1000), 400),
    "a field that there is not": (_post(":apply", b'{"x": 1}'), 400),
    "an unknown enum": (_post("/matches", b'{"seats": [{}, {}], "chance": "CHANCE_NONE"}'), 400),
    "a seat too many": (_post("/matches", b'{"seats": [{}, {}, {}, {}, {}, {}]}'), 400),
    "a body that is too large": (_post(":apply", b" " * 1_100_000), 413),
    "a body of another kind": (_post(":apply", b"", **{"Content-Type": "text/plain"}), 415),
    "a wrong state": (_post(":apply", b'{"state": {}, "notation": "take red"}'), 400),
    "wrong moves in a batch": (_post(":batchApply", b'{"requests": [{"notation": "take red"}]}'), 200),
    "no token": (_post("/matches/nowhere/moves", b'{"notation": "take red"}'), 401),
    "a token that is none": (
        _post("/matches/nowhere/moves", b'{"notation": "take red"}', Authorization="Bearer x"),
        401,
    ),
    "an unreadable header": (_get("/matches/nowhere", Authorization="Basic x"), 401),
    "an unknown match": (_get("/matches/nowhere"), 404),
    "a wrong query": (_get("/matches/nowhere/history?fromRevision=x"), 400),
    "events of an unknown match": (_get("/matches/nowhere/events"), 404),
    "events from a wrong place": (_get("/matches/nowhere/events", **{"Last-Event-ID": "x"}), 400),
    "an unknown game": (lambda rest: rest.get("/v1/chess/matches/m"), 404),
    "an unknown route": (lambda rest: rest.get("/nowhere"), 404),
    "a method that is not taken": (lambda rest: rest.delete(f"{BULLS}/matches"), 405),
}


@pytest.mark.parametrize(("refused", "status"), REFUSED.values(), ids=list(REFUSED))
async def test_fault02_a_refused_request_leaves_nothing_behind(
    rest: httpx.AsyncClient, refused: Refused, status: int
) -> None:
    assert (await refused(rest)).status_code == status
    with collect_cyclic_garbage() as left:
        for _ in range(3):
            await refused(rest)
        await asyncio.sleep(0.05)
    assert not left
