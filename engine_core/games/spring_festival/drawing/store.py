"""The upper part of a picture of Spring Festival, stage, sign, store or result, and the legend at the bottom."""

from __future__ import annotations

from typing import Final

from engine_core.games.spring_festival import components, stages
from engine_core.games.spring_festival.components import NO_TILE, PILES, ROUNDS, SIGNS
from engine_core.games.spring_festival.compositions import COMPOSITIONS
from engine_core.games.spring_festival.drawing.facts import points_text, stage_text
from engine_core.games.spring_festival.drawing.pieces import TILES_GROUP, YELLOW, face, shape
from engine_core.games.spring_festival.drawing.sheet import GAP, MARGIN, STAR, SpringFestivalSheet
from engine_core.games.spring_festival.state import NO_SIGN
from engine_core.pictures.sheet import TEXT, TIMES, WIDTH
from engine_core.pictures.svg import fitted_size, shortened, text_width
from engine_core.words import capitalised

STORE_HEIGHT: Final = 196
RESULT_HEIGHT: Final = 228
INNER: Final = WIDTH - 2 * MARGIN
COLUMN: Final = 46
"""Width of a column of the table of hidden tiles."""


def draw_header(sheet: SpringFestivalSheet) -> None:
    """Draw the stage, the round and what the sign counts."""
    view = sheet.view
    right = sheet.say("round", str(view.round), str(ROUNDS)) if view.round and view.stage != stages.OVER else ""
    room = INNER - text_width(right, 26) - 20
    title = stage_text(sheet.view, sheet.score, sheet.words)
    sheet.text(MARGIN, 40, title, fitted_size(title, 34, room, bold=True), bold=True)
    if right:
        sheet.text(WIDTH - MARGIN, 40, right, 26, sheet.theme.faint, "end")
    if view.sign != NO_SIGN:
        sign = SIGNS[view.sign]
        rule = f"{points_text(components.SIGN_POINTS[view.sign], sheet.words)} {sheet.words.name('sign_rule', sign)}"
        text = sheet.labelled(sheet.words.name("sign", sign), rule)
        sheet.text(MARGIN, 80, text, fitted_size(text, 24, INNER))


def draw_turns(sheet: SpringFestivalSheet, top: float) -> None:
    """Draw the four positions of the store, with the tile that each gives to each seat, the active one first."""
    view, seats = sheet.view, len(sheet.view.seats)
    label = sheet.say("turn")
    sheet.text(MARGIN, top + 22, label, fitted_size(label, 24, INNER))
    width, height = (INNER - 3 * GAP) / PILES, STORE_HEIGHT - 34
    size = 76 if seats == 2 else 72
    for offset in range(PILES):
        x, y = MARGIN + offset * (width + GAP), top + 34.0
        order = [(view.active_seat + place) % seats for place in range(seats)]
        tiles = [view.top_tiles[(offset + components.ARMS[seats][seat]) % PILES] for seat in order]
        given = [
            sheet.labelled(shortened(sheet.setting.name(seat), 1, 16), sheet.titles.tiles[tile])
            for seat, tile in zip(order, tiles, strict=True)
            if tile != NO_TILE
        ]
        title = f"{sheet.words.sentence('rotate_store', str(offset), sheet.words.player(0))}. {'. '.join(given)}"
        sheet.begin(title, f"turn-{offset}")
        sheet.box(x, y, width, height, sheet.theme.panel, sheet.theme.line, 2)
        sheet.drawing.begin(TILES_GROUP)
        for place, tile in enumerate(tiles):
            left = x + (7 if place % 2 == 0 else width / 2 + 2)
            middle = y + height / 2 if seats == 2 else y + 43 + 76 * (place // 2)
            sheet.badge(left + 16, middle, order[place])
            if tile != NO_TILE:
                sheet.tile(tile, False, left + 33, middle - size / 2, size, "")
        sheet.end()
        sheet.end()


def draw_store(sheet: SpringFestivalSheet, top: float) -> None:
    """Draw the tops of the piles with their sizes, the tiles hidden in them, and the numbers of other heaps."""
    view, theme = sheet.view, sheet.theme
    sheet.box(MARGIN, top, INNER, STORE_HEIGHT, theme.panel, theme.line, 1.5)
    sheet.text(MARGIN + 16, top + 31, sheet.say("store"), TEXT, bold=True)
    sheet.drawing.begin(TILES_GROUP)
    for pile in range(PILES):
        x, y = MARGIN + 16 + pile * 112, top + 42
        tile, size = view.top_tiles[pile], view.pile_sizes[pile]
        title = sheet.say("pile", str(pile + 1), str(size))
        if tile == NO_TILE:
            sheet.begin(title)
            sheet.box(x + 2, y + 2, 100, 100, theme.paper, theme.line, 1.5)
            sheet.end()
        else:
            sheet.tile(tile, False, x, y, 104, f"{title}; {sheet.titles.tiles[tile]}")
        sheet.text(x + 52, top + 178, f"{TIMES} {size}", 24)
    sheet.end()
    _draw_hidden_tiles(sheet, 500, top)
    _draw_heaps(sheet, 750, top)


def _draw_hidden_tiles(sheet: SpringFestivalSheet, left: float, top: float) -> None:
    """Draw how many tiles of each colour and number are hidden in the piles."""
    sheet.text(left, top + 31, sheet.say("hidden"), TEXT, bold=True)
    counts = [0] * 16
    for tile in sheet.view.undrawn:
        counts[4 * components.TILE_COLOURS[tile] + components.NUMBERS[tile] - 1] += 1
    for number in range(4):
        sheet.text(left + 64 + COLUMN * number, top + 62, str(number + 1), TEXT, sheet.theme.faint, "middle")
    for colour in range(4):
        y = top + 90 + 30.0 * colour
        sheet.drawing.insert(shape(left, y - 24, 32, colour, sheet.theme.ink))
        for number in range(4):
            count = counts[4 * colour + number]
            sheet.text(left + 64 + COLUMN * number, y, str(count), TEXT, anchor="middle", bold=count > 0)


def _draw_heaps(sheet: SpringFestivalSheet, left: float, top: float) -> None:
    """Draw the numbers of cards to draw, and of tiles that are out of the match."""
    view = sheet.view
    sheet.text(left, top + 31, sheet.say("cards_left"), TEXT, bold=True)
    heaps = [
        ("colour", len(view.undrawn_colours)),
        ("pattern", len(view.undrawn_patterns)),
        ("discarded", len(view.discards)),
        ("replaced", len(view.replaced)),
    ]
    for place, (key, number) in enumerate(heaps):
        y = top + 66 + 36 * place
        sheet.text(left, y, sheet.say(key), TEXT)
        sheet.text(WIDTH - MARGIN - 16, y, str(number), TEXT, anchor="end", bold=True)


def draw_result(sheet: SpringFestivalSheet, top: float) -> None:
    """Draw the points of all seats, line by line of the score."""
    view = sheet.view
    sheet.box(MARGIN, top, INNER, RESULT_HEIGHT, sheet.theme.panel, sheet.theme.line, 1.5)
    labels = [sheet.words.name("score", key) for key in ("finale", "applause", "majorities")]
    labels.append(sheet.say("compositions"))
    if view.sign != NO_SIGN:
        labels.append(sheet.words.name("score", "sign"))
    labels.extend([sheet.say("total"), sheet.say("place")])
    step = (RESULT_HEIGHT - 34) / len(labels)
    for place, label in enumerate(labels):
        y = top + 56 + step * place
        sheet.text(MARGIN + 16, y, capitalised(label), TEXT, bold=place == len(labels) - 2)
    width = (INNER - 400) / len(view.seats)
    for number in range(len(view.seats)):
        right = MARGIN + 384 + width * (number + 1)
        sheet.fitted(right, top + 29, sheet.setting.name(number), width - 14, anchor="end", bold=True)
        values = _result(sheet, number)
        for place, value in enumerate(values):
            y = top + 56 + step * place
            sheet.text(right, y, str(value), TEXT, anchor="end", bold=place == len(values) - 2)


def _result(sheet: SpringFestivalSheet, number: int) -> list[int]:
    """The points of a seat by line of the result, and its rank."""
    standing = sheet.score.standings[number]
    points = [line.points for line in standing.breakdown]
    compositions = sum([COMPOSITIONS[card].points for card in sheet.view.seats[number].completed])
    sign = points[-1:] if sheet.view.sign != NO_SIGN else []
    return [*points[:3], compositions, *sign, standing.points, standing.rank]


def draw_legend(sheet: SpringFestivalSheet, y: float) -> None:
    """Draw what shapes and faces stand for."""
    x = float(MARGIN)
    for colour, key in enumerate(components.COLOURS):
        sheet.drawing.insert(shape(x, y - 25, 34, colour, sheet.theme.ink))
        x = _draw_legend_word(sheet, x + 37, y, sheet.words.name("colour", key))
    for exploded in (False, True):
        place = f'transform="translate({x:.4g} {y - 27:.4g}) scale(.38)"'
        # The face of a rocket has nearly the colour of the paper: its edge is what one sees at this size.
        sheet.drawing.insert(f'<g {place} stroke-width="6">{face(exploded, YELLOW)}</g>')
        x = _draw_legend_word(sheet, x + 43, y, sheet.words.name("face", "exploded" if exploded else "rocket"))
    sheet.path(x + 16, y - 8, STAR, sheet.theme.accent)
    _draw_legend_word(sheet, x + 34, y, sheet.words.name("score", "applause"))


def _draw_legend_word(sheet: SpringFestivalSheet, x: float, y: float, word: str) -> float:
    """Draw a word. Returns where the next entry of the legend begins."""
    sheet.text(x, y, word, TEXT)
    return x + text_width(word, TEXT) + 9
