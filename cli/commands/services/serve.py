"""Command `fireside serve`: runs engine, gateway, bots, webhooks, archive and tournaments, in one or more processes."""

from __future__ import annotations

import asyncio
import logging
import os
import select
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from functools import partial
from pathlib import Path
from threading import Thread
from typing import NamedTuple

from cli.arguments import port
from cli.servers.metrics_server import run_with_metrics
from cli.servers.own_redis import own_redis, redis_server_path
from cli.servers.parts import Parts, ServeSettings
from cli.servers.processes.service import serve_processes
from cli.translation import gettext
from gateway.upstream.offload import set_switch_interval
from runtime.addresses import address, bind_socket, loopback_if_any
from runtime.signals import Signals
from runtime.telemetry import logs

logger = logging.getLogger(__name__)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--host", default="127.0.0.1", help=gettext("address to listen at"))
    parser.add_argument("--port", type=port, default=8080, help=gettext("HTTP port; 0 for any free one"))
    parser.add_argument("--grpc-port", type=port, default=50051, help=gettext("gRPC port; 0 for any free one"))
    parser.add_argument(
        "--stop-at-eof",
        action="store_true",
        help=gettext(
            "stop at the end of standard input, which comes with the end of the program that started this one"
        ),
    )
    parser.add_argument(
        "--processes",
        type=int,
        default=1,
        metavar=gettext("N"),
        help=gettext("processes with an engine and a gateway each, on one Redis; 1 by default"),
    )
    parser.add_argument(
        "--data",
        type=Path,
        metavar=gettext("FOLDER"),
        help=gettext(
            "keep matches and tournaments in this folder; without it, and without REDIS_URL, they end with the service"
        ),
    )


def run(arguments: Namespace) -> int:
    """Serve until SIGTERM or SIGINT."""
    count = arguments.processes
    if count < 1:
        raise ValueError("--processes: " + gettext("at least 1, not {number}", number=count))
    settings = ServeSettings.from_environment(os.environ, arguments.host, arguments.grpc_port)
    logs.set_up(settings.engine.log_level)
    with _redis(arguments.data) as redis:
        if count > 1 and not redis.url:
            reason = gettext("they need a Redis in common: there is no REDIS_URL, and no redis-server")
            raise ValueError("--processes: " + reason)
        settings = ServeSettings.from_environment(
            {**os.environ, "REDIS_URL": redis.url}, arguments.host, arguments.grpc_port
        )
        ends = [*redis.ends, *([sys.stdin.fileno()] if arguments.stop_at_eof else [])]
        if count > 1:
            serve_processes(settings, arguments.port, count, partial(_print_addresses, arguments.host), ends)
            return _exit_code(redis)

        async def serve_alone() -> int:
            await serve(settings, arguments.port, ends)
            return _exit_code(redis)

        run_with_metrics("serve", serve_alone)
    return 0


class Redis(NamedTuple):
    """The Redis of the service: its URL, empty for a store in Python, and pipes that end with it."""

    url: str
    ends: Sequence[int] = ()


def _exit_code(redis: Redis) -> int:
    """The exit code, with an error if the service stopped since its redis-server had ended."""
    if not select.select(redis.ends, [], [], 0)[0]:
        return 0
    print("fireside: " + gettext("the redis-server of this program has ended"), file=sys.stderr)
    return 2


@contextmanager
def _redis(data: Path | None) -> Iterator[Redis]:
    """The Redis at `REDIS_URL`, or a redis-server of this program; a store in Python if there is no such program.

    Raises `ValueError` for a folder of data without a redis-server of this program.
    """
    url, program = os.environ.get("REDIS_URL", ""), redis_server_path()
    if data is not None and (url or program is None):
        reason = gettext("not with REDIS_URL") if url else gettext("there is no redis-server")
        raise ValueError("--data: " + reason)
    if url or program is None:
        yield Redis(url)
        return
    if data is None:
        logger.warning(gettext("no REDIS_URL and no --data: matches and tournaments are gone when this program stops"))
    with own_redis(program, data) as own:
        yield Redis(own.url, [own.end])


async def serve(settings: ServeSettings, port: int, ends: Sequence[int] = ()) -> None:
    """Run an engine, workers of bots, webhooks and archive, tournaments and a gateway until SIGTERM or SIGINT.

    The end of one of the pipes `ends` stops it, too. Prints the addresses when ready.
    Tournaments share the gRPC port of the engine, unless `FIRESIDE_TOURNAMENTS_ADDRESS` names another service.
    """
    host = settings.engine.host
    set_switch_interval()
    signals = Signals()
    async with AsyncExitStack() as stack:
        bound = bind_socket("HTTP", host, port, "--port")  # first: no call is taken by a service that cannot start
        stack.callback(bound.close)
        parts = Parts(settings, stack)
        engine = await parts.engine([await parts.tournaments()] if settings.has_tournaments else [])
        parts.workers(engine.store, engine.archive)
        web = await parts.gateway(engine, address(loopback_if_any(host), engine.port), bound)
        _print_addresses(host, web.port, engine.port)
        for end in ends:
            _stop_at_end(signals, end)
        await signals.wait()


def _print_addresses(host: str, http_port: int, grpc_port: int) -> None:
    urls = {"url": f"http://{address(host, http_port)}", "grpc": address(host, grpc_port)}
    print(gettext("Fireside is at {url} (gRPC {grpc})", **urls), flush=True)


def _stop_at_end(signals: Signals, pipe: int) -> None:
    """Stop at the end of a pipe: it ends when its other process ends, by SIGKILL too, on any system."""
    loop = asyncio.get_running_loop()

    def read() -> None:
        while os.read(pipe, 4096):
            pass
        loop.call_soon_threadsafe(signals.stop)

    Thread(target=read, daemon=True).start()  # asyncio cannot wait for files, nor for /dev/null
