"""Finds the route of a request by the parts of its path: asking each route in turn takes longer with each game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from starlette.routing import BaseRoute, Match, Route
from starlette.types import Receive, Scope, Send

Place: TypeAlias = tuple[int, str, str]
"""How many parts a path has, the second of them, and the custom verb."""


class Directory(BaseRoute):
    """A route in front of all others that leads where they would; what it does not find is left to them.

    It does not find those whose second part is a variable.
    """

    def __init__(self, routes: Iterable[BaseRoute]) -> None:
        places: defaultdict[Place, list[Route]] = defaultdict(list)
        for route in routes:
            if isinstance(route, Route):
                places[_place(template(route))].append(route)
        self._routes: Final[Mapping[Place, Sequence[Route]]] = dict(places)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        if scope["type"] == "http":
            for route in self._routes.get(_place(scope["path"]), ()):
                match, found = route.matches(scope)
                if match is Match.FULL:
                    return match, {**found, "route": route}
        return Match.NONE, {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        await scope["route"].handle(scope, receive, send)


def template(route: Route) -> str:
    """The path of a route as its annotation has it: `/v1/fireship/matches/{match_id}`."""
    return route.path.replace(":segment}", "}")


def _place(path: str) -> Place:
    head, _, verb = path.partition(":")
    parts = head.split("/", 8)
    return len(parts), parts[2] if len(parts) > 2 else "", verb
