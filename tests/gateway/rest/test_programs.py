"""Batches, samples and manual chance over REST, with a real engine."""

from __future__ import annotations

import httpx
import pytest

MATCHES_PATH = "/v1/fire-bulls/matches"
INLINE_PATH = "/v1/fire-bulls"


async def new_position(rest: httpx.AsyncClient, **fields: object) -> dict[str, object]:
    """A position that is not stored."""
    answer = await rest.post(f"{INLINE_PATH}:newGame", json={"seats": [{}, {}], **fields})
    position: dict[str, object] = answer.json()
    return position


async def test_a_batch_has_one_response_for_each_move(rest: httpx.AsyncClient) -> None:
    state = (await new_position(rest, options={"firstSeat": 0}))["state"]
    good = {"state": state, "seat": 0, "notation": "draw", "seed": "s"}
    body = {"requests": [good, {**good, "notation": "stop"}, good], "legalMoves": True}
    answer = await rest.post(f"{INLINE_PATH}:batchApply", json=body)
    assert answer.status_code == 200
    first, refused, repeated = answer.json()["results"]
    assert first == repeated
    assert [each["seat"] for each in first["legalMoves"]] == first["response"]["match"]["toMove"] == [0]
    assert first["response"] == (await rest.post(f"{INLINE_PATH}:apply", json=good)).json()
    assert refused["problem"] == {
        "reason": "ERROR_REASON_ILLEGAL_MOVE",
        "detail": "'stop' is not legal for seat 0 now",
        "metadata": {"seat": "0", "move": "stop"},
    }


async def test_a_batch_of_too_many_moves_is_refused(rest: httpx.AsyncClient) -> None:
    refused = await rest.post(f"{INLINE_PATH}:batchApply", json={"requests": [{}] * 1025})
    assert (refused.status_code, refused.json()["reason"]) == (400, "INVALID_REQUEST")
    assert [violation["field"] for violation in refused.json()["violations"]] == ["requests"]


async def test_a_batch_of_too_many_bytes_is_refused(rest: httpx.AsyncClient) -> None:
    state = (await new_position(rest))["state"]
    refused = await rest.post(f"{INLINE_PATH}:batchApply", json={"requests": [{"state": state}] * 1024})
    assert (refused.status_code, refused.json()["reason"]) == (413, "TOO_LARGE")


async def test_chance_moves_can_be_chosen_by_the_client(rest: httpx.AsyncClient) -> None:
    state = (await new_position(rest, chance="CHANCE_MANUAL"))["state"]
    listed = (await rest.post(f"{INLINE_PATH}:legalMoves", json={"state": state, "nature": True})).json()
    assert "seat" not in listed
    assert sum(move["weight"] for move in listed["moves"]) == 54
    body = {"state": state, "nature": True, "move": listed["moves"][3]["move"], "chance": "CHANCE_MANUAL"}
    answer = (await rest.post(f"{INLINE_PATH}:apply", json=body)).json()
    assert [event["notation"] for event in answer["events"]] == [listed["moves"][3]["notation"]]
    assert answer["match"]["toMove"] == []


async def test_chance_moves_of_a_stored_match_cannot_be_chosen(rest: httpx.AsyncClient) -> None:
    match = (await rest.post(MATCHES_PATH, json={"seats": [{}, {}]})).json()
    path, key = f"{MATCHES_PATH}/{match['matchId']}", {"Authorization": f"Bearer {match['seats'][0]['token']}"}
    responses = [
        await rest.post(MATCHES_PATH, json={"seats": [{}, {}], "chance": "CHANCE_MANUAL"}),
        await rest.post(f"{path}/moves", json={"notation": "draw", "chance": "CHANCE_MANUAL"}, headers=key),
        await rest.post(f"{path}/moves", json={"notation": "draw", "nature": True}, headers=key),
        await rest.get(f"{path}/legal-moves?nature=true", headers=key),
    ]
    assert [each.status_code for each in responses] == [400] * 4
    fields = [[violation["field"] for violation in each.json()["violations"]] for each in responses]
    assert fields == [["chance"], ["chance"], ["nature"], ["nature"]]


async def test_an_inline_state_is_sampled(rest: httpx.AsyncClient) -> None:
    state = (await new_position(rest))["state"]
    body = {"state": state, "seat": 1, "count": 4, "seed": "s"}
    answers = [await rest.post(f"{INLINE_PATH}:sample", json=body) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json() == answers[1].json()
    hands = [sampled["seats"][1]["hand"] for sampled in answers[0].json()["states"]]
    assert len(hands) == 4
    assert all(hand == hands[0] for hand in hands)


async def test_a_stored_match_is_sampled_for_the_seat_of_the_token(rest: httpx.AsyncClient) -> None:
    match = (await rest.post(MATCHES_PATH, json={"seats": [{}, {}]})).json()
    path = f"{MATCHES_PATH}/{match['matchId']}"
    key = {"Authorization": f"Bearer {match['seats'][1]['token']}"}
    hand = (await rest.get(path, headers=key)).json()["view"]["seats"][1]["hand"]
    answer = await rest.post(f"{path}:sample", json={"count": 3}, headers=key)
    assert answer.status_code == 200
    assert [sampled["seats"][1]["hand"] for sampled in answer.json()["states"]] == [hand] * 3
    other = await rest.post(f"{path}:sample", json={"count": 3, "seat": 0}, headers=key)
    assert (other.status_code, other.json()["reason"]) == (403, "PERMISSION_DENIED")
    without = await rest.post(f"{path}:sample", json={"count": 3, "seat": 0})
    assert (without.status_code, without.json()["reason"]) == (401, "UNAUTHENTICATED")
    assert (await rest.post(f"{path}:sample", json={"count": 3})).status_code == 200
    unknown = await rest.post(f"{MATCHES_PATH}/nothing:sample", json={"count": 3})
    assert (unknown.status_code, unknown.json()["reason"]) == (404, "UNKNOWN_MATCH")


@pytest.mark.parametrize("count", [0, 1001])
async def test_an_unsupported_number_of_samples_is_refused(count: int, rest: httpx.AsyncClient) -> None:
    refused = await rest.post(
        f"{INLINE_PATH}:sample", json={"state": (await new_position(rest))["state"], "count": count}
    )
    assert (refused.status_code, [each["field"] for each in refused.json()["violations"]]) == (400, ["count"])


async def test_a_hint_values_the_moves_of_an_inline_state_in_words(rest: httpx.AsyncClient) -> None:
    state, seat = (await new_position(rest, options={"firstSeat": 1}))["state"], 1
    body = {"state": state, "seat": seat, "bot": "greedy:samples=2", "seed": "s"}
    answers = [await rest.post(f"{INLINE_PATH}:hint", json=body, headers={"Accept-Language": "it"}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json() == answers[1].json()
    hint = answers[0].json()
    assert (hint["seat"], hint["bot"], hint["revision"]) == (seat, "greedy:samples=2", 0)
    assert [each["best"] for each in hint["moves"]].count(True) == 1
    assert all(0 <= each["value"] <= 1 and each["visits"] == 2 and each["move"]["text"] for each in hint["moves"])
    refused = await rest.post(f"{INLINE_PATH}:hint", json={"state": state, "seat": 0, "bot": "random"})
    assert (refused.status_code, [each["field"] for each in refused.json()["violations"]]) == (400, ["bot"])


async def test_a_stored_match_with_hints_says_so_and_is_no_fork_before_its_end(rest: httpx.AsyncClient) -> None:
    match = (await rest.post(MATCHES_PATH, json={"seats": [{}, {}], "hints": True})).json()
    assert match["match"]["hints"] is True
    path, seat = f"{MATCHES_PATH}/{match['matchId']}", match["match"]["toMove"][0]
    key = {"Authorization": f"Bearer {match['seats'][seat]['token']}", "Accept-Language": "en"}
    hint = await rest.post(f"{path}:hint", json={"bot": "greedy"}, headers=key)
    assert (hint.status_code, hint.json()["seat"]) == (200, seat)
    entry = (await rest.get(f"{path}/history", headers=key)).json()["events"][-1]
    assert (entry["notation"], entry["seat"], entry["text"]) == ("hint", seat, "Ask for a hint")
    refused = await rest.post(f"{path}:fork", json={"revision": 1}, headers=key)
    assert (refused.status_code, refused.json()["reason"]) == (409, "MATCH_NOT_OVER")
