"""Benchmark of `grpc.aio` against threads: echo servers of each kind with the same clients.

Usage: `python -m bench.server_kinds`. Numbers of one run are in docs/adr/002-asyncio-or-threads.md.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from statistics import median

import grpc
from rich.console import Console
from rich.table import Table

from bench.echo import CPU, ECHO
from bench.load import Call, channels, seconds
from bench.processes import announced, redis_server

KINDS = ("aio", "uvloop", "threads")
SIZE = 1024
CALLS = 2000
ROUNDS = 7


@dataclass(frozen=True)
class Round:
    """The measurement of one kind of server in one round."""

    rate: float
    cpu: float


async def cpu_seconds(channel: grpc.aio.Channel) -> float:
    """Processor time used by the server so far."""
    ask: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(CPU)
    return float(await ask(b""))


async def measured(port: int) -> Round:
    """Requests a second, and processor time of the server in microseconds a request."""
    async with channels(port) as clients:
        await seconds(clients, ECHO, [Call(bytes(SIZE))] * 100)
        before = await cpu_seconds(clients[0])
        elapsed = await seconds(clients, ECHO, [Call(bytes(SIZE))] * CALLS)
        used = await cpu_seconds(clients[0]) - before
    return Round(CALLS / elapsed, used / CALLS * 1e6)


async def rounds(ports: dict[str, int]) -> dict[str, list[Round]]:
    """Measure all kinds in turn, several times."""
    results: dict[str, list[Round]] = {kind: [] for kind in ports}
    for _ in range(ROUNDS):
        for kind, port in ports.items():
            results[kind].append(await measured(port))
    return results


def compare(url: str) -> dict[str, list[Round]]:
    """Start a server of each kind and measure them."""
    with ExitStack() as stack:
        ports = {
            kind: stack.enter_context(announced([sys.executable, "-m", "bench.echo", kind, str(SIZE), url]))
            for kind in KINDS
        }
        return asyncio.run(rounds(ports))


def show(title: str, results: dict[str, list[Round]]) -> None:
    """Print medians, and their ratio to the first kind."""
    table = Table("server", "requests/s", "ratio", "server CPU µs a request", "ratio", title=title)
    base = Round(median([r.rate for r in results["aio"]]), median([r.cpu for r in results["aio"]]))
    for kind, done in results.items():
        rate, cpu = median([r.rate for r in done]), median([r.cpu for r in done])
        table.add_row(kind, f"{rate:,.0f}", f"{rate / base.rate:.2f}", f"{cpu:,.0f}", f"{cpu / base.cpu:.2f}")
    Console(width=100).print(table)


def main() -> None:
    """Measure without a Redis and with one."""
    show("echo, 1 KiB", compare(""))
    with redis_server() as url:
        show("one Redis read and one write, then 1 KiB", compare(url))


if __name__ == "__main__":
    main()
