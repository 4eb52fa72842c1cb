"""A board in a frame of another page, in Chromium."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import expect

from fireside_client import FiresideClient
from fireside_client.types.any_game import AnyGame
from tests.clients.python.test_matches import Service
from tests.page.conftest import NewPage, accessibility_violations
from tests.page.views import finished_match


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Makes pages of another origin that have an address in a frame."""
    # A real server: Chromium lets no page that a test made up open a frame from the machine itself.
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=tmp_path)) as server:
        Thread(target=server.serve_forever).start()

        def framing(url: str) -> str:
            head = "<!doctype html><title>A blog</title><link rel=icon href='data:,'>"
            (tmp_path / "blog.html").write_text(f"{head}<iframe src='{url}' width=600 height=700></iframe>")
            return f"http://127.0.0.1:{server.server_port}/blog.html"

        yield framing
        server.shutdown()


@pytest.mark.parametrize("path", ["fire_bulls/{}", "{}"])
def test_a_board_is_live_in_a_frame_of_any_page(
    path: str, new_page: NewPage, service: Service, elsewhere: Callable[[str], str], faults: list[str]
) -> None:
    page = new_page()
    with FiresideClient(service.url) as client:
        game = client.game(AnyGame("fire_bulls"))
        begun = game.new_match([{"name": "Ada"}, {"name": "Ben"}], {"firstSeat": 0})
        page.goto(elsewhere(f"{service.url}/embed/{path.format(begun['matchId'])}"))
        board = page.frame_locator("iframe")
        expect(board.locator(".picture svg")).to_contain_text("Ada")
        before = board.locator(".picture svg").inner_html()
        game.match(begun["matchId"], begun["seats"][0]["token"]).apply("draw")
        expect(board.locator(".picture svg")).not_to_have_js_property("innerHTML", before)
        expect(board.get_by_role("link", name="Ada, Ben")).to_have_attribute(
            "href", f"/match/fire_bulls/{begun['matchId']}"
        )
    if "/" not in path:  # without its game each game is tried, and the browser notes those that have no such match
        faults[:] = [fault for fault in faults if "404" not in fault]


def test_a_board_goes_on_after_a_picture_that_did_not_come(
    new_page: NewPage, service: Service, faults: list[str]
) -> None:
    page = new_page()
    with FiresideClient(service.url) as client:
        game = client.game(AnyGame("fire_bulls"))
        begun = game.new_match([{"name": "Ada"}, {"name": "Ben"}], {"firstSeat": 0})
        page.goto(f"/embed/fire_bulls/{begun['matchId']}")
        expect(page.locator(".picture svg")).to_contain_text("Ada")
        before = page.locator(".picture svg").inner_html()
        page.route("**/picture.svg*", lambda route: route.abort(), times=1)
        game.match(begun["matchId"], begun["seats"][0]["token"]).apply("draw")
        expect(page.locator(".picture svg")).not_to_have_js_property("innerHTML", before)
    assert faults == ["Failed to load resource: net::ERR_FAILED"]
    faults.clear()


REFUSED = """for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });"""


def test_the_page_works_in_a_browser_that_stores_nothing(new_page: NewPage, service: Service) -> None:
    page = new_page()
    page.add_init_script(REFUSED)
    with FiresideClient(service.url) as client:
        begun = client.game(AnyGame("fire_bulls")).new_match([{"name": "Ada"}, {"name": "Ben"}])
    for view in ("embed", "match"):
        page.goto(f"/{view}/fire_bulls/{begun['matchId']}")
        expect(page.locator(".picture svg")).to_contain_text("Ada")


def test_a_name_cannot_reverse_the_text_after_it(new_page: NewPage, service: Service) -> None:
    page = new_page()
    with FiresideClient(service.url) as client:
        begun = client.game(AnyGame("fire_bulls")).new_match([{"name": "\u202eAda\x07"}, {"name": "Ben"}])
    page.goto(f"/embed/fire_bulls/{begun['matchId']}")
    expect(page.get_by_role("link", name="Ada, Ben", exact=True)).to_be_visible()
    assert not {"\u202e", "\x07"} & {*page.locator("body").inner_text(), *page.locator(".picture").inner_html()}


def test_a_board_that_is_over_shows_the_standings(new_page: NewPage, service: Service) -> None:
    page = new_page()
    page.goto(f"/embed/fireship/{finished_match(service.url, 'fireship', {'rounds': 5})}")
    expect(page.get_by_role("table", name="Final standings")).to_be_visible()
    assert accessibility_violations(page) == []


def test_the_rest_of_the_page_is_in_no_frame(
    new_page: NewPage, service: Service, elsewhere: Callable[[str], str], faults: list[str]
) -> None:
    page = new_page()
    page.goto(elsewhere(f"{service.url}/tournaments"))
    page.wait_for_timeout(500)
    assert [fault for fault in faults if "frame-ancestors" in fault]
    faults.clear()
