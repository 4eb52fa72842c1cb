"""Command `fireside demo`: bots of the service play a match of every game, of which key positions are printed."""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from typing import Final

from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from cli.boards import board_of, words_of
from cli.bots import player_name
from cli.client import AnyMatchClient, connect, game_client
from cli.play.history import event_lines
from cli.servers.local_service import service_url
from cli.standings import standings
from cli.translation import gettext, labelled
from engine_core.games import canonical_name
from fireside_client import FiresideClient
from fireside_client.types.any_game import Event, Game

BOTS: Final = ("mcts:iterations=100", "greedy")
"""The players, by seat and again from the first: good ones, of which the first takes about 30 ms for a choice."""
SHOWN_MOVES: Final = 4
"""Moves that are printed before the board of the middle."""
POLL_SECONDS: Final = 0.2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--game", type=canonical_name, help=gettext("play this game only"))
    parser.add_argument("--seed", type=int, default=7, help=gettext("seed of the client seeds (default 7)"))
    parser.add_argument("--url", help=gettext("play on this service instead of starting one"))


def run(arguments: argparse.Namespace) -> int:
    """Let bots play a match of every game at once, and print each when it is over."""
    console = Console(highlight=False)
    with service_url(arguments.url) as url, connect(url) as client:
        games = [game for game in client.games() if arguments.game in (None, game["name"])]
        if not games:
            console.print(gettext("There is no game {name} here.", name=repr(arguments.game)))
            return 1
        console.print(Text(gettext("Bots play over REST on {url} ...", url=url)))
        matches = [_DemoMatch(console, client, game, arguments.seed) for game in games]
        for match in matches:
            match.print_when_over()
    _print_next_steps(console, games[0]["name"])
    return 0


class _DemoMatch:
    """A match between bots of the service, as a spectator sees it."""

    def __init__(self, console: Console, client: FiresideClient, game: Game, seed: int) -> None:
        self._console: Final = console
        self._game: Final = game
        self._board: Final = board_of(game["name"])
        bots = [BOTS[seat % len(BOTS)] for seat in range(game["minSeats"])]
        self._names: Final = [player_name(seat, bot) for seat, bot in enumerate(bots)]
        self._rules: Final = game_client(client, game["name"])
        started = self._rules.new_match(
            [{"name": name, "bot": bot} for name, bot in zip(self._names, bots, strict=True)],
            self._board.demo_options,
            client_seed=f"demo {seed}",
        )
        self._match: Final[AnyMatchClient] = self._rules.match(started["matchId"])
        self._start_revision: Final = started["revision"]

    def print_when_over(self) -> None:
        """Print the match when it is over: the rules in short, its middle, its end, and its standings."""
        while not self._match.get()["over"]:
            time.sleep(POLL_SECONDS)
        events = self._match.history(self._start_revision)
        moves = [event["revision"] for event in events if event.get("seat") is not None]
        players = gettext(" against ").join(self._names)
        self._console.print(Rule(f"{self._game['title']}: {players}"))
        self._console.print(Text(f"{words_of(self._game['name']).summary}\n"))
        self._console.print(self._board.legend(dict(self._match.get())))
        middle = moves[len(moves) // 2] - 1
        self._print_caption(gettext("In the middle of the match"))
        self._print_moves([event for event in events if event["revision"] <= middle])
        self._console.print(self._board.draw(dict(self._match.get(middle))))
        self._print_caption(gettext("At the end"))
        self._console.print(self._board.draw(dict(self._match.get())))
        score = self._match.score()
        title = gettext("over after {number} choices: {reason}", number=len(moves), reason=score["reasonText"])
        self._console.print(standings(score, self._names, title))
        self._console.print()

    def _print_caption(self, caption: str) -> None:
        self._console.print(Text("\n" + labelled(caption, ""), style="bold"))

    def _print_moves(self, events: list[Event]) -> None:
        """Print the last of the moves, and what chance made of them."""
        moves = [place for place, event in enumerate(events) if event.get("seat") is not None]
        for line in event_lines(events[moves[-SHOWN_MOVES:][0] :], self._names, None):
            self._console.print(line)


def _print_next_steps(console: Console, game: str) -> None:
    # `make demo` runs the command of an environment that is not activated.
    command = "fireside" if shutil.which("fireside") else sys.argv[0]
    steps = {
        f"{command} play {game}": gettext("play a match yourself, in this terminal"),
        f"{command} serve": gettext("play in a browser: http://127.0.0.1:8080"),
        f"{command} rules {game}": gettext("read the rules"),
        "docs/playing.md": gettext("opponents, other people, other services"),
        "README.md": gettext("the API, and clients for your programs"),
    }
    table = Table(title=gettext("Where to look next"), title_justify="left", box=None, show_header=False)
    for step, text in steps.items():
        table.add_row(Text(step, style="cyan"), Text(text))
    console.print(table)
