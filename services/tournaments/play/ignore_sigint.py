"""Dask preload module that makes local workers ignore SIGINT: on Ctrl-C the coordinator ends them itself."""

from __future__ import annotations

import signal

signal.signal(signal.SIGINT, signal.SIG_IGN)
