"""Pictures of random matches of every number of seats and edition: size, contrast, and one choice of parts a move."""

from __future__ import annotations

from functools import cache
from itertools import product
from random import Random
from typing import Final
from xml.etree import ElementTree

import pytest

from engine_core.explore import random_step
from engine_core.game import SPECTATOR, Move, Turn
from engine_core.games.fire_bulls import stages
from engine_core.games.fire_bulls.components import GENERAL, POINT_KINDS
from engine_core.games.fire_bulls.drawing.facts import POWERS
from engine_core.games.fire_bulls.drawing.palette import palette_of
from engine_core.games.fire_bulls.moves import Attack
from engine_core.games.fire_bulls.picture import draw, parts
from engine_core.games.fire_bulls.state import FireBullsOptions, FireBullsState
from engine_core.games.fire_bulls.view import FireBullsView
from engine_core.pictures import Setting
from engine_core.pictures.svg import text_width
from engine_core.pictures.themes import LIGHT, THEMES, Theme
from engine_core.words import LOCALES
from tests.engine_core.games.fire_bulls.positions import GAME, PROFILES, new_position
from tests.engine_core.pictures.contrast import contrast

SVG: Final = "{http://www.w3.org/2000/svg}"
NAMES: Final = ["Anna", "Wilhelmine Hohenstaufen von Hohenzollern", "諸葛亮孔明諸葛亮孔明", "<b>&amp;", ""]
PER_STAGE: Final = 1
"""Positions of each stage, for each number of seats and edition."""


def sampled(seats: int, profile: str) -> list[FireBullsState]:
    """Positions of a random match that a player leaves half-way, some of each stage."""
    random = Random(seats)
    state = GAME.start(seats, FireBullsOptions(profile))
    by_stage: dict[int, list[FireBullsState]] = {}
    for step in range(10_000):
        by_stage.setdefault(state.stage, []).append(state.copy())
        if step == 300 and state.stage != stages.OVER:
            GAME.leave(state, seats - 1)
        if not random_step(GAME, state, random):
            break
    return [state for found in by_stage.values() for state in random.sample(found, min(PER_STAGE, len(found)))]


@cache
def positions() -> list[FireBullsState]:
    return [state for seats, profile in product(range(2, 6), PROFILES) for state in sampled(seats, profile)]


def turns() -> list[tuple[FireBullsView, list[Move]]]:
    """The views of the seats that are to move, with their legal moves."""
    found = []
    for state in positions():
        phase = GAME.phase(state)
        if isinstance(phase, Turn):
            seat = phase.seats[0]
            found.append((GAME.view(state, seat), GAME.legal_moves(state, seat)))
    return found


def setting(locale: str = "en", theme: Theme = LIGHT) -> Setting:
    return Setting(GAME.words(locale), theme, NAMES)


def parsed(view: FireBullsView, locale: str = "en", theme: Theme = LIGHT) -> ElementTree.Element:
    return ElementTree.fromstring(draw(view, setting(locale, theme)))


def ids(picture: ElementTree.Element) -> list[str]:
    return [element.get("id", "") for element in picture.iter() if element.get("id")]


def test_a_sample_has_every_stage() -> None:
    assert {state.stage for state in positions()} == set(range(stages.SETUP_YEN, stages.OVER + 1))


def test_in_every_stage_the_parts_of_legal_moves_are_in_the_picture() -> None:
    for view, legal in turns():
        assert {part for move in legal for part in parts(move)} <= set(ids(parsed(view)))


def test_legal_moves_differ_by_their_parts() -> None:
    for _, legal in turns():
        assert len({parts(move) for move in legal}) == len(legal)


def test_a_payment_names_each_card_and_then_what_is_attacked() -> None:
    assert parts(GAME.parse("attack 2: blue blue warrior")) == ("hand-blue", "hand-blue", "hand-warrior", "line-2")


def test_a_seat_that_has_left_passes_by_a_button() -> None:
    state = new_position(["red", "blue"]).state
    assert "pass" not in ids(parsed(GAME.view(state, 0)))
    GAME.leave(state, 0)
    assert "pass" in ids(parsed(GAME.view(state, 0)))


def test_a_card_stands_for_the_lines_along_which_it_is_attacked() -> None:
    for view, legal in turns():
        attacks = {move.direction for move in legal if isinstance(move, Attack)}
        names = [element.get("data-names", "").split() for element in parsed(view).iter(f"{SVG}g")]
        named = [name for each in names for name in each]
        assert len(named) == len(set(named))
        assert {f"line-{direction}" for direction in attacks} <= set(named)
        assert not named or view.stage == stages.ACTION


def test_the_value_of_a_captured_general_is_left_of_its_icon() -> None:
    state = new_position(["red", "blue"]).state
    state.seats[0].victory = bytes([card == GENERAL for card in range(POINT_KINDS)])
    title = f"1 \N{MULTIPLICATION SIGN} {GAME.words('en').name('point_card', 'general')}"
    [chip] = [each for each in parsed(GAME.view(state, 0)).iter(f"{SVG}g") if each.findtext(f"{SVG}title") == title]
    value, icon = chip.find(f"{SVG}text"), chip.find(f"{SVG}path")
    assert value is not None
    assert icon is not None
    left = float(icon.attrib["transform"].partition("(")[2].split()[0])
    assert float(value.attrib["x"]) + text_width("12", 22, bold=True) < left


def test_a_power_to_use_or_not_is_said_in_words() -> None:
    asked = [state for state in positions() if state.stage == stages.POWER]
    for state in asked:
        text = GAME.words("en").name("card_power", POWERS[GAME.view(state, 0).power_card])
        shown = [element.text for element in parsed(GAME.view(state, 0)).iter(f"{SVG}text")]
        assert f"{text[0].upper()}{text[1:]}" in shown


def test_a_spectator_sees_no_hand() -> None:
    view = GAME.view(new_position(["red", "blue"]).state, SPECTATOR)
    assert not [part for part in ids(parsed(view)) if part.startswith("hand-")]


@pytest.mark.parametrize("locale", LOCALES)
def test_pictures_are_drawn_in_every_language(locale: str) -> None:
    words = GAME.words(locale)
    for state in positions()[::11]:
        said = " ".join(parsed(GAME.view(state, 0), locale).itertext())
        assert words.sentence("picture.exhaustions") in said
        assert words.sentence("picture.quiet_turns") in said


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_every_text_has_a_contrast_of_at_least_4_5(theme: Theme) -> None:
    for place, state in enumerate(positions()[::5]):
        boxes: list[ElementTree.Element] = []
        for element in parsed(GAME.view(state, place % len(state.seats)), theme=theme).iter():
            if element.tag == f"{SVG}rect" and element.get("fill") != "none":
                boxes.append(element)
            if element.tag == f"{SVG}text":
                ground = next(box for box in reversed(boxes) if is_inside(element, box))
                assert contrast(element.attrib["fill"], ground.attrib["fill"]) >= 4.5, element.text


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_shapes_on_cards_have_a_contrast_of_at_least_4_5(theme: Theme) -> None:
    palette = palette_of(theme)
    assert min(contrast(fill, on) for fill, on in zip(palette.fills, palette.on, strict=True)) >= 4.5


def is_inside(text: ElementTree.Element, box: ElementTree.Element) -> bool:
    """Whether the middle of the first letter of a text, or the letter in its middle or at its end, is in a box."""
    left, top, width, height = (float(box.get(name, 0)) for name in ("x", "y", "width", "height"))
    side = {"middle": 0, "end": -5}.get(text.get("text-anchor", ""), 5)
    return left <= float(text.attrib["x"]) + side <= left + width and top <= float(text.attrib["y"]) - 7 <= top + height
