"""Serve tournaments over gRPC, and have them played."""

from __future__ import annotations

import asyncio
import os
from argparse import ArgumentParser, Namespace

from cli.ports import port
from services import logs
from services.tournaments import main as tournaments
from services.tournaments.settings import TournamentSettings


def add_arguments(parser: ArgumentParser) -> None:
    """Where to listen, and how many are to play."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen at")
    parser.add_argument("--port", type=port, default=50052, help="port of gRPC; 0 for any free one")
    parser.add_argument("--workers", type=int, default=0, help="processes that play; as many as cores by default")


def run(arguments: Namespace) -> int:
    """Serve until the process is asked to stop."""
    settings = TournamentSettings.from_environment(os.environ, arguments.host, arguments.port, arguments.workers)
    logs.set_up(settings.log_level)
    asyncio.run(tournaments.run(settings))
    return 0
