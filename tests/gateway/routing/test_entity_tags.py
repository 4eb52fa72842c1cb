"""Entity tags and conditional requests (RFC 9110)."""

from __future__ import annotations

import httpx
import pytest

from gateway.routing import entity_tags
from gateway.routing.registry import GAMES

MATCH_SUBRESOURCES = ("", "/legal-moves", "/score", "/history", "/record")


async def _new_match(rest: httpx.AsyncClient, game: str, **more: object) -> tuple[str, list[dict[str, str]]]:
    """The path of a new match of two, and the headers of a spectator and of each seat."""
    new_game = await rest.post(f"/v1/{game.replace('_', '-')}/matches", json={"seats": [{}, {}], **more})
    assert new_game.status_code == 201, new_game.text
    tokens = [{"Authorization": f"Bearer {seat['token']}"} for seat in new_game.json()["seats"]]
    return new_game.headers["location"], [{}, *tokens]


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_fault08_the_tag_of_one_view_never_matches_another(game: str, rest: httpx.AsyncClient) -> None:
    path, observers = await _new_match(rest, game)
    for part in MATCH_SUBRESOURCES:
        seen = [await rest.get(path + part, headers=headers) for headers in observers]
        if seen[0].status_code != 200:
            continue  # the record, which is there after the end
        for shown in seen:
            for headers, own in zip(observers, seen, strict=True):
                answer = await rest.get(path + part, headers={**headers, "If-None-Match": shown.headers["etag"]})
                expected = (304, b"") if own.content == shown.content else (200, own.content)
                assert (answer.status_code, answer.content) == expected
                assert answer.headers["etag"] == own.headers["etag"]
                assert answer.headers["cache-control"] == "private, no-cache"
                assert "Authorization" in answer.headers["vary"]


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_fault08_different_views_have_different_tags(game: str, rest: httpx.AsyncClient) -> None:
    path, observers = await _new_match(rest, game)
    seen = [await rest.get(path, headers=headers) for headers in observers]
    assert len({shown.headers["etag"] for shown in seen}) == len({shown.content for shown in seen}) == len(observers)
    assert {entity_tags.newest_revision(shown.headers["etag"]) for shown in seen} == {seen[0].json()["revision"]}


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_fault08_the_tag_of_any_observer_is_valid_in_if_match(game: str, rest: httpx.AsyncClient) -> None:
    path, observers = await _new_match(rest, game)
    match_response = await rest.get(path)
    seat = match_response.json()["toMove"][0]
    other = (await rest.get(path, headers=observers[2 - seat])).headers["etag"]
    [first, *_] = (await rest.get(f"{path}/legal-moves", headers=observers[1 + seat])).json()["moves"]
    body = {"notation": first["notation"]}

    async def move_if_match(if_match: str) -> httpx.Response:
        return await rest.post(f"{path}/moves", json=body, headers={**observers[1 + seat], "If-Match": if_match})

    assert (await move_if_match(f"W/{match_response.headers['etag']}")).status_code == 400  # a weak tag never matches
    assert (await move_if_match('"99"')).status_code == 409
    assert (await move_if_match(f'"0", {other}')).status_code == 200
    assert (await move_if_match(match_response.headers["etag"])).status_code == 409


async def test_fault08_responses_to_get_are_not_cached_by_shared_caches(rest: httpx.AsyncClient) -> None:
    path, observers = await _new_match(rest, "fireship", private=True)
    unseen = await rest.get(path)
    assert (unseen.status_code, unseen.headers["cache-control"]) == (404, "no-store")
    assert (await rest.get(f"{path}/events", headers={"Last-Event-ID": "x"})).headers["cache-control"] == "no-store"
    games = await rest.get("/v1/games")
    not_modified = await rest.get("/v1/games", headers={"If-None-Match": f"W/{games.headers['etag']}"})
    assert (not_modified.status_code, not_modified.headers["etag"]) == (304, games.headers["etag"])
    assert (await rest.get(path, headers={**observers[1], "If-None-Match": "*"})).status_code == 304
    assert (await rest.post("/v1/fireship:newGame", json={"seats": [{}, {}]})).headers["cache-control"] == "no-store"


async def test_fault08_tags_in_several_header_lines_are_one_list(rest: httpx.AsyncClient) -> None:
    path, _ = await _new_match(rest, "fireship")
    known = (await rest.get(path)).headers["etag"]
    lines = [("If-None-Match", '"a,b"'), ("If-None-Match", known)]
    assert (await rest.get(path, headers=lines)).status_code == 304


async def test_fault08_the_204_of_an_ended_stream_is_not_cached(rest: httpx.AsyncClient) -> None:
    path, observers = await _new_match(rest, "fireship")
    assert (await rest.post(f"{path}:leave", headers=observers[1])).json()["match"]["over"]
    last = (await rest.get(path)).json()["revision"]
    ended = await rest.get(f"{path}/events", headers={"Last-Event-ID": f"{last}-over"})
    assert (ended.status_code, ended.headers["cache-control"]) == (204, "no-store")


@pytest.mark.parametrize(
    ("value", "listed"),
    [
        ('"a"', [(False, "a")]),
        ('W/"a", "b,c"', [(True, "a"), (False, "b,c")]),
        (', "a" ,,\t"b",', [(False, "a"), (False, "b")]),
        ('""', [(False, "")]),
        ("*", []),
        ("a", []),
        ('"a" "b"', []),
        ('w/"a"', []),
        ('"a', []),
    ],
)
def test_a_list_of_tags_is_parsed(value: str, listed: list[tuple[bool, str]]) -> None:
    assert entity_tags.parse_tags(value) == listed
