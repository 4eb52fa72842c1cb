"""Rolling upgrade: the gateway finds an engine that has the rules version of a match."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from time import monotonic

import httpx
import pytest
from fireside.fire_bulls.v1 import fire_bulls_pb2 as pb

from engine_core.games.fire_bulls.rules import FireBulls
from gateway import protojson
from gateway.app import create_app
from gateway.settings import GatewaySettings
from gateway.upstream import engines
from tests.server_sent_events import parsed_events
from tests.services.second_rules import FIRST_VERSION, NEW_CODECS, OLD_CODECS, SECOND_VERSION, engine

MATCHES_PATH = "/v1/fire-bulls/matches"


@asynccontextmanager
async def gateway(*ports: int) -> AsyncIterator[httpx.AsyncClient]:
    """A gateway for which all those engines are one address, as the pods behind a headless Service are."""
    address = "ipv4:" + ",".join(f"127.0.0.1:{port}" for port in ports)
    app = create_app(GatewaySettings(engine_address=address, engine_seconds=5))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    client = httpx.AsyncClient(transport=transport, base_url="http://gateway")
    async with app.router.lifespan_context(app), client:
        yield client


@pytest.fixture
async def rest(redis_url: str) -> AsyncIterator[httpx.AsyncClient]:
    async with AsyncExitStack() as stack:
        ports = [
            (await stack.enter_async_context(engine(redis_url, codecs))).port
            for codecs in (OLD_CODECS, OLD_CODECS, NEW_CODECS)
        ]
        yield await stack.enter_async_context(gateway(*ports))


async def new_match(rest: httpx.AsyncClient, rules: str) -> tuple[str, list[str]]:
    """The path of a match by those rules, and its tokens."""
    for _ in range(20):
        response = await rest.post(MATCHES_PATH, json={"seats": [{}, {}]})
        assert response.status_code == 201
        if response.json()["match"]["rulesVersion"] == rules:
            return response.headers["location"], [seat["token"] for seat in response.json()["seats"]]
    raise AssertionError(f"no engine begins a match by {rules}")


async def play_and_leave(rest: httpx.AsyncClient, path: str, tokens: list[str], moves: int = 8) -> list[list[str]]:
    """Play at random for so many moves, then leave, which ends a match of two; what could be chosen each time."""
    random = Random(1)
    listed = []
    for _ in range(moves):
        match_json = (await rest.get(path)).json()
        [seat] = match_json["toMove"]
        key = {"Authorization": f"Bearer {tokens[seat]}"}
        notations = [move["notation"] for move in (await rest.get(f"{path}/legal-moves", headers=key)).json()["moves"]]
        tag = {"If-Match": f'"{match_json["revision"]}"'}
        move_response = await rest.post(
            f"{path}/moves", json={"notation": random.choice(notations)}, headers={**key, **tag}
        )
        assert move_response.status_code == 200
        listed.append(notations)
    [seat] = (await rest.get(path)).json()["toMove"]
    left = await rest.post(f"{path}:leave", json={}, headers={"Authorization": f"Bearer {tokens[seat]}"})
    assert left.json()["match"]["over"]
    return listed


@pytest.mark.parametrize("rules", [FIRST_VERSION, SECOND_VERSION])
async def test_no_call_fails_while_some_engines_lack_the_rules(rest: httpx.AsyncClient, rules: str) -> None:
    path, tokens = await new_match(rest, rules)
    choices = [notations for notations in await play_and_leave(rest, path, tokens) if len(notations) > 1]
    assert any("draw" in notations for notations in choices) == (rules == FIRST_VERSION)
    record = (await rest.get(f"{path}/record")).json()
    assert record["rulesVersion"] == rules
    event_stream = (await rest.get(f"{path}/events")).text
    revisions = [int(event.id) for event in parsed_events(event_stream) if not event.kind]
    assert revisions == [event["revision"] for event in record["events"]]


async def test_a_match_that_no_engine_can_play_is_503_with_a_retry_delay(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "BACKOFF_SECONDS", (0, 0.05))
    async with engine(redis_url, NEW_CODECS) as new, gateway(new.port) as rest:
        path, _ = await new_match(rest, SECOND_VERSION)
    async with engine(redis_url, OLD_CODECS) as old, gateway(old.port) as rest:
        began = monotonic()
        refused = await rest.get(path)
        assert monotonic() - began > 0.05
    assert (refused.status_code, refused.json()["reason"]) == (503, "UNKNOWN_RULES")
    assert refused.json()["metadata"]["rulesVersion"] == SECOND_VERSION
    assert int(refused.headers["retry-after"]) > 0


def test_the_current_rules_are_listed_first() -> None:
    assert f"{FireBulls.name}@{FireBulls.version}" == FIRST_VERSION


def test_unknown_fields_of_a_newer_engine_are_omitted() -> None:
    """A field of which this gateway knows nothing, and a value of an enum that has no name here."""
    state = pb.State.FromString(pb.State(active_seat=1).SerializeToString() + b"\xc2\x3e\x05newer")
    state.stage = 99  # type: ignore[assignment]
    printed_json = json.loads(protojson.format(state))
    assert (printed_json["stage"], printed_json["activeSeat"]) == (99, 1)
    assert "newer" not in str(printed_json)
