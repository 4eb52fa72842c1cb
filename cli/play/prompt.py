"""Parses input at the prompt: a command, or a move by its number, its notation or a prefix of its notation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.translation import gettext, gettext_noop

COMMANDS: Final = {
    "help": gettext_noop("list the commands"),
    "rules": gettext_noop("explain how the game is played"),
    "legend": gettext_noop("explain the letters and marks of the board"),
    "moves": gettext_noop("list the legal moves; `moves PREFIX` only those with that prefix"),
    "hint": gettext_noop("show what a bot thinks of your moves; all see in the log that you asked"),
    "board": gettext_noop("show the board again"),
    "score": gettext_noop("show the points"),
    "history": gettext_noop("show all moves, as far as your seat may see them"),
    "leave": gettext_noop("give up your seat for good"),
    "quit": gettext_noop("end this program; the match stays as it is"),
}
"""The commands, which must be typed in full, with their help."""
MAX_QUOTED_MOVES: Final = 4
"""How many of the moves with an ambiguous prefix an error lists."""


class AmbiguousMove(ValueError):
    """The input is a prefix of several moves, or a number that no move has."""


def parse_move(text: str, moves: Sequence[str]) -> str | None:
    """The legal move with this number, notation or prefix; None if there is none. Raises `AmbiguousMove`."""
    if text.isdecimal() and text.isascii():
        return _move_by_number(text, moves)
    wanted = _normalized(text)
    matching = [move for move in moves if _normalized(move).startswith(wanted)]
    exact = [move for move in matching if _normalized(move) == wanted]
    if len(matching) > 1 and not exact:
        quoted = ", ".join(matching[:MAX_QUOTED_MOVES]) + (", ..." if len(matching) > MAX_QUOTED_MOVES else "")
        raise AmbiguousMove(gettext("{number} moves begin with that: {moves}", number=len(matching), moves=quoted))
    return next(iter(exact or matching), None)


def _move_by_number(text: str, moves: Sequence[str]) -> str:
    number = int(text) if len(text) < len("1000000") else 0
    if not 1 <= number <= len(moves):
        raise AmbiguousMove(gettext("moves have the numbers 1 to {last}", last=len(moves)))
    return moves[number - 1]


def _normalized(text: str) -> str:
    return " ".join(text.lower().split())


def group_by_first_word(moves: Sequence[str]) -> dict[str, list[int]]:
    """Indexes of the moves, grouped by their first word, in order."""
    groups: dict[str, list[int]] = {}
    for index, move in enumerate(moves):
        groups.setdefault(move.replace(":", " ").split()[0], []).append(index)
    return groups
