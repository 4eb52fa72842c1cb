"""Every failure of the application as a problem: one handler for all kinds."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Iterator
from typing import Final

import grpc
from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway import problems
from gateway.middleware import request_ids
from gateway.problems import Problem
from gateway.protojson import InvalidFields, MalformedJson
from gateway.routing.routes import CLIENT_CLOSED_REQUEST, ClientGone, Endpoint
from runtime.tracebacks import forget

log = logging.getLogger(__name__)

_GAME_PATH: Final = re.compile(r"/v1/(?P<game>[^/:]+)(/matches(/.*)?|:[^/]*)")


_FORESEEN: Final = (Problem, grpc.aio.AioRpcError, InvalidFields, MalformedJson, HTTPException, ClientDisconnect)


def add_handlers(app: FastAPI) -> None:
    """Answer whatever an endpoint, the router or a middleware inside it raises."""
    for kind in (*_FORESEEN, Exception):
        app.add_exception_handler(kind, refused)
    app.add_exception_handler(ClientGone, client_disconnected)


async def answered(endpoint: Endpoint, request: Request) -> Response:
    """The response of an endpoint, or the problem in its place. What nothing foresaw is raised."""
    try:
        return await endpoint(request)
    except _FORESEEN as error:
        return await refused(request, error)
    except ClientGone as error:
        return await client_disconnected(request, error)


class Faults:
    """ASGI middleware: logs and answers what nothing foresaw, and raises it on.

    Whoever answers it further out is outside of what stamps the answers, so that pages of other origins could not
    read them.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        def watched(message: Message) -> Awaitable[None]:
            nonlocal begun
            begun = True
            return send(message)

        try:
            await self.app(scope, receive, watched)
        except Exception as error:
            log.error("a request failed", exc_info=error)
            if scope["type"] == "http" and not begun:
                await problems.response(problems.internal(), scope["path"])(scope, receive, send)
            raise


async def refused(request: Request, error: Exception) -> Response:
    """The problem that an exception stands for."""
    if isinstance(error, HTTPException) and error.status_code == 405 and request.method == "OPTIONS":
        response = Response(status_code=204, headers={"Allow": problems.listed(_methods(request))})
    else:
        response = problems.response(_problem(request, error), request.scope["path"])
    if isinstance(error, _FORESEEN):  # any other is raised on, for the log
        forget(error)
    # A failure that nothing foresaw is answered outside of the middleware that stamps the id.
    response.headers.setdefault(request_ids.HEADER, str(request.scope.get("request_id", "")))
    return response


async def client_disconnected(request: Request, error: Exception) -> Response:
    """An answer that nobody is there to read."""
    forget(error)
    return Response(status_code=CLIENT_CLOSED_REQUEST)


def _problem(request: Request, error: Exception) -> Problem:
    match error:
        case Problem():
            return error
        case grpc.aio.AioRpcError():
            return problems.from_rpc(error)
        case InvalidFields():
            return problems.invalid_request(error.violations)
        case MalformedJson():
            return problems.malformed_json(str(error))
        case ClientDisconnect():  # or a body against HTTP's rules, whose client is still there
            return problems.broken_body()
        case HTTPException(status_code=404):
            return _nowhere(request)
        case HTTPException(status_code=405):
            return problems.method_not_allowed(request.method, _methods(request))
    return problems.internal()


def _nowhere(request: Request) -> Problem:
    """What leads nowhere: a known kind of route of a game that is not here, or any other path."""
    path: str = request.scope["path"]
    game = _game(path)
    if not game or game in {_game(route.path) for route in _routes(request)}:
        return problems.unknown_route(path)
    return problems.unknown_game(game.replace("-", "_"))


def _game(path: str) -> str:
    match = _GAME_PATH.fullmatch(path)
    return match["game"] if match else ""


def _methods(request: Request) -> set[str]:
    """The methods that the routes of the path take."""
    matching = [route for route in _routes(request) if route.path_regex.match(request.scope["path"])]
    return {"OPTIONS", *(method for route in matching for method in route.methods or ())}


def _routes(request: Request) -> Iterator[Route]:
    return (route for route in request.app.routes if isinstance(route, Route))
