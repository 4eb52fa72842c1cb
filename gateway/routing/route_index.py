"""Finds the route of a request by the parts of its path: asking each route in turn takes longer with each game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias
from urllib.parse import unquote

from starlette.requests import Request
from starlette.routing import BaseRoute, Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.middleware.error_handlers import answered

Place: TypeAlias = tuple[int, str, str]
"""How many parts a path has, the second of them, and the custom verb."""


class Directory:
    """ASGI middleware: leads a request to the endpoint that serves its path, with nothing between.

    What it does not find is left to the router: a path that leads nowhere, a method that a route does not take, and
    routes whose second part is a variable.
    """

    def __init__(self, app: ASGIApp, routes: Iterable[BaseRoute]) -> None:
        self.app = app
        places: defaultdict[Place, list[Route]] = defaultdict(list)
        for route in routes:
            if isinstance(route, Route):
                places[_place(template(route))].append(route)
        self._routes: Final[Mapping[Place, Sequence[Route]]] = dict(places)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = self.found(scope) if scope["type"] == "http" else None
        if found is None:
            await self.app(scope, receive, send)
        else:
            scope.update(found)
            response = await answered(found["endpoint"], Request(scope, receive, send))
            await response(scope, receive, send)

    def found(self, scope: Scope) -> Scope | None:
        """The endpoint, and what the path says; None if there is no such route, or it does not take the method."""
        for route in self._routes.get(_place(scope["path"]), ()):
            match, found = route.matches(scope)
            if match is Match.FULL:
                if "%" in scope["path"]:
                    found["path_params"] = {name: unquote(value) for name, value in found["path_params"].items()}
                return found
        return None


class Spellings:
    """ASGI middleware: in a path the name of a game may be spelled as in the catalogue, `fire_bulls`."""

    def __init__(self, app: ASGIApp, games: Iterable[str]) -> None:
        self.app = app
        self._paths: Final = {f"/v1/{game}": f"/v1/{game.replace('_', '-')}" for game in games if "_" in game}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            path: str = scope["path"]
            for spelled, template in self._paths.items():
                if path.startswith(spelled) and path[len(spelled) : len(spelled) + 1] in ("/", ":"):
                    scope["path"] = template + path[len(spelled) :]
                    break
        await self.app(scope, receive, send)


def template(route: Route) -> str:
    """The path of a route as its annotation has it: `/v1/fireship/matches/{match_id}`."""
    return route.path.replace(":segment}", "}")


def _place(path: str) -> Place:
    head, _, verb = path.partition(":")
    parts = head.split("/", 8)
    return len(parts), parts[2] if len(parts) > 2 else "", verb
