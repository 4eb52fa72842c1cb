"""Local service: `fireside serve` in a child process, for commands without `--url`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Final

from cli.translation import gettext
from engine_core.bots import LIMITS

UNRESTRICTED_SETTINGS: Final = {
    **dict.fromkeys(("FIRESIDE_API_KEYS", "FIRESIDE_RATE_LIMIT", "FIRESIDE_MATCH_RATE_LIMIT"), ""),
    "FIRESIDE_BOT_LIMITS": ",".join(f"{name}={most}" for name, most in LIMITS._asdict().items()),
}
"""Settings that override the environment: no API keys, no rate limits, and the greatest limits for bots."""


@contextmanager
def service_url(url: str | None, imported_bots: Sequence[str] = ()) -> Iterator[str]:
    """Yield the given URL, or that of a new local service, which is stopped at the end of the block.

    `imported_bots` are those that seats of the local service may have.
    """
    if url:
        yield url
        return
    command = [sys.executable, "-m", "cli.main", "serve", "--port", "0", "--grpc-port", "0", "--stop-at-eof"]
    environment = {
        "FIRESIDE_LOG_LEVEL": "ERROR",
        **os.environ,
        **UNRESTRICTED_SETTINGS,
        "FIRESIDE_IMPORTED_BOTS": ";".join(imported_bots),
    }
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _exit_on_signal)
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,  # ends with this process, even by SIGKILL, and then the service stops
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
        process_group=0,  # Ctrl-C must not reach the service: the command may still call it
    ) as process:
        try:
            assert process.stdout
            yield _read_url(process.stdout)
        finally:
            process.terminate()


def _exit_on_signal(number: int, frame: FrameType | None) -> None:
    """Signal handler: exits by an exception, so that `finally` stops the service."""
    raise SystemExit(128 + number)


def _read_url(lines: Iterator[str]) -> str:
    """The URL that `fireside serve` prints when it is ready. Raises `OSError` if it exits first."""
    for line in lines:
        if "http://" in line:
            return line[line.index("http://") :].split()[0]
    raise OSError(gettext("the local service exited before it was ready"))
