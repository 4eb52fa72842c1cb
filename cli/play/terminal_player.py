"""Terminal player: shows a person the board and the legal moves of one seat, and reads the choices."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from rich.columns import Columns
from rich.console import Console
from rich.rule import Rule
from rich.table import Table as Grid
from rich.text import Text

from cli.boards import board_of, words_of
from cli.client import AnyMatchClient
from cli.play import prompt
from cli.play.history import event_lines
from cli.play.polling import MatchPoller
from cli.rules_text import how_to_play
from cli.standings import score_title, standings
from cli.translation import gettext, gettext_noop, labelled, locale
from engine_core.games import GAMES
from engine_core.words import LOCALES
from fireside_client import FiresideError
from fireside_client.types.any_game import Match

with suppress(ImportError):
    import readline  # noqa: F401 # line editing and history for `input`

MAX_LISTED_MOVES: Final = 12
"""Most moves that are listed one per line; more are grouped by their first word."""
MAX_EXPANDED_MOVES: Final = 60
"""With more moves than this, groups of more than `MAX_LISTED_MOVES` are only counted."""
WAIT_PAUSE_SECONDS: Final = 1.0
"""Pause between two looks at a match that waits for players."""
SHOW_WAITING_SECONDS: Final = 1.0
"""After so long a wait, the seats that must move are shown."""
PROMPT_ENDING_REASONS: Final = frozenset({"STALE_REVISION", "NOT_YOUR_TURN", "MATCH_OVER", "SEAT_HAS_LEFT"})
"""Error reasons after which the seat no longer has to choose at this revision."""

REFUSALS: Final = {
    "MALFORMED_MOVE": gettext_noop("This is not a move of the game."),
    "ILLEGAL_MOVE": gettext_noop("This move is not legal now."),
    "NOT_YOUR_TURN": gettext_noop("It is not your turn."),
    "STALE_REVISION": gettext_noop("The match has changed in the meantime."),
    "MATCH_OVER": gettext_noop("The match is over."),
    "SEAT_HAS_LEFT": gettext_noop("You have left the match."),
    "PERMISSION_DENIED": gettext_noop("This match gives no hints."),
}
"""Meaning of the error reasons with which the service refuses a move."""


class PlayerQuit(Exception):
    """The person ends the program, and may resume (`may_resume`) or has left the match; the text is shown."""

    def __init__(self, text: str, may_resume: bool) -> None:
        super().__init__(text)
        self.may_resume: Final = may_resume


@dataclass(frozen=True)
class PlayerSeat:
    """A seat of a match: the name of its game, and its client."""

    game: str
    client: AnyMatchClient


class TerminalPlayer:
    """Plays one seat for a person, until the match is over or the person quits."""

    def __init__(self, console: Console, seat: PlayerSeat, ask_always: bool) -> None:
        """`ask_always`: prompt even if the seat has one legal move only, which is otherwise made at once."""
        self._console: Final = console
        self._seat: Final = seat
        self._client: Final = seat.client
        self._poller: Final = MatchPoller(seat.client)
        self._board: Final = board_of(seat.game)
        self._ask_always: Final = ask_always
        self._match: Match = self._poller.current()
        self._last_revision = self._match["revision"]
        self._waiting_for_shown: list[int] = []
        self._was_legend_shown = False

    def introduce(self) -> None:
        """Print the players, what the game is about, and what can be typed."""
        self._print_players()
        if self._seat.game in GAMES:  # a newer service may have games that this command does not know
            self._print_text(f"\n{words_of(self._seat.game).summary}\n")
        self._print_input_help()
        self._print_text(labelled(gettext("Commands"), ", ".join(prompt.COMMANDS)))

    def play(self) -> None:
        """Play until the match is over. Raises `PlayerQuit` if the person quits earlier."""
        try:
            self._wait_for_players()
            while not self._match["over"]:
                self._play_turn()
            self._print_board()
            self._print_score()
        except (KeyboardInterrupt, EOFError):
            self._console.print()
            raise PlayerQuit(gettext("Goodbye."), True) from None

    def _print_players(self) -> None:
        players = [f"{seat} {name}" for seat, name in enumerate(self._names(), 1)]
        self._print_text(labelled(gettext("Players"), ", ".join(players)))

    def _wait_for_players(self) -> None:
        """Wait until the match has begun, and say who joins."""
        if self._match["waiting"]:
            self._print_text(gettext("Waiting for players ..."))
        while self._match["waiting"]:
            time.sleep(WAIT_PAUSE_SECONDS)
            before, self._match = self._match, self._poller.current()
            if self._match["seats"] != before["seats"]:
                self._print_players()

    def _play_turn(self) -> None:
        self._show_new_events()
        if self._match["revision"] < self._last_revision:
            self._match = self._poller.current()
        elif self._match.get("seat") in self._match["toMove"]:
            self._prompt()
            self._match = self._poller.current()
            if self._match["over"]:
                self._show_new_events()
        else:
            self._match = self._wait_for_others()

    def _names(self) -> list[str]:
        return [gettext("(open)") if "open" in seat else seat["name"] for seat in self._match["seats"]]

    def _print_text(self, text: str) -> None:
        self._console.print(Text(text))

    def _print_error(self, error: FiresideError) -> None:
        """Print what the service says, which is in English: for other languages after the meaning of its reason."""
        detail = f"{str(error).rstrip('.')}."
        is_translated = locale() != LOCALES[0] and error.reason in REFUSALS
        self._print_text(f"{gettext(REFUSALS[error.reason])} ({detail})" if is_translated else detail)

    def _show_new_events(self) -> None:
        """Show the log entries since the last call."""
        events = self._client.history(self._last_revision)
        if events:
            self._last_revision = events[-1]["revision"]
        for line in event_lines(events, self._names(), self._match.get("seat")):
            self._console.print(line)

    def _print_board(self) -> None:
        self._console.print(Rule(style="dim"))
        self._console.print(self._board.draw(dict(self._match)))

    def _print_legend(self) -> None:
        self._was_legend_shown = True
        self._console.print(self._board.legend(dict(self._match)))

    def _print_rules(self) -> None:
        if self._seat.game in GAMES:
            self._console.print(how_to_play(self._seat.game))
        else:
            self._print_text(gettext("This command does not know the rules of this game."))

    def _wait_for_others(self) -> Match:
        """Poll until other players have changed the match, and return it."""
        wait_start = time.monotonic()
        while True:
            match = self._poller.changed_since(self._match["revision"])
            if match:
                return match
            is_long = time.monotonic() - wait_start > SHOW_WAITING_SECONDS
            if is_long and self._waiting_for_shown != self._match["toMove"]:
                self._waiting_for_shown = self._match["toMove"]
                self._print_text(gettext("Waiting for {players} ...", players=self._seats_to_move()))

    def _seats_to_move(self) -> str:
        names = self._names()
        return ", ".join(f"{seat + 1} {names[seat]}" for seat in self._match["toMove"])

    def _prompt(self) -> None:
        """Prompt until a choice is made or no longer needed."""
        moves = {move["notation"]: move["text"] for move in self._client.legal_moves()}
        if not moves:
            return
        self._waiting_for_shown = []
        if len(moves) == 1 and not self._ask_always and self._make_only_move(*moves):
            return
        self._print_board()
        if not self._was_legend_shown:
            self._print_legend()
        self._print_moves(moves)
        while not self._handle_line(self._read_line(), moves):
            pass

    def _make_only_move(self, notation: str) -> bool:
        """Make the one legal move. False if the service refuses it: the person must then choose."""
        self._console.print(Text(labelled(gettext("Your only move"), ""), style="bold"))
        return self._send_move(notation)

    def _read_line(self) -> str:
        line = self._console.input(Text("> ", style="bold"))
        return " ".join(line.encode(errors="replace").decode().split())

    def _handle_line(self, text: str, moves: dict[str, str]) -> bool:
        """Handle a line of input: a command or a move. True if the prompt ends."""
        word, _, beginning = text.partition(" ")
        if not text:
            return self._poller.current()["revision"] != self._match["revision"]
        if word.lower() == "moves":
            self._print_moves(moves, beginning, ungrouped=True)
        elif text.lower() in COMMANDS:
            COMMANDS[text.lower()](self)
        else:
            return self._handle_move(text, moves)
        return False

    def _handle_move(self, text: str, moves: dict[str, str]) -> bool:
        try:
            return self._send_move(prompt.parse_move(text, [*moves]) or text)
        except prompt.AmbiguousMove as error:
            self._print_text(f"{error}.")
            return False

    def _send_move(self, notation: str) -> bool:
        """Send a move, even an illegal one, since the service explains best what is wrong. True if the prompt ends."""
        try:
            self._client.apply(notation, expected_revision=self._match["revision"])
        except FiresideError as error:
            self._print_error(error)
            if error.reason == "MALFORMED_MOVE":
                self._print_text(gettext("Type `moves` for your moves, `help` for the commands."))
            return error.reason in PROMPT_ENDING_REASONS
        return True

    def _print_moves(self, sentences: dict[str, str], prefix: str = "", ungrouped: bool = False) -> None:
        """Print the legal moves with a prefix, with their numbers; large groups only as a count, unless `ungrouped`."""
        numbers = {move: number for number, move in enumerate(sentences, 1)}
        moves = [move for move in sentences if move.startswith(prefix)]
        lines = {move: Text.assemble((f"{numbers[move]:>3} ", "cyan"), move) for move in moves}
        prompt_text = gettext("Your move, seat {seat}", seat=self._match.get("seat", 0) + 1)
        self._console.print(Text(labelled(prompt_text + self._time_left_text(), ""), style="bold"))
        if len(moves) <= MAX_LISTED_MOVES:
            width = max(map(len, moves), default=0)
            for move, line in lines.items():
                self._console.print(line.append(" " * (width - len(move) + 3) + sentences[move], style="dim"))
            return
        for kind, places in prompt.group_by_first_word(moves).items():
            if len(moves) > MAX_EXPANDED_MOVES and len(places) > MAX_LISTED_MOVES and not ungrouped:
                ends = {"first": numbers[moves[places[0]]], "last": numbers[moves[places[-1]]]}
                ways = gettext("{count} moves `{kind}`, {first} to {last}", count=len(places), kind=kind, **ends)
                self._console.print(Text.assemble(f"  {ways}: ", (f"moves {kind}", "cyan")))
            else:
                self._console.print(Columns([lines[moves[seat]] for seat in places], column_first=True, padding=(0, 3)))

    def _time_left_text(self) -> str:
        clocks, seat = self._match["clocks"], self._match.get("seat")
        deadline = clocks[seat].get("deadline") if clocks and seat is not None else self._match.get("deadline")
        if not deadline:
            return ""
        left = datetime.fromisoformat(deadline) - datetime.now(UTC)
        return ", " + gettext("{seconds} s left", seconds=max(0, round(left.total_seconds())))

    def _print_input_help(self) -> None:
        self._print_text(
            gettext(
                "Type a move, an unambiguous prefix of it, or its number; Enter checks whether the match has changed."
            )
        )

    def _print_help(self) -> None:
        self._print_input_help()
        grid = Grid(box=None, show_header=False, padding=(0, 2))
        for name, text in prompt.COMMANDS.items():
            grid.add_row(Text(name, style="cyan"), Text(gettext(text)))
        self._console.print(grid)

    def _print_score(self) -> None:
        score = self._client.score()
        names = self._names()
        self._console.print(standings(score, names, score_title(score, names)))

    def _print_hint(self) -> None:
        """Print the moves that a bot thinks best, with the share of the opponents that each is expected to beat."""
        try:
            hints = self._client.hint()["moves"]
        except FiresideError as error:
            self._print_error(error)
            return
        hints.sort(key=lambda hint: (not hint["best"], -hint["value"]))
        for hint in hints[:MAX_LISTED_MOVES]:
            style = "bold" if hint["best"] else ""
            line = Text.assemble((f"{hint['value']:>6.0%} ", "cyan"), (hint["move"]["notation"], style))
            self._console.print(line.append(f"   {hint['move']['text']}", style="dim"))

    def _print_history(self) -> None:
        for line in event_lines(self._client.history(), self._names(), self._match.get("seat")):
            self._console.print(line)

    def _leave_match(self) -> None:
        question = Text(gettext("Leave for good, and rank below all that stay? (yes/no) "))
        if self._console.input(question).strip().lower() != gettext("yes"):
            return
        try:
            self._client.leave()
        except FiresideError as error:
            self._print_error(error)
            return
        raise PlayerQuit(gettext("You have left the match."), False)

    def _quit(self) -> None:
        raise PlayerQuit(gettext("Goodbye."), True)


COMMANDS: Final[dict[str, Callable[[TerminalPlayer], None]]] = {
    "help": TerminalPlayer._print_help,
    "?": TerminalPlayer._print_help,
    "rules": TerminalPlayer._print_rules,
    "legend": TerminalPlayer._print_legend,
    "board": TerminalPlayer._print_board,
    "score": TerminalPlayer._print_score,
    "history": TerminalPlayer._print_history,
    "hint": TerminalPlayer._print_hint,
    "leave": TerminalPlayer._leave_match,
    "quit": TerminalPlayer._quit,
    "exit": TerminalPlayer._quit,
    "q": TerminalPlayer._quit,
}
