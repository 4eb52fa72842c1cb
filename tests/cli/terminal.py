"""Runs a `fireside` command in a pseudo-terminal, as at a user's prompt."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from typing import Self

from tests.services.processes import PYTHON_PATHS

TIMEOUT_SECONDS = 60.0
ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[a-zA-Z]|\].*?\x07)")
CTRL_C = "\x03"
CTRL_D = "\x04"


def _set_controlling_terminal() -> None:
    """Make the terminal the controlling one, so that Ctrl-C reaches the command; undo an ignored SIGINT."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Terminal:
    """Types keys and reads what the screen shows, without escape sequences."""

    def __init__(self, *words: str) -> None:
        self._terminal, command_side = pty.openpty()
        paths = os.pathsep.join(PYTHON_PATHS)
        screen = {"TERM": "xterm", "COLUMNS": "160", "LC_ALL": "C.UTF-8"}
        environment = {**os.environ, "PYTHONPATH": paths, "REDIS_URL": "", **screen}
        self._process = subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "cli.main", *words],
            env=environment,
            stdin=command_side,
            stdout=command_side,
            stderr=command_side,
            start_new_session=True,
            preexec_fn=_set_controlling_terminal,
        )
        os.close(command_side)
        self.text = ""
        self._read = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._terminal)

    def type(self, keys: str) -> None:
        """Press keys; `\\n` is Enter."""
        os.write(self._terminal, keys.encode())

    def until(self, *patterns: str) -> str:
        """The text shown after what was read last, up to the first match of any pattern."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        wanted = re.compile("|".join(patterns))
        while not (found := wanted.search(self.text, self._read)):
            assert self._read_output(deadline), f"{patterns} not among {self.text[self._read :]!r}"
        shown = self.text[self._read : found.end()]
        self._read = found.end()
        return shown

    def end(self) -> tuple[int, str]:
        """Wait for the command; its exit code, and the text shown after what was read last."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while self._read_output(deadline):
            pass
        return self._process.wait(TIMEOUT_SECONDS), self.text[self._read :]

    def _read_output(self, deadline: float) -> bool:
        """Read more output; False at the deadline or at the end of the output."""
        ready, _, _ = select.select([self._terminal], [], [], max(0.0, deadline - time.monotonic()))
        try:
            data = os.read(self._terminal, 65536) if ready else b""
        except OSError:  # the command has closed its side of the terminal
            return False
        self.text += ESCAPES.sub("", data.decode(errors="replace")).replace("\r", "")
        return bool(data)
