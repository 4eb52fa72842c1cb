"""API keys in Chromium: the page demands one where the service does, and sends it as a header only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import httpx
import pytest
from playwright.sync_api import Page, Request, expect

from runtime import api_keys
from tests.clients.python.test_matches import Service
from tests.page.conftest import NewPage, accessibility_violations

KEY: Final = api_keys.new_key()


@pytest.fixture(scope="module")
def service(redis_url: str) -> Iterator[Service]:
    service = Service(redis_url, FIRESIDE_API_KEYS=api_keys.key_entry("ada", KEY))
    yield service
    service.stop()


def test_a_move_is_made_with_a_key_after_a_wrong_one(new_page: NewPage, faults: list[str]) -> None:
    page = new_page()
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request))  # Playwright sets an attribute of what it calls
    page.goto("/")
    page.get_by_role("region", name="Spring Festival").get_by_role("button", name="Play now").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("demands an API key")
    assert accessibility_violations(page) == []
    dialog.get_by_role("textbox").fill("wrong \u2013 key")
    page.keyboard.press("Enter")
    expect(dialog).to_contain_text("does not accept this API key")
    dialog.get_by_role("button", name="Without a key").click()
    expect(page.get_by_role("alert").filter(has_text="valid API key")).to_be_visible()
    page.get_by_role("region", name="Spring Festival").get_by_role("button", name="Play now").click()
    expect(dialog).to_contain_text("demands an API key")
    dialog.get_by_role("textbox").fill(f" {KEY}")
    dialog.get_by_role("button", name="Use this key").click()
    expect(page.locator(".status")).to_have_text("Your turn")
    offered = page.locator(".moves ol button")
    before = offered.first.inner_text()
    offered.first.click()
    expect(offered.first).not_to_have_text(before)
    assert any(request.headers.get("x-api-key") == KEY for request in sent)
    assert not any(KEY in request.url or KEY in (request.post_data or "") for request in sent)
    assert page.evaluate("Object.values(sessionStorage)").count(KEY) == 1
    assert KEY not in page.evaluate("JSON.stringify(localStorage)")
    assert all("401 (Unauthorized)" in fault for fault in faults)
    assert len(faults) == 3
    faults.clear()


def use_key(page: Page) -> None:
    page.get_by_role("button", name="Use an API key").click()
    page.get_by_role("dialog").get_by_role("textbox").fill(KEY)
    page.keyboard.press("Enter")


def test_the_matches_of_a_key_and_of_its_players_are_listed_live(
    new_page: NewPage, service: Service, faults: list[str]
) -> None:
    def post(path: str, **body: Any) -> Any:
        url = f"{service.url}/v1/spring-festival/matches{path}"
        return httpx.post(url, json=body, headers={"X-Api-Key": KEY}).raise_for_status().json()

    begun = post("", seats=[{"name": "Ada", "playerId": "a1"}, {"open": {}}])
    page = new_page()
    page.goto("/matches")
    listed = page.get_by_role("listitem").filter(has_text="Ada")
    use_key(page)
    expect(listed).to_have_count(1)
    page.get_by_role("button", name="Forget the key").click()  # before the lists are loaded once more
    page.wait_for_timeout(400)
    expect(page.get_by_role("alert").filter(has_text="valid API key")).to_be_hidden()
    use_key(page)
    expect(page.locator("section section").filter(has=listed).get_by_role("heading")).to_have_text(
        "Waiting for players"
    )
    expect(listed).to_contain_text("Spring Festival, ")
    page.wait_for_timeout(400)  # the lists are loaded once more when the stream has begun; what follows is by events
    post(f"/{begun['matchId']}:join", code=begun["joinCodes"][0]["code"], name="Bo", playerId="b1")
    expect(listed).to_contain_text("Ada, Bo")
    heading = page.locator("section section").filter(has=listed).get_by_role("heading")
    expect(heading).to_have_text("Your players are to move")
    assert accessibility_violations(page) == []
    page.get_by_label("Only of the player with this id").fill("nobody")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(listed).to_have_count(0)
    page.get_by_role("button", name="Forget the key").click()
    page.get_by_role("button", name="Use an API key").wait_for()
    assert KEY not in page.evaluate("JSON.stringify({...sessionStorage, ...localStorage})")
    assert all("401 (Unauthorized)" in fault for fault in faults)
    faults.clear()
