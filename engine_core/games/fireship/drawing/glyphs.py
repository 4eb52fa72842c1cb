"""Glyphs of Fireship as path data: emblems of the owners, pawns, and icons of cards, squares and counts.

Each is centred on the origin; a transformation moves it to its place. An emblem is the sail of a boat, the roundel of a
plane and the flag of a battleship, so that no owner is known by colour alone.
"""

from __future__ import annotations

from typing import Final

from engine_core.games.fireship.board import BATTLESHIP_SQUARE, MYSTERY, WHEEL
from engine_core.games.fireship.components import BLUE, GREEN, OWNERS, RED, YELLOW


def emblem(owner: int, x: float, y: float, radius: float) -> str:
    """An owner's shape around a point: triangle, circle, square, diamond, and for white a hexagon."""
    if owner == BLUE:
        half_turn = f"a{radius:g} {radius:g} 0 1 0 "
        return f"M{_pair(x - radius, y)}{half_turn}{2 * radius:g} 0{half_turn}{-2 * radius:g} 0z"
    if owner == RED:
        side = round(1.75 * radius)
        return f"M{_pair(x - side / 2, y - side / 2)}h{side}v{side}h{-side}z"
    if owner == GREEN:
        half = round(1.1 * radius)
        return f"M{_pair(x, y - radius)}l{half} {round(1.85 * radius)}h{-2 * half}z"
    half = round((1.12 if owner == YELLOW else 0.5) * radius)
    if owner == YELLOW:
        return f"M{_pair(x, y - half)}l{half} {half}{-half} {half}{-half}{-half}z"
    rise = round(0.88 * radius)
    return f"M{_pair(x - half, y - rise)}h{2 * half}l{half} {rise}{-half} {rise}h{-2 * half}l{-half}{-rise}z"


def _pair(x: float, y: float) -> str:
    """Two numbers of a path; a minus needs no space before it."""
    return f"{x:g}{y:g}" if y < 0 else f"{x:g} {y:g}"


HULLS: Final = [
    "M-20 10h40l-7 11h-26M-2-22h4v33h-4",
    "M0-23c3 0 4 6 4 11l19 14v7l-19-5v11l7 5v4l-11-3-11 3v-4l7-5v-11l-19 5v-7l19-14c0-5 1-11 4-11",
    "M-24 6h9l-7-7 3-3 10 10h3v-8h12v8h3l10-10 3 3-7 7h9l-4 15h-40M-2-23h4v22h-4",
]
"""A boat, a plane and a battleship without their emblems, 48 units wide and high."""
_EMBLEM_PLACES: Final = [(0, -7, 14), (0, 0, 10), (0, -11, 11)]
"""Where the emblem is on each kind of pawn: x, y, radius."""
EMBLEMS: Final = [[emblem(owner, x, y, size) for x, y, size in _EMBLEM_PLACES] for owner in range(len(OWNERS))]
"""The emblem on a pawn, by owner and kind."""

SKULL: Final = (
    "M-15-3c0-20 30-20 30 0c0 6-3 9-5 10v8h-20v-8c-2-1-5-4-5-10"
    "M-10-3a4 4 0 1 0 8 0 4 4 0 1 0-8 0M2-3a4 4 0 1 0 8 0 4 4 0 1 0-8 0M-1 4h2l2 4h-6M-4 11h2v4h-2M2 11h2v4h-2"
)
"""A skull, to be filled by the even-odd rule."""
_BOAT: Final = "M-16 7h22l-5 8h-12zM-6-14v18h-9z"
_PLANE: Final = "M-5-15c2 0 3 3 3 7l11 8v4l-11-3v7l4 3v2l-7-1l-7 1v-2l4-3v-7l-11 3v-4l11-8c0-4 1-7 3-7z"
_PLUS: Final = "M9-13h4v5h5v4h-5v5h-4v-5h-5v-4h5z"
_MINUS: Final = "M4-10h14v4h-14z"

FILLED: Final = {
    "gain_boat": _BOAT + _PLUS,
    "gain_plane": _PLANE + _PLUS,
    "lose_boat": _BOAT + _MINUS,
    "lose_plane": _PLANE + _MINUS,
    "boum": "M0-17l4 9l9-6l-3 10l8 4l-8 4l3 10l-9-6l-4 9l-4-9l-9 6l3-10l-8-4l8-4l-3-10l9 6z",
    "plus_one": "M-15-2h6v-6h4v6h6v4h-6v6h-4v-6h-6zM5-8l6-6h4v27h-5v-20l-5 4z",
    "flag": "M-12-16h3v33h-3zM-8-15h21l-5 7l5 7h-21z",
    "shield": "M0-16l14 5c0 14-4 22-14 28c-10-6-14-14-14-28z",
    "fleet": "M-16 3h32l-6 12h-20zM-2-16h4v17h-4zM4-13l10 13h-10z",
    "card": "M-9-16h18a3 3 0 0 1 3 3v26a3 3 0 0 1-3 3h-18a3 3 0 0 1-3-3v-26a3 3 0 0 1 3-3z",
}
"""Icons of cards, badges and counts that are filled."""
STROKED: Final = {
    "no": "M-14 0a14 14 0 1 0 28 0a14 14 0 1 0-28 0M-10-10l20 20",
    "updraft": "M0 16v-31M-8-7l8-8l8 8M-15 14c5-5 5-9 0-14M15 14c-5-5-5-9 0-14",
    "fog": "M-9 3a7 7 0 0 1 0-13a9 9 0 0 1 17 0a6 6 0 0 1 1 13zM-15 9h24M-9 15h24",
    "gulf_stream": "M-16-5c5-7 9-7 14-1s9 6 15-1M-16 9c5-7 9-7 14-1s9 6 15-1M8-9l6 1l-1 6M8 5l6 1l-1 6",
    "bermuda": "M1 1c3-3 7 0 5 4s-9 5-12 0s0-13 7-14s14 6 13 13s-8 13-16 12s-13-7-13-15",
}
"""Icons of cards and badges that are drawn as lines."""
SIGNS: Final = {
    WHEEL: "M-17 0a17 17 0 1 0 34 0a17 17 0 1 0-34 0M-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0"
    "M0-6v-15M0 6v15M-6 0h-15M6 0h15M-4-4l-11-11M4 4l11 11M-4 4l-11 11M4-4l11-11",
    BATTLESHIP_SQUARE: "M-20 6h40l-5 11h-30zM-10 6v-8h20v8M0-2v-10M-10 1l-9-6M10 1l9-6",
    MYSTERY: "M-9-8c0-14 19-14 19-1c0 8-9 8-9 16M1 15v2",
}
"""Signs of special squares, drawn as lines."""
ANCHOR: Final = "M-4-15a4 4 0 1 0 8 0a4 4 0 1 0-8 0M0-11v28M-8-5h16M-14 6c1 7 6 11 14 11s13-4 14-11"
"""The sign of a port, drawn as lines."""
PALM: Final = "M-1 18c2-10 2-16 0-24M0-7c-4-6-10-6-14-1M0-7c-5-1-9 3-9 9M0-7c4-6 10-6 14-1M0-7c5-1 9 3 9 9"
"""A tree on an island, drawn as lines."""
PIPS: Final = [
    [],
    [],
    [(-1, -1), (1, 1)],
    [(-1, -1), (0, 0), (1, 1)],
    [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
]
"""Pips of a die by its number: columns and rows from the middle."""


def icon(name: str, x: int, y: int, scale: float, colour: str) -> str:
    """The icon of a card, a badge or a count, as markup within the lines of a `FireshipSheet`."""
    place = f'<path transform="translate({x} {y}) scale({scale:g})" d="'
    if name in STROKED:
        return f'{place}{STROKED[name]}" fill="none" stroke="{colour}"/>'
    if name == "anti_skull":
        return f'{place}{SKULL}" fill="{colour}" fill-rule="evenodd"/>'
    return f'{place}{FILLED[name]}" fill="{colour}"/>'
