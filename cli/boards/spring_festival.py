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
from engine_core.games.spring_festival.components import ROUNDS

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

DEMO_OPTIONS: Final[tuple[dict[str, object], ...]] = ({"sign": "SIGN_RANDOM"},)


def draw(match: dict[str, object]) -> RenderableType:
    """Draw the table of a match, given in JSON from REST."""
    parsed = json_format.ParseDict(match, verbs.Match(), ignore_unknown_fields=True)
    displays = [_seat(parsed, number) for number in range(len(parsed.view.seats))]
    return Group(_header_line(parsed.view), *_store(parsed.view), Columns(displays))


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
        parts.append(gettext("store turned by seat {seat}", seat=view.active_seat))
    return Text("\n" + "; ".join(parts))


def _store(view: pb.View) -> list[Text]:
    """The top tiles of the four piles in a row, above the sizes of the piles."""
    if not any(pile.HasField("top") for pile in view.piles):
        return [Text(gettext("store: no open tiles"), style="dim")]
    caption = gettext("store") + "  "
    margin = " " * len(caption)
    lines = [Text(caption if line == 1 else margin) for line in range(TILE_LINES)]
    for pile in view.piles:
        for line in range(TILE_LINES):
            lines[line].append_text(_tile_line(pile.top, line, False))
            lines[line].append("   ")
    sizes = "   ".join(f"{f'({pile.size})':<{TILE_WIDTH}}" for pile in view.piles)
    return [*lines, Text(margin + sizes, style="dim")]


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
    name = match.seats[number].name if match.seats else ""
    mark = "▶ " if number in match.to_move else ""
    parts: list[Text] = [*_display(seat), *_seat_lines(seat)]
    return Panel(Group(*parts), title=f"{mark}{number} {name}", expand=False)


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
    if seat.HasField("tile"):
        tile = (f"{_letter(seat.tile)}{seat.tile.number}", STYLES[seat.tile.colour])
        committed = f", {gettext('committed')}" if seat.committed else ""
        facts.append(Text.assemble(gettext("tile to place"), " ", tile, committed))
    facts.append(Text(labelled(gettext("to complete"), ", ".join(_card(card) for card in seat.cards))))
    facts.append(Text(labelled(gettext("completed"), ", ".join(_card(card) for card in seat.completed))))
    if seat.left:
        facts.append(Text(gettext("has left"), style="dim"))
    return facts


def _card(card: pb.Composition) -> str:
    return f"{'/'.join(card.rows)} ({card.points})"
