"""The pawns of a position as glyphs on their squares, and the names of those that can be clicked."""

from __future__ import annotations

from html import escape
from typing import Final

from engine_core.games.fireship import components, moves
from engine_core.games.fireship.board import IS_SEA, NAMES
from engine_core.games.fireship.drawing.glyphs import EMBLEMS, HULLS
from engine_core.games.fireship.drawing.sheet import FireshipSheet
from engine_core.games.fireship.moves import CLASSES, MARKS
from engine_core.games.fireship.notation import PAWN
from engine_core.games.fireship.state import NO_SEAT
from engine_core.games.fireship.view import PawnView

_NOBODY: Final = -1
_WHOLE_SQUARE: Final = "M-27-27h54v54h-54"
_UPPER_LEFT: Final = "M-26-26h45v45h-45"
_LOWER_RIGHT: Final = "M26 26h-45v-45h45"
_SMALL: Final = "scale(.74)"
"""Size of two pawns on a square."""


def pawn_part(pawn: int) -> str:
    """The id of pawns of the active seat that are alike."""
    marks = ("-arrived" if pawn & moves.ARRIVED else "") + ("-fast" if pawn & moves.FAST else "")
    return f"{components.KINDS[moves.kind_of(pawn)]}-{NAMES[pawn // CLASSES]}{marks}"


def fleet_part(owner: int, square: int) -> str:
    """The id of the pawns of another colour on a square of the sea."""
    return f"{components.OWNERS[owner]}-{NAMES[square]}"


class Pawns:
    """The pawns of a position. Those of the active seat are parts by kind and marks, the others by colour."""

    def __init__(self, sheet: FireshipSheet) -> None:
        view = sheet.view
        self.words: Final = sheet.words
        self.theme: Final = sheet.theme
        self.palette: Final = sheet.palette
        self.active: Final[int] = view.seats[view.active_seat].colour if view.active_seat != NO_SEAT else _NOBODY
        self.swallowed: Final = [seat.colour for seat in view.seats if seat.turns_to_skip]
        self.hulls: Final = [f'<path d="{hull}" fill="{self.palette.hull}"/>' for hull in HULLS]

    def at_sea(self, pawns: list[PawnView], x: int, y: int) -> str:
        """The pawns around the middle of a square: equal ones once, with their number; two that differ diagonally."""
        if len(pawns) == 1:
            return self._part(pawns, x, y, _WHOLE_SQUARE, self._pawn(pawns[0]) + self._number(pawns[0].count, 26))
        first, second = [self._pawn(pawn) for pawn in pawns]
        if pawns[0].owner == pawns[1].owner and pawns[0].owner != self.active:
            both = (
                f'<g transform="translate(-8-8){_SMALL}">{first}</g><g transform="translate(8 8){_SMALL}">{second}</g>'
            )
            return self._part(pawns, x, y, _WHOLE_SQUARE, both)
        return self._part(pawns[:1], x - 8, y - 8, _UPPER_LEFT, first, _SMALL) + self._part(
            pawns[1:], x + 8, y + 8, _LOWER_RIGHT, second, _SMALL
        )

    def waiting(self, pawn: PawnView, left: int, top: int, width: int) -> str:
        """Equal pawns in a cell of a base, 50 units high."""
        drawn = self._pawn(pawn) if width == 50 else f'<g transform="scale(.7)">{self._pawn(pawn)}</g>'
        half = width // 2
        box = f"M{-half}-25h{width}v50h{-width}"
        return self._part([pawn], left + half, top + 25, box, drawn + self._number(pawn.count, half))

    def _part(self, pawns: list[PawnView], x: int, y: int, box: str, drawn: str, scale: str = "") -> str:
        """A group of pawns of one owner; `box` is the path of what a click can hit."""
        owner, square = pawns[0].owner, pawns[0].pawn // CLASSES
        part = ""  # pawns of others in their base can be no target (FS-54)
        if owner == self.active:
            part = f' id="{pawn_part(pawns[0].pawn)}"'
        elif IS_SEA[square]:
            part = f' id="{fleet_part(owner, square)}"'
        faded = ' opacity=".4"' if owner in self.swallowed else ""
        title = self.words.joined([self._title(pawn) for pawn in pawns])
        return (
            f'<g{part} transform="translate({x} {y}){scale}"{faded}><title>{escape(title)}</title>'
            f'<path d="{box}" fill="none"/>{drawn}</g>'
        )

    def _title(self, pawn: PawnView) -> str:
        kind = components.KINDS[moves.kind_of(pawn.pawn)]
        name = PAWN.name(pawn.pawn, self.words) if pawn.pawn % MARKS else self.words.name("pawn_kind", kind)
        text = f"{name} ({self.words.name('colour', components.OWNERS[pawn.owner])})"
        square = pawn.pawn // CLASSES
        if IS_SEA[square] and pawn.pawn % MARKS == 0:  # the name of a marked pawn has its square
            text = self.words.name("pawn.place", "sea").format(text, NAMES[square])
        return text if pawn.count == 1 else self.words.sentence("picture.several", str(pawn.count), text)

    def _pawn(self, pawn: PawnView) -> str:
        """Pawns that are alike, around the origin: a chevron for fast ones, a dot for those that came to a square."""
        kind = moves.kind_of(pawn.pawn)
        palette = self.palette
        drawn = (
            f'{self.hulls[kind]}<path d="{EMBLEMS[pawn.owner][kind]}" fill="{palette.fleets[pawn.owner]}" '
            f'stroke="{palette.outline}"/>'
        )
        if pawn.pawn & moves.FAST:
            chevrons = "M-24-22l7 7l-7 7m9-14l7 7l-7 7"
            drawn += f'<path d="{chevrons}" fill="none" stroke="{self.theme.accent}" stroke-width="4"/>'
        if pawn.pawn & moves.ARRIVED:
            colours = f'fill="{self.theme.accent}" stroke="{palette.outline}"'
            drawn += f'<circle cx="19" cy="-18" r="6" {colours}/>'
        return drawn

    def _number(self, count: int, right: int) -> str:
        """How many pawns there are, if more than one, to the left of `right`."""
        if count == 1:
            return ""
        width = 24 if count < 10 else 36
        return (
            f'<rect x="{right - width}" y="2" width="{width}" height="24" rx="12" fill="{self.theme.paper}" '
            f'stroke="{self.theme.line}"/><text x="{right - width // 2}" y="22" fill="{self.theme.ink}">'
            f"{count}</text>"
        )
