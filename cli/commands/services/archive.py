"""Command `fireside archive`: runs a worker that moves finished matches to an archive."""

from __future__ import annotations

import asyncio
import os
from argparse import ArgumentParser, Namespace

from cli.servers.metrics_server import run_with_metrics
from runtime.telemetry import logs
from services.archive import main as archive
from services.archive.settings import ArchiveSettings


def add_arguments(parser: ArgumentParser) -> None:
    """Add no arguments: the settings come from environment variables."""


def run(arguments: Namespace) -> int:
    """Archive until SIGTERM or SIGINT."""
    settings = ArchiveSettings.from_environment(os.environ)
    logs.set_up(settings.log_level)
    ready = asyncio.Event()
    run_with_metrics("archive", lambda: archive.run(settings, ready), ready)
    return 0
