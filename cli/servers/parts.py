"""The parts of `fireside serve`: engine, gateway, workers and tournaments, each started in the running event loop."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Final, NamedTuple

from cli.servers.http_server import HttpServer
from gateway.app import create_app
from gateway.settings import GatewaySettings
from services.archive.archive import MatchArchive
from services.archive.settings import ArchiveSettings
from services.archive.worker import ArchiveWorker
from services.bots.settings import BotSettings
from services.bots.worker import Worker
from services.engine.main import Engine, OtherService
from services.engine.settings import EngineSettings
from services.store.archive.store import ArchivingStore
from services.store.matches.store import Store
from services.tournaments.ledger.ledger import Ledger
from services.tournaments.main import Tournaments, service_ledger
from services.tournaments.servicer import SERVICE, Servicer
from services.tournaments.settings import TournamentSettings
from services.webhooks.settings import WebhookSettings
from services.webhooks.worker import WebhookWorker


class ServeSettings(NamedTuple):
    """The settings of all parts."""

    engine: EngineSettings
    gateway: GatewaySettings
    bots: BotSettings
    webhooks: WebhookSettings
    archive: ArchiveSettings
    tournaments: TournamentSettings

    @staticmethod
    def from_environment(environment: Mapping[str, str], host: str, grpc_port: int) -> ServeSettings:
        """Read the settings. Raises `ValueError` that begins with the name of the variable."""
        return ServeSettings(
            EngineSettings.from_environment(environment, host, grpc_port),
            GatewaySettings.from_environment(environment),
            BotSettings.from_environment(environment),
            WebhookSettings.from_environment(environment),
            ArchiveSettings.from_environment(environment),
            TournamentSettings.from_environment(environment),
        )

    def with_grpc_port(self, port: int) -> ServeSettings:
        """The same settings with another gRPC port."""
        return self._replace(engine=replace(self.engine, port=port))

    @property
    def has_tournaments(self) -> bool:
        """Whether tournaments are part of it, since `FIRESIDE_TOURNAMENTS_ADDRESS` names no other service."""
        return not self.gateway.tournaments_address


class Parts:
    """Starts parts, which `stack` stops in reverse order."""

    def __init__(self, settings: ServeSettings, stack: AsyncExitStack) -> None:
        self._settings: Final = settings
        self._stack: Final = stack

    async def ledger(self) -> Ledger:
        """Open the ledger of tournaments."""
        ledger = await asyncio.to_thread(service_ledger, self._settings.tournaments)
        self._stack.callback(ledger.close)
        return ledger

    async def tournaments(self) -> OtherService:
        """Start to play tournaments; their service. Worker processes start with the first tournament."""
        tournaments = Tournaments(self._settings.tournaments, os.cpu_count() or 1, await self.ledger())
        tournaments.start()
        self._stack.push_async_callback(tournaments.stop)
        self._stack.push_async_callback(tournaments.end_streams)
        return OtherService(SERVICE.full_name, tournaments.handler())

    async def tournaments_service(self) -> OtherService:
        """The service of tournaments that another process plays."""
        settings = self._settings.tournaments
        servicer = Servicer(await self.ledger(), settings.api_keys, settings.bot_allow)
        self._stack.push_async_callback(servicer.close)
        return OtherService(SERVICE.full_name, servicer.handler())

    async def engine(self, others: Sequence[OtherService], own_address: str = "") -> Engine:
        """Start an engine; arguments as in `Engine`."""
        engine = Engine(self._settings.engine, others=others, own_address=own_address)
        self._stack.push_async_callback(engine.stop)
        await engine.start("--grpc-port")
        return engine

    def workers(self, store: Store, archive: MatchArchive | None) -> None:
        """Start the workers of bots and webhooks, and of an archive."""
        worker = Worker(self._settings.bots, store)
        worker.start()
        self._stack.push_async_callback(worker.stop)
        webhook_worker = WebhookWorker(self._settings.webhooks, store)
        webhook_worker.start()
        self._stack.push_async_callback(webhook_worker.stop)
        if archive is not None and isinstance(store, ArchivingStore):
            archive_worker = ArchiveWorker(self._settings.archive, store, archive)
            archive_worker.start()
            self._stack.push_async_callback(archive_worker.stop)

    async def gateway(self, engine: Engine, upstream: str, bound: socket.socket) -> HttpServer:
        """Start a gateway in front of the engines at the address `upstream`, of which one is `engine`."""
        settings = replace(
            self._settings.gateway,
            engine_address=upstream,
            engine_addresses={},
            tournaments_address=self._settings.gateway.tournaments_address or upstream,
        )
        app = create_app(settings, redis_reached=engine.reached)
        web = HttpServer(app, self._settings.engine.host, 0, self._settings.engine.grace_seconds, bound=bound)
        await web.start()
        self._stack.push_async_callback(web.stop)
        return web
