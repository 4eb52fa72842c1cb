"""Command `fireside webhooks`: runs a worker that delivers the events of platforms."""

from __future__ import annotations

import asyncio
import os
from argparse import ArgumentParser, Namespace

from cli.servers.metrics_server import run_with_metrics
from runtime.telemetry import logs
from services.webhooks import main as webhooks
from services.webhooks.settings import WebhookSettings


def add_arguments(parser: ArgumentParser) -> None:
    """Add no arguments: the settings come from environment variables."""


def run(arguments: Namespace) -> int:
    """Deliver until SIGTERM or SIGINT."""
    settings = WebhookSettings.from_environment(os.environ)
    logs.set_up(settings.log_level)
    ready = asyncio.Event()
    run_with_metrics("webhooks", lambda: webhooks.run(settings, ready), ready)
    return 0
