from __future__ import annotations

import pytest
from starlette.routing import Match, Route
from starlette.types import Scope

from gateway.directory import Directory, template
from gateway.main import create_app
from gateway.settings import GatewaySettings

ROUTES = [route for route in create_app(GatewaySettings()).routes if isinstance(route, Route)]
DIRECTORY = Directory(ROUTES)


def asked(method: str, path: str) -> Scope:
    return {"type": "http", "method": method, "path": path, "headers": []}


def test_every_route_of_a_service_is_found_where_asking_in_turn_finds_it() -> None:
    for route in (route for route in ROUTES if route.path.startswith("/v1/")):
        scope = asked(min(route.methods or {"GET"}), template(route).replace("{", "").replace("}", ""))
        first = next(each for each in ROUTES if each.matches(scope)[0] is Match.FULL)
        match, found = DIRECTORY.matches(scope)
        assert (match, found["route"]) == (Match.FULL, first)
        assert found["path_params"] == first.matches(scope)[1]["path_params"]


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
def test_what_leads_nowhere_is_left_to_the_other_routes(method: str, path: str) -> None:
    assert DIRECTORY.matches(asked(method, path))[0] is Match.NONE
