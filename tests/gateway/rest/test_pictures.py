"""Pictures over REST, with a real engine: files of every game, for seats and spectators."""

from __future__ import annotations

import httpx
import pytest

from engine_core.games import GAMES

ROUTES = [f"/v1/{name.replace('_', '-')}" for name in GAMES]


async def new_match(rest: httpx.AsyncClient, route: str, **fields: object) -> tuple[str, dict[str, str]]:
    """The path of the pictures of a new match, and the header with the token of its seat 0."""
    body = {"seats": [{"name": "Ada"}, {"name": "Ben"}], "options": {}, **fields}
    begun = (await rest.post(f"{route}/matches", json=body)).json()
    return f"{route}/matches/{begun['matchId']}/picture", {"Authorization": f"Bearer {begun['seats'][0]['token']}"}


@pytest.mark.parametrize("route", ROUTES)
async def test_every_game_has_pictures(rest: httpx.AsyncClient, route: str) -> None:
    path, token = await new_match(rest, route)
    spectator, seat = await rest.get(f"{path}.svg"), await rest.get(f"{path}.svg", headers=token)
    assert spectator.headers["content-type"] == "image/svg+xml"
    assert spectator.text.startswith("<svg ")
    assert spectator.headers["etag"] != seat.headers["etag"]
    png = await rest.get(f"{path}.png?width=200")
    assert (png.headers["content-type"], png.content[:4]) == ("image/png", b"\x89PNG")


async def test_a_spectator_gets_the_same_picture_again_only_if_it_has_changed(rest: httpx.AsyncClient) -> None:
    path, token = await new_match(rest, ROUTES[0])
    tag = (await rest.get(f"{path}.svg", headers=token)).headers["etag"]
    assert (await rest.get(f"{path}.svg", headers={**token, "If-None-Match": tag})).status_code == 304
    assert (await rest.get(f"{path}.svg?theme=dark", headers={**token, "If-None-Match": tag})).status_code == 200


async def test_a_private_match_has_pictures_for_its_seats_only(rest: httpx.AsyncClient) -> None:
    path, token = await new_match(rest, ROUTES[0], private=True)
    refused = await rest.get(f"{path}.svg")
    assert (refused.status_code, refused.json()["reason"]) == (404, "UNKNOWN_MATCH")
    assert (await rest.get(f"{path}.svg", headers=token)).status_code == 200


async def test_the_language_is_that_of_the_page(rest: httpx.AsyncClient) -> None:
    path, _ = await new_match(rest, ROUTES[0])
    english, french = [await rest.get(f"{path}.svg", headers={"Accept-Language": locale}) for locale in ("en", "fr-CH")]
    assert (english.headers["content-language"], french.headers["content-language"]) == ("en", "fr")
    assert english.text != french.text


@pytest.mark.parametrize("query", ["theme=red", "width=10", "locale=de", "revision=-1", "revision=x", "size=2"])
async def test_a_wrong_parameter_is_a_problem(rest: httpx.AsyncClient, query: str) -> None:
    path, _ = await new_match(rest, ROUTES[0])
    response = await rest.get(f"{path}.png?{query}")
    assert (response.status_code, response.headers["content-type"]) == (400, "application/problem+json")
    assert [each["field"] for each in response.json()["violations"]] == [query.partition("=")[0]]


async def test_legal_moves_have_parts_where_they_have_sentences(rest: httpx.AsyncClient) -> None:
    for route in ROUTES:
        path, _ = await new_match(rest, route)
        svg = (await rest.get(f"{path}.svg")).text
        state = (await rest.post(f"{route}:newGame", json={"seats": [{}, {}]})).json()
        body = {"state": state["state"], "seat": state["match"]["toMove"][0]}
        legal = (await rest.post(f"{route}:legalMoves", json=body, headers={"Accept-Language": "fr"})).json()["moves"]
        assert all(move["text"] and move["parts"] for move in legal)
        picture = (await rest.post(f"{route}:picture", json=body)).text
        assert all(f'id="{part}"' in picture for move in legal for part in move["parts"])
        assert svg != picture
        silent = (await rest.post(f"{route}:legalMoves", json=body)).json()["moves"]
        assert not any(move["text"] or move["parts"] for move in silent)
