"""Every game of the table has all its parts, which are found by its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.boards import board_of
from engine_core import games
from gateway.routing import registry
from services.engine import codecs

ROOT = Path(__file__).parents[1]


def test_rules_and_codecs_have_the_same_versions() -> None:
    assert list(codecs.CODECS_BY_VERSION) == list(games.GAMES_BY_VERSION)
    assert [codec.game.name for codec in codecs.CODECS.values()] == list(games.GAMES)


def test_the_gateway_offers_the_service_of_every_game() -> None:
    services = {name: codec.service for name, codec in codecs.CODECS.items()}
    assert services == registry.GAMES


@pytest.mark.parametrize("game", games.GAMES)
def test_a_game_has_a_page(game: str) -> None:
    assert (ROOT / "docs" / "games" / f"{game}.md").is_file()


@pytest.mark.parametrize("game", games.GAMES)
def test_the_options_of_the_demo_are_those_of_the_game(game: str) -> None:
    options_type = (
        codecs.CODECS[game].service.methods_by_name["NewGame"].input_type.fields_by_name["options"].message_type
    )
    assert options_type is not None
    canonical_name = {field.json_name for field in options_type.fields}
    assert board_of(game).demo_options.keys() <= canonical_name


def test_a_game_without_a_board_is_shown_as_json() -> None:
    assert board_of("no_such_game").demo_options == {}
    assert board_of("../play").draw({"view": {}}) is not None
