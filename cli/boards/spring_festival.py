"""Terminal board of Spring Festival: the store, and the display of every seat with its coordinates.

A tile is five characters wide and three high: colour and number in the middle, its arrows around, `*` on the edges
for half sparks. One that has exploded has a `!` and is shown in reverse.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fireside.spring_festival.v1 import spring_festival_pb2 as pb
from fireside.spring_festival.v1 import spring_festival_service_pb2 as verbs
from google.protobuf import json_format
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from cli.boards import words_of
from cli.translation import gettext, labelled
from engine_core.games.spring_festival.components import ARMS, COLOURS, PILES, ROUNDS, SIGN_POINTS, SIGNS
from engine_core.games.spring_festival.compositions import COLOUR_LETTERS

STYLES: Final = {
    pb.COLOUR_BLUE: "bold blue",
    pb.COLOUR_GREEN: "bold green",
    pb.COLOUR_RED: "bold red",
    pb.COLOUR_YELLOW: "bold yellow",
}
ARROWS_AROUND: Final = (
    ((pb.DIRECTION_NORTH_WEST, "↖"), (pb.DIRECTION_NORTH, "↑"), (pb.DIRECTION_NORTH_EAST, "↗")),
    ((pb.DIRECTION_WEST, "←"), (pb.DIRECTION_EAST, "→")),
    ((pb.DIRECTION_SOUTH_WEST, "↙"), (pb.DIRECTION_SOUTH, "↓"), (pb.DIRECTION_SOUTH_EAST, "↘")),
)
"""The characters around the middle of a tile, line by line."""
TILE_LINES: Final = 3
TILE_WIDTH: Final = 5

DEMO_OPTIONS: Final[dict[str, object]] = {"sign": "SIGN_RANDOM"}


def draw(match: dict[str, object]) -> RenderableType:
    """Draw the table of a match, given in JSON from REST."""
    parsed = json_format.ParseDict(match, verbs.Match(), ignore_unknown_fields=True)
    displays = [_seat(parsed, number) for number in range(len(parsed.view.seats))]
    return Group(_header_line(parsed.view), *_store(parsed.view), *_orientations(parsed), Columns(displays))


def legend(match: dict[str, object]) -> RenderableType:
    """What the marks of tiles and compositions mean, and what the sign is worth."""
    view = json_format.ParseDict(match, verbs.Match(), ignore_unknown_fields=True).view
    words = words_of("spring_festival")
    colours = [f"{COLOUR_LETTERS[place]} {words.name('colour', colour)}" for place, colour in enumerate(COLOURS)]
    lines = [
        labelled(gettext("A tile has the letter of its colour and its number of explosions"), ", ".join(colours)),
        gettext("Each arrow sets off the tile next to it; ! is a tile that has exploded"),
        gettext("* is half a spark: with another one on the same side of the next tile it earns applause"),
        gettext("Squares are x y, as above and to the left of a display: x grows to the right, y downwards"),
        gettext("In compositions a letter or digit is such an explosion, * any explosion, . anything"),
    ]
    if view.sign not in (pb.SIGN_UNSPECIFIED, pb.SIGN_NONE):
        sign = pb.Sign.Name(view.sign).removeprefix("SIGN_").lower()
        points = words.several("thing", "point", SIGN_POINTS[SIGNS.index(sign)])
        lines.append(labelled(words.name("sign", sign), f"{points} {words.name('sign_rule', sign)}"))
    return Text("\n".join(lines), style="dim")


def _header_line(view: pb.View) -> Text:
    words = words_of("spring_festival")
    parts = [
        gettext("turn {round} of {rounds}", round=view.round, rounds=ROUNDS),
        words.name("stage", pb.Stage.Name(view.stage).removeprefix("STAGE_").lower()),
        labelled(
            words.name("option", "sign"), words.name("sign", pb.Sign.Name(view.sign).removeprefix("SIGN_").lower())
        ),
    ]
    if view.active_seat >= 0:
        parts.append(gettext("store turned by seat {seat}", seat=view.active_seat + 1))
    return Text("\n" + "; ".join(parts))


def _store(view: pb.View) -> list[Text]:
    """The top tiles of the four piles in a row, below the numbers of the piles and above their sizes."""
    if not any(pile.HasField("top") for pile in view.piles):
        return [Text(gettext("store: no open tiles"), style="dim")]
    sizes = [f"({pile.size})" for pile in view.piles]
    numbers = [str(number) for number in range(len(view.piles))]
    return _tile_row(gettext("store"), [pile.top for pile in view.piles], numbers, sizes)


def _tile_row(caption: str, tiles: Sequence[pb.Tile], above: Sequence[str], below: Sequence[str]) -> list[Text]:
    """Tiles side by side after a caption, with a text above and one below each."""
    caption += "  "
    margin = " " * len(caption)
    lines = [Text(caption if line == 1 else margin) for line in range(TILE_LINES)]
    for tile in tiles:
        for line in range(TILE_LINES):
            lines[line].append_text(_tile_line(tile, line, False))
            lines[line].append("   ")
    texts = [margin + "   ".join([f"{text:^{TILE_WIDTH}}" for text in row]) for row in (above, below) if row]
    captions = [Text(text, style="dim") for text in texts]
    return [*captions[:-1], *lines, captions[-1]] if above else [*lines, *captions]


def _orientations(match: verbs.Match) -> list[Text]:
    """While the store is to be turned: the tile that each seat would get, for each position."""
    view = match.view
    if view.stage != pb.STAGE_ORIENT:
        return []
    arms = ARMS[len(view.seats)]
    lines = []
    for offset in range(PILES):
        line = Text(f"  orient {offset}: ", style="dim")
        for seat, arm in enumerate(arms):
            line.append_text(_short_tile(view.piles[(offset + arm) % PILES].top))
            line.append(" " + gettext("to {player}", player=_player(match, seat)))
            line.append(", " if seat < len(arms) - 1 else "")
        if offset == view.offset:
            line.append("  " + gettext("(leaves the store as it is)"))
        lines.append(line)
    return lines


def _player(match: verbs.Match, seat: int) -> str:
    """Number and name of a seat; an inline match has no names."""
    return f"{seat + 1} {match.seats[seat].name}" if match.seats else str(seat + 1)


def _short_tile(tile: pb.Tile) -> Text:
    return Text(f"{_letter(tile)}{tile.number}", style=STYLES[tile.colour])


def _tile_id(tile: pb.Tile) -> str:
    """The name of a tile in moves, such as `S1-3`."""
    return pb.TileId.Name(tile.id).removeprefix("TILE_ID_").replace("_", "-")


def _tile_line(tile: pb.Tile, line: int, exploded: bool) -> Text:
    marks = [_mark(tile, direction, arrow) for direction, arrow in ARROWS_AROUND[line]]
    middle = f"{_letter(tile)}{tile.number}{'!' if exploded else ' '}".join(marks) if line == 1 else " ".join(marks)
    return Text(middle, style=STYLES[tile.colour] + (" reverse" if exploded else ""))


def _letter(tile: pb.Tile) -> str:
    return pb.Colour.Name(tile.colour).removeprefix("COLOUR_")[0]


def _mark(tile: pb.Tile, direction: pb.Direction.ValueType, arrow: str) -> str:
    if direction in tile.arrows:
        return arrow
    return "*" if direction in tile.sparks else " "


def _seat(match: verbs.Match, number: int) -> Panel:
    seat = match.view.seats[number]
    mark = "▶ " if number in match.to_move else ""
    parts: list[Text] = [*_display(seat), *_seat_lines(seat)]
    return Panel(Group(*parts), title=f"{mark}{_player(match, number)}", expand=False)


def _display(seat: pb.SeatView) -> list[Text]:
    if not seat.display:
        return [Text(gettext("{number} tiles, hidden", number=seat.laid), style="dim")]
    laid = {(tile.square.x, tile.square.y): tile for tile in seat.display}
    columns = range(min(x for x, _ in laid), max(x for x, _ in laid) + 1)
    rows = range(min(y for _, y in laid), max(y for _, y in laid) + 1)
    lines = [Text("    " + " ".join(f"{x:^{TILE_WIDTH}}" for x in columns), style="dim")]
    for y in rows:
        lines.extend(_row(laid, columns, y, line) for line in range(TILE_LINES))
    return lines


def _row(laid: dict[tuple[int, int], pb.DisplayTile], columns: Sequence[int], y: int, line: int) -> Text:
    text = Text(f"{y:>3} " if line == 1 else "    ", style="dim")
    for x in columns:
        tile = laid.get((x, y))
        text.append_text(_tile_line(tile.tile, line, tile.face == pb.FACE_EXPLODED) if tile else Text(" " * TILE_WIDTH))
        text.append(" ")
    return text


def _seat_lines(seat: pb.SeatView) -> list[Text]:
    facts = [Text(f"{words_of('spring_festival').name('score', 'applause')} {seat.applause}")]
    if seat.unlaid:
        facts.extend(_tile_row(gettext("start tiles"), seat.unlaid, [], [_tile_id(tile) for tile in seat.unlaid]))
    if seat.HasField("tile"):
        committed = f" ({gettext('committed')})" if seat.committed else ""
        facts.extend(_tile_row(gettext("tile to place") + committed, [seat.tile], [], []))
    facts.extend(_cards(gettext("to complete"), seat.cards))
    completed = ", ".join([_card(card) for card in seat.completed])
    facts.append(Text(labelled(gettext("completed"), completed or "-")))
    if seat.left:
        facts.append(Text(gettext("has left"), style="dim"))
    return facts


def _cards(caption: str, cards: Sequence[pb.Composition]) -> list[Text]:
    """Composition cards side by side: name and points, and below them the picture."""
    names = [_card(card) for card in cards]
    rows = max([len(card.rows) for card in cards], default=0)
    lines = [Text(labelled(caption, "-" if not cards else ""))]
    lines.append(Text("  ".join(names)))
    for row in range(rows):
        pictures = [card.rows[row] if row < len(card.rows) else "" for card in cards]
        cells = [f"{picture:<{len(name)}}" for picture, name in zip(pictures, names, strict=True)]
        lines.append(Text("  ".join(cells), style="bold"))
    return [line for line in lines if line.plain]


def _card(card: pb.Composition) -> str:
    name = pb.CompositionId.Name(card.id).removeprefix("COMPOSITION_ID_").replace("_", "-")
    return f"{name} ({card.points})"
