"""REST end to end: a gateway with a real engine and its embedded store."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TypeAlias

import httpx
import pytest

from gateway.routing.registry import GAMES

MATCHES_PATH = "/v1/fire-bulls/matches"
INLINE_PATH = "/v1/fire-bulls"

Fields: TypeAlias = dict[str, object]


@dataclass
class RestMatch:
    """A stored match and the tokens of its seats."""

    rest: httpx.AsyncClient
    path: str
    tokens: list[str]

    async def get(self, path_suffix: str = "", seat: int | None = None, **headers: str) -> httpx.Response:
        """GET the match, or a resource below it, with the token of the seat."""
        return await self.rest.get(self.path + path_suffix, headers={**self.authorization(seat), **headers})

    async def move(self, notation: str, seat: int | None = None, **headers: str) -> httpx.Response:
        """Make a move by its notation."""
        return await self.send({"notation": notation}, seat, **headers)

    async def send(self, body: Fields, seat: int | None = None, **headers: str) -> httpx.Response:
        """POST a body to the moves of the match."""
        return await self.rest.post(f"{self.path}/moves", json=body, headers={**self.authorization(seat), **headers})

    async def to_move(self) -> tuple[int, list[str]]:
        """The seat to move and its moves in notation."""
        [seat] = (await self.get()).json()["toMove"]
        return seat, [move["notation"] for move in (await self.get("/legal-moves", seat)).json()["moves"]]

    def authorization(self, seat: int | None) -> dict[str, str]:
        """The header with the token of the seat; empty for spectators."""
        return {} if seat is None else {"Authorization": f"Bearer {self.tokens[seat]}"}


@pytest.fixture
async def rest_match(rest: httpx.AsyncClient) -> RestMatch:
    body = {"seats": [{"name": "Ada"}, {"name": "Ben"}], "options": {"profile": "PROFILE_MERGED"}, "clientSeed": "s"}
    response = await rest.post(MATCHES_PATH, json=body)
    assert response.status_code == 201
    return RestMatch(rest, response.headers["location"], [seat["token"] for seat in response.json()["seats"]])


async def test_a_whole_match_is_played(rest_match: RestMatch) -> None:
    random = Random(5)
    while not (await rest_match.get()).json()["over"]:
        seat, moves = await rest_match.to_move()
        response = await rest_match.move(random.choice(moves), seat)
        assert response.status_code == 200
        assert response.json()["match"]["seat"] == seat
    score = (await rest_match.get("/score")).json()
    assert score["over"]
    assert score["reason"] in {"exhaustion", "general"}
    assert {standing["seat"] for standing in score["standings"] if standing["rank"] == 1} == set(score["winners"])
    over = await rest_match.move("draw", 0)
    assert (over.status_code, over.json()["reason"]) == (409, "MATCH_OVER")


async def test_a_move_may_be_given_as_a_message(rest_match: RestMatch) -> None:
    seat, _ = await rest_match.to_move()
    [first, *_] = (await rest_match.get("/legal-moves", seat)).json()["moves"]
    response = await rest_match.send({"move": first["move"]}, seat)
    assert response.status_code == 200
    assert response.json()["events"][0]["notation"] == first["notation"]


async def test_an_unchanged_match_is_304(rest_match: RestMatch) -> None:
    seat, moves = await rest_match.to_move()
    tag = (await rest_match.get("", seat)).headers["etag"]
    known = {"If-None-Match": f'"0", W/{tag}'}
    same = await rest_match.get("", seat, **known)
    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
    await rest_match.move(moves[0], seat)
    assert (await rest_match.get("", seat, **known)).json()["revision"] > 0


async def test_if_match_guards_a_move(rest_match: RestMatch) -> None:
    seat, moves = await rest_match.to_move()
    tag = (await rest_match.get("", seat)).headers["etag"]
    assert (await rest_match.move(moves[0], seat, **{"If-Match": tag})).status_code == 200
    stale = await rest_match.move(moves[0], seat, **{"If-Match": tag})
    assert (stale.status_code, stale.json()["reason"]) == (409, "STALE_REVISION")
    assert (await rest_match.get()).headers["etag"].startswith(f'"{stale.json()["metadata"]["revision"]}-')


async def test_a_repeated_idempotency_key_makes_no_second_move(rest_match: RestMatch) -> None:
    seat, moves = await rest_match.to_move()
    answers = [await rest_match.move(moves[0], seat, **{"Idempotency-Key": "k1"}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert len({answer.text for answer in answers}) == 1


async def test_history_starts_after_the_requested_revision(rest_match: RestMatch) -> None:
    seat, moves = await rest_match.to_move()
    before = (await rest_match.get()).json()["revision"]
    await rest_match.move(moves[0], seat)
    events = (await rest_match.get(f"/history?fromRevision={before}", seat)).json()["events"]
    assert events[0]["notation"] == moves[0]
    assert [event["revision"] for event in events] == list(range(before + 1, before + 1 + len(events)))


async def test_a_spectator_has_no_seat_and_sees_no_hand(rest_match: RestMatch) -> None:
    seen = (await rest_match.get()).json()
    own = (await rest_match.get("", 0)).json()
    assert "seat" not in seen
    assert not [seat for seat in seen["view"]["seats"] if "hand" in seat]
    assert own["seat"] == 0
    assert [number for number, seat in enumerate(own["view"]["seats"]) if "hand" in seat] == [0]


@pytest.mark.parametrize(
    ("notation", "body", "status", "reason"),
    [
        ("leap", {}, 400, "MALFORMED_MOVE"),
        ("stop", {}, 409, "ILLEGAL_MOVE"),
        ("draw", {"seat": 7}, 400, "SEAT_OUT_OF_RANGE"),
    ],
)
async def test_an_illegal_move_changes_nothing(
    notation: str, body: Fields, status: int, reason: str, rest_match: RestMatch
) -> None:
    before = (await rest_match.get()).text
    seat, _ = await rest_match.to_move()
    refused = await rest_match.send({"notation": notation, **body}, seat)
    assert (refused.status_code, refused.json()["reason"]) == (status, reason)
    assert (await rest_match.get()).text == before


async def test_a_seat_that_is_not_to_move_is_refused(rest_match: RestMatch) -> None:
    seat, moves = await rest_match.to_move()
    refused = await rest_match.move(moves[0], 1 - seat)
    assert (refused.status_code, refused.json()["reason"]) == (409, "NOT_YOUR_TURN")
    assert (await rest_match.get("/legal-moves", 1 - seat)).json()["moves"] == []


async def test_a_move_needs_the_token_of_its_seat(rest_match: RestMatch) -> None:
    seat, moves = await rest_match.to_move()
    without = await rest_match.move(moves[0])
    forged = await rest_match.rest.get(rest_match.path, headers={"Authorization": "Bearer x.y.z"})
    other = await rest_match.send({"notation": moves[0], "seat": seat}, 1 - seat)
    assert [without.status_code, forged.status_code, other.status_code] == [401, 401, 403]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"seats": [{}]}, "seats"),
        ({"seats": [{}] * 6}, "seats"),
        ({"seats": [{}, {}], "options": {"profile": "PROFILE_DE"}}, "options.profile"),
        ({"seats": [{}, {}], "options": {"firstSeat": 2}}, "options.firstSeat"),
        ({"seats": [{}, {"name": "x" * 65}]}, "seats[1].name"),
    ],
)
async def test_a_match_with_unsupported_options_is_refused(body: Fields, field: str, rest: httpx.AsyncClient) -> None:
    refused = await rest.post(MATCHES_PATH, json=body)
    assert refused.status_code == 400
    assert [violation["field"] for violation in refused.json()["violations"]] == [field]


async def test_an_unknown_match_is_404(rest: httpx.AsyncClient) -> None:
    response = await rest.get(f"{MATCHES_PATH}/nothing")
    assert (response.status_code, response.json()["reason"]) == (404, "UNKNOWN_MATCH")


async def test_an_inline_state_is_returned_and_accepted(rest: httpx.AsyncClient) -> None:
    state = (await rest.post(f"{INLINE_PATH}:newGame", json={"seats": [{}, {}, {}]})).json()["state"]
    for _ in range(20):
        seat = state["activeSeat"]
        listed = await rest.post(f"{INLINE_PATH}:legalMoves", json={"state": state, "seat": seat})
        [first, *_] = listed.json()["moves"]
        body = {"state": state, "seat": seat, "move": first["move"], "seed": "s"}
        answers = [await rest.post(f"{INLINE_PATH}:apply", json=body) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [200, 200]
        assert answers[0].json() == answers[1].json()
        state = answers[0].json()["state"]
    score = await rest.post(f"{INLINE_PATH}:score", json={"state": state})
    assert [standing["seat"] for standing in score.json()["standings"]] == [0, 1, 2]


async def test_an_inconsistent_inline_state_is_refused(rest: httpx.AsyncClient) -> None:
    state = (await rest.post(f"{INLINE_PATH}:newGame", json={"seats": [{}, {}]})).json()["state"]
    state["deck"]["blue"] = 60
    response = await rest.post(f"{INLINE_PATH}:score", json={"state": state})
    assert (response.status_code, response.json()["reason"]) == (400, "INCONSISTENT_STATE")


async def test_the_catalogue_and_the_probes_report_the_engine(rest: httpx.AsyncClient) -> None:
    assert [game["name"] for game in (await rest.get("/v1/games")).json()["games"]] == sorted(GAMES)
    assert (await rest.get("/readyz")).status_code == 200


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_fault11_a_repeated_idempotency_key_creates_no_second_match(game: str, rest: httpx.AsyncClient) -> None:
    matches = f"/v1/{game.replace('_', '-')}/matches"
    keys = ["8e03978e-40d5-43dd-bc93-6894a57f9324", '"8e03978e-40d5-43dd-bc93-6894a57f9324"']
    body: Fields = {"seats": [{}, {}]}
    answers = [
        await rest.post(matches, json=body, headers={"Idempotency-Key": authorization}) for authorization in keys
    ]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].content == answers[1].content
    assert answers[0].headers["location"] == answers[1].headers["location"]
    other = await rest.post(matches, json={"seats": [{}, {}], "private": True}, headers={"Idempotency-Key": keys[0]})
    assert (other.status_code, other.json()["reason"]) == (400, "REQUEST_ID_REUSED")
    guessable = await rest.post(matches, json=body, headers={"Idempotency-Key": "1"})
    assert (guessable.status_code, guessable.json()["violations"][0]["field"]) == (400, "requestId")
    token = {"Authorization": f"Bearer {answers[0].json()['seats'][0]['token']}", "Idempotency-Key": "away"}
    left = [await rest.post(f"{answers[0].headers['location']}:leave", headers=token) for _ in range(3)]
    assert [answer.status_code for answer in left] == [200, 200, 200]
    assert len({answer.content for answer in left}) == 1


async def test_fault25_the_catalogue_has_the_path_of_each_game(rest: httpx.AsyncClient) -> None:
    games = (await rest.get("/v1/games")).json()["games"]
    assert {game["name"] for game in games} == set(GAMES)
    for game in games:
        assert (await rest.post(f"{game['route']}/matches", json={"seats": [{}, {}]})).status_code == 201
        assert (await rest.post(f"{game['route']}:newGame", json={"seats": [{}, {}]})).status_code == 200


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_fault25_both_spellings_of_a_game_are_paths(game: str, rest: httpx.AsyncClient) -> None:
    new_game = await rest.post(f"/v1/{game}/matches", json={"seats": [{}, {}]})
    path = f"/v1/{game.replace('_', '-')}/matches/{new_game.json()['matchId']}"
    assert (new_game.status_code, new_game.headers["location"]) == (201, path)
    for canonical_name in (path, path.replace(game.replace("_", "-"), game)):
        assert (await rest.get(f"{canonical_name}/history")).status_code == 200
    assert (await rest.post(f"/v1/{game}:newGame", json={"seats": [{}, {}]})).status_code == 200
    assert (await rest.get(f"/v1/{game}s/matches/x")).status_code == 404


async def test_fault28_a_history_is_read_page_by_page(rest_match: RestMatch) -> None:
    whole = (await rest_match.get("/history")).json()
    assert "nextRevision" not in whole
    page = (await rest_match.get("/history?pageSize=5")).json()
    assert (page["events"], page["nextRevision"]) == (whole["events"][:5], 5)
    rest = (await rest_match.get("/history?pageSize=1000&fromRevision=5")).json()
    assert rest["events"] == whole["events"][5:]
    assert (await rest_match.get("/history?pageSize=0")).json() == whole
    assert (await rest_match.get("/history?pageSize=1001")).status_code == 400


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_fault06_a_bot_that_costs_too_much_is_a_problem_with_field_and_limit(
    game: str, rest: httpx.AsyncClient
) -> None:
    for bot, cap in (("mcts:milliseconds=600000", "1 to 1000"), ("mcts:iterations=1000000,depth=5", "1 to 2000")):
        refused = await rest.post(f"/v1/{game.replace('_', '-')}/matches", json={"seats": [{"bot": bot}, {}]})
        problem = refused.json()
        assert (refused.status_code, problem["reason"]) == (400, "INVALID_REQUEST")
        assert [each["field"] for each in problem["violations"]] == ["seats[0].bot"]
        assert cap in problem["violations"][0]["description"]
