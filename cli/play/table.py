"""A person at a table: what the seat sees, what it may choose, and what the person types."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from uuid import uuid4

from rich.columns import Columns
from rich.console import Console
from rich.rule import Rule
from rich.table import Table as Grid
from rich.text import Text

from cli.boards import board_of
from cli.play import input
from cli.play.bots import Bots
from cli.play.history import told
from cli.play.watching import Watch
from cli.rest_client import Match, Refused, Rest
from cli.standings import standings

with suppress(ImportError):
    import readline  # noqa: F401 # lines can be edited, and called back

FEW: Final = 12
"""So many moves are listed one below the other; more are grouped by their kinds."""
MANY: Final = 60
"""Of more moves, the kinds with more than `FEW` are only counted."""
PATIENT_SECONDS: Final = 1.0
"""Who waits longer than that is told for whom."""
GONE_ON: Final = frozenset({"STALE_REVISION", "NOT_YOUR_TURN", "MATCH_OVER", "SEAT_HAS_LEFT"})
"""Reasons for which a choice is refused because it is no longer asked for."""


class Farewell(Exception):
    """The person goes, for now or for good; the text says how."""

    def __init__(self, text: str, is_for_now: bool) -> None:
        super().__init__(text)
        self.is_for_now: Final = is_for_now


@dataclass(frozen=True)
class Place:
    """A seat at a match of a service."""

    rest: Rest
    game: str
    match_id: str
    token: str


class Table:
    """Plays one seat for a person, until the match is over or the person goes."""

    def __init__(self, console: Console, place: Place, bots: Bots) -> None:
        self._console: Final = console
        self._place: Final = place
        self._rest: Final = place.rest
        self._key: Final = (place.game, place.match_id, place.token)
        self._watch: Final = Watch(place.rest, *self._key)
        self._bots: Final = bots
        self._match: Match = self._watch.now()
        self._seen = self._match["revision"]
        self._told_to_wait_for: list[int] = []

    def play(self) -> None:
        """Play until the match is over. Raises `Farewell` when the person goes before."""
        self._bots.start(self._watch.hint)
        try:
            while not self._match["over"]:
                self._go_on()
            self._show()
            self._score()
        except (KeyboardInterrupt, EOFError):
            self._console.print()
            raise Farewell("Goodbye.", True) from None
        finally:
            self._bots.stop()

    def _go_on(self) -> None:
        self._news()
        if self._match["revision"] < self._seen:
            self._match = self._watch.now()
        elif self._match.get("seat") in self._match["toMove"]:
            self._ask()
            self._match = self._watch.now()
            if self._match["over"]:
                self._news()
        else:
            self._match = self._waited()

    def _names(self) -> list[str]:
        return [seat["name"] for seat in self._match["seats"]]

    def _say(self, text: str) -> None:
        self._console.print(Text(text))

    def _news(self) -> None:
        """What has happened since the last look."""
        events = self._rest.history(*self._key, self._seen)
        if events:
            self._seen = events[-1]["revision"]
        for line in told(events, self._names(), self._match.get("seat")):
            self._console.print(line)

    def _show(self) -> None:
        self._console.print(Rule(style="dim"))
        self._console.print(board_of(self._place.game).draw(dict(self._match)))

    def _waited(self) -> Match:
        """The match once it has gone on without the person."""
        begun = time.monotonic()
        while True:
            match = self._watch.beyond(self._match["revision"])
            if match:
                return match
            if self._bots.fault:
                raise self._bots.fault
            if time.monotonic() - begun > PATIENT_SECONDS and self._told_to_wait_for != self._match["toMove"]:
                self._told_to_wait_for = self._match["toMove"]
                self._say(f"Waiting for {self._whose()} ...")

    def _whose(self) -> str:
        names = self._names()
        return ", ".join(f"{seat} {names[seat]}" for seat in self._match["toMove"])

    def _ask(self) -> None:
        """Let the person choose, until a choice is made or no longer asked for."""
        moves = self._rest.legal_moves(*self._key)
        if not moves:
            return
        self._told_to_wait_for = []
        self._show()
        self._list(moves)
        while not self._is_settled(self._typed(), moves):
            pass

    def _typed(self) -> str:
        line = self._console.input(Text("> ", style="bold"))
        return " ".join(line.encode(errors="replace").decode().split())

    def _is_settled(self, text: str, moves: list[str]) -> bool:
        """Whether what is typed ends the question."""
        word, _, beginning = text.partition(" ")
        if not text:
            return self._watch.now()["revision"] != self._match["revision"]
        if word.lower() == "moves":
            self._list([move for move in moves if move.startswith(beginning)], moves, every=True)
        elif text.lower() in COMMANDS:
            COMMANDS[text.lower()](self)
        else:
            return self._is_made(text, moves)
        return False

    def _is_made(self, text: str, moves: list[str]) -> bool:
        try:
            return self._is_accepted(input.chosen(text, moves) or text)
        except input.Ambiguous as error:
            self._say(f"{error}.")
            return False

    def _is_accepted(self, notation: str) -> bool:
        """Send a choice; one that is not legal is sent as well, since the service knows best what is wrong with it."""
        try:
            self._rest.apply(*self._key, notation, self._match["revision"], uuid4().hex)
        except Refused as error:
            self._say(f"{str(error).rstrip('.')}.")
            return error.reason in GONE_ON
        self._bots.watch.hint()
        return True

    def _list(self, moves: list[str], numbered: list[str] | None = None, every: bool = False) -> None:
        """The moves with the numbers that they have in the whole list."""
        numbers = {move: number for number, move in enumerate(numbered or moves, 1)}
        lines = {move: Text.assemble((f"{numbers[move]:>3} ", "cyan"), move) for move in moves}
        self._console.print(Text.assemble(("Your move", "bold"), f", seat {self._match.get('seat')}{self._time()}:"))
        if len(moves) <= FEW:
            self._console.print(*lines.values(), sep="\n")
            return
        for kind, places in input.kinds(moves).items():
            if len(moves) > MANY and len(places) > FEW and not every:
                span = f"{numbers[moves[places[0]]]} to {numbers[moves[places[-1]]]}"
                self._console.print(
                    Text.assemble(f"  {len(places)} ways to {kind}, {span}: ", (f"moves {kind}", "cyan"))
                )
            else:
                self._console.print(
                    Columns([lines[moves[place]] for place in places], column_first=True, padding=(0, 3))
                )

    def _time(self) -> str:
        deadline = self._match.get("deadline")
        if not deadline:
            return ""
        left = datetime.fromisoformat(deadline) - datetime.now(UTC)
        return f", {max(0, round(left.total_seconds()))} s left"

    def _help(self) -> None:
        self._say(
            "Type a move, a beginning that only one move has, or its number; Enter looks whether the match has gone on."
        )
        grid = Grid(box=None, show_header=False, padding=(0, 2))
        for name, deed in input.COMMANDS.items():
            grid.add_row(Text(name, style="cyan"), Text(deed))
        self._console.print(grid)

    def _score(self) -> None:
        score = self._rest.score(*self._key)
        names = self._names()
        title = f"Over ({score['reason']})" if score["reason"] else "As it stands"
        if score["winners"]:
            title += f": won by {', '.join(names[seat] for seat in score['winners'])}"
        self._console.print(standings(score, names, title))

    def _history(self) -> None:
        for line in told(self._rest.history(*self._key), self._names(), self._match.get("seat")):
            self._console.print(line)

    def _leave(self) -> None:
        if (
            self._console.input(Text("Leave for good, and rank below all that stay? (yes/no) ")).strip().lower()
            != "yes"
        ):
            return
        try:
            self._rest.leave(*self._key)
        except Refused as error:
            self._say(f"{str(error).rstrip('.')}.")
            return
        raise Farewell("You have left the match.", False)

    def _quit(self) -> None:
        raise Farewell("Goodbye.", True)


COMMANDS: Final[dict[str, Callable[[Table], None]]] = {
    "help": Table._help,
    "?": Table._help,
    "board": Table._show,
    "score": Table._score,
    "history": Table._history,
    "leave": Table._leave,
    "quit": Table._quit,
}
