"""Event streams whose clients go, in every way there is, leave nothing behind.

`make abandoned` opens 1,000 in each way, in each of them of a match and of a tournament. It does so twice: the first
round warms up, the second is measured.
"""

from __future__ import annotations

import os
import re
import socket
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path

import httpx
import pytest

from tests.raw_http import Connection, request
from tests.runtime.telemetry.stack import Stack, stack
from tests.soak.streams import AT_ONCE
from tests.soak.test_leaks import Look

ABANDONED = int(os.environ.get("FIRESIDE_ABANDONED", "60"))
OPEN_MOST = 100
"""How many are open at the same time."""
MEBIBYTE = 1 << 20
GROWTH_MOST = 10 * MEBIBYTE
SECONDS = 60
"""How long streams may be held after their clients have gone: two writes of what keeps them open, and slow machines."""
SPEC = {"game": "fireship", "entrants": ["greedy", "random"], "blocks": 100}
NOBODY = "tcp://127.0.0.1:1"
"""A scheduler that does not answer, so that the tournament is never over."""

Abandon = Callable[[Connection], None]


def _reset(connection: Connection) -> None:
    connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)


def _half_close(connection: Connection) -> None:
    connection.socket.shutdown(socket.SHUT_WR)


def _nothing(connection: Connection) -> None:
    pass


WAYS: dict[str, tuple[str, str, Abandon]] = {
    "close": ("GET", "1.1", _nothing),
    "half-close": ("GET", "1.1", _half_close),
    "reset": ("GET", "1.1", _reset),
    "second request": ("GET", "1.1", _nothing),
    "HEAD": ("HEAD", "1.1", _nothing),
    "HTTP/1.0": ("GET", "1.0", _nothing),
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Stack, list[str]]]:
    """A service, and the paths of the streams of a match and of a tournament."""
    folder: Path = tmp_path_factory.mktemp("abandoned")
    with (
        stack(folder, REDIS_URL="", FIRESIDE_LOG_LEVEL="INFO", DASK_SCHEDULER_ADDRESS=NOBODY) as running,
        httpx.Client(base_url=running.url, timeout=60) as rest,
    ):
        match = rest.post("/v1/fire-bulls/matches", json={"seats": [{}, {}]}).raise_for_status().json()["matchId"]
        tournament = rest.post("/v1/tournaments", json={"spec": SPEC}).raise_for_status().json()["tournamentId"]
        try:
            yield running, [f"/v1/fire-bulls/matches/{match}/events", f"/v1/tournaments/{tournament}/events"]
        finally:
            rest.post(f"/v1/tournaments/{tournament}:cancel", json={}).raise_for_status()


def _open_and_leave(port: int, paths: list[str], way: str, number: int) -> None:
    method, version, abandon = WAYS[way]
    seconds = [
        request("GET", "/healthz"),
        request("POST", "/v1/fire-bulls:newGame", body=b'{"seats": [{}, {}]}'),
        *(request("GET", path) for path in paths),
        request("HEAD", paths[0]),
    ]
    crowd = []
    for path, second in zip(cycle(paths), cycle(seconds), strict=False):
        connection = Connection(port)
        connection.send(request(method, path, version=version))
        assert connection.head(method).status == 200
        if way == "second request":
            connection.send(second)
        crowd.append(connection)
        if len(crowd) == number:
            break
    for connection in crowd:
        abandon(connection)
        if way == "half-close":
            connection.makefile("rb").read()  # to the end, which is the server's answer to ours
        connection.close()


def _streams(running: Stack) -> float:
    lines = re.findall(r"^(?:fireside_streams|fireside_http_event_streams)\S* (\S+)$", running.metrics(), re.M)
    return sum(map(float, lines))


def _abandon(running: Stack, paths: list[str], way: str, number: int) -> float:
    """Open and leave so many; the seconds until none of them was held any more."""
    port = int(running.url.rpartition(":")[2])
    for _ in range(0, number, OPEN_MOST):
        _open_and_leave(port, paths, way, min(OPEN_MOST, number))
    began = time.monotonic()
    while held := _streams(running):
        assert time.monotonic() - began < SECONDS, f"{held} streams are held for nobody"
        time.sleep(0.1)
    return time.monotonic() - began


@pytest.mark.timeout(1800)
def test_fault04_streams_that_are_abandoned_in_any_way_are_gone(service: tuple[Stack, list[str]]) -> None:
    running, paths = service
    pid = running.pid
    start = Look.at(pid, 0)
    for way in WAYS:  # the allocator keeps what the streams of a round take at the most: some are held for two pings
        _abandon(running, paths, way, ABANDONED)
    before = Look.at(pid, 0)
    print(f"the first round: grown by {(before.rss - start.rss) / MEBIBYTE:.1f} MiB")
    for way in WAYS:
        seconds = _abandon(running, paths, way, ABANDONED)
        print(f"{way}: {ABANDONED} streams, none left after {seconds:.1f} s; {Look.at(pid, 0)}")
    grown = Look.at(pid, 0).rss - before.rss
    print(f"grown by {grown / MEBIBYTE:.1f} MiB")
    assert grown < GROWTH_MOST
