"""The frame of the page in Chromium: languages, themes, paths."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.page.conftest import NewPage, accessibility_violations


@pytest.mark.parametrize(
    ("locale", "language", "heading"),
    [
        ("en-GB", "en", "Board games by the fireside"),
        ("fr-CH", "fr", "Jeux de société au coin du feu"),
        ("it-IT", "it", "Giochi da tavolo accanto al fuoco"),
        ("de-AT", "en", "Board games by the fireside"),
    ],
)
def test_the_page_is_in_the_language_of_the_browser(
    locale: str, language: str, heading: str, new_page: NewPage
) -> None:
    page = new_page(locale=locale)
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    assert page.locator("html").get_attribute("lang") == language


def test_a_chosen_language_stays(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    page.get_by_label("Language").select_option("fr")
    expect(page.get_by_role("heading", level=1)).to_have_text("Jeux de société au coin du feu")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Jeux de société au coin du feu")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_theme_is_that_of_the_system_until_another_is_chosen(scheme: str, new_page: NewPage) -> None:
    page = new_page(color_scheme=scheme)
    page.goto("/")
    root = page.locator("html")
    expect(root).to_have_attribute("data-theme", scheme)
    other = "dark" if scheme == "light" else "light"
    page.get_by_role("button", name=other.capitalize()).click()
    expect(root).to_have_attribute("data-theme", other)
    page.reload()
    expect(root).to_have_attribute("data-theme", other)


def test_links_and_the_history_change_the_view_without_loading_the_page_again(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/tournaments")
    page.evaluate("window.isSame = true")
    page.get_by_role("link", name="Fireside").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Board games by the fireside")
    assert page.url.endswith("/")
    page.go_back()
    expect(page).to_have_url(re.compile("/tournaments$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Tournaments")
    expect(page.locator("main")).to_be_focused()
    assert page.evaluate("window.isSame")


def test_a_path_leads_calls_to_no_other_route(new_page: NewPage, faults: list[str]) -> None:
    page = new_page()
    called: list[str] = []
    page.on("request", lambda request: called.append(request.url))
    page.goto("/match/..%2Fkeys/x")
    expect(page.get_by_role("alert")).to_be_visible()
    assert not [url for url in called if "/keys/" in url]
    faults.clear()


@pytest.mark.parametrize(
    "path", ["/", "/matches", "/tournaments", "/tournaments/none", "/replay", "/match/fireship/none", "/embed/none"]
)
def test_the_document_names_all_modules_of_its_view_and_no_other(
    path: str, new_page: NewPage, faults: list[str]
) -> None:
    page = new_page()
    page.goto(path)
    page.locator("main > *").first.wait_for()
    loaded = "() => performance.getEntriesByType('resource').map(({name}) => name).filter(name => name.endsWith('.js'))"
    named = "() => [...document.querySelectorAll('[rel=modulepreload]')].map(({href}) => href)"
    assert len(page.evaluate(named)) > 10
    assert sorted(set(page.evaluate(loaded))) == sorted(page.evaluate(named))
    expected = [fault for fault in faults if "404 (Not Found)" in fault or fault.startswith("FiresideError")]
    assert faults == expected
    faults.clear()


def test_files_of_the_page_are_loaded_once(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/replay")
    page.get_by_role("heading", level=1).wait_for()
    page.goto("/replay")
    page.get_by_role("heading", level=1).wait_for()
    fetched = (
        "() => performance.getEntriesByType('resource').filter(each => each.transferSize > 0).map(({name}) => name)"
    )
    assert [name for name in page.evaluate(fetched) if "/page/" in name] == []


def test_the_documentation_of_the_api_obeys_its_policy(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/docs")
    page.locator("[data-path='/v1/games']").click(timeout=60_000)  # Swagger UI takes seconds for the whole document
    page.get_by_role("button", name="Execute").click()
    expect(page.locator(".responses-table.live-responses-table")).to_contain_text("fire_bulls")


def test_an_unknown_path_leads_home(new_page: NewPage, faults: list[str]) -> None:
    page = new_page(locale="it-IT")
    page.goto("/niente")
    assert accessibility_violations(page) == []
    page.get_by_role("link", name="Ai giochi").click()
    expect(page.get_by_role("button", name="Gioca").first).to_be_visible()
    assert all("404 (Not Found)" in fault for fault in faults)
    faults.clear()
