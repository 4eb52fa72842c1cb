"""The components of Fireship, read from `components.json`: pawns, dice, cards, badges, wheel, drawn board."""

from __future__ import annotations

import json
from pkgutil import get_data
from typing import Final

from engine_core import packed

GREEN: Final = 0
BLUE: Final = 1
RED: Final = 2
YELLOW: Final = 3
WHITE: Final = 4
COLOURS: Final[list[str]] = ["green", "blue", "red", "yellow"]
"""The colours of the corners, clockwise from the north-west."""
OWNERS: Final[list[str]] = [*COLOURS, "white"]

BOAT: Final = 0
PLANE: Final = 1
BATTLESHIP: Final = 2

GAIN_BOAT: Final = 0
GAIN_PLANE: Final = 1
LOSE_BOAT: Final = 2
LOSE_PLANE: Final = 3
NO_CARD: Final = 4
BOUM: Final = 5
PLUS_ONE: Final = 6
UPDRAFT: Final = 7
FOG: Final = 8
BERMUDA: Final = 9
CARD_KINDS: Final = 10
# Effects of sectors of the wheel that are not cards; numbered after the kinds of cards.
DRAW_CARD: Final = 10
KRAKEN: Final = 11
GULF_STREAM: Final = 12
SPIN_AGAIN: Final = 13

BADGES: Final = [BOUM, GULF_STREAM, FOG, UPDRAFT]
BADGE_NAMES: Final = ["boum", "gulf_stream", "fog", "updraft"]

_DATA: Final = json.loads(get_data(__package__, "components.json") or b"")

ROWS: Final[list[str]] = _DATA["board"]
FLIGHT: Final[int] = _DATA["flight"]
BASE_LETTERS: Final[list[str]] = [_DATA["colours"][colour] for colour in COLOURS]
DEFAULT_COLOURS: Final[dict[int, tuple[int, ...]]] = {
    int(seats): tuple([COLOURS.index(colour) for colour in colours])
    for seats, colours in _DATA["defaultColours"].items()
}

KINDS: Final[list[str]] = [pawn["kind"] for pawn in _DATA["pawns"]]
POWERS: Final[list[int]] = [pawn["power"] for pawn in _DATA["pawns"]]
PAWNS_PER_KIND: Final[list[int]] = [pawn["each"] for pawn in _DATA["pawns"]]
"""Pawns of each kind that a colour has, on the board and in reserve."""
START_PAWNS: Final[list[int]] = [pawn["start"] for pawn in _DATA["pawns"]]
ISLAND_POWERS: Final[list[int]] = _DATA["islandPowers"]
RINGS: Final = 3
RING_BOATS: Final = 2
"""Boats that a ring costs; a `Fortify` names them."""
FAST_SQUARES: Final = 2
"""Squares that a fast pawn moves for each point (FS-82)."""

FACES: Final[list[int]] = _DATA["faces"]
SKULL: Final = 0
WINS_EQUAL: Final[list[int]] = _DATA["winningFaces"]["equal"]
WINS_GREATER: Final[list[int]] = _DATA["winningFaces"]["greater"]
BATTLESHIP_FACES: Final[list[int]] = _DATA["battleshipFaces"]
MOVEMENT_DICE: Final[list[int]] = _DATA["movementDice"]

CARDS: Final[list[str]] = [card["kind"] for card in _DATA["cards"]]
CARD_COUNTS: Final[list[int]] = [card["count"] for card in _DATA["cards"]]
IS_HAND_CARD: Final[list[bool]] = [card["use"] == "keep" for card in _DATA["cards"]]
"""Whether a card of each kind goes to the hand, face down (FS-78)."""
EFFECTS: Final = [*CARDS, "draw_card", "kraken", "gulf_stream", "spin_again"]
SECTORS: Final[list[int]] = [EFFECTS.index(effect) for effect in _DATA["sectors"]]
"""The effect of each sector of the wheel."""
BADGE_STOCK: Final[list[int]] = [_DATA["badges"][badge] for badge in BADGE_NAMES]

MIN_ROUNDS: Final[int] = _DATA["rounds"]["least"]
MAX_ROUNDS: Final[int] = _DATA["rounds"]["most"]
DEFAULT_ROUNDS: Final[dict[int, int]] = {int(seats): rounds for seats, rounds in _DATA["rounds"]["default"].items()}

FULL_DECK: Final[int] = packed.pack(CARD_COUNTS)
"""All 55 mystery cards."""
HAND_CARD_LANES: Final[int] = sum(
    [packed.LANE_MASK << packed.LANE_BITS * card for card in range(CARD_KINDS) if IS_HAND_CARD[card]]
)
"""The bits of the kinds that hands can hold, as a mask for packed counts."""
