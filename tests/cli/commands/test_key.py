"""Command `fireside key`, and calls with the keys that it creates."""

from __future__ import annotations

import signal

import httpx
import pytest

from cli.main import main
from cli.rest_client import RestClient, RestError
from cli.servers.local_service import service_url
from runtime import api_keys
from tests.services.processes import Process

TWO_SEATS = {"seats": [{"name": "Ada"}, {"name": "Ben"}]}


def made(capsys: pytest.CaptureFixture[str], name: str) -> tuple[str, str]:
    """A key and its entry."""
    assert main(["key", name]) == 0
    key, entry = (line.split()[-1] for line in capsys.readouterr().out.splitlines())
    return key, entry


def test_a_key_comes_with_its_entry(capsys: pytest.CaptureFixture[str]) -> None:
    key, entry = made(capsys, "ours")
    assert key not in entry
    assert api_keys.parse(entry).holder(key) == "ours"
    assert made(capsys, "ours")[0] != key


def test_a_name_that_the_setting_could_not_hold_is_reported_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["key", "a:b"]) == 2
    assert capsys.readouterr().err.startswith("fireside: a name has ")


def test_a_service_that_asks_for_keys_lets_their_holders_begin(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    key, entry = made(capsys, "ours")
    with Process("serve", "--port", "0", "--grpc-port", "0", FIRESIDE_API_KEYS=entry) as serving:
        url = next(word for word in serving.line().split() if word.startswith("http://"))
        with RestClient(url) as rest:
            games = rest.games()
            for game in games:
                with pytest.raises(RestError, match="requires an API key"):
                    rest.new_match(game["name"], ["seat"] * game["minSeats"], {})
            monkeypatch.setenv("FIRESIDE_API_KEY", key)
            for game in games:
                assert rest.new_match(game["name"], ["seat"] * game["minSeats"], {})["matchId"]
        wrong = httpx.post(f"{url}/v1/fire-bulls/matches", json=TWO_SEATS, headers={"X-Api-Key": api_keys.new_key()})
        _, log = serving.stop()
    assert wrong.status_code == 401
    assert wrong.headers["www-authenticate"] == 'ApiKey realm="fireside"'
    assert key not in log + entry


def test_a_service_of_the_commands_own_asks_for_none(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIRESIDE_API_KEYS", made(capsys, "ours")[1])
    monkeypatch.setenv("FIRESIDE_RATE_LIMIT", "1/day")
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        with service_url(None) as url, RestClient(url) as rest:
            [game, *_] = rest.games()
            assert rest.new_match(game["name"], ["seat"] * game["minSeats"], {})["matchId"]
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def test_fault06_a_service_of_the_commands_own_lets_bots_think_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIRESIDE_BOT_LIMITS", "milliseconds=5")
    with service_url(None) as url, RestClient(url) as rest:
        game = rest.games()[0]
        seats = [{"bot": "mcts:milliseconds=9500"}, *[{}] * (game["minSeats"] - 1)]
        assert rest.new_match(game["name"], [], {}, extra={"seats": seats})["matchId"]
