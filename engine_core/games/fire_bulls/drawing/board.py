"""The board: columns of point cards with their piles, the lines over them, the places, and the general."""

from __future__ import annotations

from typing import Final

from engine_core.games.fire_bulls import stages
from engine_core.games.fire_bulls.components import (
    ANY_COLOUR,
    BO,
    COLONEL,
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
from engine_core.games.fire_bulls.drawing.facts import next_square, open_lines
from engine_core.games.fire_bulls.drawing.sheet import LEFT, TEXT, Sheet
from engine_core.games.fire_bulls.state import GENERAL_ASIDE, GENERAL_WON
from engine_core.words import Words

_PITCH: Final = 190
"""From one column to the next; the three of cards have one with the place of a diagonal's pawn on each side."""
CARD_WIDTH: Final = 172
_CARD_HEIGHT: Final = 92
BOARD: Final = 90
_FAR_ROW: Final = 138
_ROW_PITCH: Final = 104
PLACES: Final = 458
_PLACE_HEIGHT: Final = 76
_POWERS: Final = {BO: "draw", COLONEL: "discard", GENERAL: "take"}
"""The point cards with a power, and its name."""


def column(column: int) -> int:
    """The left edge of a column, 0 to 4: of cards 1 to 3, of places all."""
    return LEFT + _PITCH * column


def _square_place(square: int) -> tuple[int, int]:
    """The left upper corner of a square."""
    return column(1 + square % PILES), _FAR_ROW + _ROW_PITCH * (2 - square // PILES)


def draw_lines(sheet: Sheet) -> None:
    """The five lines, under the cards; those that may be attacked stand out."""
    attackable = open_lines(sheet.view)
    for direction in range(1, DIRECTIONS + 1):
        is_open = direction in attackable
        x, y = _square_place(LINES[direction][2])
        sheet.drawing.element(
            "line",
            {
                "x1": column(direction - 1) + CARD_WIDTH // 2,
                "y1": PLACES + _PLACE_HEIGHT // 2,
                "x2": x + CARD_WIDTH // 2,
                "y2": y + _CARD_HEIGHT // 2,
                "stroke": sheet.theme.accent if is_open else sheet.theme.line,
                "stroke-width": 10 if is_open else 4,
            },
        )


def draw_piles(sheet: Sheet) -> None:
    for pile in range(PILES):
        x = column(1 + pile)
        name = sheet.words.sentence("picture.pile", str(pile + 1))
        number = sheet.view.piles[pile]
        sheet.drawing.begin({"id": f"pile-{pile + 1}"}, sheet.label(name, str(number)))
        if number > 1:
            sheet.box(x + 4, BOARD, CARD_WIDTH - 8, 36, 8, sheet.palette.back, sheet.theme.line)
        sheet.box(x, BOARD + 4, CARD_WIDTH, 36, 8, sheet.theme.panel, sheet.theme.line)
        sheet.text(x + 8, BOARD + 30, name, CARD_WIDTH - 46, sheet.theme.faint)
        sheet.bold(x + CARD_WIDTH - 8, BOARD + 30, str(number), 40, sheet.theme.ink, TEXT, "end")
        sheet.drawing.end()


def draw_squares(sheet: Sheet) -> None:
    view = sheet.view
    target = next_square(view)
    for square in range(SQUARES):
        x, y = _square_place(square)
        card = view.squares[square]
        letter = SQUARE_NAMES[square]
        if card == EMPTY:
            sheet.drawing.begin({"id": f"square-{letter.lower()}"}, letter)
            _draw_gap(sheet, x, y)
        elif square == target:
            title = sheet.label(sheet.say("next_card"), _title_of_point_card(sheet, card))
            sheet.drawing.begin({"id": "next-card"}, title)
            _draw_point_card(sheet, card, x, y)
            sheet.box(x - 3, y - 3, CARD_WIDTH + 6, _CARD_HEIGHT + 6, 14, "none", sheet.theme.accent, 6)
        else:
            title = sheet.label(letter, _title_of_point_card(sheet, card))
            sheet.drawing.begin({"id": f"square-{letter.lower()}"}, title)
            _draw_point_card(sheet, card, x, y)
        sheet.drawing.end()


def _draw_gap(sheet: Sheet, x: float, y: float) -> None:
    """The outline of a card that is not there."""
    sheet.drawing.element(
        "rect",
        {
            "x": x + 1,
            "y": y + 1,
            "width": CARD_WIDTH - 2,
            "height": _CARD_HEIGHT - 2,
            "rx": 12,
            "fill": sheet.theme.paper,
            "stroke": sheet.theme.line,
            "stroke-width": 2,
            "stroke-dasharray": "8 6",
        },
    )


def _title_of_point_card(sheet: Sheet, card: int) -> str:
    """The name of a point card, its value, and its power if it has one."""
    title = f"{sheet.point_card(card)} ({POINT_CARDS[card].value})"
    return sheet.label(title, power(sheet.words, card)) if card in _POWERS else title


def power(words: Words, card: int) -> str:
    return words.name("card_power", _POWERS[card])


def _draw_point_card(sheet: Sheet, card: int, x: float, y: float) -> None:
    kind = POINT_CARDS[card]
    fill, on = sheet.palette.fills[kind.colour], sheet.palette.on[kind.colour]
    sheet.box(x, y, CARD_WIDTH, _CARD_HEIGHT, 12, sheet.palette.card, sheet.theme.line)
    sheet.box(x, y, 52, _CARD_HEIGHT, 12, fill, "none")
    sheet.bold(x + 26, y + 36, str(kind.value), 60, on, 28, "middle")
    sheet.path(glyphs.ICONS[kind.role], x + 10, y + 48, 0.8, on)
    sheet.text(x + 62, y + 32, sheet.say(kind.role), CARD_WIDTH - 66, sheet.theme.ink)
    _draw_cost(sheet, card, x + 62, y + 64)


def _draw_cost(sheet: Sheet, card: int, x: float, y: float) -> None:
    """The bulls that a card costs, as shapes, or the two ways to pay as numbers."""
    costs = RULES_BY_PROFILE[sheet.view.profile].costs[card]
    if len(costs) > 1:
        ways = ["+".join([str(number) for _, number in cost]) for cost in costs]
        sheet.text(x, y + 8, " / ".join(ways), CARD_WIDTH - 66, sheet.theme.ink)
        return
    for colour, number in costs[0]:
        for _ in range(number):
            if colour == ANY_COLOUR:
                sheet.path(glyphs.ANY_SHAPE, x + 10, y, 0.95, sheet.theme.ink)
            else:
                sheet.path(glyphs.SHAPES[colour], x + 10, y, 0.9, sheet.palette.fills[colour])
            x += 21


def draw_places(sheet: Sheet) -> None:
    for direction in range(1, DIRECTIONS + 1):
        _draw_place(sheet, direction)


def _draw_place(sheet: Sheet, direction: int) -> None:
    """A place in front of a line: its number, its arrow, and a pawn if one stands there."""
    view, theme = sheet.view, sheet.theme
    x = column(direction - 1)
    owner = [number for number, seat in enumerate(view.seats) if seat.place == direction]
    title = sheet.words.sentence("picture.line", str(direction))
    sheet.drawing.begin(
        {"id": f"line-{direction}"}, sheet.label(title, sheet.setting.name(owner[0])) if owner else title
    )
    is_open = direction in open_lines(view)
    sheet.box(x, PLACES, CARD_WIDTH, _PLACE_HEIGHT, 12, theme.panel, theme.accent if is_open else theme.line, 3)
    turn = 45 if direction == 1 else -45 if direction == DIRECTIONS else 0
    sheet.drawing.element(
        "path",
        {
            "d": "M0-16L14 2H5V16H-5V2H-14Z",
            "transform": f"translate({x + 70} {PLACES + 38}) rotate({turn})",
            "fill": theme.accent if is_open else theme.faint,
        },
    )
    sheet.bold(x + 30, PLACES + 49, str(direction), 40, theme.ink, 32, "middle")
    if owner:
        draw_token(sheet, owner[0], x + 104, PLACES + 10, 56)
    sheet.drawing.end()


def draw_token(sheet: Sheet, seat: int, x: float, y: float, size: float) -> None:
    """A pawn: a bull's head on the colour of its seat, with the shape of the colour."""
    colour = sheet.view.seats[seat].colour
    on = sheet.palette.on[colour]
    sheet.box(
        x, y, size, size, 14, sheet.palette.fills[colour], sheet.theme.ink if seat == sheet.view.active_seat else "none"
    )
    sheet.path(glyphs.BULL, x + size * 0.1, y + size * 0.02, size / 50, on)
    sheet.path(glyphs.SHAPES[colour], x + size * 0.79, y + size * 0.78, size / 75, on)


def draw_general(sheet: Sheet) -> None:
    """The general, at the left of the far row, and where it is."""
    view, theme = sheet.view, sheet.theme
    aside = view.general_place == GENERAL_ASIDE
    won = view.general_place == GENERAL_WON
    status = sheet.setting.name(view.general_winner) if won else sheet.say("aside" if aside else "hidden")
    sheet.drawing.begin({"id": "general"}, sheet.label(_title_of_point_card(sheet, GENERAL), status))
    if won:
        _draw_gap(sheet, LEFT, BOARD)
        sheet.path(glyphs.ICONS["general"], LEFT + 62, BOARD + 20, 1.2, theme.faint)
    else:
        _draw_point_card(sheet, GENERAL, LEFT, BOARD)
    if aside and view.stage == stages.ACTION:
        sheet.box(LEFT - 3, BOARD - 3, CARD_WIDTH + 6, _CARD_HEIGHT + 6, 14, "none", theme.accent, 5)
    sheet.text(
        LEFT + CARD_WIDTH / 2, BOARD + 122, status, CARD_WIDTH, theme.ink if aside else theme.faint, 24, "middle"
    )
    sheet.drawing.end()
