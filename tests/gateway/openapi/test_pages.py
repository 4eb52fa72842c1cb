"""Swagger UI and the OpenAPI document as HTTP resources."""

from __future__ import annotations

import re

import httpx
import pytest

EXTERNAL_URL = re.compile(r"(?:https?:)?//[\w.-]+\.\w+")


async def test_the_page_loads_nothing_from_other_hosts(client: httpx.AsyncClient) -> None:
    page = (await client.get("/docs")).text
    assert EXTERNAL_URL.findall(page) == []


async def test_the_stylesheet_loads_nothing_from_other_hosts(client: httpx.AsyncClient) -> None:
    style = (await client.get("/docs/assets/swagger-ui.css")).text
    assert [url for url in re.findall(r"url\(([^)]*)\)", style) if not url.strip("\"'").startswith("data:")] == []
    assert "@import" not in style


async def test_every_asset_that_the_page_loads_is_served(client: httpx.AsyncClient) -> None:
    page = (await client.get("/docs")).text
    addresses = [address for address in re.findall(r'(?:src|href)="([^"]+)"', page) if not address.startswith("data:")]
    assert len(addresses) == 2
    for address in addresses:
        assert (await client.get(f"/{address}")).status_code == 200


async def test_the_page_shows_the_document_of_the_gateway(client: httpx.AsyncClient) -> None:
    page = (await client.get("/docs")).text
    [address] = re.findall(r"url: '([^']+)'", page)
    assert (await client.get(f"/{address}")).json()["info"]["title"] == "Fireside"


@pytest.mark.parametrize("path", ["/docs/assets/../../settings.py", "/docs/assets/nothing.js"])
async def test_no_other_file_is_served_next_to_the_page(path: str, client: httpx.AsyncClient) -> None:
    response = await client.get(path)
    assert (response.status_code, response.json()["reason"]) == (404, "UNKNOWN_ROUTE")


async def test_the_policy_of_the_page_allows_no_script_but_its_own(client: httpx.AsyncClient) -> None:
    policy = (await client.get("/docs")).headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self' 'sha256-")
    assert policy.count("'unsafe-inline'") == 1
    assert "style-src-attr 'unsafe-inline'" in policy
    assert "frame-ancestors 'none'" in policy
