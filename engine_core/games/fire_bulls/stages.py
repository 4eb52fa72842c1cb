"""Stages of a Fire Bulls match: what happens next. Stored states contain these numbers: never change them."""

from __future__ import annotations

from typing import Final

SETUP_YEN: Final = 1
SETUP_PLACES: Final = 2
SETUP_HANDS: Final = 3
SETUP_RESERVE: Final = 4
SETUP_FIRST: Final = 5
ACTION: Final = 6
REFILL: Final = 7
DRAWING: Final = 8
STEPPING: Final = 9
POWER: Final = 10
BO_DRAW: Final = 11
COLONEL_PICK: Final = 12
GENERAL_PICK: Final = 13
CAPTURE: Final = 14
BONUS: Final = 15
PRICE: Final = 16
RELEASE: Final = 17
FILL: Final = 18
OVER: Final = 19
