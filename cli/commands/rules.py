"""Command `fireside rules`: explains a game in the terminal, by the page of its rules."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from rich.console import Console
from rich.markdown import Markdown

from cli.translation import gettext, locale
from engine_core.games import GAMES, canonical_name, game_named
from runtime.rules_pages import rules_pages


def add_arguments(parser: ArgumentParser) -> None:
    """Add the argument, a game."""
    parser.add_argument("game", nargs="?", help=gettext("the game to explain; without one, all games are listed"))


def run(arguments: Namespace) -> int:
    """Print the page of a game, or the list of the games."""
    console = Console()
    if arguments.game:
        name = game_named(canonical_name(arguments.game)).name
        console.print(Markdown(rules_pages()[name, locale()].read_text("utf-8")))
        return 0
    for name, game in GAMES.items():
        words = game.words(locale())
        console.print(f"[bold]{name}[/bold] {words.title}, {game.min_seats}-{game.max_seats}: {words.summary}", "")
    return 0
