"""Command `fireside serve`: runs engine, gateway, hosted bots, webhooks and tournaments in one process."""

from __future__ import annotations

import asyncio
import os
import sys
from argparse import ArgumentParser, Namespace
from contextlib import AsyncExitStack
from dataclasses import replace
from threading import Thread

from cli.arguments import port
from cli.servers.http_server import HttpServer
from cli.servers.metrics_server import run_with_metrics
from cli.translation import gettext
from gateway.app import create_app
from gateway.settings import GatewaySettings
from gateway.upstream.offload import set_switch_interval
from runtime.addresses import address, bind_socket, loopback_if_any
from runtime.signals import Signals
from runtime.telemetry import logs
from services.bots.settings import BotSettings
from services.bots.worker import Worker
from services.engine.main import Engine, OtherService
from services.engine.settings import EngineSettings
from services.tournaments.main import Tournaments, service_ledger
from services.tournaments.servicer import SERVICE
from services.tournaments.settings import TournamentSettings
from services.webhooks.settings import WebhookSettings
from services.webhooks.worker import WebhookWorker


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


def run(arguments: Namespace) -> int:
    """Serve until SIGTERM or SIGINT."""
    settings = EngineSettings.from_environment(os.environ, arguments.host, arguments.grpc_port)
    gateway = GatewaySettings.from_environment(os.environ)
    bots = BotSettings.from_environment(os.environ)
    webhooks = WebhookSettings.from_environment(os.environ)
    logs.set_up(settings.log_level)
    run_with_metrics("serve", lambda: serve(settings, gateway, bots, webhooks, arguments.port, arguments.stop_at_eof))
    return 0


async def serve(
    settings: EngineSettings,
    gateway: GatewaySettings,
    bots: BotSettings,
    webhooks: WebhookSettings,
    port: int,
    stop_at_eof: bool = False,
) -> None:
    """Run an engine, workers of bots and webhooks, tournaments and a gateway until SIGTERM or SIGINT.

    Prints the addresses when ready.
    Tournaments share the gRPC port of the engine, unless `FIRESIDE_TOURNAMENTS_ADDRESS` names another service.
    """
    host = settings.host
    set_switch_interval()
    signals = Signals()
    async with AsyncExitStack() as stack:
        bound = bind_socket("HTTP", host, port, "--port")  # first: no call is taken by a service that cannot start
        stack.callback(bound.close)
        others = [] if gateway.tournaments_address else [await _tournaments(stack)]
        engine = Engine(settings, others=others)
        stack.push_async_callback(engine.stop)
        await engine.start("--grpc-port")
        worker = Worker(bots, engine.store)
        worker.start()
        stack.push_async_callback(worker.stop)
        webhook_worker = WebhookWorker(webhooks, engine.store)
        webhook_worker.start()
        stack.push_async_callback(webhook_worker.stop)
        grpc_address = address(loopback_if_any(host), engine.port)
        local = replace(
            gateway,
            engine_address=grpc_address,
            engine_addresses={},
            tournaments_address=gateway.tournaments_address or grpc_address,
        )
        gateway_app = create_app(local, redis_reached=engine.reached)
        web = HttpServer(gateway_app, host, port, settings.grace_seconds, bound=bound)
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


async def _tournaments(stack: AsyncExitStack) -> OtherService:
    """Start the tournaments service, which `stack` stops; worker processes start with the first tournament."""
    settings = TournamentSettings.from_environment(os.environ)
    ledger = await asyncio.to_thread(service_ledger, settings)
    stack.callback(ledger.close)
    tournaments = Tournaments(settings, os.cpu_count() or 1, ledger)
    tournaments.start()
    stack.push_async_callback(tournaments.stop)
    stack.push_async_callback(tournaments.end_streams)
    return OtherService(SERVICE.full_name, tournaments.handler())
