"""Home in Chromium: games, new matches, the matches of this browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from engine_core.games import GAMES
from fireside_client import FiresideClient, FiresideError
from fireside_client.types.any_game import AnyGame, Match
from tests.clients.python.test_matches import Service
from tests.page.conftest import PHONE, NewPage, accessibility_violations
from tests.page.views import overflow

FORGOTTEN: Final = """() => {
  const matches = JSON.parse(localStorage.getItem("fireside.matches"));
  const gone = {game: "fireship", matchId: "gone", begun: 0};
  localStorage.setItem("fireside.matches", JSON.stringify([...matches, gone]));
}"""
"""Adds a match to those of the browser that the service does not have any more."""


def card(page: Page, title: str) -> Locator:
    return page.get_by_role("region", name=title)


def started(page: Page, url: str) -> Match:
    """The match that a page shows, as the seat of its browser sees it."""
    page.wait_for_url(re.compile("/match/"))
    game, match_id = page.url.split("/")[-2:]
    token = page.evaluate("id => sessionStorage.getItem(`fireside.token.${id}`)", match_id)
    with FiresideClient(url) as client:
        return client.game(AnyGame(game)).match(match_id, token).get()


def begin_fireship(url: str, name: str, *, listed: bool) -> Callable[[], object]:
    """Start a match of a person against a bot; returns what ends it."""
    body = {"seats": [{"name": name}, {"bot": "random"}], "listed": listed}
    begun = httpx.post(f"{url}/v1/fireship/matches", json=body).raise_for_status().json()
    headers = {"Authorization": f"Bearer {begun['seats'][0]['token']}"}
    return lambda: httpx.post(f"{url}/v1/fireship/matches/{begun['matchId']}:leave", json={}, headers=headers)


@pytest.mark.parametrize("locale", ["en", "fr", "it"])
def test_every_game_has_a_picture_and_a_summary(locale: str, new_page: NewPage) -> None:
    page = new_page(locale=locale)
    page.goto("/")
    for game in GAMES.values():
        place = card(page, game.words(locale).title)
        expect(place).to_contain_text(game.words(locale).summary)
        expect(place.get_by_role("img")).to_have_js_property("complete", True)
        page.wait_for_function("image => image.naturalWidth > 0", arg=place.get_by_role("img").element_handle())


@pytest.mark.parametrize("game", GAMES)
def test_two_clicks_start_a_match_against_a_bot_of_a_chosen_strength(
    game: str, new_page: NewPage, service: Service
) -> None:
    page = new_page()
    page.goto("/")
    place = card(page, GAMES[game].words("en").title)
    place.get_by_label("Beginner").click()
    place.get_by_role("button", name="Play now").click()
    match = started(page, service.url)
    assert (match["game"], match.get("seat")) == (game, 0)
    assert [seat["bot"] for seat in match["seats"]] == ["", *["random"] * (GAMES[game].min_seats - 1)]


def test_a_match_starts_from_a_page_without_https(new_page: NewPage, service: Service) -> None:
    page = new_page()
    page.add_init_script("delete Crypto.prototype.randomUUID; delete Crypto.prototype.subtle")
    page.goto("/")
    card(page, "Fire Bulls").get_by_role("button", name="Play now").click()
    assert started(page, service.url)["game"] == "fire_bulls"


def test_the_keyboard_alone_starts_a_match(new_page: NewPage, service: Service) -> None:
    page = new_page()
    page.goto("/")
    place = card(page, "Fire Bulls")
    place.get_by_label("Easy").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert started(page, service.url)["seats"][1]["bot"].startswith("mcts:iterations=")


def test_the_form_sets_seats_options_clock_and_privacy(new_page: NewPage, service: Service) -> None:
    page = new_page()
    page.goto("/")
    place = card(page, "Fire Bulls")
    place.get_by_text("More choices").click()
    place.get_by_label("Number of players").select_option("3")
    place.get_by_label("Seat 1: name").fill("Ada")
    place.get_by_role("combobox", name="Seat 2").select_option("")  # this person has one seat: the other is open
    place.get_by_label("Seat 2: name").fill("Ben")
    place.get_by_role("combobox", name="Seat 3").select_option("random")
    place.get_by_label("Variant").select_option("it")
    place.get_by_text("Options of the rules").click()
    place.get_by_label("seat that begins").select_option("Seat 3")
    place.get_by_label("Clock").select_option("5 minutes for each player, and 10 seconds more with each move")
    place.get_by_label("Only the players").check()
    place.get_by_label("Delay for spectators").fill("12")
    place.get_by_label("Once it is over, show the match as each player saw it").check()
    with page.expect_request(lambda request: request.method == "POST") as sent:
        place.get_by_role("button", name="Start the match").click()
    body: Any = sent.value.post_data_json
    assert body["options"] == {"profile": "PROFILE_IT", "firstSeat": 2}
    assert body["clock"] == {"bankSeconds": 300, "incrementSeconds": 10}
    match = started(page, service.url)
    assert (match["spectatorDelay"], match["openAfter"]) == (12, True)
    assert [(seat["name"], seat["bot"], "open" in seat) for seat in match["seats"]] == [
        ("", "", True),
        ("Ben", "", False),
        ("", "random", False),
    ]
    with FiresideClient(service.url) as client, pytest.raises(FiresideError, match="there is no match"):
        client.game(AnyGame("fire_bulls")).match(match["matchId"]).get()


def test_own_matches_are_listed_with_how_they_stand_and_can_be_removed(
    new_page: NewPage, service: Service, faults: list[str]
) -> None:
    page = new_page()
    page.goto("/")
    expect(page.get_by_role("heading", name="Your matches")).to_have_count(0)
    card(page, "Spring Festival").get_by_role("button", name="Play now").click()
    page.wait_for_url(re.compile("/match/"))
    page.get_by_role("link", name="Fireside", exact=True).click()
    listed = page.get_by_role("listitem").filter(has_text="Spring Festival")
    expect(listed).to_contain_text("your turn")
    listed.get_by_role("link").click()
    page.wait_for_url(re.compile("/match/spring_festival/"))
    page.evaluate(FORGOTTEN)
    page.get_by_role("link", name="My matches").click()
    yours, gone = page.locator("section section").filter(has_text="Your turn"), page.get_by_text("Gone, or no longer")
    expect(yours.get_by_role("link")).to_have_count(1)
    expect(yours.get_by_role("listitem")).to_contain_text("Seat 1 (you), Greedy")
    expect(page.get_by_role("listitem").filter(has_text="There is no such match")).to_have_count(1)
    assert accessibility_violations(page) == []
    gone.locator("..").get_by_role("button", name="Remove").click()
    expect(gone).to_have_count(0)
    expect(yours.get_by_role("link")).to_be_focused()
    yours.get_by_role("button", name="Remove: Spring Festival").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.get_by_text("There are none.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("There are none.")).to_be_visible()
    assert all("404 (Not Found)" in fault for fault in faults)
    faults.clear()


@pytest.mark.parametrize(
    ("locale", "watch", "waiting", "none"),
    [
        ("en", "Watch Fireship", "Waiting for", "Nobody plays in public"),
        ("fr", "Regarder Fireship", "On attend", "Personne ne joue en public"),
        ("it", "Guarda Fireship", "In attesa di", "Nessuno gioca in pubblico"),
    ],
)
def test_public_matches_in_play_are_listed_without_loading_the_page_again(
    locale: str, watch: str, waiting: str, none: str, new_page: NewPage, service: Service
) -> None:
    page = new_page(locale=locale)
    page.clock.install()
    page.goto("/")
    expect(page.get_by_text(none)).to_be_visible()
    begin_fireship(service.url, "Carl", listed=False)
    leave = begin_fireship(service.url, "Ada", listed=True)
    page.clock.fast_forward(10_000)
    listed = page.get_by_role("listitem").filter(has_text="Ada")
    expect(listed).to_contain_text(re.compile(f"{watch}.*: Ada, .* — {waiting} \\w+"))
    expect(page.get_by_text(none)).to_be_hidden()
    expect(page.get_by_text("Carl")).to_have_count(0)
    listed.get_by_role("link").focus()
    page.clock.fast_forward(10_000)
    expect(listed.get_by_role("link")).to_be_focused()
    listed.get_by_role("link").click()
    expect(page.locator(".match .picture svg")).to_be_visible()
    leave()
    page.get_by_role("link", name="Fireside", exact=True).click()
    expect(page.get_by_text(none)).to_be_visible()


def test_the_form_lists_a_match_publicly_unless_it_is_private(new_page: NewPage, service: Service) -> None:
    page = new_page()
    page.goto("/")
    place = card(page, "Fireship")
    place.get_by_text("More choices").click()
    place.get_by_label("Only the players").check()
    place.get_by_label("List the match publicly").check()
    expect(place.get_by_label("Only the players")).not_to_be_checked()
    place.get_by_role("button", name="Start the match").click()
    match = started(page, service.url)
    [listed] = httpx.get(f"{service.url}/v1/fireship/matches?state=MATCH_STATE_IN_PLAY").json()["matches"]
    assert listed["matchId"] == match["matchId"]
    page.get_by_role("button", name="Leave the match").click()  # so that no other test finds it in the list
    page.get_by_role("dialog").get_by_role("button", name="Leave the match").click()
    expect(page.locator(".outcome table")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_home_is_accessible_and_fits_a_phone(scheme: str, new_page: NewPage) -> None:
    page = new_page(**PHONE, color_scheme=scheme, locale="fr")
    page.goto("/")
    for summary in ("Autres choix", "Options des règles"):
        expect(page.get_by_text(summary)).to_have_count(len(GAMES))
        for details in page.get_by_text(summary).all():
            details.click()
    assert accessibility_violations(page) == []
    assert overflow(page) == 0


def test_options_that_are_refused_are_named_in_the_language(new_page: NewPage, faults: list[str]) -> None:
    page = new_page(locale="fr-FR")
    page.goto("/")
    place = page.get_by_role("region", name="Fireship")
    place.get_by_text("Autres choix").click()
    place.get_by_text("Options des règles").click()
    place.get_by_label("dés lancés par tour").fill("9")
    place.get_by_role("button", name="Commencer la partie").click()
    expect(place.get_by_role("alert").last).to_have_text(
        re.compile("^Le service n.accepte pas cette valeur.: dés lancés par tour.$")
    )
    assert all("400 (Bad Request)" in fault for fault in faults)
    faults.clear()
