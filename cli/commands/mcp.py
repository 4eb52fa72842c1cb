"""Command `fireside mcp`: an MCP server with which agents play, over the public REST interface."""

from __future__ import annotations

import asyncio
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Final

from cli.agents.server import create_server, serve_http
from cli.arguments import port, refuse_options
from cli.client import connect
from cli.servers.local_service import service_url
from cli.translation import gettext, locale
from fireside_client import AsyncFiresideClient
from fireside_client.types.any_game import Game

LOOPBACK: Final = "127.0.0.1"
RETRY_SECONDS: Final = 10.0
"""Longest outage that a tool retries: many agents give a call up after a minute, and a wait takes 30 s of it."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--url", help=gettext("play on this service instead of starting one"))
    parser.add_argument(
        "--port",
        type=port,
        help=gettext("serve streamable HTTP at this port, 0 for any free one, instead of standard input and output"),
    )
    parser.add_argument(
        "--host", help=gettext("address to listen at, with --port; {default} by default", default=LOOPBACK)
    )


def run(arguments: Namespace) -> int:
    """Serve until the end of standard input; with `--port` until SIGTERM or SIGINT."""
    if arguments.port is None:
        refuse_options(arguments, ["host"], gettext("it is used with --port only"))
    with service_url(arguments.url) as url:
        with connect(url) as client:  # without retries, so that a wrong URL fails at once
            games = client.games()
        asyncio.run(_serve(url, games, arguments.host or LOOPBACK, arguments.port))
    return 0


async def _serve(url: str, games: Sequence[Game], host: str, port: int | None) -> None:
    key = os.environ.get("FIRESIDE_API_KEY", "")
    async with AsyncFiresideClient(url, api_key=key, locale=locale(), retry_seconds=RETRY_SECONDS) as client:
        server = create_server(client, games)
        if port is None:
            await server.run_stdio_async()
        else:
            await serve_http(server, host, port)
