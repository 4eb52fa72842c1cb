"""Fork server: starts `fireside` commands as forks of a process that has imported them, which saves each its imports.

A command ends as any Python program does, at the end of its main module. `running_stack`, and the tests of the
manifests, of the README and of coordinators, start `python -m cli.main` itself.
"""

from __future__ import annotations

import atexit
import fcntl
import gc
import json
import os
import secrets
import select
import signal
import socket
import subprocess
import sys
import termios
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Final

ROOT: Final = Path(__file__).parents[2]
PYTHON_PATHS: Final = [str(ROOT / folder) for folder in ("", "clients/python", "proto/gen")]
"""Where a subprocess finds the packages of this tree."""
MAX_REQUEST_BYTES: Final = 1 << 17
SINGLE_THREADED: Final = {"OPENBLAS_NUM_THREADS": "1"}
"""What NumPy needs to start no threads when it is imported: threads do not survive a fork."""


class Fork:
    """A started command: its process id, its signals and its end."""

    def __init__(self, status: IO[str]) -> None:
        self._status: Final = status  # the process id, and a line with the exit code at the end
        self.pid: Final = int(status.readline())
        self.code: int | None = None
        """Exit code, once it was waited for; minus the number of the signal that ended it."""

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.code is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def wait(self, seconds: float) -> int:
        """The exit code. Raises `TimeoutError`."""
        if self.code is None:
            if not select.select([self._status], [], [], seconds)[0]:
                raise TimeoutError(f"process {self.pid} has not ended")
            self.code = int(self._status.readline())
            self._status.close()
        return self.code


def start(words: tuple[str, ...], environment: dict[str, str], streams: list[int], terminal: bool = False) -> Fork:
    """Start a command whose standard streams are the given descriptors; a terminal becomes its controlling one."""
    read, write = os.pipe()
    request = {"words": words, "environment": environment, "folder": str(Path.cwd()), "terminal": terminal}
    socket.send_fds(_channel(), [json.dumps(request).encode()], [write, *streams])
    os.close(write)
    return Fork(os.fdopen(read))


@cache
def _channel() -> socket.socket:
    """The socket of this process's fork server, which ends when the socket is closed."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    environment = {**os.environ, **SINGLE_THREADED, "PYTHONPATH": os.pathsep.join(PYTHON_PATHS)}
    command = [sys.executable, "-W", "error", "-m", "tests.services.fork_server", str(theirs.fileno())]
    server = subprocess.Popen(command, env=environment, cwd=ROOT, pass_fds=[theirs.fileno()])
    theirs.close()

    def end() -> None:
        ours.close()
        server.wait()

    atexit.register(end)
    return ours


def _serve(channel: socket.socket) -> tuple[str, ...]:
    """Fork for each request; the words of the command, in the fork that is to run it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the forks that wait for commands
    gc.freeze()
    while True:
        request, descriptors, _, _ = socket.recv_fds(channel, MAX_REQUEST_BYTES, 4)
        if not request:
            os._exit(0)
        if os.fork() == 0:
            channel.close()
            return _run(json.loads(request), *descriptors)
        for descriptor in descriptors:
            os.close(descriptor)


def _run(request: dict[str, Any], status: int, *streams: int) -> tuple[str, ...]:
    """Fork once more: this process waits for the command and writes how it ended; the other one becomes the command."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if pid := os.fork():
        for stream in streams:
            os.close(stream)
        os.write(status, f"{pid}\n".encode())
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        os.write(status, f"{code}\n".encode())
        os._exit(0)
    os.close(status)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    if request["terminal"]:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    for name, number in (("stdin", 0), ("stdout", 1), ("stderr", 2)):
        buffering = 1 if number == 2 or os.isatty(number) else -1
        setattr(sys, name, os.fdopen(number, "w" if number else "r", buffering, encoding="utf-8", closefd=False))
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    return tuple(request["words"])


def _import_commands() -> None:
    """Import what commands import."""
    from cli.main import COMMAND_HELP, import_command

    for name in COMMAND_HELP:
        with suppress(ValueError):  # of an extra that is not installed, which the command itself reports
            import_command(name)
    with suppress(ModuleNotFoundError):
        import_module("choix")  # which reports of tournaments import, in 1.2 s of processor time


if __name__ == "__main__":
    _import_commands()
    words = _serve(socket.socket(fileno=int(sys.argv[1])))
    from services.store import embedded

    embedded.RUN_ID = secrets.token_hex(8)  # type: ignore[misc] # drawn once a process
    from cli.main import main

    sys.argv = ["fireside", *words]
    sys.exit(main())
