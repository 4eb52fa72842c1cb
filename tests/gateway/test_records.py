"""Leaving, records and private matches over REST, before a real engine."""

from __future__ import annotations

import httpx

from tests.gateway.test_end_to_end import MATCHES, Table, table

__all__ = ["table"]


async def test_a_player_leaves_and_the_record_of_the_match_is_told_then(table: Table) -> None:
    early = await table.see("/record")
    assert (early.status_code, early.json()["reason"]) == (409, "MATCH_NOT_OVER")
    seat, _ = await table.to_move()
    stranger = await table.rest.post(f"{table.path}:leave", json={})
    assert (stranger.status_code, stranger.json()["reason"]) == (401, "UNAUTHENTICATED")
    left = await table.rest.post(f"{table.path}:leave", json={}, headers=table.key(seat))
    assert left.status_code == 200
    assert left.json()["match"]["over"]
    assert left.json()["events"][0]["notation"] == "leave"
    record = (await table.see("/record")).json()
    assert len(record["events"]) == left.json()["revision"]
    assert record["result"]["reason"] == "left"
    assert record["commitment"] == left.json()["match"]["commitment"]


async def test_leaving_a_match_that_is_over_is_refused(table: Table) -> None:
    first, _ = await table.to_move()
    for seat, reason in ((first, None), (first, "MATCH_OVER"), (1 - first, "MATCH_OVER")):
        answer = await table.rest.post(f"{table.path}:leave", json={}, headers=table.key(seat))
        assert answer.json().get("reason") == reason


async def test_a_private_match_is_there_for_its_seats_alone(rest: httpx.AsyncClient) -> None:
    begun = (await rest.post(MATCHES, json={"seats": [{}, {}], "private": True})).json()
    path = f"{MATCHES}/{begun['matchId']}"
    key = {"Authorization": f"Bearer {begun['seats'][1]['token']}"}
    for what in ("", "/legal-moves", "/score", "/history", "/record", "/events"):
        refused = await rest.get(path + what)
        assert (refused.status_code, refused.json()["reason"]) == (404, "UNKNOWN_MATCH")
    assert (await rest.get(path, headers=key)).json()["seat"] == 1
    assert (await rest.get(f"{path}/history", headers=key)).status_code == 200
