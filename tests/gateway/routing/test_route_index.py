"""The route index finds the same routes as Starlette's router."""

from __future__ import annotations

import pytest
from starlette.routing import Match, Route
from starlette.types import Message, Receive, Scope, Send

from gateway.app import create_app
from gateway.routing.route_index import RouteIndex, path_template
from gateway.settings import GatewaySettings

ROUTES = [route for route in create_app(GatewaySettings()).routes if isinstance(route, Route)]


async def router(scope: Scope, receive: Receive, send: Send) -> None:
    """The router, which gets the requests that the index does not find."""
    scope["is_passed_on"] = True


ROUTE_INDEX = RouteIndex(router, ROUTES)


def request_scope(method: str, path: str) -> Scope:
    return {"type": "http", "method": method, "path": path, "headers": []}


async def no_body() -> Message:
    raise AssertionError("the body is read")


async def must_not_send(message: Message) -> None:
    raise AssertionError("the index responds")


def test_the_index_finds_the_first_matching_route() -> None:
    for route in (route for route in ROUTES if route.path.startswith("/v1/")):
        scope = request_scope(min(route.methods or {"GET"}), path_template(route).replace("{", "").replace("}", ""))
        first = next(each for each in ROUTES if each.matches(scope)[0] is Match.FULL)
        assert ROUTE_INDEX.find(scope) == first.matches(scope)[1]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/nowhere"),
        ("GET", "/errors/NOT_FOUND"),
        ("GET", ""),
        ("GET", "/v1/fire-bulls:apply"),
        ("POST", "/v1/fire-bulls:apply:apply"),
        ("POST", "/v1/fire-bulls:apply/"),
        ("GET", "/" * 10_000),
    ],
)
async def test_unknown_paths_are_passed_to_the_router(method: str, path: str) -> None:
    scope = request_scope(method, path)
    await ROUTE_INDEX(scope, no_body, must_not_send)
    assert scope["is_passed_on"]
