"""The local service of a command: it ends with the command, however that ends."""

from __future__ import annotations

import os
import signal
import time

import httpx
import pytest

from tests.services.processes import Process

STOP_SECONDS = 30.0


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_local_service_stops_with_the_command_that_started_it(number: signal.Signals) -> None:
    with Process("demo") as demo:
        url = demo.line().split()[-2]
        assert httpx.get(f"{url}/healthz").status_code == 200
        os.kill(demo.pid, number)
        assert stops(url)


def stops(url: str) -> bool:
    """Whether nothing answers at an address any more, within a time."""
    deadline = time.monotonic() + STOP_SECONDS
    while time.monotonic() < deadline:
        try:
            httpx.get(f"{url}/healthz")
        except httpx.TransportError:
            return True
        time.sleep(0.1)
    return False
