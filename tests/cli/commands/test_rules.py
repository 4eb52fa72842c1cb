"""`fireside rules`: the page of a game in the terminal, and the list of the games in each language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.main import main
from engine_core.games import GAMES
from engine_core.words import LOCALES

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_rules_of_a_game_are_printed(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", game.replace("_", "-")]) == 0
    shown = capsys.readouterr().out
    assert game in shown
    assert "A match of three" not in shown, "the caption of a picture"
    assert "Score" in shown or "score" in shown


def page_sections(game: str, locale: str) -> list[list[str]]:
    """Of each section of a page: its level, its rows of tables and items of lists, and what no language changes."""
    name = f"{game}.md" if locale == LOCALES[0] else f"{game}.{locale}.md"
    page = ROOT.joinpath("docs", "games", name).read_text("utf-8")
    page = re.sub(r"^```$.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)
    parts = re.split(r"^(#+) .*$", page, flags=re.MULTILINE)[1:]
    return [
        [level, *re.findall(r"^(?:\||- |\d+\. )", text, re.MULTILINE), *sorted(re.findall(r"`[^`]+`|\d+", text))]
        for level, text in zip(parts[::2], parts[1::2], strict=True)
    ]


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("locale", LOCALES[1:])
def test_a_translated_page_has_the_sections_notations_and_figures_of_the_english_page(locale: str, game: str) -> None:
    for number, (translated, english) in enumerate(
        zip(page_sections(game, locale), page_sections(game, "en"), strict=True)
    ):
        assert translated == english, number


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("locale", LOCALES[1:])
def test_the_rules_are_printed_in_the_chosen_language(
    locale: str, game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", game, "--locale", locale]) == 0
    heading = {"fr": "Hasard", "it": "Caso"}[locale]
    assert heading in capsys.readouterr().out


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize(
    ("locale", "heading"), [("en", "How to play"), ("fr", "Comment jouer"), ("it", "Come si gioca")]
)
def test_a_page_has_a_section_for_players(
    locale: str, heading: str, game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", game, "--short", "--locale", locale]) == 0
    shown = capsys.readouterr().out
    assert shown.strip().startswith(heading)
    assert 20 < shown.count("\n") < 60
    assert "HTTP" not in shown


@pytest.mark.parametrize("locale", LOCALES)
def test_without_an_argument_all_games_are_listed(locale: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--locale", locale]) == 0
    shown = capsys.readouterr().out
    for game in GAMES.values():
        assert game.words(locale).title in shown


def test_an_unknown_game_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "chess"]) == 2
    assert "chess" in capsys.readouterr().err
