"""Play the hosted seats of live matches."""

from __future__ import annotations

import asyncio
import os
from argparse import ArgumentParser, Namespace

from cli.servers.metrics_server import observed
from runtime import logs
from services.bots import main as bots
from services.bots.settings import BotSettings


def add_arguments(parser: ArgumentParser) -> None:
    """None: the environment says where the matches are."""


def run(arguments: Namespace) -> int:
    """Play until the process is asked to stop."""
    settings = BotSettings.from_environment(os.environ)
    logs.set_up(settings.log_level)
    ready = asyncio.Event()
    observed("bots", lambda: bots.run(settings, ready), ready)
    return 0
