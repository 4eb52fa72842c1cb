"""A started `fireside serve`, and the processes that it starts."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from tests.services.processes import Process


def url_of(process: Process) -> str:
    """Where the service is; it is ready then."""
    line = process.line()
    assert "http://" in line, process.wait()[1]
    return line[line.index("http://") :].split()[0]


def children_of(parent: int) -> list[int]:
    found = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [int(child) for child in found]


def command_of(process: int) -> bytes:
    """The command line of a process; empty if it has ended."""
    try:
        return (Path("/proc") / str(process) / "cmdline").read_bytes()
    except OSError:
        return b""


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)
