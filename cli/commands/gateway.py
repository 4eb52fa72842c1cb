"""Serve the REST interface in front of engines that run elsewhere."""

from __future__ import annotations

import gc
import os
from argparse import ArgumentParser, Namespace

from cli.ports import port
from cli.servers.http_server import Web
from cli.servers.metrics_server import observed
from gateway.app import create_app
from gateway.settings import GatewaySettings
from gateway.upstream.offload import set_switch_interval
from runtime import logs
from runtime.addresses import address
from runtime.signals import Signals


def add_arguments(parser: ArgumentParser) -> None:
    """Where to listen; the environment says where the engines are."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen at")
    parser.add_argument("--port", type=port, default=8080, help="port of HTTP; 0 for any free one")


def run(arguments: Namespace) -> int:
    """Serve until the process is asked to stop."""
    settings = GatewaySettings.from_environment(os.environ)
    logs.set_up(settings.log_level)
    set_switch_interval()
    observed("gateway", lambda: _serve(settings, arguments.host, arguments.port))
    return 0


async def _serve(settings: GatewaySettings, host: str, port: int) -> None:
    signals = Signals()
    web = Web(create_app(settings), host, port, settings.grace_seconds)
    await web.start()
    gc.collect()
    gc.freeze()  # what is there now stays, and need not be gone through with every request's garbage
    print(f"Fireside gateway is at http://{address(host, web.port)}", flush=True)
    await signals.wait()
    web.drain()
    await signals.linger(settings.drain_seconds)
    await web.stop()
