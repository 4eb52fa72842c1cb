"""Stages of a Spring Festival match: what happens next. Stored states contain these numbers: never change them."""

from __future__ import annotations

from typing import Final

SETUP_STORE: Final = 1
SETUP_PATTERN: Final = 2
SETUP_COLOUR: Final = 3
SETUP_SIGN: Final = 4
SETUP_FIRST: Final = 5
LAYING: Final = 6
ORIENTING: Final = 7
STOCKING: Final = 8
PLACING: Final = 9
COMPOSING: Final = 10
PATTERN_DEAL: Final = 11
COLOUR_DEAL: Final = 12
FINALE: Final = 13
OVER: Final = 14
