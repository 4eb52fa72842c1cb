"""Server processes on free ports, terminated when their context ends."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

TIMEOUT_SECONDS = 30.0


@contextmanager
def running_process(
    command: Sequence[str | Path], environment: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[str]]:
    """Run a process and terminate it at the end; it inherits our environment unless another is given."""
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        yield running
    finally:
        running.terminate()
        running.wait(TIMEOUT_SECONDS)
        if running.stdout is not None:
            running.stdout.close()


@contextmanager
def run_server(command: Sequence[str | Path]) -> Iterator[int]:
    """Run a server that prints its port as its first line; the port."""
    with running_process(command) as running:
        assert running.stdout is not None
        yield int(running.stdout.readline())


@contextmanager
def redis_server() -> Iterator[str]:
    """Run a Redis without persistence; its URL."""
    with redis_process() as (url, _):
        yield url


@contextmanager
def redis_process() -> Iterator[tuple[str, int]]:
    """Run a Redis without persistence; its URL and process id."""
    program = shutil.which("redis-server")
    if program is None:
        raise FileNotFoundError("redis-server is not on the PATH")
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder]
        with running_process([program, *options]) as running:
            wait_for_port(port)
            yield f"redis://127.0.0.1:{port}/0", running.pid


def free_port() -> int:
    """A TCP port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for_port(port: int) -> None:
    """Wait until something listens on the port."""
    end = monotonic() + TIMEOUT_SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            if monotonic() > end:
                raise
            sleep(0.02)
