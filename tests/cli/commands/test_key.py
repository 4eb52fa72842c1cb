"""Command `fireside key`, and calls with the keys that it creates."""

from __future__ import annotations

import signal

import httpx
import pytest

from cli.client import connect, game_client
from cli.main import main
from cli.servers.local_service import service_url
from fireside_client import FiresideClient, FiresideError
from fireside_client.types.any_game import Game, SeatSpec
from runtime import api_keys
from tests.services.processes import Process

TWO_SEATS = {"seats": [{"name": "Ada"}, {"name": "Ben"}]}


def start_match(client: FiresideClient, game: Game) -> str:
    """The id of a new match with the fewest seats."""
    seats: list[SeatSpec] = [{"name": "seat"}] * game["minSeats"]
    return game_client(client, game["name"]).new_match(seats)["matchId"]


def create_key(capsys: pytest.CaptureFixture[str], name: str) -> tuple[str, str]:
    """A key and its entry."""
    assert main(["key", name]) == 0
    key, entry = (line.split()[-1] for line in capsys.readouterr().out.splitlines())
    return key, entry


def test_a_new_key_is_printed_with_its_settings_entry(capsys: pytest.CaptureFixture[str]) -> None:
    key, entry = create_key(capsys, "ours")
    assert key not in entry
    assert api_keys.parse(entry).holder(key) == "ours"
    assert create_key(capsys, "ours")[0] != key


def test_an_invalid_name_of_a_key_is_reported_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["key", "a:b"]) == 2
    assert capsys.readouterr().err.startswith("fireside: a name has ")


def test_a_service_that_requires_keys_accepts_a_created_key(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    key, entry = create_key(capsys, "ours")
    with Process("serve", "--port", "0", "--grpc-port", "0", FIRESIDE_API_KEYS=entry) as serving:
        url = next(word for word in serving.line().split() if word.startswith("http://"))
        with connect(url) as client:
            games = client.games()
            for game in games:
                with pytest.raises(FiresideError, match="requires an API key"):
                    start_match(client, game)
        monkeypatch.setenv("FIRESIDE_API_KEY", key)
        with connect(url) as client:
            for game in games:
                assert start_match(client, game)
        wrong = httpx.post(f"{url}/v1/fire-bulls/matches", json=TWO_SEATS, headers={"X-Api-Key": api_keys.new_key()})
        _, log = serving.stop()
    assert wrong.status_code == 401
    assert wrong.headers["www-authenticate"] == 'ApiKey realm="fireside"'
    assert key not in log + entry


def test_a_service_started_by_the_command_requires_no_key(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIRESIDE_API_KEYS", create_key(capsys, "ours")[1])
    monkeypatch.setenv("FIRESIDE_RATE_LIMIT", "1/day")
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        with service_url(None) as url, connect(url) as client:
            [game, *_] = client.games()
            assert start_match(client, game)
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def test_fault06_a_service_started_by_the_command_allows_bots_a_long_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIRESIDE_BOT_LIMITS", "milliseconds=5")
    with service_url(None) as url, connect(url) as client:
        game = client.games()[0]
        seats: list[SeatSpec] = [{"bot": "mcts:milliseconds=9500"}, *[SeatSpec()] * (game["minSeats"] - 1)]
        assert game_client(client, game["name"]).new_match(seats)["matchId"]
