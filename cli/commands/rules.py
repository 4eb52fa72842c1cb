"""Command `fireside rules`: explains a game in the terminal, by the page of its rules."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from rich.console import Console

from cli.rules_text import how_to_play, whole_page
from cli.translation import gettext, locale
from engine_core.games import GAMES, canonical_name


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments: a game, and how much of its page to print."""
    parser.add_argument("game", nargs="?", help=gettext("the game to explain; without one, all games are listed"))
    parser.add_argument("--short", action="store_true", help=gettext("only how the game is played"))


def run(arguments: Namespace) -> int:
    """Print the page of a game, or the list of the games."""
    console = Console()
    if arguments.game:
        name = canonical_name(arguments.game)
        console.print(how_to_play(name) if arguments.short else whole_page(name))
        return 0
    for name, game in GAMES.items():
        words = game.words(locale())
        console.print(f"[bold]{name}[/bold] {words.title}, {game.min_seats}-{game.max_seats}: {words.summary}", "")
    return 0
