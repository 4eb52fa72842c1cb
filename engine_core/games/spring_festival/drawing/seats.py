"""The seats in a picture of Spring Festival: name, points, cards, tiles to place and display, in a box each."""

from __future__ import annotations

from typing import Final

from engine_core.games.spring_festival import stages
from engine_core.games.spring_festival.components import NO_TILE, TILE_NAMES
from engine_core.games.spring_festival.compositions import COMPOSITION_NAMES
from engine_core.games.spring_festival.drawing.displays import Box, draw_display
from engine_core.games.spring_festival.drawing.facts import points_text, seat_text, status_of
from engine_core.games.spring_festival.drawing.pieces import CARD_HEIGHT, CARD_WIDTH, CARDS, CARDS_GROUP, TILES_GROUP
from engine_core.games.spring_festival.drawing.sheet import CHECK, CROSS, RING, STAR, TRIANGLE, SpringFestivalSheet
from engine_core.games.spring_festival.view import SpringFestivalSeatView
from engine_core.pictures.sheet import TEXT
from engine_core.pictures.svg import Value, fitted_size, shortened, text_width, wrapped
from engine_core.words import capitalised

SIDE: Final = 378
"""Width of what is on the right of a display."""
CARD: Final = 90
"""Width of a card."""
CARD_GAP: Final = 6
COMPLETED: Final = 240
"""Width of the names of completed cards, next to a tile."""
MOST_COMPLETED: Final = 8
"""Most names of completed cards that are shown: two lines."""
LABEL_ROOM: Final = 50
"""Width of a label on the border of a box without its word."""

STATUS_MARKS: Final = {"to_move": TRIANGLE, "won": STAR, "left": CROSS, "chosen": CHECK}


def tile_part(tile: int) -> str:
    """The id of a start tile that the observer has still to lay."""
    return f"tile-{TILE_NAMES[tile].lower()}"


def card_part(card: int) -> str:
    """The id of a composition card of the observer."""
    return f"card-{COMPOSITION_NAMES[card].lower()}"


def draw_seat(sheet: SpringFestivalSheet, number: int, box: Box) -> None:
    """Draw a seat in its box."""
    theme = sheet.theme
    x, y, width, height = box
    status = status_of(sheet.view, sheet.score, number)
    line, line_width = (theme.accent, 4.0) if status in ("to_move", "won") else (theme.line, 1.5)
    sheet.begin(seat_text(sheet.view, sheet.score, sheet.setting, number), f"seat-{number + 1}")
    sheet.box(x, y, width, height, theme.panel, line, line_width)
    right = x + width - 14
    if status:
        right = _draw_label(sheet, right, y, sheet.say(status), STATUS_MARKS[status], status in ("to_move", "won"))
    if number == sheet.view.active_seat:
        word = sheet.say("active")
        fits = right - text_width(word, TEXT) - LABEL_ROOM > x
        sheet.begin(sheet.say("turns_store"))
        _draw_label(sheet, right, y, word if fits else "", RING, False)
        sheet.end()
    if width > 700:
        _draw_large_seat(sheet, number, box)
    else:
        _draw_small_seat(sheet, number, box)
    sheet.end()


def _draw_label(sheet: SpringFestivalSheet, right: float, y: float, text: str, mark: str, is_solid: bool) -> float:
    """Draw a mark and a word on the border of a box. Returns where the next label to the left ends."""
    theme = sheet.theme
    fill, ink = (theme.accent, theme.paper) if is_solid else (theme.paper, theme.ink)
    width = text_width(text, TEXT) + (LABEL_ROOM if text else 40)
    left = right - width
    size: dict[str, Value] = {"x": left, "y": y - 17, "width": width, "height": 34, "rx": 17}
    sheet.drawing.element("rect", {**size, "fill": fill, "stroke": fill if is_solid else ink})
    sheet.path(left + 20, y, mark, ink if is_solid else "none", line="" if is_solid else ink)
    if text:
        sheet.text(left + 36, y + 8, text, TEXT, ink)
    return left - 8


def _draw_large_seat(sheet: SpringFestivalSheet, number: int, box: Box) -> None:
    """Draw the display on the left, cards and tiles on the right."""
    x, y, width, height = box
    seat = sheet.view.seats[number]
    right = x + width - SIDE - 14
    _draw_name(sheet, number, x + 14, y + 46, width - SIDE - 48)
    _draw_points(sheet, number, right, y + 46)
    _draw_cards(sheet, number, right, y + 66, CARD, 4)
    below = y + 66 + CARD * CARD_HEIGHT / CARD_WIDTH + 32
    if seat.unlaid:
        _draw_start_tiles(sheet, seat, right, below)
    elif _has_tile(sheet, seat):
        _draw_tile_to_place(sheet, seat, right, below, min(110, y + height - below - 28))
    elif sheet.view.stage == stages.COMPOSING and number == sheet.view.observer == sheet.view.composing_seat:
        _draw_pass(sheet, right, below - 12)
    is_next_to_tile = _has_tile(sheet, seat) and height < 400
    _draw_completed(sheet, seat, right + (SIDE - COMPLETED if is_next_to_tile else 0), y + height - 16)
    draw_display(sheet, number, (x + 14, y + 62, width - SIDE - 56, height - 76))


def _draw_small_seat(sheet: SpringFestivalSheet, number: int, box: Box) -> None:
    """Draw the cards above the display, or on its right if there is room; the tile to place in the corner."""
    x, y, width, height = box
    seat = sheet.view.seats[number]
    room = width - 24
    if _has_tile(sheet, seat):
        title = sheet.labelled(sheet.say("tile"), sheet.titles.tiles[seat.tile])
        sheet.drawing.begin(TILES_GROUP)
        sheet.tile(seat.tile, False, x + width - 78, y + 22, 66, title)
        sheet.end()
        room -= 72
    _draw_name(sheet, number, x + 12, y + 46, room)
    _draw_points(sheet, number, x + 14, y + 82)
    if width > 400:
        side = 2 * CARD + CARD_GAP
        _draw_cards(sheet, number, x + width - 12 - side, y + 100, CARD, 2)
        draw_display(sheet, number, (x + 12, y + 100, width - side - 40, height - 112))
    else:
        card = (width - 24 - 3 * CARD_GAP) / 4
        _draw_cards(sheet, number, x + 12, y + 98, card, 4)
        top = y + 98 + card * CARD_HEIGHT / CARD_WIDTH + 10
        draw_display(sheet, number, (x + 12, top, width - 24, y + height - top - 10))


def _has_tile(sheet: SpringFestivalSheet, seat: SpringFestivalSeatView) -> bool:
    return seat.tile != NO_TILE and sheet.view.stage != stages.OVER


def _draw_name(sheet: SpringFestivalSheet, number: int, x: float, y: float, width: float) -> None:
    sheet.badge(x + 16, y - 9, number)
    name = sheet.setting.name(number)
    is_marked = number == sheet.view.observer and name != sheet.words.sentence("picture.you", str(number + 1))
    you = f" ({sheet.words.name('picture', 'you')})" if is_marked else ""
    room = width - 44
    size = max(TEXT, fitted_size(name + you, 26, room, bold=True))
    room -= text_width(you, size, bold=True)
    sheet.text(x + 42, y, shortened(name, size, room, bold=True) + you, size, bold=True)


def _draw_points(sheet: SpringFestivalSheet, number: int, x: float, y: float) -> None:
    """Draw the points, as the score counts them now, and the applause."""
    seat = sheet.view.seats[number]
    points = points_text(sheet.score.standings[number].points, sheet.words)
    label = sheet.words.name("score", "applause")
    sheet.text(x, y, points, 24, bold=True)
    left = text_width(points, 24, bold=True) + 22
    sheet.begin(sheet.labelled(label, str(seat.applause)))
    sheet.path(x + left, y - 8, STAR, sheet.theme.accent)
    sheet.text(x + left + 18, y, str(seat.applause), 24)
    sheet.end()


def _draw_cards(sheet: SpringFestivalSheet, number: int, x: float, y: float, width: float, across: int) -> None:
    """Draw the cards that a seat may complete."""
    own = number == sheet.view.observer
    scale = width / CARD_WIDTH
    sheet.drawing.begin(CARDS_GROUP)
    for place, card in enumerate(sheet.view.seats[number].cards):
        left = x + place % across * (width + CARD_GAP)
        top = y + place // across * (CARD_HEIGHT * scale + CARD_GAP)
        attributes: dict[str, Value] = {"id": card_part(card)} if own else {}
        attributes["transform"] = f"translate({left:.4g} {top:.4g}) scale({scale:.4g})"
        sheet.drawing.begin(attributes, capitalised(sheet.titles.cards[card]))
        sheet.drawing.insert(CARDS[card])
        sheet.end()
    sheet.end()


def _draw_completed(sheet: SpringFestivalSheet, seat: SpringFestivalSeatView, x: float, bottom: float) -> None:
    """Draw the names of the cards that a seat has completed, the last ones if there are many, above `bottom`."""
    if not seat.completed:
        return
    shown = seat.completed[-MOST_COMPLETED:]
    names = " ".join([COMPOSITION_NAMES[card] for card in shown])
    lines = wrapped(names if len(shown) == len(seat.completed) else f"… {names}", TEXT, COMPLETED)
    label = f"{sheet.say('completed')} ({len(seat.completed)})"
    for place, line in enumerate([label, *lines]):
        sheet.text(x, bottom - 28 * (len(lines) - place), line, TEXT, sheet.theme.faint)


def _draw_start_tiles(sheet: SpringFestivalSheet, seat: SpringFestivalSeatView, x: float, y: float) -> None:
    label = sheet.say("start_tiles")
    sheet.text(x, y, label, fitted_size(label, 24, SIDE))
    sheet.drawing.begin(TILES_GROUP)
    for place, tile in enumerate(seat.unlaid):
        title = capitalised(sheet.titles.tiles[tile])
        sheet.tile(tile, False, x + 96 * place, y + 14, 90, title, tile_part(tile))
    sheet.end()


def _draw_tile_to_place(
    sheet: SpringFestivalSheet, seat: SpringFestivalSeatView, x: float, y: float, size: float
) -> None:
    label = sheet.say("tile")
    sheet.text(x, y, label, fitted_size(label, 24, SIDE))
    sheet.drawing.begin(TILES_GROUP)
    sheet.tile(seat.tile, False, x, y + 14, size, sheet.labelled(label, sheet.titles.tiles[seat.tile]))
    sheet.end()


def _draw_pass(sheet: SpringFestivalSheet, x: float, y: float) -> None:
    """Draw a button to complete no more compositions."""
    label = sheet.words.sentence("pass")
    lines = wrapped(label, TEXT, SIDE - 66)
    sheet.begin(label, "pass")
    sheet.box(x, y, SIDE, 28 + 30 * len(lines), sheet.theme.paper, sheet.theme.accent, 3)
    sheet.path(x + 26, y + 14 + 15 * len(lines), CROSS, "none", line=sheet.theme.accent)
    for place, line in enumerate(lines):
        sheet.text(x + 52, y + 37 + 30 * place, line, TEXT)
    sheet.end()
