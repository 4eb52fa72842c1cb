"""Command `fireside tournaments`: runs the tournaments service, over gRPC."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from cli.arguments import port, refuse_options
from cli.servers.metrics_server import run_with_metrics
from cli.translation import gettext
from runtime.telemetry import logs
from services.tournaments import main as tournaments
from services.tournaments.main import ListenOptions
from services.tournaments.settings import TournamentSettings


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--host", default="127.0.0.1", help=gettext("address to listen at"))
    parser.add_argument("--port", type=port, default=50052, help=gettext("gRPC port; 0 for any free one"))
    parser.add_argument("--workers", type=int, help=gettext("worker processes; one a processor by default"))


def run(arguments: Namespace) -> int:
    """Serve until SIGTERM or SIGINT."""
    settings = TournamentSettings.from_environment(os.environ)
    listening = ListenOptions(arguments.host, arguments.port, workers(arguments, settings))
    logs.set_up(settings.log_level)
    run_with_metrics("tournaments", lambda: tournaments.run(settings, listening))
    return 0


def workers(arguments: Namespace, settings: TournamentSettings) -> int:
    """The number of local worker processes. Raises `ValueError`."""
    if settings.scheduler_address:
        reason = gettext("it has no effect with DASK_SCHEDULER_ADDRESS, whose workers play")
        refuse_options(arguments, ["workers"], reason)
    count: int = arguments.workers if arguments.workers is not None else os.cpu_count() or 1
    if count < 1:
        raise ValueError("--workers: " + gettext("at least 1, not {number}", number=count))
    return count
