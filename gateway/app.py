"""Puts the gateway together."""

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

from gateway import probes
from gateway.middleware import error_handlers
from gateway.middleware.access_log import Traffic, templates
from gateway.middleware.callers import Callers
from gateway.middleware.cors import Cors
from gateway.middleware.http_rules import HttpRules
from gateway.middleware.limits import BodyLimit
from gateway.middleware.rates import Counter, Limits, RateLimit
from gateway.middleware.request_ids import RequestIds
from gateway.openapi import document, pages
from gateway.openapi.schema import Json
from gateway.routing import events, registry, routes
from gateway.routing.bindings import TOURNAMENTS, bindings, created
from gateway.routing.route_index import Directory, Spellings
from gateway.settings import GatewaySettings
from gateway.upstream.engines import Engines
from gateway.upstream.offload import Offload

log = logging.getLogger(__name__)

UNTOLD: Final[TelemetryConfig] = {"tracing": False, "metrics": False, "logs": False}
"""Of FastAPI's own telemetry, which tells paths and the texts of errors; `Traffic` tells what may be told."""
EXPOSED_HEADERS: Final = ("ETag", "Location", "Retry-After", "X-Request-Id")


class Gateway(FastAPI):
    """A FastAPI whose OpenAPI document is read off the protos."""

    document: dict[str, Json]

    def openapi(self) -> dict[str, Json]:
        return self.document


def create_app(
    settings: GatewaySettings,
    games: Mapping[str, ServiceDescriptor] = registry.GAMES,
    reached: asyncio.Event | None = None,
) -> FastAPI:
    """The gateway of the games in the table; the channels to their engines are open while it runs.

    `reached` is that of an engine in the same process, before which the gateway is not ready either.

    Raises `ValueError` for settings that name the engine of a game that is not in the table.
    """
    strangers = sorted(settings.engine_addresses.keys() - games.keys())
    if strangers:
        raise ValueError(f"FIRESIDE_ENGINE_ADDRESSES: there is no game {strangers[0]!r}")
    catalog = list(bindings("", registry.CATALOG))
    offered = [binding for game, service in games.items() for binding in bindings(game, service)]
    offered += bindings(TOURNAMENTS, registry.TOURNAMENTS)
    limits = Limits(settings.rate_limit, settings.match_rate_limit)
    counter = Counter(settings.redis_url) if limits else None
    app = Gateway(
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan(settings, games, counter),
        telemetry=UNTOLD,
    )
    app.state.reached = reached
    app.title = document.TITLE
    app.document = document.document(catalog, offered)
    for binding in catalog:
        app.add_route(binding.path, routes.catalogue(binding), [binding.verb])
    for binding in offered:
        served = events.endpoint(binding) if binding.streams else routes.endpoint(binding, created(binding, offered))
        app.add_route(_pattern(binding.path), served, [binding.verb])
    _add_own_routes(app)
    app.add_middleware(Directory, routes=app.routes)
    app.add_middleware(
        BodyLimit, limit=settings.body_limit, seconds=settings.body_seconds, room=settings.inflight_bytes
    )
    app.state.callers = callers = Callers(settings.api_keys, settings.trusted_hops)
    if counter:
        creating = {binding.path for binding in offered if created(binding, offered)}
        app.add_middleware(RateLimit, limits=limits, counter=counter, callers=callers, creating=creating)
    app.add_middleware(Spellings, games=games)
    _add_outer_middleware(app, settings)
    error_handlers.add_handlers(app)
    return app


class Segment(StringConvertor):
    """A part of a path that ends before a custom verb."""

    regex = "[^/:]+"


register_url_convertor("segment", Segment())


def _pattern(template: str) -> str:
    """The template of a path as the router reads it."""
    return template.replace("}", ":segment}")


def _lifespan(
    settings: GatewaySettings, games: Mapping[str, ServiceDescriptor], counter: Counter | None
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    addresses = {game: settings.address(game) for game in games if settings.address(game)}

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.offload = Offload()
        app.state.engines = engines = Engines(addresses, settings.engine_seconds, settings.tournaments_address)
        app.state.counter = counter
        if counter and not settings.redis_url:
            log.warning("calls are counted in this process alone: REDIS_URL is not set")
        yield
        await engines.close()
        if counter:
            await counter.close()

    return lifespan


def _add_own_routes(app: Gateway) -> None:
    app.add_route("/healthz", probes.healthz)
    app.add_route("/readyz", probes.readyz)
    app.add_route("/errors/{reason}", pages.error_page)
    app.add_route("/openapi.json", pages.openapi(app.document))
    app.add_route("/docs", pages.page)
    app.add_route("/docs/assets/{name}", pages.assets())


def _add_outer_middleware(app: FastAPI, settings: GatewaySettings) -> None:
    """The last one added is the outermost."""
    app.add_middleware(HttpRules)
    app.add_middleware(error_handlers.Faults)
    if settings.cors_origins:
        app.add_middleware(
            Cors,
            allow_origins=settings.cors_origins,
            allow_methods=["GET", "HEAD", "POST"],
            allow_headers=["*"],
            expose_headers=EXPOSED_HEADERS,
        )
    app.add_middleware(Traffic, templates=templates(app.routes))
    app.add_middleware(RequestIds)
