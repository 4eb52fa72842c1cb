"""Displays in a picture of Spring Festival: tiles on their squares, and where the observer may put one."""

from __future__ import annotations

from typing import Final

from engine_core.games.spring_festival import components, stages
from engine_core.games.spring_festival.display import Display
from engine_core.games.spring_festival.drawing.facts import is_choosing_square
from engine_core.games.spring_festival.drawing.pieces import TILES_GROUP
from engine_core.games.spring_festival.drawing.sheet import SpringFestivalSheet
from engine_core.games.spring_festival.squares import column, row
from engine_core.games.spring_festival.view import SpringFestivalSeatView
from engine_core.pictures.sheet import TEXT
from engine_core.pictures.svg import Value, wrapped

Box = tuple[float, float, float, float]
"""Left, top, width and height."""

MOST_CELL: Final = 104
"""Width of a square of a display, at most."""
AXIS_STEP: Final = 44
"""Distance of coordinates, at least: `-15` is 37 wide."""


def square_part(square: int) -> str:
    """The id of a square of the observer's display."""
    return f"square-{column(square)}-{row(square)}"


class Grid:
    """Where the squares of a display lie in a picture: as large as they fit into a box, in its middle."""

    def __init__(self, squares: list[int], box: Box, has_axes: bool) -> None:
        left, top, width, height = box
        if has_axes:
            left, top, width, height = left + 34, top + 28, width - 34, height - 28
        columns = [column(square) for square in squares]
        self.first_column: Final = min(columns)
        self.first_row: Final = row(squares[0])
        self.columns: Final = max(columns) - self.first_column + 1
        self.rows: Final = row(squares[-1]) - self.first_row + 1
        self.cell: Final = min(width / self.columns, height / self.rows, float(MOST_CELL))
        self.left: Final = left + (width - self.cell * self.columns) / 2
        self.top: Final = top + (height - self.cell * self.rows) / 2

    def x(self, square: int) -> float:
        """The left border of a square."""
        return self.left + self.cell * (column(square) - self.first_column)

    def y(self, square: int) -> float:
        """The upper border of a square."""
        return self.top + self.cell * (row(square) - self.first_row)


def draw_display(sheet: SpringFestivalSheet, number: int, box: Box) -> None:
    """Draw a display; that of the observer with a margin of one square, so that it stays where it is."""
    seat, display, own = sheet.view.seats[number], sheet.displays[number], number == sheet.view.observer
    choosing = own and is_choosing_square(sheet.view)
    if not display.tiles and not choosing:
        _draw_hidden_display(sheet, seat, box)
        return
    is_large = box[2] > 400
    grid = Grid(display.reachable if own else sorted(display.squares), box, is_large)
    if is_large:
        _draw_axes(sheet, grid)
    if choosing:
        _draw_free_squares(sheet, display, grid)
    sheet.drawing.begin(TILES_GROUP)
    for slot, square in enumerate(display.squares):
        if square != seat.placement:
            exploded = display.exploded >> slot & 1 == 1
            face = sheet.words.name("face", "exploded" if exploded else "rocket")
            title = f"{_place(square)}: {sheet.titles.tiles[display.tiles[slot]]}; {face}"
            part = square_part(square) if own else ""
            sheet.tile(display.tiles[slot], exploded, grid.x(square), grid.y(square), grid.cell, title, part)
    if seat.committed and own:
        _draw_placement(sheet, seat, grid)
    sheet.end()


def _draw_hidden_display(sheet: SpringFestivalSheet, seat: SpringFestivalSeatView, box: Box) -> None:
    """Draw how many start tiles another seat has laid, face down."""
    if sheet.view.stage != stages.LAYING:
        return
    left, top, width, height = box
    size = min(width / components.SET_SIZE, 64.0)
    x, y = left + (width - size * components.SET_SIZE) / 2, top + height / 2 - size
    text = sheet.say("laid", str(seat.laid), str(components.SET_SIZE))
    sheet.drawing.begin({"stroke": sheet.theme.faint, "stroke_width": 2}, text)
    for place in range(components.SET_SIZE):
        fill = sheet.theme.faint if place < seat.laid else sheet.theme.panel
        square: dict[str, Value] = {"x": x + size * place + 3, "y": y, "width": size - 6, "height": size - 6, "rx": 7}
        sheet.drawing.element("rect", {**square, "fill": fill})
    sheet.end()
    for place, line in enumerate(wrapped(text, TEXT, width)):
        sheet.text(left + width / 2, y + size + 28 + 28 * place, line, TEXT, anchor="middle")


def _draw_axes(sheet: SpringFestivalSheet, grid: Grid) -> None:
    """Draw the coordinates of columns and rows, every second one where squares are narrow."""
    attributes: dict[str, Value] = {"font_size": TEXT, "fill": sheet.theme.faint, "text_anchor": "middle"}
    sheet.drawing.begin(attributes)
    step = 1 if grid.cell >= AXIS_STEP else 2
    for place in range(0, grid.columns, step):
        sheet.drawing.text(grid.left + grid.cell * (place + 0.5), grid.top - 7, str(grid.first_column + place), {})
    for place in range(0, grid.rows, step):
        y = grid.top + grid.cell * (place + 0.5) + 8
        sheet.drawing.text(grid.left - 20, y, str(grid.first_row + place), {})
    sheet.end()


def _place(square: int) -> str:
    return f"({column(square)}, {row(square)})"


def _draw_free_squares(sheet: SpringFestivalSheet, display: Display, grid: Grid) -> None:
    """Draw the free squares on which the observer may put a tile."""
    sheet.drawing.begin(
        {"fill": sheet.theme.paper, "stroke": sheet.theme.faint, "stroke_width": 2, "stroke_dasharray": "8 6"}
    )
    size = grid.cell - 6
    for square in display.free_squares():
        sheet.begin(f"{_place(square)}: {sheet.say('free')}", square_part(square))
        x, y = grid.x(square) + 3, grid.y(square) + 3
        sheet.drawing.element("rect", {"x": x, "y": y, "width": size, "height": size, "rx": 0.1 * size})
        sheet.end()
    sheet.end()


def _draw_placement(sheet: SpringFestivalSheet, seat: SpringFestivalSeatView, grid: Grid) -> None:
    """Draw the observer's tile, in a frame, where it will be placed: over the tile that it will replace, if any."""
    square = seat.placement
    x, y, size = grid.x(square), grid.y(square), grid.cell - 6
    sheet.begin(f"{_place(square)}: {sheet.say('placed')}", square_part(square))
    sheet.tile(seat.tile, False, x, y, grid.cell, sheet.titles.tiles[seat.tile])
    frame: dict[str, Value] = {"x": x + 3, "y": y + 3, "width": size, "height": size, "rx": 0.1 * size, "fill": "none"}
    sheet.drawing.element(
        "rect", {**frame, "stroke": sheet.theme.accent, "stroke_width": 6, "stroke_dasharray": "14 8"}
    )
    sheet.end()
