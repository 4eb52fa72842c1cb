"""Laws of pictures: they show a view and nothing else, and have all parts that legal moves refer to."""

from __future__ import annotations

import pickle
import re
from itertools import cycle
from random import Random
from xml.etree import ElementTree

import pytest

from engine_core.game import NATURE, SPECTATOR, Chance
from engine_core.games import AnyGame
from engine_core.pictures import PART_ID, Setting, notebook_picture
from engine_core.pictures.themes import THEMES
from engine_core.words import LOCALES, package_of
from tests.conformance.plain import plain
from tests.conformance.presentation.drawn_positions import DRAWN_GAMES, Position, pictures, positions, random_setting

SVG = "{http://www.w3.org/2000/svg}"
ELEMENTS = {
    *("svg", "title", "desc", "g", "defs", "text", "tspan", "path", "rect", "circle", "ellipse", "line", "polyline"),
    *("polygon", "linearGradient", "radialGradient", "stop", "pattern", "clipPath", "mask"),
}
"""Elements that can neither load nor run anything."""
FORBIDDEN_ATTRIBUTES = re.compile(r"style|class|.*href|on.*")
MAX_BYTES = 60_000
SHORT_NAMES = ["Ada", "Margaret", "Linus", "Grace", "Bo"]

EACH_GAME = pytest.mark.parametrize("game", DRAWN_GAMES, ids=lambda game: game.name)


@EACH_GAME
def test_a_picture_does_not_depend_on_what_its_observer_cannot_know(game: AnyGame) -> None:
    random = Random(game.name)
    for position in positions(game, 40, 12):
        setting = random_setting(game, random, position.setup.seat_count)
        for observer in position.setup.observers():
            other = Position(position.setup, game.determinize(position.state, observer, random))
            assert other.draw(observer, setting) == position.draw(observer, setting)


@EACH_GAME
def test_equal_views_have_equal_pictures_and_are_not_changed(game: AnyGame) -> None:
    setting = Setting(game.words("en"))
    for position in positions(game, 20, 12):
        view = position.view(position.movers()[0])
        before = plain(view)
        first = pictures(game).draw(view, setting)
        assert plain(view) == before
        assert pictures(game).draw(pickle.loads(pickle.dumps(view)), setting) == first


@EACH_GAME
def test_the_picture_of_a_mover_has_every_part_of_its_legal_moves(game: AnyGame) -> None:
    random = Random(game.name)
    for position in positions(game, 60, 8):
        for seat in position.movers():
            document = ElementTree.fromstring(
                position.draw(seat, random_setting(game, random, position.setup.seat_count))
            )
            identified = [element for element in document.iter() if "id" in element.attrib]
            ids = [element.attrib["id"] for element in identified]
            assert len(set(ids)) == len(ids)
            parts = position.parts(seat)
            assert parts <= set(ids)
            assert all(re.fullmatch(PART_ID, part) for part in parts)
            named = {element.attrib["id"] for element in identified if element.findtext(f"{SVG}title")}
            assert parts <= named


@EACH_GAME
def test_moves_with_equal_parts_differ_in_their_sentences(game: AnyGame) -> None:
    words = game.words("en")
    for position in positions(game, 60, 8):
        for seat in position.movers():
            moves = game.legal_moves(position.state, seat) if seat != SPECTATOR else []
            texts = [(pictures(game).parts(move), game.sentence(move, words)) for move in moves]
            assert len(set(texts)) == len(texts)


@EACH_GAME
def test_a_picture_is_small_has_a_title_and_can_neither_load_nor_run_anything(game: AnyGame) -> None:
    random = Random(game.name)
    for position in positions(game, 30, 12):
        svg = position.draw(SPECTATOR, random_setting(game, random, position.setup.seat_count))
        assert len(svg.encode()) < MAX_BYTES
        document = ElementTree.fromstring(svg)
        assert re.fullmatch(r"0 0 [0-9]+ [0-9]+", document.attrib["viewBox"])
        assert document.attrib["role"] == "img"
        assert [child.tag for child in document][:2] == [f"{SVG}title", f"{SVG}desc"]
        assert all(document.findtext(f"{SVG}{name}") for name in ("title", "desc"))
        assert {element.tag.removeprefix(SVG) for element in document.iter()} <= ELEMENTS
        attributes = {name for element in document.iter() for name in element.attrib}
        assert not any(FORBIDDEN_ATTRIBUTES.fullmatch(name) for name in attributes)
        assert "url(" not in svg.replace("url(#", "")


@EACH_GAME
def test_pictures_differ_by_language_theme_and_names(game: AnyGame) -> None:
    [position] = positions(game, 1, 5)
    words = [game.words(locale) for locale in LOCALES]
    settings = [Setting(each, theme) for each in words for theme in THEMES.values()]
    settings.append(Setting(words[0], names=[f"Player {seat}" for seat in range(position.setup.seat_count)]))
    assert len({position.draw(SPECTATOR, setting) for setting in settings}) == len(settings)


@EACH_GAME
def test_a_view_shows_itself_in_a_notebook(game: AnyGame) -> None:
    [position] = positions(game, 1, 5)
    expected = position.draw(SPECTATOR, Setting(game.words("en")))
    assert position.view(SPECTATOR)._repr_svg_() == notebook_picture(position.view(SPECTATOR)) == expected
    assert package_of(position.view(SPECTATOR)) == package_of(game)


@EACH_GAME
def test_a_part_of_a_view_has_no_picture(game: AnyGame) -> None:
    [position] = positions(game, 1, 5)
    for observer in position.setup.observers():
        for seat in getattr(position.view(observer), "seats", []):
            assert seat._repr_svg_() is None


@EACH_GAME
def test_moves_of_nature_have_no_parts(game: AnyGame) -> None:
    draws = [position for position in positions(game, 30, 4) if isinstance(game.phase(position.state), Chance)]
    assert draws
    for position in draws:
        assert not [move for move in game.legal_moves(position.state, NATURE) if pictures(game).parts(move)]


@EACH_GAME
def test_no_text_is_shortened_where_names_are_short(game: AnyGame) -> None:
    settings = cycle([Setting(game.words(locale), names=SHORT_NAMES) for locale in LOCALES])
    for position, setting in zip(positions(game, 60, 12), settings, strict=False):
        for observer in (SPECTATOR, position.movers()[0]):
            document = ElementTree.fromstring(position.draw(observer, setting))
            texts = [element.text or "" for element in document.iter(f"{SVG}text")]
            assert not [text for text in texts if text.endswith("…")]
