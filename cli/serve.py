"""Serve everything in this process: all games over gRPC, the REST interface, and the hosted bots."""

from __future__ import annotations

import asyncio
import os
from argparse import ArgumentParser, Namespace
from dataclasses import replace

from cli.ports import port
from cli.web import Web
from gateway.main import create_app
from gateway.settings import GatewaySettings
from services import logs
from services.addresses import address, reachable
from services.bots.worker import Worker
from services.engine.main import Engine
from services.settings import BotSettings, EngineSettings
from services.signals import stop_signal


def add_arguments(parser: ArgumentParser) -> None:
    """Where to listen."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen at")
    parser.add_argument("--port", type=port, default=8080, help="port of HTTP; 0 for any free one")
    parser.add_argument("--grpc-port", type=port, default=50051, help="port of gRPC; 0 for any free one")


def run(arguments: Namespace) -> int:
    """Serve until the process is asked to stop."""
    settings = EngineSettings.from_environment(os.environ, arguments.host, arguments.grpc_port)
    gateway = GatewaySettings.from_environment(os.environ)
    bots = BotSettings.from_environment(os.environ)
    logs.set_up(settings.log_level)
    asyncio.run(serve(settings, gateway, bots, arguments.port))
    return 0


async def serve(settings: EngineSettings, gateway: GatewaySettings, bots: BotSettings, port: int) -> None:
    """Run an engine, a worker for hosted seats and a gateway, and say where they are once they can be used."""
    host = settings.host
    stopping = stop_signal()
    engine = Engine(settings)
    await engine.start()
    worker = Worker(bots, engine.store)
    worker.start()
    try:
        near = replace(gateway, engine_address=address(reachable(host), engine.port), engine_addresses={})
        web = Web(create_app(near), host, port, settings.grace_seconds)
        await web.start()
        print(f"Fireside is at http://{address(host, web.port)} (gRPC {address(host, engine.port)})", flush=True)
        await stopping.wait()
        await web.stop()
    finally:
        await worker.stop()
        await engine.stop()
