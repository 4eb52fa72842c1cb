"""Stages of a Fireship match: what happens next. Stored states contain these numbers: never change them."""

from __future__ import annotations

from typing import Final

FIRST_THROW: Final = 1
CARDS_FIRST: Final = 2
THROWING: Final = 3
MOVING: Final = 4
SAILING: Final = 5
WINDOW: Final = 6
BATTLE: Final = 7
BATTLESHIP_THROW: Final = 8
SKULL_ANSWER: Final = 9
SPINNING: Final = 10
DRAWING: Final = 11
LOSING: Final = 12
OVER: Final = 13
