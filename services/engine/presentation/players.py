"""Display names of the players of a match, for pictures and for sentences."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

from fireside.match.v1.match_pb2 import SeatSpec

from engine_core.game import SPECTATOR
from engine_core.words import Words

ISOLATE: Final = "\N{FIRST STRONG ISOLATE}{}\N{POP DIRECTIONAL ISOLATE}"
_DIRECTION_MARKS: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_CONTROLS: Final = ("Cc", "Zl", "Zp")
"""Categories of control characters and of separators of lines."""
_RIGHT_TO_LEFT: Final = ("R", "AL", "AN")
"""Bidirectional classes of letters and digits that would move the words around them."""


def player_names(seats: Sequence[SeatSpec], observer: int, words: Words) -> list[str]:
    """Names by seat: what a player is called, else the bot, else `Seat 1 (you)` for the observer; else empty.

    Players that are called the same have the number of their seat too.
    """
    names = [seat.name or _bot_name(seat.bot, words) for seat in seats]
    if 0 <= observer < len(names):
        names[observer] = names[observer] or words.sentence("picture.you", str(observer + 1))
    return [f"{name} ({seat + 1})" if name and names.count(name) > 1 else name for seat, name in enumerate(names)]


def names_in_sentences(seats: Sequence[SeatSpec], words: Words) -> tuple[str, ...]:
    """Names by seat as they stand in a sentence, isolated from its direction where they have another one."""
    names = [_plain(name) for name in player_names(seats, SPECTATOR, words)]
    return tuple([ISOLATE.format(name) if _is_right_to_left(name) else name for name in names])


def _plain(name: str) -> str:
    """A name without control characters, and without those that change the direction of what follows."""
    if not name.isprintable():
        fit = [each for each in name if unicodedata.category(each) not in _CONTROLS and each not in _DIRECTION_MARKS]
        name = "".join(fit)
    return name.strip()


def _is_right_to_left(name: str) -> bool:
    return not name.isascii() and any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in name)


def _bot_name(bot: str, words: Words) -> str:
    """`Greedy` for `greedy:samples=8`; a bot that is not built in is called as the seat names it."""
    known = words.names["bot"].get(bot.partition(":")[0])
    return known.partition(":")[0].rstrip() if known else bot
