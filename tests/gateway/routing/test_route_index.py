"""The route index finds the same routes as Starlette's router."""

from __future__ import annotations

import pytest
from starlette.routing import Match, Route
from starlette.types import Message, Receive, Scope, Send

from gateway.app import create_app
from gateway.routing.route_index import RouteIndex, template
from gateway.settings import GatewaySettings

ROUTES = [route for route in create_app(GatewaySettings()).routes if isinstance(route, Route)]


async def router(scope: Scope, receive: Receive, send: Send) -> None:
    """Is asked for what is not found."""
    scope["is_left"] = True


INDEX = RouteIndex(router, ROUTES)


def asked(method: str, path: str) -> Scope:
    return {"type": "http", "method": method, "path": path, "headers": []}


async def nothing() -> Message:
    raise AssertionError("nobody asks for the body")


async def unsent(message: Message) -> None:
    raise AssertionError("nothing is answered here")


def test_every_route_of_a_service_is_found_where_asking_in_turn_finds_it() -> None:
    for route in (route for route in ROUTES if route.path.startswith("/v1/")):
        scope = asked(min(route.methods or {"GET"}), template(route).replace("{", "").replace("}", ""))
        first = next(each for each in ROUTES if each.matches(scope)[0] is Match.FULL)
        assert INDEX.find(scope) == first.matches(scope)[1]


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
async def test_what_leads_nowhere_is_left_to_the_router(method: str, path: str) -> None:
    scope = asked(method, path)
    await INDEX(scope, nothing, unsent)
    assert scope["is_left"]
