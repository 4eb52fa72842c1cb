"""Errors about long values are short, and still say what is wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial

import httpx
import pytest
from google.protobuf import json_format
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from gateway.routing import registry
from gateway.routing.bindings import Binding, bindings
from runtime.texts import MAX_DETAIL_LENGTH, MAX_VALUE
from tests.services.long_values import LONG_ASCII_TEXT, LONG_NON_ASCII_TEXT, long_values, right_requests
from tests.services.processes import Process

SERVICES = {**registry.GAMES, "tournaments": registry.TOURNAMENTS}
ERROR_STATUSES = {400, 401, 404, 409, 413}
TESTED_HEADERS = ("Idempotency-Key", "If-Match", "Last-Event-ID", "X-Api-Key", "Authorization", "Content-Type")
MAX_RESPONSE_BYTES = 8_192


@pytest.fixture(scope="module")
def rest() -> Iterator[httpx.Client]:
    with (
        Process("serve", "--port", "0", "--grpc-port", "0", REDIS_URL="") as process,
        httpx.Client(base_url=process.line().split()[3], timeout=60) as client,
    ):
        yield client


@pytest.mark.parametrize("game", sorted(SERVICES))
def test_fault10_the_length_of_a_value_does_not_change_the_error(game: str, rest: httpx.Client) -> None:
    routes = list(bindings(game, SERVICES[game]))
    tried = 0
    for method, path, request in long_values(SERVICES[game], partial(_call, rest, SERVICES[game])):
        for route in (route for route in routes if route.method == method):
            if path.partition(".")[0] in route.excluded_fields and route.path_fields[:1] == ():
                continue
            answer = _send_request(rest, route, request)
            if answer.status_code in (200, 201, 204):
                continue  # the route sets the field, or takes what it cannot read for what it is
            assert answer.status_code in ERROR_STATUSES, (route.path, path, answer.text[:300])
            _check_is_short(answer)
            tried += 1
    assert tried > 10


@pytest.mark.parametrize("text", [LONG_ASCII_TEXT, LONG_NON_ASCII_TEXT[:3_000]])
@pytest.mark.parametrize("game", sorted(SERVICES))
def test_fault10_a_long_header_or_query_is_an_ordinary_error(game: str, text: str, rest: httpx.Client) -> None:
    valid_requests = right_requests(SERVICES[game], partial(_call, rest, SERVICES[game]))
    for route in bindings(game, SERVICES[game]):
        path = _path_of(route, valid_requests[route.method.name])
        body = json.dumps({"seats": [{}, {}]}) if route.has_body else None
        for header in TESTED_HEADERS:
            answer = rest.request(
                route.verb, path.replace("/events", ""), content=body, headers=[(header.encode(), text.encode())]
            )
            assert answer.status_code < 500, (route.path, header, answer.text)
            assert answer.status_code != 429
        for query in ({text: "1"}, {"pageToken": text}, {"seat": text}):
            answer = rest.request(route.verb, path, params=query, content=body)
            assert answer.status_code in (ERROR_STATUSES | ({200, 201} if route.has_body else set())), (
                route.path,
                answer.text,
            )
            if answer.status_code in ERROR_STATUSES:
                _check_is_short(answer)


def test_fault10_errors_stay_short_for_long_paths_and_many_violations(rest: httpx.Client) -> None:
    _check_is_short(rest.get(f"/v1/{LONG_ASCII_TEXT}/matches"))
    _check_is_short(rest.get(f"/{LONG_NON_ASCII_TEXT[:3_000]}"))
    many = rest.post("/v1/fireship/matches", json={f"{number}{LONG_ASCII_TEXT[:100]}": 1 for number in range(3_000)})
    assert many.status_code == 400
    assert len(many.json()["violations"]) == 100


def _check_is_short(answer: httpx.Response) -> None:
    problem = answer.json()
    assert len(answer.content) < MAX_RESPONSE_BYTES
    assert len(problem["detail"].encode()) <= MAX_DETAIL_LENGTH
    assert len(problem["instance"].encode()) <= MAX_VALUE
    assert all(len(value.encode()) <= MAX_VALUE for value in problem["metadata"].values())
    assert all(len(each["field"].encode()) <= MAX_VALUE for each in problem["violations"])


def _call(rest: httpx.Client, service: ServiceDescriptor, method: MethodDescriptor, request: Message) -> Message:
    """The answer to a right request, by the first route of its kind."""
    inline = "state" in request.DESCRIPTOR.fields_by_name or getattr(request, "ephemeral", False)
    route = [route for route in bindings("", service) if route.method == method][1 if inline else 0]
    answer = _send_request(rest, route, request)
    assert answer.is_success, answer.text
    return json_format.Parse(answer.text, GetMessageClass(method.output_type)())


def _send_request(rest: httpx.Client, route: Binding, request: Message) -> httpx.Response:
    fields = json_format.MessageToDict(request)
    left = {name: value for name, value in fields.items() if name not in {each.json_name for each in route.path_fields}}
    left.pop("ephemeral", None)
    if route.path_fields:
        left.pop("state", None)
    path = _path_of(route, request)
    if not route.has_body:
        with rest.stream(route.verb, path, params=left) as answer:
            if not answer.headers["content-type"].startswith("text/event-stream"):
                answer.read()
            return answer
    return rest.request(route.verb, path, json=left)


def _path_of(route: Binding, request: Message) -> str:
    path = route.path
    for field in route.path_fields:
        path = path.replace(f"{{{field.name}}}", getattr(request, field.name) or "none")
    return path
