"""`fireside demo`: start the service and play every game over REST, with boards and final standings."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Final

from rich.console import Console
from rich.rule import Rule
from rich.table import Table

from cli.boards import BOARDS
from cli.rest import Game, Match, Rest, Score

Strategy = Callable[[list[str], Random], str]

STRATEGIES: Final[dict[str, Strategy]] = {
    "random": lambda moves, random: random.choice(moves),
    "first": lambda moves, random: moves[0],
    "eager": lambda moves, random: max(moves, key=len),
}
"""Players that look at nothing but their legal moves; the eager one likes those with much to say."""

NAMES: Final = ("Ada", "Ben", "Cleo", "Dev", "Eve")
BOARD_EVERY: Final = 60
"""Choices between two pictures of the table."""
REVEALS_EVERY: Final = 12
"""The same, where sealed moves become public."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--game", help="play this game only")
    parser.add_argument("--seed", type=int, default=7, help="seed of the players and of the client seeds (default 7)")
    parser.add_argument("--url", help="play on this service instead of starting one")


def run(arguments: argparse.Namespace) -> int:
    """Play a match of every game with each number of seats; 0 when all came to their end."""
    console = Console()
    with _service(arguments.url) as url:
        rest = Rest(url)
        console.print(f"Playing over REST on {url}")
        games = [game for game in rest.games() if arguments.game in (None, game["name"])]
        if not games:
            console.print(f"There is no game {arguments.game!r} here.")
            return 1
        for game in games:
            for options in BOARDS[game["name"]].demo_options:
                for seats in range(game["minSeats"], game["maxSeats"] + 1):
                    _Play(console, rest, game, seats, options, arguments.seed).to_the_end()
    return 0


@contextmanager
def _service(url: str | None) -> Iterator[str]:
    """The address of a service: the given one, or one of our own that ends with the demo."""
    if url:
        yield url
        return
    command = [sys.executable, "-m", "cli.main", "serve", "--port", "0", "--grpc-port", "0"]
    quiet = {"FIRESIDE_LOG_LEVEL": "WARNING", **os.environ}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=quiet) as process:
        try:
            assert process.stdout
            yield _announced(process.stdout)
        finally:
            process.terminate()


def _announced(lines: Iterator[str]) -> str:
    """The address that `fireside serve` prints once it can be used."""
    for line in lines:
        if "http://" in line:
            return line[line.index("http://") :].split()[0]
    raise RuntimeError("the service ended before it could be used")


class _Play:
    """One match of the demo."""

    def __init__(
        self, console: Console, rest: Rest, game: Game, seats: int, options: dict[str, object], seed: int
    ) -> None:
        self._console = console
        self._rest = rest
        self._game = game
        self._random = Random(f"{seed} {game['name']} {seats}")
        self._players = [list(STRATEGIES)[seat % len(STRATEGIES)] for seat in range(seats)]
        self._names = [f"{NAMES[seat]} ({player})" for seat, player in enumerate(self._players)]
        match = rest.new_match(game["name"], self._names, options, f"demo {seed}")
        self._id = match["matchId"]
        self._tokens = [seat["token"] for seat in match["seats"]]
        console.print(Rule(f"{game['title']}, {seats} seats {options or ''}"))
        console.print(f"match {self._id}, commitment {match['commitment']}")

    def to_the_end(self) -> None:
        """Play until the match is over, showing the table now and then."""
        choices = shown = 0
        match = self._seen()
        self._show(match)
        while not match["over"]:
            revealed = self._move(match["toMove"][0])
            choices += 1
            match = self._seen()
            if match["over"] or choices - shown >= (REVEALS_EVERY if revealed else BOARD_EVERY):
                self._show(match)
                shown = choices
        self._standings(self._rest.score(self._game["name"], self._id), choices)

    def _seen(self) -> Match:
        return self._rest.match(self._game["name"], self._id, None)

    def _move(self, seat: int) -> bool:
        """Make a move; whether sealed ones became public by it."""
        token = self._tokens[seat]
        moves = self._rest.legal_moves(self._game["name"], self._id, token)
        chosen = STRATEGIES[self._players[seat]](moves, self._random)
        events = self._rest.apply(self._game["name"], self._id, token, chosen)
        drawn = "; ".join(event["notation"] for event in events[1:])
        self._console.print(f"  {NAMES[seat]}: {chosen}" + (f"   [dim]{drawn}[/dim]" if drawn else ""), highlight=False)
        return any(event["reveals"] for event in events)

    def _show(self, match: Match) -> None:
        self._console.print(BOARDS[self._game["name"]].draw(dict(match)))

    def _standings(self, score: Score, choices: int) -> None:
        table = Table("rank", "seat", "points", "breakdown", title=f"over after {choices} choices: {score['reason']}")
        for standing in sorted(score["standings"], key=lambda standing: standing["rank"]):
            parts = ", ".join(f"{part['label']} {part['points']}" for part in standing["breakdown"])
            table.add_row(str(standing["rank"]), self._names[standing["seat"]], str(standing["points"]), parts)
        self._console.print(table)
