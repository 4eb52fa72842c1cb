"""`docs/research.md` states the sizes of the encodings, and its examples run."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from engine_core.encodings import encoding_of
from engine_core.games import GAMES, AnyGame

PAGE = (Path(__file__).parents[2] / "docs/research.md").read_text()
EACH_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def numbers(text: str) -> list[int]:
    return [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*\b", text)]


def title(game: AnyGame) -> str:
    return game.words("en").title.partition(" - ")[0]


@EACH_GAME
def test_the_table_of_actions_has_their_numbers(game: AnyGame) -> None:
    [row] = re.findall(rf"^\| {title(game)} \| (\d.*)", PAGE, re.MULTILINE)
    counts, blocks = row.split("|")[:2]
    tables = [encoding_of(game, game.min_seats, options).actions for options in game.presets().values()]
    assert numbers(counts) == list(dict.fromkeys(table.count for table in tables))
    largest = sorted((block.size for block in tables[0].blocks), reverse=True)
    assert numbers(blocks) == largest[: len(numbers(blocks))]


@EACH_GAME
def test_the_page_has_the_size_of_observations(game: AnyGame) -> None:
    [sentence] = re.findall(r"^`part.text`.*?\. (.*)", PAGE, re.MULTILINE)
    [part] = [part for part in sentence.split(";") if title(game) in part]
    first, more = [number for number in numbers(part) if number != game.min_seats]
    sizes = [encoding_of(game, seats).observation_size for seats in range(game.min_seats, game.max_seats + 1)]
    assert sizes == [first + more * number for number in range(len(sizes))]


def test_the_examples_of_the_page_run() -> None:
    session = doctest.DocTestParser().get_doctest(PAGE.replace("\n```\n", "\n\n"), {}, "research.md", None, None)
    assert len(session.examples) == 4
    assert doctest.DocTestRunner().run(session).failed == 0
    [first_match] = re.findall(r"## A first match\n\n```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, object] = {}
    exec(first_match, names)
    assert names["termination"]
