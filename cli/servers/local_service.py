"""A service of the command's own, in a process that ends with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from engine_core.bots import LIMITS

OPEN: Final = {
    **dict.fromkeys(("FIRESIDE_API_KEYS", "FIRESIDE_RATE_LIMIT", "FIRESIDE_MATCH_RATE_LIMIT"), ""),
    "FIRESIDE_BOT_LIMITS": ",".join(f"{name}={most}" for name, most in LIMITS._asdict().items()),
}
"""A service of our own lets us in and bots think for long, whatever the environment says of services for others."""


@contextmanager
def service(url: str | None) -> Iterator[str]:
    """The address of a service: the given one, or one of our own that ends with the block."""
    if url:
        yield url
        return
    command = [sys.executable, "-m", "cli.main", "serve", "--port", "0", "--grpc-port", "0"]
    environment = {"FIRESIDE_LOG_LEVEL": "ERROR", **os.environ, **OPEN}
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
        process_group=0,  # a Ctrl-C is for the player, who may still have something to ask the service
    ) as process:
        try:
            assert process.stdout
            yield _announced(process.stdout)
        finally:
            process.terminate()


def _leave(number: int, frame: FrameType | None) -> None:
    """End this process in the way that ends the service, too."""
    raise SystemExit(128 + number)


def _announced(lines: Iterator[str]) -> str:
    """The address that `fireside serve` prints once it can be used."""
    for line in lines:
        if "http://" in line:
            return line[line.index("http://") :].split()[0]
    raise OSError("the service ended before it could be used")
