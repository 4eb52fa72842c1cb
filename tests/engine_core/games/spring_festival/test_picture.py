"""Pictures of Spring Festival: small, readable, with all parts of all legal moves. Laws of pictures hold too."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from random import Random
from typing import Final
from xml.etree import ElementTree

import pytest

from engine_core.explore import random_step
from engine_core.game import SPECTATOR, Over, Turn
from engine_core.games.spring_festival import picture, stages
from engine_core.games.spring_festival.drawing import pieces
from engine_core.games.spring_festival.drawing.facts import STAGE_NAMES, is_to_move
from engine_core.games.spring_festival.state import SpringFestivalState
from engine_core.pictures import Setting
from engine_core.pictures.themes import DARK, LIGHT, THEMES, Theme
from engine_core.words import LOCALES, Words
from tests.engine_core.games.spring_festival.positions import GAME, ONE_TILE, new_position
from tests.engine_core.pictures.contrast import contrast

SVG: Final = "{http://www.w3.org/2000/svg}"
MOST_BYTES: Final = 60_000
LONG_NAMES: Final = ["Bartholomew <the Great> & his 40 friends", "W" * 40, "花火の名人" * 8, "Ann"]

Position = tuple[SpringFestivalState, int]
"""A state and an observer."""


def states_of_match(seats: int, preset: str, seed: int) -> Iterator[SpringFestivalState]:
    """States of a random match, with the first of each stage; with four seats one player leaves."""
    random = Random(seed)
    state = GAME.start(seats, GAME.presets()[preset])
    seen = set()
    steps = 0
    while True:
        if steps % 13 == 0 or state.stage not in seen:
            yield state.copy()
        seen.add(state.stage)
        if not random_step(GAME, state, random):
            return
        steps += 1
        if seats == 4 and steps == 90:
            GAME.leave(state, 1)


@cache
def sampled_positions() -> list[Position]:
    """Positions of matches of all numbers of seats with all presets, seen by a spectator and by those to move."""
    positions: list[Position] = []
    for seats in range(GAME.min_seats, GAME.max_seats + 1):
        for seed, preset in enumerate(GAME.presets()):
            for state in states_of_match(seats, preset, seed):
                phase = GAME.phase(state)
                movers = phase.seats if isinstance(phase, Turn) else (seats - 1,)
                positions.extend([(state, observer) for observer in {SPECTATOR, movers[0], movers[-1]}])
    return positions


def draw(state: SpringFestivalState, observer: int, setting: Setting | None = None) -> str:
    """The picture of a position; in English and light unless a setting is given."""
    return picture.draw(GAME.view(state, observer), setting or Setting(GAME.words("en")))


def parsed(state: SpringFestivalState, observer: int) -> ElementTree.Element:
    """The parsed picture of a position, with long names."""
    return ElementTree.fromstring(draw(state, observer, Setting(GAME.words("fr"), DARK, LONG_NAMES)))


def texts_of(root: ElementTree.Element) -> list[str]:
    """The texts that are drawn."""
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def test_positions_of_every_stage_are_sampled() -> None:
    assert {state.stage for state, _ in sampled_positions()} == set(range(1, len(STAGE_NAMES)))


def test_the_picture_of_a_seat_has_all_parts_of_its_moves_which_tell_them_apart() -> None:
    checked = 0
    for state, observer in sampled_positions():
        moves = GAME.legal_moves(state, observer) if observer != SPECTATOR else []
        if moves and not state.seats[observer].has_left:
            ids = {element.get("id") for element in parsed(state, observer).iter()}
            parts = [picture.parts(move) for move in moves]
            assert all(parts)
            assert {part for each in parts for part in each} <= ids
            assert len(set(parts)) == len(parts)
            checked += 1
    assert checked > 100


def test_the_seats_that_owe_a_choice_are_marked() -> None:
    for state, observer in sampled_positions():
        phase, view = GAME.phase(state), GAME.view(state, observer)
        marked = {number for number in range(len(state.seats)) if is_to_move(view, number)}
        owing = (
            {number for number in phase.seats if not state.seats[number].has_left} if isinstance(phase, Turn) else set()
        )
        assert marked == owing
        assert texts_of(parsed(state, observer)).count(GAME.words("fr").sentence("picture.to_move")) == len(marked)


def test_the_result_shows_the_final_score() -> None:
    over = [state for state, _ in sampled_positions() if isinstance(GAME.phase(state), Over)]
    for state in over:
        score = GAME.score(state)
        texts = texts_of(ElementTree.fromstring(draw(state, SPECTATOR)))
        for standing in score.standings:
            assert f"Seat {standing.seat + 1}" in texts
            assert {str(standing.points), str(standing.rank)} <= set(texts)
        assert texts.count("Has won") == len(score.winners)
        assert "The match is over" in texts[0]


def test_start_tiles_of_other_seats_are_not_drawn_before_all_are_laid() -> None:
    state = next(
        state for state, _ in sampled_positions() if state.stage == stages.LAYING and state.seats[1].display.tiles
    )
    seen = [[title.text or "" for title in parsed(state, observer).iter(f"{SVG}title")] for observer in (0, 1)]
    assert [any("(S2-" in title for title in titles) for titles in seen] == [False, True]


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_every_stage_is_drawn_in_every_language_and_theme(locale: str, theme: Theme) -> None:
    words: Words = GAME.words(locale)
    drawn = set()
    for state, observer in sampled_positions():
        if state.stage not in drawn:
            drawn.add(state.stage)
            texts = texts_of(ElementTree.fromstring(draw(state, observer, Setting(words, theme))))
            stage = words.name("stage", STAGE_NAMES[state.stage])
            assert texts[0].startswith(stage[:1].upper() + stage[1:])
            assert words.name("colour", "blue") in texts


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_texts_have_contrast(theme: Theme) -> None:
    grounds = {
        theme.ink: [theme.paper, theme.panel],
        theme.faint: [theme.paper, theme.panel],
        theme.paper: [theme.accent, theme.ink],
        pieces.DARK_INK: [pieces.DAY, pieces.FILLS[pieces.YELLOW]],
        pieces.LIGHT_INK: [pieces.NIGHT, pieces.POINTS, *pieces.FILLS[: pieces.YELLOW]],
    }
    for ink, papers in grounds.items():
        for paper in papers:
            assert contrast(ink, paper) >= 4.5, (ink, paper)
    for state, observer in sampled_positions()[::4]:
        root = ElementTree.fromstring(draw(state, observer, Setting(GAME.words("en"), theme)))
        assert {text.get("fill") for text in root.iter(f"{SVG}text")} <= {*grounds, None}


def test_names_are_escaped_and_shortened() -> None:
    state, _ = sampled_positions()[-1]
    root = ElementTree.fromstring(draw(state, SPECTATOR, Setting(GAME.words("en"), LIGHT, LONG_NAMES)))
    names = [text for text in texts_of(root) if text.startswith("Bartholomew <the")]
    assert names
    assert all(name.endswith("…") for name in names)
    assert any(title.text and LONG_NAMES[0] in title.text for title in root.iter(f"{SVG}title"))


def test_coordinates_of_a_long_row_do_not_touch() -> None:
    row = " ".join([f"T{number + 10}@{-number},0" for number in range(16)])
    root = ElementTree.fromstring(draw(new_position([row, ONE_TILE]).state, 0))
    heights = [text.get("y") for text in root.iter(f"{SVG}text") if text.text == "-14"]
    columns = [float(text.attrib["x"]) for text in root.iter(f"{SVG}text") if text.get("y") in heights]
    assert len(columns) > 5
    assert all(right - left >= 44 for left, right in pairwise(columns))
