"""Languages over REST: Accept-Language, the field `locale`, and caching of localized responses."""

from __future__ import annotations

import httpx
import pytest

COMPONENTS_PATH = "/v1/fire-bulls/components"


@pytest.mark.parametrize(
    ("header", "query", "language"),
    [
        ("fr-CH, fr;q=0.9, en;q=0.8", "", "fr"),
        ("de, it;q=0.5", "", "it"),
        ("de", "", "en"),
        ("*", "", "en"),
        ("en;q=0, fr;q=0.1", "", "fr"),
        ("garbage;;q=x", "", "en"),
        ("fr", "it", "it"),
        ("fr", "it-CH", "it"),
        ("", "", "en"),
        ("", "fr", "fr"),
    ],
)
async def test_the_locale_field_takes_precedence_over_accept_language(
    rest: httpx.AsyncClient, header: str, query: str, language: str
) -> None:
    headers = {"Accept-Language": header}
    response = await rest.get(COMPONENTS_PATH, headers=headers, params={"locale": query} if query else {})
    assert response.status_code == 200
    assert response.json()["locale"] == language
    assert response.headers.get("content-language", "en") == language


async def test_components_may_be_cached_by_shared_caches(rest: httpx.AsyncClient) -> None:
    response = await rest.get(COMPONENTS_PATH, params={"locale": "fr"})
    assert response.headers["cache-control"] == "public, max-age=86400"
    assert response.headers["vary"] == "Accept-Language"
    not_modified = await rest.get(
        COMPONENTS_PATH, params={"locale": "fr"}, headers={"If-None-Match": response.headers["etag"]}
    )
    assert (not_modified.status_code, not_modified.content) == (304, b"")


async def test_an_unknown_language_is_a_violation(rest: httpx.AsyncClient) -> None:
    response = await rest.get(COMPONENTS_PATH, params={"locale": "de"})
    assert response.status_code == 400
    assert [violation["field"] for violation in response.json()["violations"]] == ["locale"]


async def test_moves_have_sentences_in_the_accepted_language(rest: httpx.AsyncClient) -> None:
    game = (await rest.post("/v1/fire-bulls:newGame", json={"seats": [{}, {}]})).json()
    body = {"state": game["state"], "seat": game["match"]["toMove"][0]}
    texts = {}
    for language in ("en", "fr", "it"):
        response = await rest.post("/v1/fire-bulls:legalMoves", json=body, headers={"Accept-Language": language})
        assert response.headers["content-language"] == language
        texts[language] = [move["text"] for move in response.json()["moves"]]
        assert all(texts[language])
    assert len({tuple(each) for each in texts.values()}) == 3
    plain = (await rest.post("/v1/fire-bulls:legalMoves", json=body)).json()
    assert not any(move["text"] for move in plain["moves"])
