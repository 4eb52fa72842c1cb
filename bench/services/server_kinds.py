"""Benchmark of `grpc.aio` against threads: echo servers of each kind with the same clients.

Usage: `python -m bench.services.server_kinds`. Numbers of one run are in docs/adr/002-asyncio-or-threads.md.
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

from bench.baselines.echo import CPU_METHOD, ECHO_METHOD
from bench.harness.grpc_clients import Call, open_channels, seconds_of_calls
from bench.harness.processes import redis_server, run_server

KINDS = ("aio", "uvloop", "threads")
MESSAGE_BYTES = 1024
CALLS = 2000
ROUNDS = 7


@dataclass(frozen=True)
class KindRates:
    """The measurement of one kind of server in one round."""

    rate: float
    cpu: float


async def cpu_seconds(channel: grpc.aio.Channel) -> float:
    """Processor time used by the server so far."""
    call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(CPU_METHOD)
    return float(await call(b""))


async def measure_round(port: int) -> KindRates:
    """Requests a second, and processor time of the server in microseconds a request."""
    async with open_channels(port) as clients:
        await seconds_of_calls(clients, ECHO_METHOD, [Call(bytes(MESSAGE_BYTES))] * 100)
        before = await cpu_seconds(clients[0])
        elapsed = await seconds_of_calls(clients, ECHO_METHOD, [Call(bytes(MESSAGE_BYTES))] * CALLS)
        used = await cpu_seconds(clients[0]) - before
    return KindRates(CALLS / elapsed, used / CALLS * 1e6)


async def measure_rounds(ports: dict[str, int]) -> dict[str, list[KindRates]]:
    """Measure all kinds in turn, several times."""
    results: dict[str, list[KindRates]] = {kind: [] for kind in ports}
    for _ in range(ROUNDS):
        for kind, port in ports.items():
            results[kind].append(await measure_round(port))
    return results


def compare_kinds(url: str) -> dict[str, list[KindRates]]:
    """Start a server of each kind and measure them."""
    with ExitStack() as stack:
        ports = {
            kind: stack.enter_context(
                run_server([sys.executable, "-m", "bench.baselines.echo", kind, str(MESSAGE_BYTES), url])
            )
            for kind in KINDS
        }
        return asyncio.run(measure_rounds(ports))


def print_medians(title: str, results: dict[str, list[KindRates]]) -> None:
    """Print medians, and their ratio to the first kind."""
    table = Table("server", "requests/s", "ratio", "server CPU µs a request", "ratio", title=title)
    base = KindRates(median([r.rate for r in results["aio"]]), median([r.cpu for r in results["aio"]]))
    for kind, done in results.items():
        rate, cpu = median([r.rate for r in done]), median([r.cpu for r in done])
        table.add_row(kind, f"{rate:,.0f}", f"{rate / base.rate:.2f}", f"{cpu:,.0f}", f"{cpu / base.cpu:.2f}")
    Console(width=100).print(table)


def main() -> None:
    """Measure without a Redis and with one."""
    print_medians("echo, 1 KiB", compare_kinds(""))
    with redis_server() as url:
        print_medians("one Redis read and one write, then 1 KiB", compare_kinds(url))


if __name__ == "__main__":
    main()
