"""Play over WebSocket: whole matches, refusals, tokens, resuming, and closing codes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from engine_core.games import GAMES
from gateway.routing.play_socket import CHOICE_BYTES, JOIN_BYTES, SUBPROTOCOL, TOKEN_PREFIX
from tests.services.processes import EngineProcess, Process


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with Process("serve", "--port", "0", "--grpc-port", "0", REDIS_URL="") as process:
        yield process.line().split()[3]


def new_match(
    url: str, game: str = "fire_bulls", seat_count: int = 2, bots: int = 0, **options: int
) -> tuple[str, list[str]]:
    """The path of a new match, and the tokens of its players."""
    body = {"seats": [{}] * (seat_count - bots) + [{"bot": "random"}] * bots, "options": options}
    path = f"/v1/{game.replace('_', '-')}/matches"
    new_game = httpx.post(url + path, json=body).raise_for_status().json()
    return f"{path}/{new_game['matchId']}", [seat["token"] for seat in new_game["seats"]]


def socket(url: str, path: str, *more: str, subprotocol: str = SUBPROTOCOL, **headers: str) -> ClientConnection:
    """A connection to the WebSocket of a match."""
    address = f"{url.replace('http:', 'ws:')}{path}/play"
    return connect(address, subprotocols=[subprotocol, *more], additional_headers=headers, open_timeout=30)  # type: ignore


def send_json(connection: ClientConnection, **message: object) -> None:
    connection.send(json.dumps(message))


def next_message(connection: ClientConnection) -> tuple[str, Any]:
    """The kind of the next message that is no heartbeat, and its content."""
    while not (message := json.loads(connection.recv(30))):
        pass
    [(kind, content)] = message.items()
    return kind, content


def closing_code_and_problem(connection: ClientConnection) -> tuple[int, dict[str, Any]]:
    """The code with which a connection is closed, and the problem before it."""
    kind, problem = next_message(connection)
    assert kind == "problem"
    with pytest.raises(ConnectionClosed) as caught:
        connection.recv(30)
    assert caught.value.rcvd is not None
    assert problem["reason"] == caught.value.rcvd.reason
    return caught.value.rcvd.code, problem


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_seat_is_played_to_the_end_of_the_match(url: str, game: str) -> None:
    random = Random(game)
    path, [token] = new_match(url, game, bots=1)
    revisions = []
    with socket(url, path) as connection:
        assert connection.subprotocol == SUBPROTOCOL
        send_json(connection, token=token, join={"fromRevision": 0, "locale": "fr"})
        kind, content = next_message(connection)
        while kind != "over":
            if kind == "event":
                assert content["text"]
                revisions.append(content["revision"])
            elif kind == "turn" and 0 not in content["toMove"]:
                assert content["revision"] == len(revisions)
                assert not content["moves"]
            elif kind == "turn":
                assert content["match"]["seat"] == 0
                chosen = random.choice(content["moves"])
                choice = {"revision": content["match"]["revision"], "notation": chosen["notation"]}
                send_json(connection, choice=choice)
            kind, content = next_message(connection)
        assert (content["revision"], content["score"]["over"]) == (len(revisions), True)
        with pytest.raises(ConnectionClosed) as caught:
            connection.recv(30)
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1000
    assert revisions == [*range(1, len(revisions) + 1)]


def test_with_batches_each_step_is_one_message(url: str) -> None:
    random = Random(1)
    path, [token] = new_match(url, bots=1)
    revisions, turns = [], 0
    with socket(url, path) as connection:
        send_json(connection, token=token, join={"fromRevision": 0, "batched": True})
        responses = [next_message(connection)]
        while "over" not in dict(responses):
            if responses[0][0] == "batch":
                responses = [pair for each in responses[0][1]["responses"] for pair in each.items()]
            revisions += [content["revision"] for kind, content in responses if kind == "event"]
            kind, content = responses[-1]
            if kind == "turn" and content["moves"]:
                turns += len(responses) > 1
                choice = {"revision": content["revision"], "notation": random.choice(content["moves"])["notation"]}
                send_json(connection, choice=choice)
            if kind != "over":
                responses = [next_message(connection)]
    assert revisions == [*range(1, responses[-1][1]["revision"] + 1)]
    assert turns > 10


def next_turn(connection: ClientConnection) -> dict[str, Any]:
    """The next turn."""
    while True:
        kind, content = next_message(connection)
        if kind == "turn" and content["moves"]:
            return dict(content)


def test_a_token_may_be_a_subprotocol_or_a_header(url: str) -> None:
    path, [token] = new_match(url, bots=1)
    with socket(url, path, TOKEN_PREFIX + token) as connection:
        send_json(connection, join={})
        assert next_turn(connection)["match"]["seat"] == 0
    with socket(url, path, Authorization=f"Bearer {token}") as connection:
        send_json(connection, join={"match_id": path.rpartition("/")[2]})
        assert next_turn(connection)["match"]["seat"] == 0


def test_both_spellings_of_a_game_have_a_play_route(url: str) -> None:
    path, [token] = new_match(url, bots=1)
    with socket(url, path.replace("fire-bulls", "fire_bulls")) as connection:
        send_json(connection, token=token, join={})
        assert next_turn(connection)["match"]["seat"] == 0


@pytest.mark.parametrize(
    "choice",
    [
        '{"choice":{"revision":1,"notation":"take purple"}}',
        '{"choice":{"notation":"draw"}}',
        '{"choice":{"revision":"x","notation":"draw"}}',
        '{"choice":{"revision":1,"nonsense":2}}',
        "[]",
        "not JSON",
        '{"join":{"matchId":"m"}}',
    ],
)
def test_a_malformed_choice_is_refused_and_the_turn_stays_open(url: str, choice: str) -> None:
    path, [token] = new_match(url, bots=1)
    with socket(url, path) as connection:
        send_json(connection, token=token, join={})
        open_turn = next_turn(connection)
        connection.send(choice)
        kind, refusal = next_message(connection)
        assert (kind, bool(refusal["detail"])) == ("refusal", True)
        send_json(
            connection,
            choice={"revision": open_turn["match"]["revision"], "notation": open_turn["moves"][0]["notation"]},
        )
        assert next_message(connection)[0] in ("turn", "over")


@pytest.mark.parametrize(
    ("first", "status", "reason"),
    [
        ('{"join":{}}', 401, "UNAUTHENTICATED"),
        ('{"token":"forged","join":{}}', 401, "UNAUTHENTICATED"),
        ('{"token":7,"join":{}}', 400, "INVALID_REQUEST"),
        ('{"choice":{"revision":1,"notation":"draw"}}', 400, "INVALID_REQUEST"),
        ('{"join":3}', 400, "INVALID_REQUEST"),
        ('{"join":{"matchId":"another"}}', 400, "INVALID_REQUEST"),
        ('{"join":{"match_id":"another"}}', 400, "INVALID_REQUEST"),
        ('{"join":{"matchId":"m","match_id":"m"}}', 400, "INVALID_REQUEST"),
        ('{"join":{"fromRevision":-1}}', 400, "INVALID_REQUEST"),
        ('{"join":{"locale":"de"}}', 400, "INVALID_REQUEST"),
        ("{", 400, "INVALID_REQUEST"),
        (json.dumps({"token": "x" * JOIN_BYTES, "join": {}}), 413, "TOO_LARGE"),
        (json.dumps({"token": "x" * 2_000_000, "join": {}}), 413, "TOO_LARGE"),
    ],
)
def test_a_refused_join_gets_the_reason_and_is_disconnected(url: str, first: str, status: int, reason: str) -> None:
    path, _ = new_match(url, bots=1)
    with socket(url, path) as connection:
        connection.send(first)
        code, problem = closing_code_and_problem(connection)
    assert (code, problem["status"], problem["reason"]) == (4000 + status, status, reason)


def test_a_choice_that_is_too_long_closes_the_connection(url: str) -> None:
    path, [token] = new_match(url, bots=1)
    with socket(url, path) as connection:
        send_json(connection, token=token, join={})
        next_turn(connection)
        connection.send("x" * (CHOICE_BYTES + 1))
        assert closing_code_and_problem(connection)[0] == 4413


def test_an_unknown_match_closes_the_connection(url: str) -> None:
    path, [token] = new_match(url, bots=1)
    with socket(url, path[:-4] + "none") as connection:
        send_json(connection, token=token, join={})
        code, problem = closing_code_and_problem(connection)
    assert (code, problem["reason"]) == (4404, "UNKNOWN_MATCH")


def test_a_binary_message_is_refused(url: str) -> None:
    path, _ = new_match(url, bots=1)
    with socket(url, path) as connection:
        connection.send(b"\x00")
        assert closing_code_and_problem(connection)[0] == 4415


def test_a_stream_is_resumed_after_the_last_event(url: str) -> None:
    path, [token] = new_match(url, bots=1)
    with socket(url, path) as connection:
        send_json(connection, token=token, join={"fromRevision": 0})
        first = next_turn(connection)
    with socket(url, path) as connection:
        send_json(connection, token=token, join={"fromRevision": first["match"]["revision"]})
        assert next_message(connection) == ("turn", first)


def test_the_end_is_sent_to_a_client_that_has_all_events(url: str) -> None:
    path, [token] = new_match(url, bots=1, firstSeat=0)  # the match ends at once, not with the turn of the bot
    ended = httpx.post(f"{url}{path}:leave", headers={"Authorization": f"Bearer {token}"}, json={}).json()
    with socket(url, path) as connection:
        send_json(connection, token=token, join={"fromRevision": ended["revision"]})
        kind, over = next_message(connection)
        assert (kind, over["revision"], over["score"]["over"]) == ("over", ended["revision"], True)


def test_the_handshake_and_choices_are_rate_limited_as_calls() -> None:
    with Process("serve", "--port", "0", "--grpc-port", "0", REDIS_URL="", FIRESIDE_RATE_LIMIT="3/hour") as process:
        url = process.line().split()[3]
        path, [token] = new_match(url, bots=1)
        with socket(url, path) as connection:
            send_json(connection, token=token, join={})
            open_turn = next_turn(connection)
            connection.send("not JSON")
            assert next_message(connection)[1]["reason"] == "ERROR_REASON_INVALID_REQUEST"
            choice = {"revision": open_turn["match"]["revision"], "notation": open_turn["moves"][0]["notation"]}
            send_json(connection, choice=choice)
            kind, refusal = next_message(connection)
            assert (kind, refusal["reason"]) == ("refusal", "ERROR_REASON_RATE_LIMITED")
            assert refusal["metadata"]["limit"] == "3/hour"
            assert 3000 < int(refusal["metadata"]["retryAfter"]) <= 3600
            with pytest.raises(InvalidStatus) as refused, socket(url, path):
                pass
            assert refused.value.response.status_code == 429
            assert int(refused.value.response.headers["Retry-After"]) > 3000
            connection.ping().wait(5)


def test_a_match_continues_without_a_gap_when_its_engine_is_killed(redis_url: str) -> None:
    with EngineProcess(redis_url).ready() as engine, gateway_of(engine.address) as gateway:
        url = gateway.line().split()[-1]
        path, [token, other] = new_match(url)
        with socket(url, path) as connection:
            send_json(connection, token=token, join={"fromRevision": 0})
            revisions = revisions_of_next_events(connection, url + path, other, 30)
            engine.kill()
            port = engine.address.rpartition(":")[2]
            with Process("engine", "--port", port, REDIS_URL=redis_url) as second:
                assert second.line()
                revisions += revisions_of_next_events(connection, url + path, other, 30)
    assert revisions == [*range(1, len(revisions) + 1)]
    assert len(revisions) >= 60


def gateway_of(engine: str) -> Process:
    return Process("gateway", "--port", "0", FIRESIDE_ENGINE_ADDRESS=engine, REDIS_URL="")


def revisions_of_next_events(connection: ClientConnection, match: str, other: str, count: int) -> list[int]:
    """The revisions of the next events, at least `count`; seat 0 plays by the connection, seat 1 over REST."""
    revisions: list[int] = []
    while len(revisions) < count:
        kind, content = next_message(connection)
        if kind == "event":
            revisions.append(content["revision"])
        elif kind == "turn" and content["moves"]:
            send_json(
                connection, choice={"revision": content["revision"], "notation": content["moves"][-1]["notation"]}
            )
        elif kind == "turn":
            bearer = {"Authorization": f"Bearer {other}"}
            listed = httpx.get(f"{match}/legal-moves", headers=bearer, timeout=30).raise_for_status().json()
            if listed["moves"] and listed["revision"] == content["revision"]:  # else the turn came again after its move
                body = {"notation": listed["moves"][-1]["notation"], "expectedRevision": content["revision"]}
                httpx.post(f"{match}/moves", json=body, headers=bearer, timeout=30).raise_for_status()
    return revisions
