"""Marks over the sea: the chosen pawn and where it can go, or the places of the action that was declared."""

from __future__ import annotations

from typing import Final

from engine_core.games.fireship import components, moves, stages
from engine_core.games.fireship.board import BASES, ISLAND_CELLS, KRAKEN_REACH, SIZE, SQUARES
from engine_core.games.fireship.drawing.sea import SQUARE, centre, corner
from engine_core.games.fireship.drawing.sheet import FireshipSheet
from engine_core.games.fireship.moves import CLASSES
from engine_core.games.fireship.state import MAX_PAWNS_ON_SEA
from engine_core.games.fireship.view import FireshipView

_RADIUS: Final = 26


def draw_marks(sheet: FireshipSheet) -> None:
    """Draw what is going on at sea. The marks let clicks through."""
    drawn = _choice(sheet.view) if sheet.view.stage == stages.SAILING else _action(sheet.view)
    if drawn:
        accent = sheet.theme.accent
        sheet.drawing.insert(
            f'<g pointer-events="none" fill="none" stroke="{accent}" stroke-width="5" stroke-linecap="round">'
            f"{drawn}</g>"
        )


def _choice(view: FireshipView) -> str:
    """A ring around the chosen pawn, and dots on the squares where it can go."""
    numbers = [0] * SQUARES
    for pawn in view.pawns:
        numbers[pawn.pawn // CLASSES] += pawn.count
    paths = moves.paths_of(view.chosen_pawn)
    steps = view.points * (components.FAST_SQUARES if view.chosen_pawn & moves.FAST else 1)
    dots = ""
    for target in paths.targets[: paths.within[steps]]:
        if numbers[target] < MAX_PAWNS_ON_SEA:
            x, y = centre(target)
            dots += f"M{x} {y}h0"
    return f'{_ring(view.chosen_pawn // CLASSES)}<path d="{dots}" stroke-width="14"/>'


def _action(view: FireshipView) -> str:
    if not view.declared:
        return ""
    move = view.declared[0].move
    if isinstance(move, moves.Attack):
        return _attack(move)
    if isinstance(move, moves.Boum):
        return _ring(move.square)
    if isinstance(move, moves.Hasten):
        return _ring(move.pawn // CLASSES)
    if isinstance(move, moves.Fortify):
        return _ring(move.first // CLASSES) + _ring(move.second // CLASSES) + _ring(ISLAND_CELLS[move.island][-1])
    if isinstance(move, moves.UseSquare):
        return _ring(move.square) + (_kraken(move.square) if _is_kraken(view) else "")
    return ""


def _ring(square: int) -> str:
    x, y = centre(square)
    return f'<circle cx="{x}" cy="{y}" r="{2 * _RADIUS if square in BASES else _RADIUS}"/>'


def _attack(move: moves.Attack) -> str:
    """An arrow from the attacker to the square of its target, or to the nearest cell of the island."""
    target = move.square
    if move.island != moves.NO_ISLAND:
        target = min([(_distance(move.start, cell), cell) for cell in ISLAND_CELLS[move.island]])[1]
    ring = _ring(target)
    if target == move.start:
        return ring
    x, y = centre(move.start)
    to_x, to_y = centre(target)
    length = _distance(move.start, target) ** 0.5 * SQUARE
    u, v = (to_x - x) / length, (to_y - y) / length
    tip_x, tip_y = to_x - _RADIUS * u, to_y - _RADIUS * v
    path = f"M{x + 8 * u:.0f} {y + 8 * v:.0f}L{tip_x:.0f} {tip_y:.0f}"
    for side in (-10, 10):
        path += f"M{tip_x - 12 * u + side * v:.0f} {tip_y - 12 * v - side * u:.0f}L{tip_x:.0f} {tip_y:.0f}"
    return f'{ring}<path d="{path}"/>'


def _distance(square: int, other: int) -> int:
    """The distance of two squares, squared."""
    return (square % SIZE - other % SIZE) ** 2 + (square // SIZE - other // SIZE) ** 2


def _is_kraken(view: FireshipView) -> bool:
    if len(view.declared) < 2:
        return False
    outcome = view.declared[1].move
    return isinstance(outcome, moves.Sector) and components.SECTORS[outcome.sector - 1] == components.KRAKEN


def _kraken(square: int) -> str:
    """A frame around the squares that a Kraken takes."""
    reach = KRAKEN_REACH[square]
    columns = [other % SIZE for other in reach]
    left, top = min(columns), reach[0] // SIZE
    x, y = corner(top * SIZE + left)
    width = (max(columns) - left + 1) * SQUARE
    height = (reach[-1] // SIZE - top + 1) * SQUARE
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="18" stroke-dasharray="16 10"/>'
