"""Errors of `fireside_client`: what an error response says, and pauses before a call is repeated."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fireside_client import FiresideClient, FiresideError
from fireside_client.core import Backoff
from fireside_client.types import fire_bulls
from tests.services.processes import Process


@pytest.fixture(scope="module")
def client() -> Iterator[FiresideClient]:
    process = Process("serve", "--port", "0", "--grpc-port", "0", REDIS_URL="")
    with process, FiresideClient(process.line().split()[3], retry_seconds=0) as client:
        yield client


def test_an_illegal_move_has_a_status_and_a_reason(client: FiresideClient) -> None:
    rules = client.game(fire_bulls.GAME)
    new_match = rules.new_match([{"name": "Ada"}, {"name": "Ben"}], {"firstSeat": 0})
    match = rules.match(new_match["matchId"], new_match["seats"][0]["token"])
    with pytest.raises(FiresideError, match="'stop' is not legal") as caught:
        match.apply("stop")
    error = caught.value
    assert (error.status, error.reason, error.violations) == (409, "ILLEGAL_MOVE", [])


def test_the_error_of_an_invalid_field_names_it(client: FiresideClient) -> None:
    with pytest.raises(FiresideError, match=r"^clock\.move") as caught:
        client.game(fire_bulls.GAME).new_match([{}, {}], clock={"moveSeconds": -1})
    assert caught.value.reason == "INVALID_REQUEST"
    assert caught.value.violations[0]["field"].startswith("clock.move")


@pytest.mark.parametrize("match_id", ["../../games", "../../games?x=", "x/../../../games#"])
def test_the_id_of_a_match_leads_to_no_other_route(client: FiresideClient, match_id: str) -> None:
    with pytest.raises(FiresideError) as caught:
        client.game(fire_bulls.GAME).match(match_id).get()
    assert caught.value.status == 404


def test_an_unknown_match_ends_a_stream_at_once(client: FiresideClient) -> None:
    with pytest.raises(FiresideError) as caught:
        next(iter(client.game(fire_bulls.GAME).match("nowhere").events()))
    assert caught.value.reason == "UNKNOWN_MATCH"


def test_an_invalid_token_ends_a_play_session_at_once(client: FiresideClient) -> None:
    with pytest.raises(FiresideError) as caught:
        next(iter(client.game(fire_bulls.GAME).match("nowhere", "a.b.c").play()))
    assert caught.value.status == 401


def test_an_unreachable_service_is_a_connection_error() -> None:
    with FiresideClient("http://127.0.0.1:9", retry_seconds=0.5) as client, pytest.raises(ConnectionError):
        client.games()


@pytest.mark.parametrize("url", ["127.0.0.1:8080", "ftp://127.0.0.1", ""])
def test_a_url_must_have_the_scheme_http_or_https(url: str) -> None:
    with pytest.raises(ValueError, match="is not a URL"):
        FiresideClient(url)


def test_a_pause_is_never_shorter_than_retry_after() -> None:
    reported: list[bool] = []
    backoff = Backoff(60, reported.append)
    assert backoff.pause(FiresideError(429, "RATE_LIMITED", "", retry_after=7)) == 7
    assert 0 < backoff.pause(ConnectionError()) < 1
    backoff.reset()
    assert reported == [True, False]


def test_calls_that_would_exceed_the_deadline_or_cannot_succeed_are_not_retried() -> None:
    backoff = Backoff(5, lambda is_out: None)
    for error in (FiresideError(429, "RATE_LIMITED", "", retry_after=7), FiresideError(404, "UNKNOWN_MATCH", "")):
        with pytest.raises(FiresideError):
            backoff.pause(error)
