"""Tournaments in Chromium: a new one, its standings while it is played, its matches."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.page.conftest import PHONE, NewPage, accessibility_violations
from tests.page.views import overflow

PLAYED = 120_000  # milliseconds


def begin(page: Page, game: str, blocks: int) -> None:
    """Fill in the form of a new tournament between two bots, and send it."""
    page.goto("/tournaments")
    page.get_by_text("New tournament").click()
    page.get_by_role("combobox", name="Game").select_option(game)
    page.get_by_label("Blocks for each table").fill(str(blocks))
    page.get_by_label("Name").fill("A cup")
    page.get_by_role("button", name="Begin the tournament").click()
    page.wait_for_url(re.compile("/tournaments/[0-9a-f]+$"))


def test_a_tournament_is_made_and_watched_to_its_end(new_page: NewPage) -> None:
    page = new_page()

    def answer_late(route: Route) -> None:
        page.wait_for_timeout(500)
        route.continue_()

    page.route("**/components*", answer_late)  # the form is sent before it has got what the chosen game offers
    begin(page, "spring_festival", 3)
    expect(page.get_by_role("heading", level=1)).to_have_text("A cup")
    expect(page.get_by_text("3 of 3 blocks")).to_be_visible(timeout=PLAYED)
    expect(page.get_by_text("finished")).to_be_visible(timeout=PLAYED)
    expect(page.get_by_role("button", name="Cancel the tournament")).to_be_hidden()
    standings = page.get_by_role("table", name="Standings")
    expect(standings.get_by_role("rowheader")).to_have_count(2)
    ratings = [cell.split()[0] for cell in standings.locator("tbody td:nth-child(3)").all_inner_texts()]
    assert [rating[0] for rating in ratings] == ["+", "\N{MINUS SIGN}"]
    plot = page.get_by_role("img", name=re.compile("^Ratings of the entrants"))
    assert plot.locator(".estimate").count() == plot.locator(".interval").count() == 2
    left, right = (each.get_attribute("cx") for each in reversed(plot.locator(".estimate").all()))
    assert float(str(left)) < float(str(right)), "the better one is farther right, and first"
    pairs = page.get_by_role("table", name="Pairs")
    [one] = re.findall(r"(\d+)%", pairs.locator("tbody tr:nth-child(1) td:nth-child(3)").inner_text())[:1]
    [other] = re.findall(r"(\d+)%", pairs.locator("tbody tr:nth-child(2) td:nth-child(2)").inner_text())[:1]
    assert int(one) + int(other) == 100
    page.get_by_role("button", name="Show the matches").click()
    matches = page.get_by_role("table", name="Matches")
    expect(matches.locator("tbody tr")).to_have_count(6)
    pairs.get_by_role("button").first.click()
    expect(page.get_by_role("status").filter(has_text="Matches of")).to_be_visible()
    expect(matches.locator("tbody tr")).to_have_count(6)
    command = page.get_by_label("Command", exact=True).input_value()
    assert command.startswith("fireside tournament run --game spring_festival --entrants random,greedy")
    assert accessibility_violations(page) == []
    watch_a_match(page)
    page.get_by_role("link", name="All tournaments").click()
    expect(page.get_by_role("listitem").filter(has_text="A cup")).to_contain_text("finished")


def watch_a_match(page: Page) -> None:
    """Replay the last match that is listed, from its start to its end, verify it, and go back."""
    moves = page.get_by_role("table", name="Matches").locator("tbody tr:last-child td:nth-child(4)").inner_text()
    page.get_by_role("table", name="Matches").get_by_role("link", name="Watch").last.click()
    expect(page.locator(".picture svg")).to_be_visible()
    expect(page.locator(".sentence")).to_contain_text(f"{moves} / {moves}")
    at_end = page.locator(".picture svg").inner_html()
    page.get_by_label("Position in the match").fill("0")
    page.wait_for_function("end => document.querySelector('.picture svg').innerHTML !== end", arg=at_end)
    page.get_by_role("button", name="To the end").click()
    page.wait_for_function("end => document.querySelector('.picture svg').innerHTML === end", arg=at_end)
    page.get_by_role("button", name="Verify now").click()
    expect(page.locator(".verdict")).to_have_text(re.compile("^Not proved: nothing wrong was found"))
    expect(page.locator(".checks")).to_contain_text("the record is not signed")
    assert accessibility_violations(page) == []
    page.get_by_role("link", name="To the tournament").click()


def test_a_tournament_is_cancelled(new_page: NewPage) -> None:
    page = new_page()
    begin(page, "fire_bulls", 1000)
    page.get_by_role("button", name="Cancel the tournament").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel the tournament").click()
    expect(page.get_by_text("cancelled")).to_be_visible()


def test_a_refused_tournament_says_why(new_page: NewPage, faults: list[str]) -> None:
    page = new_page()
    page.goto("/tournaments")
    page.get_by_text("New tournament").click()
    page.get_by_label("Greedy").uncheck()
    page.get_by_role("button", name="Begin the tournament").click()
    expect(page.get_by_role("alert")).to_contain_text("Entrants")
    assert "400" in faults.pop()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_tournaments_are_accessible_and_fit_a_phone(scheme: str, new_page: NewPage) -> None:
    page = new_page(**PHONE, color_scheme=scheme, locale="it")
    page.goto("/tournaments")
    page.get_by_text("Nuovo torneo").click()
    expect(page.get_by_role("button", name="Inizia il torneo")).to_be_visible()
    assert accessibility_violations(page) == []
    assert overflow(page) == 0
