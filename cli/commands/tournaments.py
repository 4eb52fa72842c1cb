"""Serve tournaments over gRPC, and have them played."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from cli.given import refuse
from cli.ports import port
from cli.servers.metrics_server import observed
from runtime import logs
from services.tournaments import main as tournaments
from services.tournaments.main import Place
from services.tournaments.settings import TournamentSettings


def add_arguments(parser: ArgumentParser) -> None:
    """Where to listen, and how many are to play."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen at")
    parser.add_argument("--port", type=port, default=50052, help="port of gRPC; 0 for any free one")
    parser.add_argument("--workers", type=int, help="processes; as processors by default")


def run(arguments: Namespace) -> int:
    """Serve until the process is asked to stop."""
    settings = TournamentSettings.from_environment(os.environ)
    place = Place(arguments.host, arguments.port, workers(arguments, settings))
    logs.set_up(settings.log_level)
    observed("tournaments", lambda: tournaments.run(settings, place))
    return 0


def workers(arguments: Namespace, settings: TournamentSettings) -> int:
    """How many processes play here. Raises `ValueError`."""
    if settings.scheduler_address:
        refuse(arguments, ["workers"], "the workers of DASK_SCHEDULER_ADDRESS play, however many there are")
    count: int = arguments.workers if arguments.workers is not None else os.cpu_count() or 1
    if count < 1:
        raise ValueError(f"--workers: at least 1, not {count}")
    return count
