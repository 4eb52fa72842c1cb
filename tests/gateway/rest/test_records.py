"""Leaving, records and private matches over REST, with a real engine."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
from redis.asyncio import Redis

from cli.main import main
from services.engine.settings import EngineSettings
from services.store.keys import match_keys
from tests.gateway.real_engine import client_of
from tests.gateway.test_end_to_end import MATCHES_PATH, RestMatch, rest_match

__all__ = ["rest_match"]


async def test_the_record_is_readable_after_a_player_leaves(rest_match: RestMatch) -> None:
    early = await rest_match.get("/record")
    assert (early.status_code, early.json()["reason"]) == (409, "MATCH_NOT_OVER")
    seat, _ = await rest_match.to_move()
    stranger = await rest_match.rest.post(f"{rest_match.path}:leave", json={})
    assert (stranger.status_code, stranger.json()["reason"]) == (401, "UNAUTHENTICATED")
    left = await rest_match.rest.post(f"{rest_match.path}:leave", json={}, headers=rest_match.authorization(seat))
    assert left.status_code == 200
    assert left.json()["match"]["over"]
    assert left.json()["events"][0]["notation"] == "leave"
    record = (await rest_match.get("/record")).json()
    assert len(record["events"]) == left.json()["revision"]
    assert record["result"]["reason"] == "left"
    assert record["commitment"] == left.json()["match"]["commitment"]


async def test_leaving_a_finished_match_is_refused(rest_match: RestMatch) -> None:
    first, _ = await rest_match.to_move()
    for seat, reason in ((first, None), (first, "MATCH_OVER"), (1 - first, "MATCH_OVER")):
        answer = await rest_match.rest.post(f"{rest_match.path}:leave", json={}, headers=rest_match.authorization(seat))
        assert answer.json().get("reason") == reason


async def test_a_private_match_is_visible_only_to_its_seats(rest: httpx.AsyncClient) -> None:
    new_game = (await rest.post(MATCHES_PATH, json={"seats": [{}, {}], "private": True})).json()
    path = f"{MATCHES_PATH}/{new_game['matchId']}"
    key = {"Authorization": f"Bearer {new_game['seats'][1]['token']}"}
    for what in ("", "/legal-moves", "/score", "/history", "/record", "/events"):
        refused = await rest.get(path + what)
        assert (refused.status_code, refused.json()["reason"]) == (404, "UNKNOWN_MATCH")
    assert (await rest.get(path, headers=key)).json()["seat"] == 1
    assert (await rest.get(f"{path}/history", headers=key)).status_code == 200


async def test_fault15_rest_responses_verify_the_record(rest: httpx.AsyncClient, tmp_path: Path) -> None:
    # Who leaves in its own turn ends a match of two at once (FB-87).
    beginning = {"seats": [{}, {}], "clientSeed": "of the two of us", "options": {"firstSeat": 0}}
    new_game = (await rest.post(MATCHES_PATH, json=beginning)).json()
    path = f"{MATCHES_PATH}/{new_game['matchId']}"
    key = {"Authorization": f"Bearer {new_game['seats'][0]['token']}"}
    left = (await rest.post(f"{path}:leave", json={}, headers=key)).json()
    assert left["events"][-1]["head"] == left["match"]["head"]
    assert (await rest.get(f"{path}/history", headers=key)).json()["head"] == left["match"]["head"]
    keys = await rest.get("/v1/keys")
    assert [entry["algorithm"] for entry in keys.json()["keys"]] == ["Ed25519"]
    (tmp_path / "record.json").write_bytes((await rest.get(f"{path}/record")).content)
    (tmp_path / "keys.json").write_bytes(keys.content)
    verify = ["verify", str(tmp_path / "record.json"), "--commitment", new_game["commitment"]]
    assert main([*verify, "--seat", "0", "--head", left["match"]["head"]]) == 0
    assert main([*verify, "--keys", str(tmp_path / "keys.json")]) == 0
    record = json.loads((tmp_path / "record.json").read_text())
    assert record["signature"]
    assert all(not event["head"] for event in record["events"])


async def test_fault29_a_damaged_log_is_a_500_with_its_own_reason(redis_url: str) -> None:
    async with client_of(EngineSettings(port=0, redis_url=redis_url, grace_seconds=1)) as rest:
        new_game = (await rest.post(MATCHES_PATH, json={"seats": [{}, {}]})).json()
        path = f"{MATCHES_PATH}/{new_game['matchId']}"
        async with Redis.from_url(redis_url) as redis:
            log = match_keys(new_game["matchId"])[1]
            await redis.xtrim(log, maxlen=3, approximate=False)
        for what in ("/history", "/events"):
            answer = await rest.get(path + what)
            assert (answer.status_code, answer.json()["reason"]) == (500, "LOG_CONTRADICTS_SNAPSHOT")
            assert answer.json()["metadata"]["matchId"] == new_game["matchId"]
