"""The board: columns of point cards with their piles, the lines over them, the places, and the general."""

from __future__ import annotations

from typing import Final

from engine_core.games.fire_bulls import stages
from engine_core.games.fire_bulls.columns import nearest_square
from engine_core.games.fire_bulls.components import (
    ANY_COLOUR,
    DIRECTIONS,
    EMPTY,
    GENERAL,
    LINES,
    PILES,
    POINT_CARDS,
    RULES_BY_PROFILE,
    SQUARE_NAMES,
    SQUARES,
)
from engine_core.games.fire_bulls.drawing import glyphs
from engine_core.games.fire_bulls.drawing.facts import POWERS, next_square, open_lines, power_text
from engine_core.games.fire_bulls.drawing.sheet import LEFT, FireBullsSheet
from engine_core.games.fire_bulls.state import GENERAL_ASIDE, GENERAL_WON
from engine_core.games.fire_bulls.view import FireBullsView

_PITCH: Final = 190
"""From one column to the next; the three of cards have one with the place of a diagonal's pawn on each side."""
CARD_WIDTH: Final = 172
_CARD_HEIGHT: Final = 92
BOARD: Final = 90
_FAR_ROW: Final = 138
_ROW_PITCH: Final = 104
PLACES: Final = 458
_PLACE_HEIGHT: Final = 76


def column_left(column: int) -> int:
    """The left edge of a column, 0 to 4: of cards 1 to 3, of places all."""
    return LEFT + _PITCH * column


def _square_place(square: int) -> tuple[int, int]:
    """The left upper corner of a square."""
    return column_left(1 + square % PILES), _FAR_ROW + _ROW_PITCH * (2 - square // PILES)


def line_part(direction: int) -> str:
    """The id of a line, which is at the place before it."""
    return f"line-{direction}"


def draw_lines(sheet: FireBullsSheet) -> None:
    """The five lines, under the cards; those that may be attacked stand out."""
    attackable = open_lines(sheet.view)
    for direction in range(1, DIRECTIONS + 1):
        is_open = direction in attackable
        x, y = _square_place(LINES[direction][2])
        sheet.drawing.element(
            "line",
            {
                "x1": column_left(direction - 1) + CARD_WIDTH // 2,
                "y1": PLACES + _PLACE_HEIGHT // 2,
                "x2": x + CARD_WIDTH // 2,
                "y2": y + _CARD_HEIGHT // 2,
                "stroke": sheet.theme.accent if is_open else sheet.theme.line,
                "stroke-width": 10 if is_open else 4,
            },
        )


def draw_piles(sheet: FireBullsSheet) -> None:
    for pile in range(PILES):
        x = column_left(1 + pile)
        name = sheet.words.sentence("picture.pile", str(pile + 1))
        number = sheet.view.piles[pile]
        sheet.begin(sheet.labelled(name, str(number)), f"pile-{pile + 1}")
        if number > 1:
            sheet.box(x + 4, BOARD, CARD_WIDTH - 8, 36, sheet.palette.back, sheet.theme.line, radius=8)
        sheet.box(x, BOARD + 4, CARD_WIDTH, 36, sheet.theme.panel, sheet.theme.line, radius=8)
        sheet.fitted(x + 8, BOARD + 30, name, CARD_WIDTH - 46, colour=sheet.theme.faint)
        sheet.fitted(x + CARD_WIDTH - 8, BOARD + 30, str(number), 40, anchor="end", bold=True)
        sheet.end()


def draw_squares(sheet: FireBullsSheet) -> None:
    view = sheet.view
    target = next_square(view)
    for square in range(SQUARES):
        x, y = _square_place(square)
        card = view.squares[square]
        letter = SQUARE_NAMES[square]
        if card == EMPTY:
            sheet.begin(letter, f"square-{letter.lower()}")
            _draw_gap(sheet, x, y)
        elif square == target:
            title = sheet.labelled(sheet.say("next_card"), _title_of_point_card(sheet, card))
            sheet.begin(title, "next-card")
            _draw_point_card(sheet, card, x, y)
            sheet.box(x - 3, y - 3, CARD_WIDTH + 6, _CARD_HEIGHT + 6, "none", sheet.theme.accent, 6)
        else:
            title = sheet.labelled(letter, _title_of_point_card(sheet, card))
            sheet.begin(title, f"square-{letter.lower()}", " ".join(_lines_that_meet(view, square)))
            _draw_point_card(sheet, card, x, y)
        sheet.end()


def _lines_that_meet(view: FireBullsView, square: int) -> list[str]:
    """The lines along which an attack meets the card of a square first, that of the pawn before its neighbours."""
    if view.stage != stages.ACTION:
        return []
    place = view.seats[view.active_seat].place
    lines = sorted(open_lines(view), key=lambda direction: direction != place)
    return [line_part(each) for each in lines if nearest_square(view.squares, each) == square]


def _draw_gap(sheet: FireBullsSheet, x: float, y: float) -> None:
    """The outline of a card that is not there."""
    paper, line = sheet.theme.paper, sheet.theme.line
    sheet.box(x + 1, y + 1, CARD_WIDTH - 2, _CARD_HEIGHT - 2, paper, line, dashes="8 6")


def _title_of_point_card(sheet: FireBullsSheet, card: int) -> str:
    """The name of a point card, its value, and its power if it has one."""
    title = f"{sheet.point_card(card)} ({POINT_CARDS[card].value})"
    return sheet.labelled(title, power_text(sheet.words, card)) if card in POWERS else title


def _draw_point_card(sheet: FireBullsSheet, card: int, x: float, y: float) -> None:
    kind = POINT_CARDS[card]
    fill, on = sheet.palette.fills[kind.colour], sheet.palette.on[kind.colour]
    sheet.box(x, y, CARD_WIDTH, _CARD_HEIGHT, sheet.palette.card, sheet.theme.line)
    sheet.box(x, y, 52, _CARD_HEIGHT, fill)
    sheet.fitted(x + 26, y + 36, str(kind.value), 60, 28, on, "middle", bold=True)
    sheet.path(x + 10, y + 48, glyphs.ICONS[kind.role], on, 0.8)
    sheet.fitted(x + 62, y + 32, sheet.say(kind.role), CARD_WIDTH - 66)
    _draw_cost(sheet, card, x + 62, y + 64)


def _draw_cost(sheet: FireBullsSheet, card: int, x: float, y: float) -> None:
    """The bulls that a card costs, as shapes, or the two ways to pay as numbers."""
    costs = RULES_BY_PROFILE[sheet.view.profile].costs[card]
    if len(costs) > 1:
        ways = ["+".join([str(number) for _, number in cost]) for cost in costs]
        sheet.fitted(x, y + 8, " / ".join(ways), CARD_WIDTH - 66)
        return
    for colour, number in costs[0]:
        for _ in range(number):
            if colour == ANY_COLOUR:
                sheet.path(x + 10, y, glyphs.ANY_SHAPE, sheet.theme.ink, 0.95)
            else:
                sheet.path(x + 10, y, glyphs.SHAPES[colour], sheet.palette.fills[colour], 0.9)
            x += 21


def draw_places(sheet: FireBullsSheet) -> None:
    for direction in range(1, DIRECTIONS + 1):
        _draw_place(sheet, direction)


def _draw_place(sheet: FireBullsSheet, direction: int) -> None:
    """A place in front of a line: its number, its arrow, and a pawn if one stands there."""
    view, theme = sheet.view, sheet.theme
    x = column_left(direction - 1)
    owner = [number for number, seat in enumerate(view.seats) if seat.place == direction]
    title = sheet.words.sentence("picture.line", str(direction))
    sheet.begin(sheet.labelled(title, sheet.setting.name(owner[0])) if owner else title, line_part(direction))
    is_open = direction in open_lines(view)
    sheet.box(x, PLACES, CARD_WIDTH, _PLACE_HEIGHT, theme.panel, theme.accent if is_open else theme.line, 3)
    turn = 45 if direction == 1 else -45 if direction == DIRECTIONS else 0
    sheet.drawing.element(
        "path",
        {
            "d": "M0-16L14 2H5V16H-5V2H-14Z",
            "transform": f"translate({x + 70} {PLACES + 38}) rotate({turn})",
            "fill": theme.accent if is_open else theme.faint,
        },
    )
    sheet.fitted(x + 30, PLACES + 49, str(direction), 40, 32, anchor="middle", bold=True)
    if owner:
        draw_token(sheet, owner[0], x + 104, PLACES + 10, 56)
    sheet.end()


def draw_token(sheet: FireBullsSheet, seat: int, x: float, y: float, size: float) -> None:
    """A pawn: a bull's head on the colour of its seat, with the shape of the colour."""
    colour = sheet.view.seats[seat].colour
    on = sheet.palette.on[colour]
    sheet.box(x, y, size, size, sheet.palette.fills[colour], sheet.theme.ink if seat == sheet.view.active_seat else "")
    sheet.path(x + size * 0.1, y + size * 0.02, glyphs.BULL, on, size / 50)
    sheet.path(x + size * 0.79, y + size * 0.78, glyphs.SHAPES[colour], on, size / 75)


def draw_general(sheet: FireBullsSheet) -> None:
    """The general, at the left of the far row, and where it is."""
    view, theme = sheet.view, sheet.theme
    aside = view.general_place == GENERAL_ASIDE
    won = view.general_place == GENERAL_WON
    status = sheet.setting.name(view.general_winner) if won else sheet.say("aside" if aside else "hidden")
    sheet.begin(sheet.labelled(_title_of_point_card(sheet, GENERAL), status), "general")
    if won:
        _draw_gap(sheet, LEFT, BOARD)
        sheet.path(LEFT + 62, BOARD + 20, glyphs.ICONS["general"], theme.faint, 1.2)
    else:
        _draw_point_card(sheet, GENERAL, LEFT, BOARD)
    if aside and view.stage == stages.ACTION:
        sheet.box(LEFT - 3, BOARD - 3, CARD_WIDTH + 6, _CARD_HEIGHT + 6, "none", theme.accent, 5)
    colour = theme.ink if aside else theme.faint
    sheet.fitted(LEFT + CARD_WIDTH / 2, BOARD + 122, status, CARD_WIDTH, 24, colour, "middle")
    sheet.end()
