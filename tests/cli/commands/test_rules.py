"""`fireside rules`: the page of a game in the terminal, and the list of the games in each language."""

from __future__ import annotations

import pytest

from cli.main import main
from engine_core.games import GAMES
from engine_core.words import LOCALES


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_game_is_explained(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", game.replace("_", "-")]) == 0
    shown = capsys.readouterr().out
    assert game in shown
    assert "Score" in shown or "score" in shown


@pytest.mark.parametrize("locale", LOCALES)
def test_without_a_game_all_are_listed(locale: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--locale", locale]) == 0
    shown = capsys.readouterr().out
    for game in GAMES.values():
        assert game.words(locale).title in shown


def test_an_unknown_game_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "chess"]) == 2
    assert "chess" in capsys.readouterr().err
