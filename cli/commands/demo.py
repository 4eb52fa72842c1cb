"""Command `fireside demo`: plays a match of every game over REST, and prints boards and standings."""

from __future__ import annotations

import argparse
from random import Random
from typing import Final

from rich.console import Console
from rich.rule import Rule

from cli.boards import board_of
from cli.client import connect, game_client
from cli.servers.local_service import service_url
from cli.standings import standings
from cli.strategies import BOT_NAMES, STRATEGIES, player_name
from cli.translation import gettext
from engine_core.games import canonical_name
from fireside_client import FiresideClient
from fireside_client.types.any_game import Game, Match, ScoreResponse

BOARD_EVERY: Final = 60
"""Moves between two printed boards."""
REVEALS_EVERY: Final = 12
"""Moves after which the next revealing of sealed moves prints the board."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--game", type=canonical_name, help=gettext("play this game only"))
    parser.add_argument(
        "--seed", type=int, default=7, help=gettext("seed of the players and of the client seeds (default 7)")
    )
    parser.add_argument("--url", help=gettext("play on this service instead of starting one"))


def run(arguments: argparse.Namespace) -> int:
    """Play a match of every game with each number of seats and each of its demo options."""
    console = Console()
    with service_url(arguments.url) as url, connect(url) as client:
        console.print(gettext("Playing over REST on {url}", url=url))
        games = [game for game in client.games() if arguments.game in (None, game["name"])]
        if not games:
            console.print(gettext("There is no game {name} here.", name=repr(arguments.game)))
            return 1
        for game in games:
            for options in board_of(game["name"]).demo_options:
                for seat_count in range(game["minSeats"], game["maxSeats"] + 1):
                    _DemoMatch(console, client, game, seat_count, options, arguments.seed).play()
    return 0


class _DemoMatch:
    """Plays one match of the demo over REST."""

    def __init__(
        self,
        console: Console,
        client: FiresideClient,
        game: Game,
        seat_count: int,
        options: dict[str, object],
        seed: int,
    ) -> None:
        self._console = console
        self._game = game
        self._random = Random(f"{seed} {game['name']} {seat_count}")
        self._players = [list(STRATEGIES)[seat % len(STRATEGIES)] for seat in range(seat_count)]
        self._names = [player_name(seat, player) for seat, player in enumerate(self._players)]
        rules = game_client(client, game["name"])
        match = rules.new_match([{"name": name} for name in self._names], options, client_seed=f"demo {seed}")
        self._spectator = rules.match(match["matchId"])
        self._seats = [rules.match(match["matchId"], seat["token"]) for seat in match["seats"]]
        console.print(Rule(f"{gettext('{game}, {seats} seats', game=game['title'], seats=seat_count)} {options or ''}"))
        console.print(
            gettext("match {match}, commitment {commitment}", match=match["matchId"], commitment=match["commitment"])
        )

    def play(self) -> None:
        """Play until the match is over, and print its moves, some boards, and the standings."""
        choices = shown = 0
        match = self._spectator.get()
        self._print_board(match)
        while not match["over"]:
            revealed = self._make_move(match["toMove"][0])
            choices += 1
            match = self._spectator.get()
            if match["over"] or choices - shown >= (REVEALS_EVERY if revealed else BOARD_EVERY):
                self._print_board(match)
                shown = choices
        self._print_standings(self._spectator.score(), choices)

    def _make_move(self, seat: int) -> bool:
        """Make a move; True if it revealed sealed moves."""
        moves = [move["notation"] for move in self._seats[seat].legal_moves()]
        chosen = STRATEGIES[self._players[seat]](moves, self._random)
        events = self._seats[seat].apply(chosen)["events"]
        texts = "; ".join(event["text"] for event in events)
        self._console.print(f"  {BOT_NAMES[seat]}: {chosen}   [dim]{texts}[/dim]", highlight=False)
        return any(event["reveals"] for event in events)

    def _print_board(self, match: Match) -> None:
        self._console.print(board_of(self._game["name"]).draw(dict(match)))

    def _print_standings(self, score: ScoreResponse, choices: int) -> None:
        title = gettext("over after {number} choices: {reason}", number=choices, reason=score["reasonText"])
        self._console.print(standings(score, self._names, title))
