"""The pages of the games' rules for the terminal, in the language of this process."""

from __future__ import annotations

import re

from rich.markdown import Markdown

from cli.translation import gettext, locale
from engine_core.games import game_named
from runtime.rules_pages import rules_pages


def whole_page(game: str) -> Markdown:
    """The page of a game: options, rules, moves, secrets, score. Raises `UnknownGame`."""
    return Markdown(page_source(game))


def how_to_play(game: str) -> Markdown:
    """The section of the page that explains the game to a player."""
    heading = re.escape(gettext("How to play"))
    page = page_source(game)
    section = re.search(rf"^## {heading}\n.*?(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    return Markdown(section[0] if section else page)


def page_source(game: str) -> str:
    """The page of a game in Markdown, without its pictures. Raises `UnknownGame`."""
    page = rules_pages()[game_named(game).name, locale()].read_text("utf-8")
    return re.sub(r"^!\[.*\n\n", "", page, flags=re.MULTILINE)  # a terminal would print the caption of a picture alone
