"""Loaded into workers of this machine: Ctrl-C is for the coordinator, who ends them itself."""

from __future__ import annotations

import signal

signal.signal(signal.SIGINT, signal.SIG_IGN)
