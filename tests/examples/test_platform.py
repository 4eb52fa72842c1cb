"""The example club seats two strangers, posts a picture each turn and announces the result, by webhooks alone."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from runtime import api_keys
from tests.redis_server import free_port
from tests.services.processes import Process

FOLDER = Path(__file__).parents[2] / "examples/platform"
KEY = api_keys.new_key()
MAX_LINES = 150


@contextmanager
def club(service: str, game: str, port: int) -> Iterator[str]:
    """The club at a port; its URL, once it serves."""
    url = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "granian", "--interface", "asgi", "--port", str(port), "club:app"]
    environment = {**os.environ, "FIRESIDE_URL": service, "FIRESIDE_KEY": KEY, "CLUB_URL": url, "CLUB_GAME": game}
    with subprocess.Popen(command, cwd=FOLDER, env=environment) as process:
        try:
            end = time.monotonic() + 30
            while not _serves(url):
                assert process.poll() is None
                assert time.monotonic() < end
                time.sleep(0.1)
            yield url
        finally:
            process.terminate()


def _serves(url: str) -> bool:
    try:
        return httpx.get(f"{url}/channel").is_success
    except httpx.TransportError:
        return False


def play_to_the_end(service: str, game: str, seats: list[dict[str, Any]]) -> int:
    """Make moves at random until the match is over; the number of moves."""
    path = f"{service}/v1/{game.replace('_', '-')}/matches/{seats[0]['matchId']}"
    chance, moves = random.Random(1), 0
    with httpx.Client(timeout=20) as http:
        while True:
            match = http.get(path).json()
            if match["over"]:
                return moves
            token = next(seat["token"] for seat in seats if seat["seat"] == match["toMove"][0])
            headers = {"Authorization": f"Bearer {token}"}
            legal = http.get(f"{path}/legal-moves", headers=headers).json()["moves"]
            made = http.post(f"{path}/moves", headers=headers, json={"notation": chance.choice(legal)["notation"]})
            assert made.is_success, made.text
            moves += 1


def test_two_strangers_play_a_match_that_the_channel_follows() -> None:
    game = "spring_festival"  # whose matches are the shortest: the club has no line about any game
    port = free_port()
    settings = {
        "REDIS_URL": "",
        "FIRESIDE_API_KEYS": api_keys.key_entry("club", KEY),
        "FIRESIDE_WEBHOOK_ALLOW": f"http://127.0.0.1:{port}/",
    }
    with Process("serve", "--port", "0", "--grpc-port", "0", **settings) as process:
        service = process.line().split()[3]
        with club(service, game, port) as url:
            seats = [httpx.post(f"{url}/play", json={"player": player}).json() for player in ("ada", "bo")]
            assert seats[0]["matchId"] == seats[1]["matchId"]
            assert [seat["seat"] for seat in seats] == [0, 1]
            assert play_to_the_end(service, game, seats) > 1
            posts = wait_for_result(url)
            assert sorted(post["text"] for post in posts if ": joined" in post["text"]) == ["Ada: joined", "Bo: joined"]
            turns = [post for post in posts if post["text"].endswith(" to move")]
            assert {"Ada to move", "Bo to move"} & {post["text"] for post in turns}
            assert len({post["picture"] for post in turns}) == len(turns) > 1
            drawn = httpx.get(turns[0]["picture"], timeout=30)
            assert (drawn.status_code, drawn.headers["content-type"]) == (200, "image/png")
            [result] = [post["text"] for post in posts if post["text"].startswith("The match is over")]
            assert "1. " in result
            forged = httpx.post(f"{url}/events", json={"type": "match.over"}, headers={"webhook-id": "1"})
            assert forged.status_code == 401


def wait_for_result(url: str) -> list[dict[str, Any]]:
    """The posts, once the result is announced, and nothing more comes."""
    end = time.monotonic() + 30
    posts: list[dict[str, Any]] = []
    while time.monotonic() < end:
        before, posts = len(posts), httpx.get(f"{url}/channel").json()
        if len(posts) == before and any(post["text"].startswith("The match is over") for post in posts):
            return posts
        time.sleep(0.3)
    raise AssertionError(posts[-3:])


def test_the_example_is_short() -> None:
    assert sum(len(path.read_text().splitlines()) for path in FOLDER.glob("*.py")) <= MAX_LINES
