"""Shapes and icons of Fire Bulls as path data. Each of the five colours has a shape of its own."""

from __future__ import annotations

from typing import Final

SHAPES: Final = [
    "M0-10A10 10 0 1 1 0 10A10 10 0 1 1 0-10Z",
    "M0-11L12 9H-12Z",
    "M-9-9H9V9H-9Z",
    "M0-12L12 0L0 12L-12 0Z",
    "M-4-11H4V-4H11V4H4V11H-4V4H-11V-4H-4Z",
    "M0-12L3.2-4H12L5 1.5L7.5 10.5L0 5.3L-7.5 10.5L-5 1.5L-12-4H-3.2Z",
]
"""Paths by kind of attack card, about the origin, 20 units wide: circle, triangle, square, diamond, cross; star."""
ANY_SHAPE: Final = "M0-10A10 10 0 1 1 0 10A10 10 0 1 1 0-10ZM0-5.5A5.5 5.5 0 1 0 0 5.5A5.5 5.5 0 1 0 0-5.5Z"
"""A ring: a bull of any colour."""

BULL: Final = "M6 4C2 14 6 20 13 20L15 31C16 37 24 37 25 31L27 20C34 20 38 14 34 4C33 10 30 12 25 12H15C10 12 7 10 6 4Z"
"""The head of a bull in a box of 40 by 40 units, like all icons."""
CUP: Final = (
    "M11 4H29V8H35C35 15 32 19 27 20C26 23 24 25 22 26V32H28V36H12V32H18V26C16 25 14 23 13 20C8 19 5 15 5 8H11Z"
)
"""The mark of a winner."""
ICONS: Final = {
    "soldier": "M20 2L25 12H15ZM9 15H31V24C31 31 25 35 20 37C15 35 9 31 9 24Z",
    "wu": "M8 3H12V37H8ZM14 5L35 12L14 19Z",
    "xi": "M8 3H12V37H8ZM14 3L35 9L14 15ZM14 17L35 23L14 29Z",
    "bo": "M8 3H12V37H8ZM14 4H36L30 14L36 24H14Z",
    "colonel": "M5 4L11 5L35 30L31 34L6 10ZM35 4L29 5L5 30L9 34L34 10Z",
    "general": "M5 33L3 11L13 20L20 6L27 20L37 11L35 33Z",
    "fortification": "M3 36V14L9 5L14 14V36ZM15 36V14L20 5L25 14V36ZM26 36V14L31 5L37 14V36Z",
}
"""Paths by role of the point cards: shield, banners, swords, crown, palisade."""
