"""Command `fireside serve`: runs engine, gateway, hosted bots, webhooks, archive and tournaments in one process."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import NamedTuple

from cli.arguments import port
from cli.servers.http_server import HttpServer
from cli.servers.metrics_server import run_with_metrics
from cli.servers.own_redis import own_redis, redis_server_path
from cli.translation import gettext
from gateway.app import create_app
from gateway.settings import GatewaySettings
from gateway.upstream.offload import set_switch_interval
from runtime.addresses import address, bind_socket, loopback_if_any
from runtime.signals import Signals
from runtime.telemetry import logs
from services.archive.settings import ArchiveSettings
from services.archive.worker import ArchiveWorker
from services.bots.settings import BotSettings
from services.bots.worker import Worker
from services.engine.main import Engine, OtherService
from services.engine.settings import EngineSettings
from services.store.archive.store import ArchivingStore
from services.tournaments.main import Tournaments, service_ledger
from services.tournaments.servicer import SERVICE
from services.tournaments.settings import TournamentSettings
from services.webhooks.settings import WebhookSettings
from services.webhooks.worker import WebhookWorker

logger = logging.getLogger(__name__)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--host", default="127.0.0.1", help=gettext("address to listen at"))
    parser.add_argument("--port", type=port, default=8080, help=gettext("HTTP port; 0 for any free one"))
    parser.add_argument("--grpc-port", type=port, default=50051, help=gettext("gRPC port; 0 for any free one"))
    parser.add_argument(
        "--stop-at-eof",
        action="store_true",
        help=gettext(
            "stop at the end of standard input, which comes with the end of the program that started this one"
        ),
    )
    parser.add_argument(
        "--data",
        type=Path,
        metavar=gettext("FOLDER"),
        help=gettext(
            "keep matches and tournaments in this folder; without it, and without REDIS_URL, they end with the service"
        ),
    )


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


def run(arguments: Namespace) -> int:
    """Serve until SIGTERM or SIGINT."""
    settings = ServeSettings.from_environment(os.environ, arguments.host, arguments.grpc_port)
    logs.set_up(settings.engine.log_level)
    with _redis_url(arguments.data) as redis_url:
        settings = ServeSettings.from_environment(
            {**os.environ, "REDIS_URL": redis_url}, arguments.host, arguments.grpc_port
        )
        run_with_metrics("serve", lambda: serve(settings, arguments.port, arguments.stop_at_eof))
    return 0


@contextmanager
def _redis_url(data: Path | None) -> Iterator[str]:
    """`REDIS_URL`, or that of a redis-server of this program; empty if there is no such program, for a store in Python.

    Raises `ValueError` for a folder of data without a redis-server of this program.
    """
    url, program = os.environ.get("REDIS_URL", ""), redis_server_path()
    if data is not None and (url or program is None):
        reason = gettext("not with REDIS_URL") if url else gettext("there is no redis-server")
        raise ValueError("--data: " + reason)
    if url or program is None:
        yield url
        return
    if data is None:
        logger.warning(gettext("no REDIS_URL and no --data: matches and tournaments are gone when this program stops"))
    with own_redis(program, data) as url:
        yield url


async def serve(settings: ServeSettings, port: int, stop_at_eof: bool = False) -> None:
    """Run an engine, workers of bots, webhooks and archive, tournaments and a gateway until SIGTERM or SIGINT.

    Prints the addresses when ready.
    Tournaments share the gRPC port of the engine, unless `FIRESIDE_TOURNAMENTS_ADDRESS` names another service.
    """
    host, gateway = settings.engine.host, settings.gateway
    set_switch_interval()
    signals = Signals()
    async with AsyncExitStack() as stack:
        bound = bind_socket("HTTP", host, port, "--port")  # first: no call is taken by a service that cannot start
        stack.callback(bound.close)
        others = [] if gateway.tournaments_address else [await _tournaments(settings.tournaments, stack)]
        engine = Engine(settings.engine, others=others)
        stack.push_async_callback(engine.stop)
        await engine.start("--grpc-port")
        worker = Worker(settings.bots, engine.store)
        worker.start()
        stack.push_async_callback(worker.stop)
        webhook_worker = WebhookWorker(settings.webhooks, engine.store)
        webhook_worker.start()
        stack.push_async_callback(webhook_worker.stop)
        if engine.archive is not None and isinstance(engine.store, ArchivingStore):
            archive_worker = ArchiveWorker(settings.archive, engine.store, engine.archive)
            archive_worker.start()
            stack.push_async_callback(archive_worker.stop)
        grpc_address = address(loopback_if_any(host), engine.port)
        local = replace(
            gateway,
            engine_address=grpc_address,
            engine_addresses={},
            tournaments_address=gateway.tournaments_address or grpc_address,
        )
        gateway_app = create_app(local, redis_reached=engine.reached)
        web = HttpServer(gateway_app, host, port, settings.engine.grace_seconds, bound=bound)
        await web.start()
        stack.push_async_callback(web.stop)
        urls = {"url": f"http://{address(host, web.port)}", "grpc": address(host, engine.port)}
        print(gettext("Fireside is at {url} (gRPC {grpc})", **urls), flush=True)
        if stop_at_eof:
            _stop_at_eof(signals)
        await signals.wait()


def _stop_at_eof(signals: Signals) -> None:
    """Stop at the end of standard input: a pipe ends when its other process ends, by SIGKILL too, on any system."""
    loop = asyncio.get_running_loop()

    def read() -> None:
        while os.read(sys.stdin.fileno(), 4096):
            pass
        loop.call_soon_threadsafe(signals.stop)

    Thread(target=read, daemon=True).start()  # asyncio cannot wait for files, nor for /dev/null


async def _tournaments(settings: TournamentSettings, stack: AsyncExitStack) -> OtherService:
    """Start the tournaments service, which `stack` stops; worker processes start with the first tournament."""
    ledger = await asyncio.to_thread(service_ledger, settings)
    stack.callback(ledger.close)
    tournaments = Tournaments(settings, os.cpu_count() or 1, ledger)
    tournaments.start()
    stack.push_async_callback(tournaments.stop)
    stack.push_async_callback(tournaments.end_streams)
    return OtherService(SERVICE.full_name, tournaments.handler())
