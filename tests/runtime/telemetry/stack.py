"""A `fireside` process of the tests, with its log in a file and its metrics on a port."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests.redis_server import free_port
from tests.services.processes import ROOT

GAMES = ("fire-bulls", "spring-festival", "fireship")
Line = dict[str, object]


@dataclass
class Stack:
    """A running process: its URL, gRPC address, metrics URL, log file and process id."""

    url: str
    grpc: str
    metrics_url: str
    log: Path
    pid: int

    def metrics(self) -> str:
        """The metrics as Prometheus scrapes them."""
        return httpx.get(f"{self.metrics_url}/metrics").raise_for_status().text

    def lines(self) -> list[Line]:
        """The lines of the log so far, parsed."""
        return [json.loads(line) for line in self.log.read_text().splitlines()]


@contextmanager
def running_stack(folder: Path, *words: str, **environment: str) -> Iterator[Stack]:
    """Run a role, `serve` by default; at the end of the block it is terminated and must exit with 0."""
    paths = os.pathsep.join([str(ROOT), str(ROOT / "proto" / "gen")])
    port = free_port()
    telling = {"FIRESIDE_METRICS_PORT": str(port), "FIRESIDE_LOG_LEVEL": "DEBUG", "FIRESIDE_GRACE_SECONDS": "2"}
    role = words or ("serve", "--port", "0", "--grpc-port", "0")
    log = folder / f"{role[0]}-{port}.log"
    with log.open("w") as errors:
        process = subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "cli.main", *role],
            env={**os.environ, "PYTHONPATH": paths, **telling, **environment},
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        try:
            assert process.stdout is not None
            first_line = process.stdout.readline().strip()
            assert first_line, log.read_text()
            url, _, grpc = first_line.partition("is at ")[2].partition(" (gRPC ")
            yield Stack(url, grpc.rstrip(")"), f"http://127.0.0.1:{port}", log, process.pid)
            process.terminate()
            assert process.wait(30) == 0
        finally:
            process.kill()
            process.communicate()


@dataclass
class Seats:
    """A match over REST with two seats of clients and one of a bot."""

    rest: httpx.Client
    path: str
    match_id: str
    tokens: dict[int, str]
    notations: list[str] = field(default_factory=list)
    """Notations of the moves made."""

    def play(self, rounds: int) -> None:
        """Let each seat that is to move choose its first legal move, `rounds` times."""
        for _ in range(rounds):
            match = self.rest.get(self.path).raise_for_status().json()
            if match["over"]:
                return
            for seat in [seat for seat in match["toMove"] if seat in self.tokens]:
                self._choose(seat)

    def _choose(self, seat: int) -> None:
        key = {"Authorization": f"Bearer {self.tokens[seat]}"}
        moves = self.rest.get(f"{self.path}/legal-moves", headers=key).raise_for_status().json()["moves"]
        if moves:
            self.notations.append(moves[0]["notation"])
            self.rest.post(f"{self.path}/moves", json={"notation": self.notations[-1]}, headers=key)


def new_match(rest: httpx.Client, game: str, **headers: str) -> Seats:
    """Begin a match with two seats of clients and one of a bot."""
    seats = [{"name": "Ann"}, {"name": "Ben"}, {"name": "Cleo", "bot": "random"}]
    response = rest.post(f"/v1/{game}/matches", json={"seats": seats}, headers=headers).raise_for_status()
    tokens = {each.get("seat", 0): each["token"] for each in response.json()["seats"]}
    return Seats(rest, response.headers["location"], response.json()["matchId"], tokens)
