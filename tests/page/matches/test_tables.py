"""Tables in Chromium: people meet by links, wait, are replaced by bots, hand over seats, and play again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from fireside_client import FiresideClient, FiresideError
from fireside_client.types.any_game import AnyGame
from tests.clients.python.test_matches import Service
from tests.page.conftest import PHONE, NewPage, accessibility_violations
from tests.page.matches.test_match import TWO_PERSONS, Table, open_path
from tests.page.views import overflow


def open_table(page: Page, *, listed: bool = False, seats: str = "2") -> str:
    """Begin a match of Spring Festival with one open seat by the form of a page; returns the link to the seat."""
    page.goto("/")
    form = page.get_by_role("region", name="Spring Festival")
    form.get_by_text("More choices").click()
    form.get_by_label("Number of players").select_option(seats)
    form.get_by_label("Seat 1: name").fill("Ada")
    form.get_by_role("combobox", name="Seat 2").select_option("open")
    form.get_by_label("List the match publicly").set_checked(listed)
    form.get_by_role("button", name="Start the match").click()
    link: str = page.get_by_role("textbox", name="Link to Seat 2").input_value()
    return link


def sit(page: Page, link: str, name: str) -> None:
    page.goto(link)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Sit down").click()


def leave(page: Page) -> None:
    page.get_by_role("button", name="Leave the match").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave the match").click()


def test_two_browsers_meet_by_a_link_and_the_match_begins_live(
    service: Service, new_page: NewPage, faults: list[str]
) -> None:
    ada, eve, late = new_page(), new_page(**PHONE), new_page()
    link = open_table(ada)
    expect(ada.locator(".status")).to_have_text("Waiting for players. Open seats: 1")
    assert accessibility_violations(ada) == []
    requests: list[str] = []
    eve.on("request", lambda request: requests.append(request.url))
    eve.goto(link)
    eve.get_by_label("Your name").wait_for()
    assert accessibility_violations(eve) == []
    assert overflow(eve) == 0
    sit(eve, link, "Eve")
    for page in (ada, eve):
        page.locator(".match .picture svg").wait_for()
    expect(ada.locator(".players li").nth(1)).to_contain_text("Eve")
    expect(eve.locator(".players li").nth(1)).to_contain_text("Eve (Seat 2, you")
    assert "#" not in eve.url
    code = link.partition("code=")[2]
    assert requests
    assert all(code not in url for url in requests)
    sit(late, link, "Bob")
    expect(late.get_by_role("alert")).to_contain_text("This link gives no seat any more")
    assert all("403 (Forbidden)" in fault for fault in faults)
    faults.clear()


def test_a_bot_takes_an_open_seat_and_a_player_gives_a_seat_up(new_page: NewPage) -> None:
    ada, eve = new_page(), new_page()
    link = open_table(ada, seats="3")
    ada.goto("/")
    ada.get_by_role("listitem").filter(has_text="waiting for players").get_by_role("link").click()
    expect(ada.locator(".status")).to_have_text("Waiting for players. Open seats: 1")
    ada.get_by_role("button", name="Give up my seat").click()
    expect(ada.locator(".status")).to_have_text("Waiting for players. Open seats: 2")
    sit(eve, link, "Eve")
    expect(ada.locator(".players li").nth(1)).to_contain_text("Eve")
    expect(eve.locator(".status")).to_have_text("Waiting for players. Open seats: 1")
    ada.get_by_role("combobox", name="Seat 1").select_option("random")
    ada.get_by_role("button", name="Seat 1: Put a bot there").click()
    for page in (ada, eve):
        page.locator(".match .picture svg").wait_for()


def test_the_host_withdraws_a_table(new_page: NewPage, faults: list[str]) -> None:
    ada, guest = new_page(**PHONE), new_page()
    link = open_table(ada)
    assert overflow(ada) == 0
    guest.goto(link.partition("#")[0])
    expect(guest.locator(".status")).to_have_text("Waiting for players. Open seats: 1")
    expect(guest.get_by_role("button", name="Withdraw the match")).to_have_count(0)
    ada.get_by_role("button", name="Withdraw the match").click()
    ada.get_by_role("dialog").get_by_role("button", name="Withdraw the match").click()
    expect(ada.get_by_role("heading", name="Your matches")).to_have_count(0)
    expect(guest.get_by_role("alert")).to_contain_text("This table is gone")
    assert all("404 (Not Found)" in fault for fault in faults)
    faults.clear()


def test_strangers_join_a_public_table_from_home(new_page: NewPage) -> None:
    ada, eve = new_page(), new_page()
    open_table(ada, listed=True)
    eve.goto("/")
    eve.get_by_role("link", name="Join Spring Festival: Ada, open").click()
    eve.get_by_label("Your name").fill("Eve")
    eve.keyboard.press("Enter")
    for page in (ada, eve):
        page.locator(".match .picture svg").wait_for()
    leave(eve)  # so that no other test finds the match in the public list
    expect(ada.locator(".outcome table")).to_be_visible()


def test_both_play_again_with_the_seats_moved_on(service: Service, new_page: NewPage) -> None:
    table = Table(service, "fireship", TWO_PERSONS, private=True)
    pages = new_page(), new_page()
    pages[1].clock.install()
    ada, eve = (open_path(page, invitation) for page, invitation in zip(pages, table.invitations, strict=True))
    leave(eve)
    ada.get_by_role("button", name="Play again").click()
    expect(ada.locator(".status")).to_have_text("Waiting for players. Open seats: 1")
    expect(ada.locator(".players li").nth(1)).to_contain_text("Ada")
    assert accessibility_violations(ada) == []
    eve.get_by_role("button", name="Play again").wait_for()
    eve.clock.fast_forward(5_000)
    expect(eve.get_by_role("status").filter(has_text="Ada wants a rematch.")).to_be_visible()
    assert eve.title().startswith("● Ada wants a rematch. · The match is over · Fireship")
    assert accessibility_violations(eve) == []
    eve.get_by_role("button", name="Play again").click()
    for page, seat in ((ada, "Ada (Seat 2, you"), (eve, "Eve (Seat 1, you")):
        page.locator(".match .picture svg").wait_for()
        expect(page.locator(".players")).to_contain_text(seat)
    assert ada.url == eve.url
    with FiresideClient(service.url) as client, pytest.raises(FiresideError, match="there is no match"):
        client.game(AnyGame("fireship")).match(ada.url.rpartition("/")[2]).get()  # private, as before


def test_a_spectator_of_the_end_sees_it_as_each_seat_and_is_led_to_the_rematch(
    service: Service, new_page: NewPage
) -> None:
    table = Table(service, "spring_festival", TWO_PERSONS, open_after=True)
    with FiresideClient(service.url) as client:
        seats = [client.game(AnyGame("spring_festival")).match(table.match_id, token) for token in table.tokens]
        seats[0].leave()
        for seat in seats:
            rematch = seat.rematch()
    page = open_path(new_page(locale="it-IT"), table.path)
    expect(page.get_by_role("status").filter(has_text="La rivincita è cominciata.")).to_be_visible()
    for path in (table.path, f"/replay{table.path.removeprefix('/match')}"):
        page.goto(path)
        page.get_by_label("Visto da").wait_for()
        page.locator(".picture svg").wait_for()
        hidden = page.locator(".picture svg").inner_html()
        with page.expect_response(lambda response: "picture.svg" in response.url and "seat=1" in response.url):
            page.get_by_label("Visto da").select_option("Eve")
        page.wait_for_function("seen => document.querySelector('.picture svg').innerHTML !== seen", arg=hidden)
        assert accessibility_violations(page) == []
    page.goto(table.path)
    page.get_by_role("link", name="Guarda la rivincita").click()
    expect(page).to_have_url(re.compile(rematch["matchId"]))
    page.locator(".match .moves").wait_for(state="attached")


def test_a_seat_is_handed_over_and_the_old_token_is_dead(
    service: Service, new_page: NewPage, faults: list[str]
) -> None:
    table = Table(service, "spring_festival", TWO_PERSONS)
    ada, eve = (open_path(new_page(), invitation) for invitation in table.invitations)
    ada.get_by_text("Seats", exact=True).click()
    ada.get_by_role("button", name="Hand over my seat").click()
    link = ada.get_by_role("textbox", name="Link that hands over your seat").input_value()
    assert accessibility_violations(ada) == []
    fay = new_page()
    sit(fay, link, "Fay")
    expect(fay.locator(".players li").nth(0)).to_contain_text("Fay (Seat 1, you")
    expect(eve.locator(".players li").nth(0)).to_contain_text("Fay")
    expect(eve.locator(".latest")).to_contain_text("Seat 1 is now that of Fay")
    expect(ada.get_by_role("alert")).to_contain_text("You do not have this seat any more")
    ada.get_by_role("button", name="Go on without this seat").click()
    expect(ada.locator(".players li").nth(0)).to_contain_text("Fay")
    expect(ada.get_by_role("button", name="Leave the match")).to_be_hidden()
    ada.goto(table.invitations[0])
    expect(ada.get_by_role("alert")).to_contain_text("You do not have this seat any more")
    assert all("401 (Unauthorized)" in fault for fault in faults)
    faults.clear()


def test_the_token_of_another_match_can_be_forgotten(service: Service, new_page: NewPage, faults: list[str]) -> None:
    table, other = (Table(service, "spring_festival", TWO_PERSONS) for _ in range(2))
    page = new_page()
    page.goto(f"{table.path}#token={other.tokens[0]}")
    page.get_by_role("button", name="Go on without this seat").click()
    expect(page.locator(".players li").nth(0)).to_contain_text("Ada")
    assert all("403 (Forbidden)" in fault for fault in faults)
    faults.clear()


def test_a_browser_with_two_seats_that_loses_one_has_the_other(
    service: Service, new_page: NewPage, faults: list[str]
) -> None:
    table = Table(service, "spring_festival", TWO_PERSONS)
    ada = open_path(new_page(), table.invitations[0])
    eve = open_path(ada.context.new_page(), table.invitations[1])
    with FiresideClient(service.url) as client:
        client.game(AnyGame("spring_festival")).match(table.match_id, table.tokens[1]).reissue()
    expect(eve.get_by_role("alert")).to_contain_text("You do not have this seat any more")
    eve.get_by_role("button", name="Go on without this seat").click()
    expect(eve.locator(".players li").nth(0)).to_contain_text("Ada (Seat 1, you")
    expect(ada.get_by_role("alert")).to_be_hidden()
    assert all("401 (Unauthorized)" in fault for fault in faults)
    faults.clear()


def test_a_bot_plays_on(service: Service, new_page: NewPage, faults: list[str]) -> None:
    table = Table(service, "spring_festival", TWO_PERSONS)
    ada, eve = (open_path(new_page(), invitation) for invitation in table.invitations)
    ada.get_by_text("Seats", exact=True).click()
    ada.get_by_role("combobox", name=re.compile("Ada")).select_option("random")
    ada.get_by_role("button", name="Let a bot play on for Ada").click()
    ada.get_by_role("dialog").get_by_role("button", name="Give it to the bot").click()
    expect(ada.get_by_role("alert")).to_contain_text("You do not have this seat any more")
    expect(eve.locator(".status")).to_have_text("Your turn")
    with FiresideClient(service.url) as client:
        seats = client.game(AnyGame("spring_festival")).match(table.match_id).get()["seats"]
    assert [seat["bot"] for seat in seats] == ["random", ""]
    assert all("401 (Unauthorized)" in fault for fault in faults)
    faults.clear()


def test_the_host_lets_a_bot_play_on_for_a_guest(new_page: NewPage) -> None:
    ada, eve = new_page(), new_page()
    link = open_table(ada)
    sit(eve, link, "Eve")
    ada.locator(".match .picture svg").wait_for()
    eve.close()
    ada.get_by_text("Seats", exact=True).click()
    ada.get_by_role("button", name="Let a bot play on for Eve").click()
    ada.get_by_role("dialog").get_by_role("button", name="Give it to the bot").click()
    expect(ada.locator(".players li").nth(1)).to_contain_text("Greedy")
