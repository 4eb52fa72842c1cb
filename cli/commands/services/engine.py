"""Command `fireside engine`: runs an engine, which serves games over gRPC."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from cli.arguments import port
from cli.servers.metrics_server import run_with_metrics
from cli.translation import gettext
from engine_core.games import canonical_name
from runtime.telemetry import logs
from services.engine import main as engine
from services.engine.settings import EngineSettings


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "--game",
        type=canonical_name,
        action="append",
        default=[],
        help=gettext("a game to serve (repeatable); all by default"),
    )
    parser.add_argument("--host", default="127.0.0.1", help=gettext("address to listen at"))
    parser.add_argument("--port", type=port, default=50051, help=gettext("gRPC port; 0 for any free one"))


def run(arguments: Namespace) -> int:
    """Serve until SIGTERM or SIGINT."""
    settings = EngineSettings.from_environment(os.environ, arguments.host, arguments.port, tuple(arguments.game))
    logs.set_up(settings.log_level)
    run_with_metrics("engine", lambda: engine.run(settings))
    return 0
