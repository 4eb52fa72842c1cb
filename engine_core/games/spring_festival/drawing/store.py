"""The upper part of a picture of Spring Festival, stage, sign, store or result, and the legend at the bottom."""

from __future__ import annotations

from typing import Final

from engine_core.games.spring_festival import components, stages
from engine_core.games.spring_festival.components import NO_TILE, PILES, ROUNDS, SIGNS
from engine_core.games.spring_festival.compositions import COMPOSITIONS
from engine_core.games.spring_festival.drawing.pieces import TILES_GROUP, YELLOW, face, shape
from engine_core.games.spring_festival.drawing.sheet import GAP, MARGIN, STAR, TEXT, WIDTH, Scene, capitalised
from engine_core.games.spring_festival.state import NO_SIGN
from engine_core.pictures.svg import BOLD, fitted_size, shortened, text_width

STORE_HEIGHT: Final = 196
INNER: Final = WIDTH - 2 * MARGIN
COLUMN: Final = 46
"""Width of a column of the table of hidden tiles."""


def draw_header(scene: Scene) -> None:
    """Draw the stage, the round and what the sign counts."""
    view = scene.view
    right = scene.say("round", str(view.round), str(ROUNDS)) if view.round and view.stage != stages.OVER else ""
    room = INNER - text_width(right, 26) - 20
    title = scene.stage()
    scene.text(MARGIN, 40, title, fitted_size(title, 34, room / BOLD), bold=True)
    if right:
        scene.text(WIDTH - MARGIN, 40, right, 26, scene.theme.faint, "end")
    if view.sign != NO_SIGN:
        sign = SIGNS[view.sign]
        rule = f"{scene.points(components.SIGN_POINTS[view.sign])} {scene.words.name('sign_rule', sign)}"
        text = scene.labelled(scene.words.name("sign", sign), rule)
        scene.text(MARGIN, 80, text, fitted_size(text, 24, INNER))


def draw_turns(scene: Scene, top: float) -> None:
    """Draw the four positions of the store, with the tile that each gives to each seat, the active one first."""
    view, seats = scene.view, len(scene.view.seats)
    label = scene.say("turn")
    scene.text(MARGIN, top + 22, label, fitted_size(label, 24, INNER))
    width, height = (INNER - 3 * GAP) / PILES, STORE_HEIGHT - 34
    size = 76 if seats == 2 else 72
    for offset in range(PILES):
        x, y = MARGIN + offset * (width + GAP), top + 34.0
        order = [(view.active_seat + place) % seats for place in range(seats)]
        tiles = [view.top_tiles[(offset + components.ARMS[seats][seat]) % PILES] for seat in order]
        given = [
            scene.labelled(shortened(scene.setting.name(seat), 1, 16), scene.titles.tiles[tile])
            for seat, tile in zip(order, tiles, strict=True)
            if tile != NO_TILE
        ]
        title = f"{scene.words.sentence('rotate_store', str(offset))}. {'. '.join(given)}"
        scene.drawing.begin({"id": f"turn-{offset}"}, title)
        scene.box(x, y, width, height, scene.theme.panel, scene.theme.line, 2)
        scene.drawing.begin(TILES_GROUP)
        for place, tile in enumerate(tiles):
            left = x + (7 if place % 2 == 0 else width / 2 + 2)
            middle = y + height / 2 if seats == 2 else y + 43 + 76 * (place // 2)
            scene.badge(left + 16, middle, order[place])
            if tile != NO_TILE:
                scene.tile(tile, False, left + 33, middle - size / 2, size, "")
        scene.drawing.end()
        scene.drawing.end()


def draw_store(scene: Scene, top: float) -> None:
    """Draw the tops of the piles with their sizes, the tiles hidden in them, and the numbers of other heaps."""
    view, theme = scene.view, scene.theme
    scene.box(MARGIN, top, INNER, STORE_HEIGHT, theme.panel, theme.line, 1.5)
    scene.text(MARGIN + 16, top + 31, scene.say("store"), TEXT, bold=True)
    scene.drawing.begin(TILES_GROUP)
    for pile in range(PILES):
        x, y = MARGIN + 16 + pile * 112, top + 42
        tile, size = view.top_tiles[pile], view.pile_sizes[pile]
        title = scene.say("pile", str(pile), str(size))
        if tile == NO_TILE:
            scene.drawing.begin({}, title)
            scene.box(x + 2, y + 2, 100, 100, theme.paper, theme.line, 1.5)
            scene.drawing.end()
        else:
            scene.tile(tile, False, x, y, 104, f"{title}; {scene.titles.tiles[tile]}")
        scene.text(x + 52, top + 178, f"× {size}", 24)  # noqa: RUF001 - the sign, not the letter
    scene.drawing.end()
    _draw_hidden_tiles(scene, 500, top)
    _draw_heaps(scene, 750, top)


def _draw_hidden_tiles(scene: Scene, left: float, top: float) -> None:
    """Draw how many tiles of each colour and number are hidden in the piles."""
    scene.text(left, top + 31, scene.say("hidden"), TEXT, bold=True)
    counts = [0] * 16
    for tile in scene.view.undrawn:
        counts[4 * components.TILE_COLOURS[tile] + components.NUMBERS[tile] - 1] += 1
    for number in range(4):
        scene.text(left + 64 + COLUMN * number, top + 62, str(number + 1), TEXT, scene.theme.faint, "middle")
    for colour in range(4):
        y = top + 90 + 30.0 * colour
        scene.drawing.insert(shape(left, y - 24, 32, colour, scene.theme.ink))
        for number in range(4):
            count = counts[4 * colour + number]
            scene.text(left + 64 + COLUMN * number, y, str(count), TEXT, anchor="middle", bold=count > 0)


def _draw_heaps(scene: Scene, left: float, top: float) -> None:
    """Draw the numbers of cards to draw, and of tiles that are out of the match."""
    view = scene.view
    scene.text(left, top + 31, scene.say("cards_left"), TEXT, bold=True)
    heaps = [
        ("colour", len(view.undrawn_colours)),
        ("pattern", len(view.undrawn_patterns)),
        ("discarded", len(view.discards)),
        ("replaced", len(view.replaced)),
    ]
    for place, (key, number) in enumerate(heaps):
        y = top + 66 + 36 * place
        scene.text(left, y, scene.say(key), TEXT)
        scene.text(WIDTH - MARGIN - 16, y, str(number), TEXT, anchor="end", bold=True)


def draw_result(scene: Scene, top: float) -> None:
    """Draw the points of all seats, line by line of the score."""
    view = scene.view
    scene.box(MARGIN, top, INNER, STORE_HEIGHT, scene.theme.panel, scene.theme.line, 1.5)
    labels = [scene.words.name("score", key) for key in ("finale", "applause", "majorities")]
    labels.append(scene.say("compositions"))
    if view.sign != NO_SIGN:
        labels.append(scene.words.name("score", "sign"))
    labels.append(scene.say("total"))
    step = 162 / len(labels)
    for place, label in enumerate(labels):
        y = top + 56 + step * place
        scene.text(MARGIN + 16, y, capitalised(label), TEXT, bold=place == len(labels) - 1)
    width = (INNER - 400) / len(view.seats)
    for number in range(len(view.seats)):
        right = MARGIN + 384 + width * (number + 1)
        name = f"{scene.score.standings[number].rank}. {scene.setting.name(number)}"
        scene.text(right, top + 29, shortened(name, TEXT, (width - 14) / BOLD), TEXT, anchor="end", bold=True)
        values = _result(scene, number)
        for place, value in enumerate(values):
            y = top + 56 + step * place
            scene.text(right, y, str(value), TEXT, anchor="end", bold=place == len(values) - 1)


def _result(scene: Scene, number: int) -> list[int]:
    """The points of a seat by line of the result."""
    standing = scene.score.standings[number]
    points = [line.points for line in standing.breakdown]
    compositions = sum([COMPOSITIONS[card].points for card in scene.view.seats[number].completed])
    sign = points[-1:] if scene.view.sign != NO_SIGN else []
    return [*points[:3], compositions, *sign, standing.points]


def draw_legend(scene: Scene, y: float) -> None:
    """Draw what shapes and faces stand for."""
    x = float(MARGIN)
    for colour, key in enumerate(components.COLOURS):
        scene.drawing.insert(shape(x, y - 25, 34, colour, scene.theme.ink))
        x = _draw_legend_word(scene, x + 37, y, scene.words.name("colour", key))
    for exploded in (False, True):
        scene.drawing.insert(f'<g transform="translate({x:.4g} {y - 27:.4g}) scale(.38)">{face(exploded, YELLOW)}</g>')
        x = _draw_legend_word(scene, x + 43, y, scene.words.name("face", "exploded" if exploded else "rocket"))
    scene.mark(x + 16, y - 8, STAR, scene.theme.accent)
    _draw_legend_word(scene, x + 34, y, scene.words.name("score", "applause"))


def _draw_legend_word(scene: Scene, x: float, y: float, word: str) -> float:
    """Draw a word. Returns where the next entry of the legend begins."""
    scene.text(x, y, word, TEXT)
    return x + text_width(word, TEXT) + 9
