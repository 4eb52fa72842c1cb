"""Runs a redis-server without persistence for tests, on a free port."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from redis import Redis


def redis_server_path() -> str:
    """Path of the redis-server on the PATH, or of that in this environment."""
    found = shutil.which("redis-server") or shutil.which("redis-server", path=str(Path(sys.executable).parent))
    if found is None:
        raise RuntimeError("the tests need a redis-server")
    return found


def free_port() -> int:
    """A TCP port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _is_answering(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith((b"+PONG", b"-NOAUTH"))
    except OSError:
        return False


@contextmanager
def redis_server(folder: Path, *options: str, port: int = 0) -> Iterator[str]:
    """Run a server; its URL."""
    port = port or free_port()
    words = [redis_server_path(), "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    with (folder / f"redis-{port}.log").open("ab") as output:
        process = subprocess.Popen([*words, "--dir", str(folder), *options], stdout=output, stderr=output)
        try:
            _wait_for(process, port)
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            process.kill()
            process.wait()


def process_of(url: str) -> int:
    """The process id of the server at a URL."""
    with Redis.from_url(url) as redis:
        return int(redis.info("server")["process_id"])


@contextmanager
def pause_process(process: int) -> Iterator[None]:
    """Stop a process by SIGSTOP for the time of the block."""
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)


def _wait_for(process: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + 20
    while not _is_answering(port):
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError("redis-server did not start")
        time.sleep(0.02)
