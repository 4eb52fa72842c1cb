"""Parses input at the prompt: a command, or a move by its number, its notation or a prefix of its notation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

COMMANDS: Final = {
    "help": "list the commands",
    "moves": "list the legal moves; `moves PREFIX` only those with that prefix",
    "board": "show the board again",
    "score": "show the points",
    "history": "show all moves, as far as your seat may see them",
    "leave": "give up your seat for good",
    "quit": "end this program; the match stays as it is",
}
"""The commands, which must be typed in full, with their help."""
SHOWN: Final = 4
"""How many of the moves with an ambiguous prefix an error lists."""


class Ambiguous(ValueError):
    """The input is a prefix of several moves, or a number that no move has."""


def chosen(text: str, moves: Sequence[str]) -> str | None:
    """The legal move with this number, notation or prefix; None if there is none. Raises `Ambiguous`."""
    if text.isdecimal() and text.isascii():
        return _numbered(text, moves)
    wanted = _plain(text)
    begun = [move for move in moves if _plain(move).startswith(wanted)]
    same = [move for move in begun if _plain(move) == wanted]
    if len(begun) > 1 and not same:
        more = f" and {len(begun) - SHOWN} more" if len(begun) > SHOWN else ""
        raise Ambiguous(f"{len(begun)} moves begin with that: {', '.join(begun[:SHOWN])}{more}")
    return next(iter(same or begun), None)


def _numbered(text: str, moves: Sequence[str]) -> str:
    number = int(text) if len(text) < len("1000000") else 0
    if not 1 <= number <= len(moves):
        raise Ambiguous(f"moves have the numbers 1 to {len(moves)}")
    return moves[number - 1]


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def kinds(moves: Sequence[str]) -> dict[str, list[int]]:
    """Indexes of the moves, grouped by their first word, in order."""
    places: dict[str, list[int]] = {}
    for place, move in enumerate(moves):
        places.setdefault(move.replace(":", " ").split()[0], []).append(place)
    return places
