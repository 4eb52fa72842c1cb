"""What a person types at a table: a command, or a move by its number, its notation or a beginning of that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

COMMANDS: Final = {
    "help": "what can be typed",
    "moves": "the legal moves; `moves WORD` only those that begin with it",
    "board": "the table again",
    "score": "points as they stand",
    "history": "all that has happened, as far as your seat may know it",
    "leave": "give up your seat for good",
    "quit": "end this program; the match stays as it is",
}
"""What can be typed beside moves, in full."""
SHOWN: Final = 4
"""Of the moves that an ambiguous beginning could mean."""


class Ambiguous(ValueError):
    """A word that could mean several moves, or a number that none has."""


def chosen(text: str, moves: Sequence[str]) -> str | None:
    """The legal move that a text means; None for no legal move. Raises `Ambiguous`."""
    if text.isdecimal() and text.isascii():
        return _numbered(text, moves)
    wanted = _plain(text)
    begun = [move for move in moves if _plain(move).startswith(wanted)]
    same = [move for move in begun if _plain(move) == wanted]
    if len(begun) > 1 and not same:
        more = f" and {len(begun) - SHOWN} more" if len(begun) > SHOWN else ""
        raise Ambiguous(f"{len(begun)} moves begin so: {', '.join(begun[:SHOWN])}{more}")
    return next(iter(same or begun), None)


def _numbered(text: str, moves: Sequence[str]) -> str:
    number = int(text) if len(text) < len("1000000") else 0
    if not 1 <= number <= len(moves):
        raise Ambiguous(f"the moves have the numbers 1 to {len(moves)}")
    return moves[number - 1]


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def kinds(moves: Sequence[str]) -> dict[str, list[int]]:
    """The places of the moves by their first words, in order."""
    places: dict[str, list[int]] = {}
    for place, move in enumerate(moves):
        places.setdefault(move.replace(":", " ").split()[0], []).append(place)
    return places
