"""The picture of a position of Spring Festival: the store above the seats, the observer's own the largest."""

from __future__ import annotations

from typing import Final

from engine_core.game import Move
from engine_core.games.spring_festival import moves, stages
from engine_core.games.spring_festival.compositions import PICTURES, Complete
from engine_core.games.spring_festival.drawing.displays import Box, square_part
from engine_core.games.spring_festival.drawing.seats import card_part, draw_seat, tile_part
from engine_core.games.spring_festival.drawing.sheet import GAP, MARGIN, SpringFestivalSheet
from engine_core.games.spring_festival.drawing.store import (
    INNER,
    RESULT_HEIGHT,
    STORE_HEIGHT,
    draw_header,
    draw_legend,
    draw_result,
    draw_store,
    draw_turns,
)
from engine_core.games.spring_festival.state import NO_SIGN
from engine_core.games.spring_festival.view import SpringFestivalView
from engine_core.pictures import Setting

LEGEND_HEIGHT: Final = 52


def draw(view: SpringFestivalView, setting: Setting) -> str:
    """The picture of a view."""
    top = 56 if view.sign == NO_SIGN else 92
    upper_height = RESULT_HEIGHT if view.stage == stages.OVER else STORE_HEIGHT
    boxes = _seat_boxes(len(view.seats), view.observer, top + upper_height + GAP)
    height = int(boxes[-1][1] + boxes[-1][3]) + LEGEND_HEIGHT
    if view.observer == len(view.seats) - 1:
        height = int(boxes[0][1] + boxes[0][3]) + LEGEND_HEIGHT
    sheet = SpringFestivalSheet(view, setting, height)
    draw_header(sheet)
    if view.stage == stages.OVER:
        draw_result(sheet, top)
    elif view.stage == stages.ORIENTING:
        draw_turns(sheet, top)
    else:
        draw_store(sheet, top)
    for number, box in enumerate(boxes):
        draw_seat(sheet, number, box)
    draw_legend(sheet, height - 14)
    return sheet.drawing.svg()


def parts(move: Move) -> tuple[str, ...]:
    """The elements that a person clicks to choose a move; none for a move of nature."""
    if isinstance(move, moves.LayStartTile):
        return (tile_part(move.tile), square_part(move.square))
    if isinstance(move, moves.RotateStore):
        return (f"turn-{move.offset}",)
    if isinstance(move, (moves.PlaceTile, moves.Launch)):
        return (square_part(move.square),)
    if isinstance(move, Complete):
        squares = sorted([move.corner + offset for offset in PICTURES[move.card][move.turns].offsets])
        return (card_part(move.card), *[square_part(square) for square in squares])
    return ("pass",) if isinstance(move, moves.Pass) else ()


def _seat_boxes(seats: int, observer: int, top: float) -> list[Box]:
    """The boxes of the seats: the observer's own above the others; a spectator sees all in one size."""
    if observer < 0:
        return _equal_boxes(seats, top)
    own_height, height = (526.0, 340.0) if seats == 2 else (460.0, 402.0)
    width = (INNER - GAP * (seats - 2)) / (seats - 1)
    boxes: list[Box] = []
    for number in range(seats):
        if number == observer:
            boxes.append((MARGIN, top, INNER, own_height))
        else:
            place = number - (number > observer)
            boxes.append((MARGIN + place * (width + GAP), top + own_height + GAP, width, height))
    return boxes


def _equal_boxes(seats: int, top: float) -> list[Box]:
    """Two seats one above the other, three side by side, four in two rows."""
    if seats == 2:
        return [(MARGIN, top + number * (430 + GAP), INNER, 430) for number in range(2)]
    across = 3 if seats == 3 else 2
    height = 600.0 if seats == 3 else 430.0
    width = (INNER - GAP * (across - 1)) / across
    return [
        (MARGIN + number % across * (width + GAP), top + number // across * (height + GAP), width, height)
        for number in range(seats)
    ]
