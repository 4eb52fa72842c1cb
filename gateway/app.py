"""Application factory of the gateway: routes, middleware and lifespan."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Final

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig
from google.protobuf.descriptor import ServiceDescriptor
from starlette.convertors import StringConvertor, register_url_convertor
from starlette.routing import WebSocketRoute

from gateway import probes
from gateway.middleware import error_handlers
from gateway.middleware.access_log import AccessLog, path_templates
from gateway.middleware.callers import CallerResolver
from gateway.middleware.cors import Cors
from gateway.middleware.http_rules import HttpRules
from gateway.middleware.limits import BodyLimit
from gateway.middleware.rates import CallCounter, CallerRates, RateLimit, RateLimits
from gateway.middleware.request_ids import RequestIds
from gateway.openapi import document, pages
from gateway.openapi.schema import Json
from gateway.page.routes import page_routes
from gateway.routing import events, registry, routes
from gateway.routing.bindings import PLATFORMS, TOURNAMENTS, bindings, created_field
from gateway.routing.play_socket import PlaySocket
from gateway.routing.route_index import GameAliases, RouteIndex
from gateway.settings import GatewaySettings
from gateway.upstream.engines import Engines
from gateway.upstream.offload import Offload

logger = logging.getLogger(__name__)

NO_TELEMETRY: Final[TelemetryConfig] = {"tracing": False, "metrics": False, "logs": False}
"""Turns off FastAPI's own telemetry, which would export paths with ids and error texts; `AccessLog` replaces it."""
EXPOSED_HEADERS: Final = ("ETag", "Location", "Retry-After", "X-Request-Id")


class Gateway(FastAPI):
    """A FastAPI application whose OpenAPI document is generated from the protos."""

    document: dict[str, Json]

    def openapi(self) -> dict[str, Json]:
        return self.document


def create_app(
    settings: GatewaySettings,
    games: Mapping[str, ServiceDescriptor] = registry.GAMES,
    redis_reached: asyncio.Event | None = None,
) -> FastAPI:
    """Create the gateway for `games`. The channels to the engines are opened and closed by its lifespan.

    `redis_reached` is set by an engine in the same process; the gateway is not ready before it is.

    Raises `ValueError` if the settings name the engine of an unknown game.
    """
    unknown = sorted(settings.engine_addresses.keys() - games.keys())
    if unknown:
        raise ValueError(f"FIRESIDE_ENGINE_ADDRESSES: there is no game {unknown[0]!r}")
    catalog = list(bindings("", registry.CATALOG))
    game_bindings = [binding for game, service in games.items() for binding in bindings(game, service)]
    game_bindings += bindings(TOURNAMENTS, registry.TOURNAMENTS)
    for service in (registry.PLATFORMS, registry.WEBHOOKS):
        game_bindings += bindings(PLATFORMS, service)
    limits = RateLimits(settings.rate_limit, settings.match_rate_limit)
    counter = CallCounter(settings.redis_url) if limits else None
    app = Gateway(
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan(settings, games, counter),
        telemetry=NO_TELEMETRY,
    )
    app.state.redis_reached = redis_reached
    app.title = document.TITLE
    app.document = document.document(catalog, game_bindings)
    for binding in catalog:
        app.add_route(binding.path, routes.merged_endpoint(binding), [binding.verb])
    creating_paths: set[str] = set()
    for binding in game_bindings:
        created = created_field(binding, game_bindings)
        if created:
            creating_paths.add(binding.path)
        endpoint = events.endpoint(binding) if binding.is_streaming else routes.endpoint(binding, created)
        app.add_route(_starlette_path(binding.path), endpoint, [binding.verb])
    for binding in game_bindings:
        if binding.method.name == "GetMatch":
            play = binding.method.containing_service.methods_by_name["Play"]
            path = f"{_starlette_path(binding.path)}/play"
            app.router.routes.append(WebSocketRoute(path, PlaySocket(binding.game, play).serve))
    _add_own_routes(app)
    # The innermost middleware is added first: rate limits are checked before the body is read.
    app.add_middleware(RouteIndex, routes=app.routes)
    app.add_middleware(
        BodyLimit,
        limit=settings.body_limit,
        seconds=settings.body_seconds,
        capacity=settings.inflight_bytes,
        sockets=settings.socket_limit,
    )
    app.state.rates = None
    app.state.callers = callers = CallerResolver(settings.api_keys, settings.trusted_hops)
    if counter:
        app.state.rates = rates = CallerRates(limits, counter, callers)
        app.add_middleware(RateLimit, rates=rates, creating_paths=creating_paths)
    app.add_middleware(GameAliases, games=games)
    _add_outer_middleware(app, settings)
    error_handlers.add_handlers(app)
    return app


class Segment(StringConvertor):
    """Starlette path convertor: one segment without `/` and `:`, so that it ends before a custom verb."""

    regex = "[^/:]+"


register_url_convertor("segment", Segment())


def _starlette_path(path_template: str) -> str:
    """The path of a binding in Starlette's syntax."""
    return path_template.replace("}", ":segment}")


def _lifespan(
    settings: GatewaySettings, games: Mapping[str, ServiceDescriptor], counter: CallCounter | None
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    addresses = {game: settings.address(game) for game in games if settings.address(game)}

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.offload = Offload()
        app.state.engines = engines = Engines(addresses, settings.engine_seconds, settings.tournaments_address)
        app.state.counter = counter
        if counter and not settings.redis_url:
            logger.warning("REDIS_URL is not set: rate limits hold for this process alone")
        yield
        await engines.close()
        if counter:
            await counter.close()

    return lifespan


def _add_own_routes(app: Gateway) -> None:
    app.add_route("/healthz", probes.healthz)
    app.add_route("/readyz", probes.readyz)
    app.add_route("/errors/{reason}", pages.error_page)
    app.add_route("/openapi.json", pages.openapi_endpoint(app.document))
    app.add_route("/docs", pages.swagger_ui)
    app.add_route("/docs/assets/{name}", pages.swagger_assets())
    for path, endpoint in page_routes():
        app.add_route(path, endpoint)


def _add_outer_middleware(app: FastAPI, settings: GatewaySettings) -> None:
    """Add the middleware for all requests, innermost first: Starlette makes the last one added the outermost."""
    app.add_middleware(HttpRules)
    app.add_middleware(error_handlers.UnexpectedErrors)
    if settings.cors_origins:
        app.add_middleware(
            Cors,
            allow_origins=settings.cors_origins,
            allow_methods=["GET", "HEAD", "POST"],
            allow_headers=["*"],
            expose_headers=EXPOSED_HEADERS,
        )
    app.add_middleware(AccessLog, path_templates=path_templates(app.routes))
    app.add_middleware(RequestIds)
