"""A redis-server of this program, on a private socket: it ends with the program, however that ends."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple
from urllib.parse import quote

from redis import Redis, RedisError

from cli.translation import gettext

START_SECONDS: Final = 60.0
"""How long it may read the data of a folder."""
STOP_SECONDS: Final = 10.0
FIRST_FREE_DESCRIPTOR: Final = 10
"""Shells use lower ones themselves."""
GUARD: Final = """
exec 3<&0
"$@" < /dev/null > /dev/null 3<&- &
server=$!
{ cat <&3; kill "$server"; } > /dev/null 2> /dev/null &
watcher=$!
wait "$server"
kill "$watcher" 2> /dev/null
rm -rf -- "$FIRESIDE_SOCKETS"
"""
"""Shell program that runs a server until its standard input ends: a pipe ends with the program at its other end, by
SIGKILL too, on any POSIX system. Its standard output, which only the shell has, ends with the server. The watcher does
not outlive the server, whose number another process may get."""


class OwnRedis(NamedTuple):
    """A redis-server that runs."""

    url: str
    end: int
    """File descriptor that is readable once the server has ended."""


def redis_server_path() -> str | None:
    """The redis-server on the PATH, or the one next to this Python executable."""
    return shutil.which("redis-server") or shutil.which("redis-server", path=str(Path(sys.executable).parent))


@contextmanager
def own_redis(program: str, data: Path | None) -> Iterator[OwnRedis]:
    """Run a redis-server for the block.

    Without a folder for its `data` it stores everything in memory. With one, each change is on disk before it is
    acknowledged, and is there again at the next start. Raises `ValueError` if another process uses the folder, or for
    data that Redis cannot read.
    """
    with TemporaryDirectory(prefix="fireside-") as sockets:  # only its owner may enter it
        socket = Path(sockets) / "redis.sock"
        storage = ["--save", "", "--appendonly", "no", "--dir", sockets]
        lock: tuple[int, ...] = ()
        if data is not None:
            lock = (_lock(data),)
            storage = ["--save", "", "--appendonly", "yes", "--appendfsync", "always", "--dir", str(data.resolve())]
        words = [program, "--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700", *storage]
        guard = subprocess.Popen(
            ["sh", "-c", GUARD, "fireside-redis", *words, "--maxmemory-policy", "noeviction"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "FIRESIDE_SOCKETS": sockets},
            pass_fds=lock,  # held until the server has ended, so that no second one opens its files
            start_new_session=True,  # Ctrl-C must not reach it: the service still answers calls
        )
        for descriptor in lock:
            os.close(descriptor)
        assert guard.stdin is not None
        assert guard.stdout is not None
        try:
            _wait_until_ready(guard, socket)
            yield OwnRedis(f"unix://{quote(str(socket))}", guard.stdout.fileno())
        finally:
            guard.stdin.close()
            guard.stdout.close()
            try:
                guard.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(guard.pid, signal.SIGKILL)
                guard.wait()


def _lock(data: Path) -> int:
    """Lock a folder, which is made if it is missing; the descriptor that holds the lock."""
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (data / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ValueError("--data: " + gettext("another process uses {path}", path=data)) from None
        return fcntl.fcntl(file, fcntl.F_DUPFD, FIRST_FREE_DESCRIPTOR)  # holds the lock when the file is closed


def _wait_until_ready(guard: subprocess.Popen[bytes], socket: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    with Redis(unix_socket_path=str(socket)) as redis:
        while True:
            try:
                redis.ping()
                return
            except RedisError:
                if guard.poll() is not None or time.monotonic() > deadline:
                    raise ValueError(gettext("the redis-server of this program does not start")) from None
            time.sleep(0.005)
