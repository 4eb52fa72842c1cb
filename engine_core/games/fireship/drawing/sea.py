"""The sea of Fireship: its squares with their pawns, the islands and the bases."""

from __future__ import annotations

from html import escape
from typing import Final

from engine_core.games.fireship import components
from engine_core.games.fireship.board import (
    BASES,
    IS_SEA,
    ISLAND_CELLS,
    ISLANDS,
    NAMES,
    NO_PORT,
    PORT_OF,
    SIZE,
    SPECIAL,
    SPECIAL_NAMES,
    SQUARES,
)
from engine_core.games.fireship.drawing.glyphs import ANCHOR, PALM, SIGNS, emblem, icon
from engine_core.games.fireship.drawing.palette import Palette
from engine_core.games.fireship.drawing.pawns import Pawns
from engine_core.games.fireship.drawing.sheet import FireshipSheet
from engine_core.games.fireship.moves import CLASSES
from engine_core.games.fireship.view import PawnView
from engine_core.pictures.themes import Theme
from engine_core.words import Words

LEFT: Final = 50
TOP: Final = 134
SQUARE: Final = 54
EXTENT: Final = SIZE * SQUARE
BOTTOM: Final = TOP + EXTENT
_HALF: Final = SQUARE // 2
_ATOLL: Final = 4
"""The island that is four single cells."""


def square_part(square: int) -> str:
    """The id of a square of the sea, or of a base."""
    return f"square-{NAMES[square]}"


def island_part(island: int) -> str:
    """The id of an island, which are numbered from 1."""
    return f"island-{island + 1}"


def corner(square: int) -> tuple[int, int]:
    """The left upper corner of a square."""
    return LEFT + square % SIZE * SQUARE, TOP + square // SIZE * SQUARE


def centre(square: int) -> tuple[int, int]:
    """The middle of a square, or of a whole base."""
    x, y = corner(square)
    if square in BASES:
        return (x + SQUARE if x == LEFT else x), (y + SQUARE if y == TOP else y)
    return x + _HALF, y + _HALF


class StaticSea:
    """What is the same in all pictures in one language and theme, as markup."""

    def __init__(self, words: Words, theme: Theme, palette: Palette) -> None:
        self.frame: Final = _frame(theme, palette)
        self.squares: Final = [_square(square, words, palette) if IS_SEA[square] else "" for square in range(SQUARES)]
        """Each square of the sea as a group that is not closed."""


_CACHE: Final[dict[tuple[str, str], StaticSea]] = {}
"""Cache by language and theme: without it a picture takes 1.3 times as long."""


def _static_sea(sheet: FireshipSheet) -> StaticSea:
    key = (sheet.words.locale, sheet.theme.name)
    found = _CACHE.get(key)
    if found is None:
        found = _CACHE[key] = StaticSea(sheet.words, sheet.theme, sheet.palette)
    return found


def _frame(theme: Theme, palette: Palette) -> str:
    """The names of columns and rows, and the water under the islands."""
    written = [f'<g text-anchor="middle" fill="{theme.faint}">']
    for number in range(SIZE):
        middle = number * SQUARE + _HALF
        written.append(f'<text x="{LEFT + middle}" y="{TOP - 8}">{NAMES[number][0]}</text>')
        written.append(f'<text x="{LEFT - 20}" y="{TOP + middle + 8}">{number + 1}</text>')
    written.append(f'</g><path d="M{LEFT} {TOP}h{EXTENT}v{EXTENT}h-{EXTENT}z" fill="{palette.sea[0]}"/>')
    return "".join(written)


def _square(square: int, words: Words, palette: Palette) -> str:
    x, y = corner(square)
    special = SPECIAL[square]
    title = NAMES[square]
    if PORT_OF[square] != NO_PORT:
        title += ": " + words.sentence("picture.port", str(PORT_OF[square] + 1))
    elif special:
        title += ": " + words.name("square_kind", SPECIAL_NAMES[special])
    fill = f' fill="{palette.sea[special]}"' if special else ""
    written = (
        f'<g id="{square_part(square)}"><title>{escape(title)}</title>'
        f'<path d="M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}"{fill}/>'
    )
    sign = ANCHOR if PORT_OF[square] != NO_PORT else SIGNS.get(special)
    return written if sign is None else written + _sign(sign, x + _HALF, y + _HALF, palette)


def _sign(path: str, x: int, y: int, palette: Palette) -> str:
    return f'<path d="{path}" transform="translate({x} {y})" fill="none" stroke="{palette.signs}"/>'


def _grid(theme: Theme) -> str:
    """The lines between squares, which are no gaps for clicks."""
    lines = [
        f"M{LEFT} {TOP + number * SQUARE}h{EXTENT}M{LEFT + number * SQUARE} {TOP}v{EXTENT}" for number in range(1, SIZE)
    ]
    return f'<path d="{"".join(lines)}" stroke="{theme.paper}" stroke-width="1.5" pointer-events="none"/>'


def draw_sea(sheet: FireshipSheet) -> None:
    """Draw the squares and their pawns, then the islands and bases."""
    static = _static_sea(sheet)
    groups: list[list[PawnView]] = [[] for _ in range(SQUARES)]
    for pawn in sheet.view.pawns:
        groups[pawn.pawn // CLASSES].append(pawn)
    pawns = Pawns(sheet)
    written = [
        static.frame,
        # Boxes around pawns have no fill, and are to be hit by clicks.
        f'<g fill="{sheet.palette.sea[0]}" font-weight="bold" text-anchor="middle" pointer-events="all" '
        'stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round">',
    ]
    for square in range(SQUARES):
        if IS_SEA[square]:
            written.append(static.squares[square])
            if groups[square]:
                x, y = centre(square)
                written.append(pawns.at_sea(groups[square], x, y))
            written.append("</g>")
    written.append(_grid(sheet.theme))
    for owner in range(len(BASES)):
        written.append(_base(sheet, owner, groups[BASES[owner]], pawns))
    written.append(f'<g fill="{sheet.theme.ink}">')
    for island in range(ISLANDS):
        written.append(_island(sheet, island))
    written.append("</g></g>")
    sheet.drawing.insert("".join(written))


def _island(sheet: FireshipSheet, island: int) -> str:
    """An island: its number, flag, power and rings on the four corner cells."""
    view, palette = sheet.view, sheet.palette
    cells = ISLAND_CELLS[island]
    owner, rings = view.owners[island], view.rings[island]
    power = str(components.ISLAND_POWERS[rings])
    colour = sheet.words.name("colour", components.OWNERS[owner])
    title = sheet.say("island", str(island + 1), colour, power, str(rings))
    left, top = corner(cells[0])
    right, bottom = corner(cells[-1])
    written = [f'<g id="{island_part(island)}"><title>{escape(title)}</title>', _land(cells, owner, palette)]
    x, y = right + _HALF, top + _HALF
    written.append(
        f'<text x="{left + _HALF}" y="{top + 38}" font-size="30">{island + 1}</text>'
        f'<path d="M{x - 15} {y - 16}h3v36h-3z" fill="{palette.hull}"/>'
        f'<path d="{emblem(owner, x, y - 4, 13)}" fill="{palette.fleets[owner]}" stroke="{palette.outline}"/>'
    )
    x, y = left + _HALF, bottom + _HALF
    written.append(
        icon("shield", x, y - 2, 1.25, palette.hull)
        + f'<text x="{x}" y="{y + 6}" fill="{sheet.theme.paper}">{power}</text>'
    )
    x = right + _HALF
    for ring in range(rings):
        written.append(f'<circle cx="{x}" cy="{y}" r="{8 + 6 * ring}" fill="none" stroke="{sheet.theme.ink}"/>')
    if rings == 0:
        written.append(_sign(PALM, x, y, palette))
    if len(cells) > len(BASES):
        written.append(_sign(PALM, (left + right + SQUARE) // 2, (top + bottom + SQUARE) // 2, palette))
    written.append("</g>")
    return "".join(written)


def _land(cells: list[int], owner: int, palette: Palette) -> str:
    """The ground of an island: one piece, or four for the atoll."""
    colours = f'fill="{palette.land[owner]}" stroke="{palette.fleets[owner]}" stroke-width="4"'
    pieces = [(cell, cell) for cell in cells] if cells is ISLAND_CELLS[_ATOLL] else [(cells[0], cells[-1])]
    written = ""
    for first, last in pieces:
        left, top = corner(first)
        right, bottom = corner(last)
        width, height = right - left + SQUARE - 6, bottom - top + SQUARE - 6
        written += f'<rect x="{left + 3}" y="{top + 3}" width="{width}" height="{height}" rx="16" {colours}/>'
    return written


def _base(sheet: FireshipSheet, owner: int, waiting: list[PawnView], pawns: Pawns) -> str:
    """A base with the pawns that wait in it, in cells; a cross where the colour does not play."""
    square, palette = BASES[owner], sheet.palette
    x, y = centre(square)
    left, top, extent = x - SQUARE + 4, y - SQUARE + 4, 2 * SQUARE - 8
    title = sheet.say("base", sheet.words.name("colour", components.OWNERS[owner]))
    is_open = owner in sheet.view.options.colours
    border = palette.fleets[owner] if is_open else sheet.theme.line
    written = [
        f'<g id="{square_part(square)}"><title>{NAMES[square]}: {escape(title)}</title>'
        f'<rect x="{left - 1}" y="{top - 1}" width="{extent + 2}" height="{extent + 2}" rx="14" '
        f'fill="{palette.land[owner] if is_open else sheet.theme.panel}" stroke="{border}" stroke-width="4"/>'
    ]
    columns = 2 if len(waiting) <= 4 else 3
    cell = extent // columns
    for number, group in enumerate(waiting):
        written.append(pawns.waiting(group, left + number % columns * cell, top + number // columns * 50, cell))
    if not is_open:
        written.append(f'<path d="M{x - 24} {y - 24}l48 48m0-48l-48 48" stroke="{border}" stroke-width="8"/>')
    elif len(waiting) < 4:
        colours = f'fill="{palette.fleets[owner]}" stroke="{palette.outline}"'
        written.append(f'<path d="{emblem(owner, x + 24, y + 24, 15)}" {colours}/>')
    written.append("</g>")
    return "".join(written)
