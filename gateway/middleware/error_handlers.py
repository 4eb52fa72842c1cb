"""Exception handlers: every failure of the application becomes a problem response."""

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
from gateway.page import not_found
from gateway.problems import Problem
from gateway.protojson import InvalidFields, MalformedJson
from gateway.routing.routes import CLIENT_CLOSED_REQUEST, DisconnectedBeforeResponse, Endpoint
from gateway.upstream import rpc_errors
from runtime.tracebacks import clear_tracebacks

logger = logging.getLogger(__name__)

_GAME_PATH_PATTERN: Final = re.compile(r"/v1/(?P<game>[^/:]+)(/matches(/.*)?|:[^/]*)")

EXPECTED_ERRORS: Final = (Problem, grpc.aio.AioRpcError, InvalidFields, MalformedJson, HTTPException, ClientDisconnect)


def add_handlers(app: FastAPI) -> None:
    """Handle what an endpoint, the router or an inner middleware raises."""
    for kind in (*EXPECTED_ERRORS, Exception):
        app.add_exception_handler(kind, problem_response)
    app.add_exception_handler(DisconnectedBeforeResponse, client_disconnected)


async def respond(endpoint: Endpoint, request: Request) -> Response:
    """The response of an endpoint, or the problem response for what it raises. Unexpected exceptions pass through."""
    try:
        return await endpoint(request)
    except EXPECTED_ERRORS as error:
        return await problem_response(request, error)
    except DisconnectedBeforeResponse as error:
        return await client_disconnected(request, error)


class UnexpectedErrors:
    """ASGI middleware: logs an unexpected exception, responds with a problem, and raises the exception again.

    Starlette would respond too, but outside of the CORS middleware, so that pages of other origins could not read it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        def send_wrapper(message: Message) -> Awaitable[None]:
            nonlocal started
            started = True
            return send(message)

        try:
            await self.app(scope, receive, send_wrapper)
        except Exception as error:
            logger.error("a request failed", exc_info=error)
            if scope["type"] == "http" and not started:
                await problems.response(problems.internal(), scope["path"])(scope, receive, send)
            raise


async def problem_response(request: Request, error: Exception) -> Response:
    """The response for an exception; for OPTIONS on a known path the methods of the path, for browsers on an unknown
    one a page.
    """
    if isinstance(error, HTTPException) and error.status_code == 405 and request.method == "OPTIONS":
        response = Response(status_code=204, headers={"Allow": problems.allow_header(_allowed_methods(request))})
    elif isinstance(error, HTTPException) and error.status_code == 404 and not_found.prefers_html(request):
        response = not_found.not_found(request)
    else:
        response = problems.response(_problem(request, error), request.scope["path"])
    if isinstance(error, EXPECTED_ERRORS):  # any other is raised again, and logged with its traceback
        clear_tracebacks(error)
    # An unexpected exception is handled outside of the middleware that adds the request id.
    response.headers.setdefault(request_ids.HEADER, str(request.scope.get("request_id", "")))
    return response


async def client_disconnected(request: Request, error: Exception) -> Response:
    """The response for a client that has disconnected: nobody reads it, but the metrics count its status."""
    clear_tracebacks(error)
    return Response(status_code=CLIENT_CLOSED_REQUEST)


def problem_of(error: Exception) -> Problem:
    """The problem of an error in any request or WebSocket; an internal one for an unexpected error."""
    match error:
        case Problem():
            return error
        case grpc.aio.AioRpcError():
            return rpc_errors.problem(error)
        case InvalidFields():
            return problems.invalid_request(error.violations)
        case MalformedJson():
            return problems.malformed_json(description=error)
    return problems.internal()


def _problem(request: Request, error: Exception) -> Problem:
    match error:
        case ClientDisconnect():  # also raised for a body that violates HTTP, whose client is still connected
            return problems.broken_body()
        case HTTPException(status_code=404):
            return _not_found(request)
        case HTTPException(status_code=405):
            return problems.method_not_allowed(request.method, _allowed_methods(request))
    return problem_of(error)


def _not_found(request: Request) -> Problem:
    """The problem for a path without a route: unknown game if it names one that has no routes, else unknown route."""
    path: str = request.scope["path"]
    game = _game_in_path(path)
    if not game or game in {_game_in_path(route.path) for route in _routes(request)}:
        return problems.unknown_route(path=path)
    return problems.unknown_game(game=game.replace("-", "_"))


def _game_in_path(path: str) -> str:
    match = _GAME_PATH_PATTERN.fullmatch(path)
    return match["game"] if match else ""


def _allowed_methods(request: Request) -> set[str]:
    """The methods of all routes of the path."""
    matching = [route for route in _routes(request) if route.path_regex.match(request.scope["path"])]
    return {"OPTIONS", *(method for route in matching for method in route.methods or ())}


def _routes(request: Request) -> Iterator[Route]:
    return (route for route in request.app.routes if isinstance(route, Route))
