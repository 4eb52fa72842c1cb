"""The public list of matches over REST, with a real engine."""

from __future__ import annotations

import httpx
import pytest

from tests.gateway.test_end_to_end import MATCHES_PATH


async def begin(rest: httpx.AsyncClient, **fields: object) -> httpx.Response:
    return await rest.post(MATCHES_PATH, json={"seats": [{"name": "Ada"}, {"bot": "greedy"}], **fields})


async def test_listed_matches_are_got_in_pages(rest: httpx.AsyncClient) -> None:
    begun = [(await begin(rest, listed=listed)).json()["matchId"] for listed in (True, False, True, True)]
    walked: list[str] = []
    token = ""
    for size in (2, 1):
        query = {"pageSize": size, "state": "MATCH_STATE_IN_PLAY", **({"pageToken": token} if token else {})}
        page = (await rest.get(MATCHES_PATH, params=query)).json()
        assert len(page["matches"]) == size
        walked += [each["matchId"] for each in page["matches"]]
        token = page["nextPageToken"]
    assert token == ""
    assert sorted(walked) == sorted(begun[:1] + begun[2:])
    assert [(each["name"], each["bot"]) for each in page["matches"][0]["seats"]] == [("Ada", ""), ("", "greedy")]
    assert (await rest.get(MATCHES_PATH, params={"state": "MATCH_STATE_FINISHED"})).json()["matches"] == []


async def test_caches_ask_again_whether_the_list_has_changed(rest: httpx.AsyncClient) -> None:
    empty = await rest.get(MATCHES_PATH)
    assert "no-cache" in empty.headers["cache-control"]
    unchanged = {"If-None-Match": empty.headers["etag"]}
    assert (await rest.get(MATCHES_PATH, headers=unchanged)).status_code == 304
    await begin(rest, listed=True)
    assert (await rest.get(MATCHES_PATH, headers=unchanged)).status_code == 200


@pytest.mark.parametrize(
    ("query", "field"),
    [({"pageToken": "1"}, "pageToken"), ({"pageSize": 101}, "pageSize"), ({"state": "OPEN"}, "state")],
)
async def test_a_wrong_parameter_is_named(rest: httpx.AsyncClient, query: dict[str, str | int], field: str) -> None:
    refused = await rest.get(MATCHES_PATH, params=query)
    assert (refused.status_code, [each["field"] for each in refused.json()["violations"]]) == (400, [field])


async def test_a_private_match_cannot_be_listed(rest: httpx.AsyncClient) -> None:
    refused = await begin(rest, listed=True, private=True)
    assert (refused.status_code, refused.json()["violations"][0]["field"]) == (400, "listed")
