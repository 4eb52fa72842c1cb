"""Layout of pictures in a browser: no text over another or outside, and every part of a legal move can be clicked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page

from engine_core.games import AnyGame
from tests.conformance.presentation.drawn_positions import DRAWN_GAMES, positions, random_setting

POSITIONS = int(os.environ.get("FIRESIDE_PICTURES", "36"))
"""Positions a game; `make pictures-check` asks for 1,000."""
SPACING = 12
BATCH = 50
LAYOUT = Path(__file__).with_name("layout.js").read_text()
PAGE = "<!doctype html><style>body { margin: 0 } svg { display: block; width: 800px }</style>"


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 800, "height": 2000})
    page.set_content(PAGE)
    yield page
    page.close()


@pytest.mark.parametrize("game", DRAWN_GAMES, ids=lambda game: game.name)
def test_texts_and_parts_are_where_people_can_read_and_click_them(game: AnyGame, page: Page) -> None:
    random = Random(game.name)
    drawn = []
    for position in positions(game, POSITIONS, SPACING):
        seat = random.choice(position.movers())
        setting = random_setting(game, random, position.setup.seat_count)
        drawn.append((position.draw(seat, setting), sorted(position.parts(seat))))
    batches = [drawn[start : start + BATCH] for start in range(0, POSITIONS, BATCH)]
    found = [result for batch in batches for result in page.evaluate(LAYOUT, batch)]
    parts = sum(len(parts) for _, parts in drawn)
    print(f"{game.name}: {len(drawn)} pictures, {sum(each['texts'] for each in found)} texts, {parts} parts")
    faults = [fault for each in found for fault in each["faults"]]
    assert not faults, f"{len(faults)} faults in {sum(bool(each['faults']) for each in found)} pictures: {faults[:20]}"
