"""Event streams whose clients disconnect, in every possible way, leak nothing.

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

from tests.raw_http import Connection, encode_request
from tests.runtime.telemetry.stack import Stack, running_stack
from tests.soak.leaks.test_leaks import ProcessUsage
from tests.soak.streams import RESET_ON_CLOSE

STREAM_COUNT = int(os.environ.get("FIRESIDE_ABANDONED", "60"))
MAX_OPEN = 100
"""How many are open at the same time."""
MEBIBYTE = 1 << 20
MAX_GROWTH = 10 * MEBIBYTE
CLOSE_TIMEOUT_SECONDS = 60
"""How long streams may be held after their clients have gone: two writes of what keeps them open, and slow machines."""
TOURNAMENT_SPEC = {"game": "fireship", "entrants": ["greedy", "random"], "blocks": 100}
UNREACHABLE_SCHEDULER = "tcp://127.0.0.1:1"
"""A scheduler that does not answer, so that the tournament is never over."""

AbandonConnection = Callable[[Connection], None]


def _reset_connection(connection: Connection) -> None:
    connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)


def _half_close(connection: Connection) -> None:
    connection.socket.shutdown(socket.SHUT_WR)


def _do_nothing(connection: Connection) -> None:
    pass


ABANDON_METHODS: dict[str, tuple[str, str, AbandonConnection]] = {
    "close": ("GET", "1.1", _do_nothing),
    "half-close": ("GET", "1.1", _half_close),
    "reset": ("GET", "1.1", _reset_connection),
    "second request": ("GET", "1.1", _do_nothing),
    "HEAD": ("HEAD", "1.1", _do_nothing),
    "HTTP/1.0": ("GET", "1.0", _do_nothing),
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Stack, list[str]]]:
    """A service, and the paths of the streams of a match and of a tournament."""
    folder: Path = tmp_path_factory.mktemp("abandoned")
    with (
        running_stack(
            folder, REDIS_URL="", FIRESIDE_LOG_LEVEL="INFO", DASK_SCHEDULER_ADDRESS=UNREACHABLE_SCHEDULER
        ) as running,
        httpx.Client(base_url=running.url, timeout=60) as rest,
    ):
        match = rest.post("/v1/fire-bulls/matches", json={"seats": [{}, {}]}).raise_for_status().json()["matchId"]
        tournament = (
            rest.post("/v1/tournaments", json={"spec": TOURNAMENT_SPEC}).raise_for_status().json()["tournamentId"]
        )
        try:
            yield running, [f"/v1/fire-bulls/matches/{match}/events", f"/v1/tournaments/{tournament}/events"]
        finally:
            rest.post(f"/v1/tournaments/{tournament}:cancel", json={}).raise_for_status()


def _open_and_abandon(port: int, paths: list[str], abandon_method: str, number: int) -> None:
    method, version, abandon = ABANDON_METHODS[abandon_method]
    seconds = [
        encode_request("GET", "/healthz"),
        encode_request("POST", "/v1/fire-bulls:newGame", body=b'{"seats": [{}, {}]}'),
        *(encode_request("GET", path) for path in paths),
        encode_request("HEAD", paths[0]),
    ]
    connections = []
    for path, second in zip(cycle(paths), cycle(seconds), strict=False):
        connection = Connection(port)
        connection.send(encode_request(method, path, version=version))
        assert connection.read_head(method).status == 200
        if abandon_method == "second request":
            connection.send(second)
        connections.append(connection)
        if len(connections) == number:
            break
    for connection in connections:
        abandon(connection)
        if abandon_method == "half-close":
            connection.makefile("rb").read()  # to the end, which is the server's answer to ours
        connection.close()


def _open_streams(running: Stack) -> float:
    lines = re.findall(r"^(?:fireside_streams|fireside_http_event_streams)\S* (\S+)$", running.metrics(), re.M)
    return sum(map(float, lines))


def _abandon_streams(running: Stack, paths: list[str], abandon_method: str, number: int) -> float:
    """Open and abandon `number` streams; the seconds until the server has closed all of them."""
    port = int(running.url.rpartition(":")[2])
    for _ in range(0, number, MAX_OPEN):
        _open_and_abandon(port, paths, abandon_method, min(MAX_OPEN, number))
    start_time = time.monotonic()
    while held := _open_streams(running):
        assert time.monotonic() - start_time < CLOSE_TIMEOUT_SECONDS, f"{held} streams are still open"
        time.sleep(0.1)
    return time.monotonic() - start_time


@pytest.mark.timeout(1800)
def test_fault04_abandoned_streams_are_closed(service: tuple[Stack, list[str]]) -> None:
    running, paths = service
    pid = running.pid
    start = ProcessUsage.of(pid, 0)
    for abandon_method in (
        ABANDON_METHODS
    ):  # the allocator keeps what the streams of a round take at the most: some are held for two pings
        _abandon_streams(running, paths, abandon_method, STREAM_COUNT)
    before = ProcessUsage.of(pid, 0)
    print(f"the first round: grown by {(before.rss - start.rss) / MEBIBYTE:.1f} MiB")
    for abandon_method in ABANDON_METHODS:
        seconds = _abandon_streams(running, paths, abandon_method, STREAM_COUNT)
        print(f"{abandon_method}: {STREAM_COUNT} streams, none left after {seconds:.1f} s; {ProcessUsage.of(pid, 0)}")
    grown = ProcessUsage.of(pid, 0).rss - before.rss
    print(f"grown by {grown / MEBIBYTE:.1f} MiB")
    assert grown < MAX_GROWTH
