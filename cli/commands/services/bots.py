"""Command `fireside bots`: runs a worker that plays the hosted seats of stored matches."""

from __future__ import annotations

import asyncio
import os
from argparse import ArgumentParser, Namespace

from cli.servers.metrics_server import run_with_metrics
from runtime.telemetry import logs
from services.bots import main as bots
from services.bots.settings import BotSettings


def add_arguments(parser: ArgumentParser) -> None:
    """Add no arguments: the settings come from environment variables."""


def run(arguments: Namespace) -> int:
    """Play until SIGTERM or SIGINT."""
    settings = BotSettings.from_environment(os.environ)
    logs.set_up(settings.log_level)
    ready = asyncio.Event()
    run_with_metrics("bots", lambda: bots.run(settings, ready), ready)
    return 0
