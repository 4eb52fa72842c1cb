"""Responses that are files: pictures, with their media types and the headers for caches and browsers."""

from __future__ import annotations

import httpx
import pytest
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from fireside.fire_bulls.v1.fire_bulls_pb2 import State
from google.api.httpbody_pb2 import HttpBody

from tests.gateway.stub_engine import StubEngine

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"/>'
PATH = "/v1/fire-bulls/matches/m1/picture"
TOKEN = {"Authorization": "Bearer t0"}


@pytest.fixture(autouse=True)
def picture(engine: StubEngine) -> None:
    engine.answers["GetPicture"] = HttpBody(content_type="image/svg+xml", data=SVG)


async def test_a_picture_is_the_body_of_the_response(client: httpx.AsyncClient) -> None:
    response = await client.get(f"{PATH}.svg")
    assert (response.status_code, response.headers["content-type"], response.content) == (200, "image/svg+xml", SVG)


@pytest.mark.parametrize("ending", ["svg", "png"])
async def test_the_path_says_the_file(client: httpx.AsyncClient, engine: StubEngine, ending: str) -> None:
    await client.get(f"{PATH}.{ending}?revision=3&theme=dark&width=300", headers={"Accept-Language": "fr-CH"})
    expected = verbs.GetPictureRequest(match_id="m1", revision=3, theme="dark", width=300, locale="fr")
    expected.file = f"picture.{ending}"
    assert engine.requests == [expected]


async def test_an_inline_state_is_drawn_as_the_file_that_the_body_names(
    client: httpx.AsyncClient, engine: StubEngine
) -> None:
    response = await client.post("/v1/fire-bulls:picture", json={"state": {}, "seat": 1, "file": "picture.png"})
    assert (response.content, response.headers["cache-control"]) == (SVG, "no-store")
    assert engine.requests == [verbs.GetPictureRequest(state=State(), seat=1, file="picture.png")]


@pytest.mark.parametrize("query", ["file=picture.png", "state=", "unknown=1"])
async def test_the_query_cannot_have_what_the_path_says(client: httpx.AsyncClient, query: str) -> None:
    assert (await client.get(f"{PATH}.svg?{query}")).status_code == 400


async def test_a_picture_may_load_and_run_nothing(client: httpx.AsyncClient) -> None:
    headers = (await client.get(f"{PATH}.svg")).headers
    assert headers["content-security-policy"] == "default-src 'none'"
    assert headers["x-content-type-options"] == "nosniff"


async def test_an_unchanged_picture_is_not_sent_again(client: httpx.AsyncClient) -> None:
    tag = (await client.get(f"{PATH}.svg")).headers["etag"]
    again = await client.get(f"{PATH}.svg", headers={"If-None-Match": tag})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)


@pytest.mark.parametrize(
    ("query", "headers", "caching"),
    [
        ("", {}, "private, no-cache"),
        ("", TOKEN, "private, no-cache"),
        ("?revision=3", {}, "public, max-age=86400"),
        ("?revision=3", TOKEN, "private, max-age=86400"),
    ],
)
async def test_only_pictures_of_a_revision_may_be_cached(
    client: httpx.AsyncClient, query: str, headers: dict[str, str], caching: str
) -> None:
    response = await client.get(f"{PATH}.svg{query}", headers=headers)
    assert response.headers["cache-control"] == caching
    assert response.headers["vary"].startswith("Authorization, Accept-Language")


async def test_head_has_the_headers_of_get(client: httpx.AsyncClient) -> None:
    get, head = await client.get(f"{PATH}.svg"), await client.head(f"{PATH}.svg")
    for name in ("content-type", "etag", "content-length", "content-security-policy"):
        assert head.headers[name] == get.headers[name]
