"""The page's files as HTTP resources: what they send, who may frame them, and that they are the whole page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import httpx
import pytest

from engine_core.games import GAMES
from engine_core.words import LOCALES
from gateway import problems
from runtime.rules_pages import rules_pages

STATIC = Path(__file__).parents[3] / "gateway" / "page" / "static"
FILES = sorted(str(path.relative_to(STATIC)) for path in STATIC.rglob("*") if path.suffix not in ("", ".html"))
PATHS = ["/", "/match/fire_bulls/1", "/matches", "/tournaments", "/tournaments/1", "/replay", "/replay/fireship/1"]
MOST_BYTES = 300_000


@pytest.mark.parametrize("path", PATHS)
async def test_a_path_of_the_page_is_its_document_which_nobody_may_frame(path: str, client: httpx.AsyncClient) -> None:
    response = await client.get(path)
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    policy = response.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; ")
    assert policy.endswith("; frame-ancestors 'none'")
    assert "unsafe" not in policy
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["referrer-policy"] == "no-referrer"
    assert re.search('<script type="module" src="/page/[0-9a-f]{16}/main.js">', response.text)


async def test_an_embedded_board_may_be_framed_by_all(client: httpx.AsyncClient) -> None:
    response = await client.get("/embed/fire_bulls/1")
    assert response.headers["content-security-policy"].endswith("; frame-ancestors *")


@pytest.mark.parametrize("name", FILES)
async def test_a_file_is_served_and_cached(name: str, client: httpx.AsyncClient) -> None:
    response = await client.get(f"/page/{name}")
    assert response.status_code == 200
    assert response.content == (STATIC / name).read_bytes()
    assert response.headers["x-content-type-options"] == "nosniff"
    kinds = {"css": "text/css", "js": "text/javascript", "json": "application/json", "svg": "image/svg+xml"}
    assert response.headers["content-type"].partition(";")[0] == kinds[name.rpartition(".")[2]]
    cached = await client.get(f"/page/{name}", headers={"If-None-Match": response.headers["etag"]})
    assert cached.status_code == 304


async def test_files_that_the_document_names_are_cached_for_good(client: httpx.AsyncClient) -> None:
    named = re.findall('"(/page/[^"]+)"', (await client.get("/")).text)
    assert len(named) > 10
    for path in named:
        response = await client.get(path)
        assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert response.content == (STATIC / path.split("/", 3)[3]).read_bytes()


async def test_a_page_of_another_version_gets_files_that_it_does_not_cache(client: httpx.AsyncClient) -> None:
    current, other = [await client.get(f"/page/{folder}main.js") for folder in ("", "0123456789abcdef/")]
    assert (other.content, other.headers["cache-control"]) == (current.content, "public, no-cache")
    assert (await client.get("/page/0123456789abcdef/nothing.js")).status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/page/",
        "/page/nothing.js",
        "/page/index.html",
        "/page/../routes.py",
        "/page/words/",
        "/page/words/%2e%2e/%2e%2e/routes.py",
        "/match/x",
    ],
)
async def test_nothing_else_is_served(path: str, client: httpx.AsyncClient) -> None:
    response = await client.get(path)
    assert (response.status_code, response.json()["reason"]) == (404, "UNKNOWN_ROUTE")


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("game", GAMES)
async def test_the_rules_of_a_game_are_html_without_scripts_and_styles(
    game: str, locale: str, client: httpx.AsyncClient
) -> None:
    response = await client.get(f"/page/rules/{game}/{locale}")
    assert response.status_code == 200
    assert response.text.startswith("<h2>")
    assert "<table>" in response.text
    assert "<img" not in response.text
    assert not re.search("<script|style=|javascript:", response.text)


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("game", GAMES)
async def test_players_read_no_section_for_programs(game: str, locale: str, client: httpx.AsyncClient) -> None:
    response = await client.get(f"/page/rules/{game}/{locale}")
    headings = re.findall("<h2>(.*)</h2>", response.text)
    page = rules_pages()[game, locale].read_text("utf-8")
    assert headings == re.findall(r"^## (.*)\n(?!<!-- for programs -->)", page, re.MULTILINE)
    assert "\n<!-- for programs -->\n" in page
    assert not re.search("/v1/|--&gt;", response.text)


BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
"""The header `Accept` of a browser that opens a page."""


@pytest.mark.parametrize(
    ("language", "lang", "home"),
    [("de, fr-CH;q=0.5", "fr", "Vers les jeux"), ("it", "it", "Ai giochi"), ("", "en", "To the games")],
)
@pytest.mark.parametrize("path", ["/nothing", "/v1/nothing", "/page/rules/chess/en"])
async def test_a_browser_gets_a_page_for_an_unknown_path(
    path: str, language: str, lang: str, home: str, client: httpx.AsyncClient
) -> None:
    response = await client.get(path, headers={"Accept": BROWSER, "Accept-Language": language})
    assert response.status_code == 404
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.headers["content-security-policy"].startswith("default-src 'none'; style-src 'self'; ")
    assert f'<html lang="{lang}">' in response.text
    assert f'<a href="/">{home}</a>' in response.text


@pytest.mark.parametrize("accept", ["*/*", "application/json", "", "application/problem+json, text/html;q=0.5"])
async def test_programs_get_a_problem_for_an_unknown_path(accept: str, client: httpx.AsyncClient) -> None:
    response = await client.get("/nothing", headers={"Accept": accept})
    assert (response.status_code, response.headers["content-type"]) == (404, "application/problem+json")


async def test_errors_of_calls_are_problems_in_a_browser_too(client: httpx.AsyncClient) -> None:
    response = await client.post("/nothing", headers={"Accept": BROWSER})
    assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("path", ["/page/rules/chess/en", "/page/rules/fire_bulls/de", "/page/rules/fire_bulls/*"])
async def test_there_are_no_other_rules(path: str, client: httpx.AsyncClient) -> None:
    assert (await client.get(path)).status_code == 404


def test_the_page_is_small() -> None:
    total = sum(path.stat().st_size for path in STATIC.rglob("*") if path.is_file())
    print(f"\nthe page: {total} bytes")
    assert total < MOST_BYTES


def words(locale: str) -> dict[str, str]:
    texts: dict[str, str] = json.loads(STATIC.joinpath(f"words/words.{locale}.json").read_text("utf-8"))
    return texts


@pytest.mark.parametrize("locale", LOCALES[1:])
def test_all_texts_are_translated(locale: str) -> None:
    english, translated = words("en"), words(locale)
    assert list(translated) == list(english)
    for key, text in english.items():
        assert sorted(re.findall(r"\{\w+\}", text)) == sorted(re.findall(r"\{\w+\}", translated[key])), key


def test_every_reason_of_an_error_is_said_in_words() -> None:
    assert {f"error.{reason}" for reason in problems.reasons()} <= {*words("en")}


def test_the_texts_are_those_that_the_scripts_name() -> None:
    scripts = "".join(path.read_text("utf-8") for path in STATIC.rglob("*.js"))
    named = set(re.findall(r'\btext\(\s*"([^"]+)"', scripts))
    assert named - set(words("en")) == set()
    prefixes = tuple(re.findall(r"[`\"]([a-z]+\.(?:[a-zA-Z]+\.)*)\$\{", scripts))
    assert [key for key in words("en") if f'"{key}"' not in scripts and not key.startswith(prefixes)] == []
