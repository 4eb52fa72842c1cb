"""What tests of views share: matches between bots, and the width of a page."""

from __future__ import annotations

import time

from playwright.sync_api import Page

from fireside_client import FiresideClient
from fireside_client.types.any_game import AnyGame, Options, SeatSpec

BOTS: list[SeatSpec] = [{"bot": "random"}, {"bot": "random"}]


def bots_match(url: str, game: str, options: Options | None = None) -> str:
    """The id of a new match between two bots."""
    with FiresideClient(url) as client:
        return client.game(AnyGame(game)).new_match(BOTS, options)["matchId"]


def finished_match(url: str, game: str, options: Options | None = None) -> str:
    """The id of a match between two bots that is over."""
    match_id = bots_match(url, game, options)
    with FiresideClient(url) as client:
        match = client.game(AnyGame(game)).match(match_id)
        while not match.get()["over"]:
            time.sleep(0.2)
    return match_id


def overflow(page: Page) -> int:
    """By how many pixels the document is wider than the window."""
    pixels: int = page.evaluate("document.scrollingElement.scrollWidth - document.documentElement.clientWidth")
    return pixels
