"""Problem responses for every gRPC status."""

from __future__ import annotations

import json

import grpc
import httpx
import pytest
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import BadRequest, DebugInfo, RetryInfo

from gateway import problems
from gateway.upstream.rpc_errors import PROBLEMS_BY_STATUS
from tests.gateway.stub_engine import StubEngine, error_info

MATCH_PATH = "/v1/fire-bulls/matches/m1"
ERROR_CODES = [code for code in grpc.StatusCode if code is not grpc.StatusCode.OK]

HTTP_STATUSES = {
    "CANCELLED": 499,
    "UNKNOWN": 500,
    "INVALID_ARGUMENT": 400,
    "DEADLINE_EXCEEDED": 504,
    "NOT_FOUND": 404,
    "ALREADY_EXISTS": 409,
    "PERMISSION_DENIED": 403,
    "RESOURCE_EXHAUSTED": 429,
    "FAILED_PRECONDITION": 409,
    "ABORTED": 409,
    "OUT_OF_RANGE": 400,
    "UNIMPLEMENTED": 501,
    "INTERNAL": 500,
    "UNAVAILABLE": 503,
    "DATA_LOSS": 500,
    "UNAUTHENTICATED": 401,
}


def test_the_table_has_every_status_and_only_reasons_of_the_protos() -> None:
    assert set(PROBLEMS_BY_STATUS) == set(ERROR_CODES)
    assert {meaning.reason for meaning in PROBLEMS_BY_STATUS.values()} <= set(problems.reasons())


@pytest.mark.parametrize("code", ERROR_CODES, ids=lambda code: code.name)
async def test_every_status_with_a_reason_has_its_problem(
    code: grpc.StatusCode, engine: StubEngine, client: httpx.AsyncClient
) -> None:
    engine.set_error("GetMatch", code, "In the engine's words.", error_info("NOT_YOUR_TURN", seat="1", toMove="0"))
    response = await client.get(MATCH_PATH)
    problem = response.json()
    assert response.headers["content-type"] == "application/problem+json"
    assert response.status_code == problem["status"] == HTTP_STATUSES[code.name]
    assert problem["reason"] == "NOT_YOUR_TURN"
    assert problem["metadata"] == {"seat": "1", "toMove": "0"}


@pytest.mark.parametrize("code", ERROR_CODES, ids=lambda code: code.name)
async def test_a_status_without_a_reason_has_the_default_reason_and_no_text_of_the_engine(
    code: grpc.StatusCode, engine: StubEngine, client: httpx.AsyncClient
) -> None:
    engine.set_error("GetMatch", code, "ipv4:10.0.0.7:50051 Traceback")
    response = await client.get(MATCH_PATH)
    assert response.status_code == HTTP_STATUSES[code.name]
    assert response.json()["reason"] == PROBLEMS_BY_STATUS[code].reason
    assert "10.0.0.7" not in response.text
    assert "Traceback" not in response.text


async def test_a_problem_has_all_members_of_rfc_9457_and_the_details_of_the_engine(
    engine: StubEngine, client: httpx.AsyncClient
) -> None:
    engine.set_error(
        "GetMatch", grpc.StatusCode.FAILED_PRECONDITION, "seat 1 is not to move", error_info("NOT_YOUR_TURN", seat="1")
    )
    assert (await client.get(MATCH_PATH)).json() == {
        "type": "/errors/NOT_YOUR_TURN",
        "title": "Not your turn",
        "status": 409,
        "detail": "seat 1 is not to move",
        "instance": MATCH_PATH,
        "reason": "NOT_YOUR_TURN",
        "metadata": {"seat": "1"},
        "violations": [],
    }


async def test_violations_of_the_engine_have_json_names(engine: StubEngine, client: httpx.AsyncClient) -> None:
    violation = BadRequest.FieldViolation(field="options.first_seat", description="is not below 2")
    faults = BadRequest(field_violations=[violation])
    engine.set_error("NewGame", grpc.StatusCode.INVALID_ARGUMENT, "wrong", error_info("INVALID_OPTION"), faults)
    response = await client.post("/v1/fire-bulls/matches", json={"seats": [{}, {}]})
    assert response.json()["violations"] == [{"field": "options.firstSeat", "description": "is not below 2"}]


@pytest.mark.parametrize(("delay", "seconds"), [(Duration(seconds=3), "3"), (Duration(nanos=200_000_000), "1")])
async def test_a_retry_delay_is_reported_in_whole_seconds(
    delay: Duration, seconds: str, engine: StubEngine, client: httpx.AsyncClient
) -> None:
    retry = RetryInfo(retry_delay=delay)
    engine.set_error("GetMatch", grpc.StatusCode.UNAVAILABLE, "no store", error_info("STORE_UNAVAILABLE"), retry)
    response = await client.get(MATCH_PATH)
    assert (response.status_code, response.headers["retry-after"]) == (503, seconds)


async def test_a_refused_token_is_challenged(engine: StubEngine, client: httpx.AsyncClient) -> None:
    engine.set_error("GetMatch", grpc.StatusCode.UNAUTHENTICATED, "a bad token", error_info("UNAUTHENTICATED"))
    response = await client.get(MATCH_PATH)
    assert (response.status_code, response.headers["www-authenticate"]) == (401, 'Bearer realm="fireside"')


async def test_a_request_too_large_for_the_engine_is_413(engine: StubEngine, client: httpx.AsyncClient) -> None:
    engine.set_error("GetMatch", grpc.StatusCode.RESOURCE_EXHAUSTED, "too large", error_info("TOO_LARGE", limit="4"))
    assert (await client.get(MATCH_PATH)).status_code == 413


async def test_a_small_body_that_makes_a_large_message_is_413(engine: StubEngine, client: httpx.AsyncClient) -> None:
    response = await client.post("/v1/fire-bulls:score", json={"state": {"undrawn": [-1] * 260_000}})
    assert (response.status_code, response.json()["reason"]) == (413, "TOO_LARGE")
    assert response.json()["metadata"] == {"limit": "2000000"}
    assert engine.requests == []


@pytest.mark.parametrize("code", [grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.DATA_LOSS])
async def test_the_text_of_an_internal_error_is_not_sent(
    code: grpc.StatusCode, engine: StubEngine, client: httpx.AsyncClient
) -> None:
    engine.set_error(
        "GetMatch", code, "KeyError in hand of seat 1", error_info("INTERNAL"), DebugInfo(detail="KeyError")
    )
    response = await client.get(MATCH_PATH)
    assert (response.status_code, response.json()["reason"]) == (500, "INTERNAL")
    assert "KeyError" not in response.text


async def test_a_malformed_rich_status_is_ignored(engine: StubEngine, client: httpx.AsyncClient) -> None:
    engine.garbage = True
    engine.set_error("GetMatch", grpc.StatusCode.NOT_FOUND, "no match")
    response = await client.get(MATCH_PATH)
    assert (response.status_code, response.json()["reason"]) == (404, "UNKNOWN_MATCH")


@pytest.mark.parametrize("reason", problems.reasons())
async def test_the_type_of_a_problem_is_the_url_of_its_page(reason: str, client: httpx.AsyncClient) -> None:
    response = await client.get(f"/errors/{reason}")
    assert response.status_code == 200
    assert "Example" in response.text


@pytest.mark.parametrize("reason", ["UNSPECIFIED", "NOTHING"])
async def test_a_reason_that_is_never_sent_has_no_page(reason: str, client: httpx.AsyncClient) -> None:
    assert (await client.get(f"/errors/{reason}")).status_code == 404


def test_a_problem_with_unencodable_text_is_written() -> None:
    response = problems.response(problems.unknown_route(path="/\ud800"), "/\ud800")
    assert json.loads(bytes(response.body))["status"] == 404
