"""Tournaments over REST, with a stub of their service."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest
from fireside.tournament.v1 import tournament_pb2, tournament_service_pb2
from google.api.httpbody_pb2 import HttpBody

from gateway.app import create_app
from gateway.settings import GatewaySettings
from tests.gateway.stub_engine import StubEngine

TOURNAMENT_SPEC = {"game": "fire_bulls", "entrants": ["random", "greedy"], "blocks": 3, "format": "FORMAT_SWISS"}


@pytest.fixture
async def tournaments(engine: StubEngine) -> AsyncIterator[httpx.AsyncClient]:
    """A gateway that knows where the tournaments are."""
    app = create_app(GatewaySettings(engine_address="", tournaments_address=engine.address))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with app.router.lifespan_context(app), httpx.AsyncClient(transport=transport, base_url="http://g") as client:
        yield client


async def test_without_a_tournament_service_its_routes_are_unknown(client: httpx.AsyncClient) -> None:
    answer = await client.get("/v1/tournaments")
    assert (answer.status_code, answer.json()["reason"]) == (404, "UNKNOWN_ROUTE")


async def test_a_tournament_is_created(tournaments: httpx.AsyncClient, engine: StubEngine) -> None:
    engine.answers["CreateTournament"] = tournament_service_pb2.CreateTournamentResponse(tournament_id="t1")
    answer = await tournaments.post("/v1/tournaments", json={"spec": TOURNAMENT_SPEC}, headers={"Idempotency-Key": "k"})
    assert (answer.status_code, answer.headers["Location"]) == (201, "/v1/tournaments/t1")
    spec = tournament_pb2.TournamentSpec(
        game="fire_bulls", entrants=["random", "greedy"], blocks=3, format=tournament_pb2.FORMAT_SWISS
    )
    assert engine.requests == [tournament_service_pb2.CreateTournamentRequest(spec=spec, request_id="k")]


async def test_the_tag_of_a_tournament_begins_with_its_revision(
    tournaments: httpx.AsyncClient, engine: StubEngine
) -> None:
    estimate = tournament_pb2.Estimate(value=0.5, low=0.25, high=0.75)
    standing = tournament_pb2.EntrantStanding(label="greedy", win_share=estimate)
    standings = tournament_pb2.Standings(blocks=7, entrants=[standing])
    tournament = tournament_pb2.Tournament(tournament_id="t1", revision=7, standings=standings)
    engine.answers["GetTournament"] = tournament_service_pb2.GetTournamentResponse(tournament=tournament)
    answer = await tournaments.get("/v1/tournaments/t1")
    assert (answer.headers["ETag"][:3], answer.json()["standings"]["entrants"][0]["winShare"]) == (
        '"7-',
        {"value": 0.5, "low": 0.25, "high": 0.75},
    )


async def test_an_api_key_is_forwarded_with_calls_that_change_something(
    tournaments: httpx.AsyncClient, engine: StubEngine
) -> None:
    headers = {"X-Api-Key": "k" * 43}
    await tournaments.post("/v1/tournaments", json={"spec": TOURNAMENT_SPEC}, headers=headers)
    await tournaments.post("/v1/tournaments/t1:cancel", json={}, headers=headers)
    await tournaments.get("/v1/tournaments/t1", headers=headers)
    assert [words.get("x-api-key") for words in engine.metadata] == ["k" * 43, "k" * 43, None]


async def test_a_tournament_is_cancelled_with_or_without_a_body(
    tournaments: httpx.AsyncClient, engine: StubEngine
) -> None:
    for body in (b"", b"{}"):
        answer = await tournaments.post("/v1/tournaments/t1:cancel", content=body)
        assert answer.status_code == 200
    assert engine.requests == [tournament_service_pb2.CancelTournamentRequest(tournament_id="t1")] * 2


async def test_paging_is_given_in_the_query(tournaments: httpx.AsyncClient, engine: StubEngine) -> None:
    await tournaments.get("/v1/tournaments/t1/results?pageSize=5&pageToken=x")
    wanted = tournament_service_pb2.ListResultsRequest(tournament_id="t1", page_size=5, page_token="x")
    assert engine.requests == [wanted]


async def test_games_and_tournaments_are_requested_from_their_own_servers(
    tournaments: httpx.AsyncClient, client: httpx.AsyncClient
) -> None:
    assert (await tournaments.get("/v1/fire-bulls/matches/m1")).json()["reason"] == "UNKNOWN_GAME"
    assert (await tournaments.get("/readyz")).json()["games"] == []


async def test_the_record_of_a_match_is_a_file_of_json(tournaments: httpx.AsyncClient, engine: StubEngine) -> None:
    engine.answers["GetTournamentRecord"] = HttpBody(content_type="application/json", data=b'{"game": "fireship"}')
    answer = await tournaments.get("/v1/tournaments/t1/matches/5/record.json")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    assert answer.json() == {"game": "fireship"}
    assert engine.requests == [tournament_service_pb2.GetTournamentRecordRequest(tournament_id="t1", match=5)]
    unchanged = {"If-None-Match": answer.headers["ETag"]}
    assert (await tournaments.get(str(answer.url.path), headers=unchanged)).status_code == 304


@pytest.mark.parametrize("number", ["x", "-1", "1.5", "\N{SUPERSCRIPT TWO}", "1000000000", "+1"])
async def test_the_number_of_a_match_must_be_one(number: str, tournaments: httpx.AsyncClient) -> None:
    answer = await tournaments.get(f"/v1/tournaments/t1/matches/{number}/record.json")
    assert (answer.status_code, answer.json()["violations"][0]["field"]) == (400, "match")
