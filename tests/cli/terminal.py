"""Runs a `fireside` command in a pseudo-terminal, as at a user's prompt."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import time
from typing import Self

from tests.services import fork_server
from tests.services.processes import PYTHON_PATHS

TIMEOUT_SECONDS = 60.0
ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[a-zA-Z]|\].*?\x07)")
CTRL_C = "\x03"
CTRL_D = "\x04"


class Terminal:
    """Types keys and reads what the screen shows, without escape sequences."""

    def __init__(self, *words: str) -> None:
        self._terminal, command_side = pty.openpty()
        paths = os.pathsep.join(PYTHON_PATHS)
        screen = {"TERM": "xterm", "COLUMNS": "160", "LC_ALL": "C.UTF-8"}
        environment = {**os.environ, "PYTHONPATH": paths, "REDIS_URL": "", **screen}
        self._fork = fork_server.start(words, environment, [command_side] * 3, terminal=True)
        os.close(command_side)
        self.text = ""
        self._read = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._fork.send_signal(signal.SIGKILL)
        self._fork.wait(TIMEOUT_SECONDS)
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
        return self._fork.wait(TIMEOUT_SECONDS), self.text[self._read :]

    def _read_output(self, deadline: float) -> bool:
        """Read more output; False at the deadline or at the end of the output."""
        ready, _, _ = select.select([self._terminal], [], [], max(0.0, deadline - time.monotonic()))
        try:
            data = os.read(self._terminal, 65536) if ready else b""
        except OSError:  # the command has closed its side of the terminal
            return False
        self.text += ESCAPES.sub("", data.decode(errors="replace")).replace("\r", "")
        return bool(data)
