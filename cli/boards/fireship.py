"""Terminal board of Fireship: islands with their flags, pawns by owner and kind, dice, and seats.

A cell is five characters wide: the mark of the square, then a capital letter for the owner of the pawns and a small one
for each pawn, so that owners are told apart without colours. With the row's number a line has 80 characters.
"""

from __future__ import annotations

from typing import Final

from fireside.fireship.v1 import fireship_pb2 as pb
from fireside.fireship.v1 import fireship_service_pb2 as verbs
from google.protobuf import json_format
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cli.boards import words_of
from cli.translation import gettext, labelled
from engine_core.games.fireship import components
from services.engine.codecs import codec_named

CODEC: Final = codec_named("fireship")
BOARD: Final = (
    "GG.....O.....BB",
    "GG...?.......BB",
    "..11..222?.33..",
    "..11a.222..33..",
    ".......b...c...",
    "..?..C...C...?.",
    "..44..5.5..66..",
    "O.44d..e..f66.O",
    "..44..5.5..66..",
    ".?...C...C..?..",
    "...g...h.......",
    "..77..888.i99..",
    "..77.?888..99..",
    "YY.......?...RR",
    "YY.....O.....RR",
)
SPECIAL_SQUARES: Final = {"O": "wheel", "C": "battleship", "?": "mystery"}
COLUMNS: Final = "abcdefghijklmno"
STYLES: Final = {
    pb.COLOUR_GREEN: "green",
    pb.COLOUR_BLUE: "blue",
    pb.COLOUR_RED: "red",
    pb.COLOUR_YELLOW: "yellow",
    pb.COLOUR_WHITE: "white",
}
CORNERS: Final = {"G": pb.COLOUR_GREEN, "B": pb.COLOUR_BLUE, "R": pb.COLOUR_RED, "Y": pb.COLOUR_YELLOW}
BASES: Final = {"G": "a1", "B": "o1", "R": "o15", "Y": "a15"}
OWNERS: Final = {colour: pb.Colour.Name(colour).removeprefix("COLOUR_")[0] for colour in STYLES}
"""The letter of each owner, the same in all languages, as in the pages of the rules."""
LETTERS: Final = {
    pb.PAWN_KIND_BOAT: "b",
    pb.PAWN_KIND_PLANE: "p",
    pb.PAWN_KIND_BATTLESHIP: "s",
}
CELL_WIDTH: Final = 5
HAND_CARDS: Final = ("no", "boum", "plus_one", "updraft", "fog")
BADGES: Final = ("boum", "gulf_stream", "fog", "updraft")
DEMO_OPTIONS: Final[dict[str, object]] = {"rounds": 6}


def draw(match: dict[str, object]) -> RenderableType:
    """Draw the board of a match, given in JSON from REST."""
    parsed = json_format.ParseDict(match, verbs.Match(), ignore_unknown_fields=True)
    return Group(_sea(parsed.view), _status_lines(parsed.view), _seats(parsed))


def legend(match: dict[str, object]) -> RenderableType:
    """What the letters and marks of the board mean, and the powers of pawns and islands."""
    kinds = [f"{letter} {_name('pawn_kind', kind)} {power}" for kind, letter, power in _kinds()]
    marks = [f"{mark} {_name('square_kind', kind)}" for mark, kind in SPECIAL_SQUARES.items()]
    powers = {"power": components.ISLAND_POWERS[0], "more": components.ISLAND_POWERS[1] - components.ISLAND_POWERS[0]}
    lines = [
        labelled(gettext("Pawns and their powers"), ", ".join(kinds)),
        labelled(
            gettext("A capital letter is the owner of the pawns after it, or of an island"),
            ", ".join([_owner(colour) for colour in STYLES]),
        ),
        labelled(gettext("Squares"), ", ".join(marks)) + "; " + gettext("a to i are the ports of the islands 1 to 9"),
        gettext("Islands have power {power}, and {more} more for each ring, which is a °", **powers),
        gettext("Bases have their name, such as a1, and the pawns in them by kind"),
    ]
    return Text("\n".join(lines), style="dim")


def _kinds() -> list[tuple[str, str, int]]:
    """Name, letter and power of each kind of pawn."""
    return [
        (pb.PawnKind.Name(kind).removeprefix("PAWN_KIND_").lower(), letter, power)
        for (kind, letter), power in zip(LETTERS.items(), components.POWERS, strict=True)
    ]


def _owner(colour: pb.Colour.ValueType) -> str:
    """The letter of an owner with the name of its colour."""
    return f"{OWNERS[colour]} {_name('colour', pb.Colour.Name(colour).removeprefix('COLOUR_').lower())}"


def _sea(view: pb.View) -> Text:
    text = Text("\n     " + "".join([f"{column:{CELL_WIDTH}}" for column in COLUMNS]) + "\n", style="dim")
    for row, line in enumerate(BOARD):
        text.append(f"{row + 1:3}  ", style="dim")
        for column in range(len(line)):
            text.append_text(_cell(view, row, column))
        text.append("\n")
    return text


def _cell(view: pb.View, row: int, column: int) -> Text:
    mark = BOARD[row][column]
    if mark.isdigit():
        return _land(view, row, column)
    if mark in CORNERS:
        return _base(view, row, column)
    text = Text(mark if mark != "." else "·", style="bold cyan" if mark != "." else "dim")
    for group in view.pawns:
        if group.pawn.square == f"{COLUMNS[column]}{row + 1}":
            letters = OWNERS[group.owner] + LETTERS[group.pawn.kind] * group.count
            text.append(letters, style=f"bold {STYLES[group.owner]}")
    text.append(" " * (CELL_WIDTH - len(text)))
    return text


def _land(view: pb.View, row: int, column: int) -> Text:
    """An island in the colour of its flag; its first cell shows the rings."""
    number = BOARD[row][column]
    island = view.islands[int(number) - 1]
    before = "".join(BOARD[:row]) + BOARD[row][:column]
    label = number + OWNERS[island.owner] + ("°" * island.rings if number not in before else "")
    return Text(f"{label:{CELL_WIDTH}}", style=f"bold black on {STYLES[island.owner]}")


def _base(view: pb.View, row: int, column: int) -> Text:
    """A cell of a base, a square of four cells: its name, or the number of waiting pawns of one kind."""
    mark = BOARD[row][column]
    cells = [(r, c) for r in range(len(BOARD)) for c in range(len(BOARD)) if BOARD[r][c] == mark]
    place = cells.index((row, column))
    if place == 0:
        return Text(f"{mark + BASES[mark]:{CELL_WIDTH}}", style=f"black on {STYLES[CORNERS[mark]]}")
    kind = list(LETTERS)[place - 1]
    waiting = [group.count for group in view.pawns if group.pawn.square == BASES[mark] and group.pawn.kind == kind]
    return Text(f"{f'{sum(waiting)}{LETTERS[kind]}':{CELL_WIDTH}}", style=f"black on {STYLES[CORNERS[mark]]}")


def _name(kind: str, key: str) -> str:
    return words_of("fireship").name(kind, key)


def _status_lines(view: pb.View) -> Text:
    dice = " ".join([_name("die_face", str(face or "skull")) for face in view.dice]) or gettext("not thrown")
    round_text = gettext("round {round} of {rounds}", round=view.round, rounds=view.options.rounds)
    rest = gettext(
        "dice: {dice}, points left: {points}, deck {size}", dice=dice, points=view.points, size=view.deck_size
    )
    stage = _name("stage", pb.Stage.Name(view.stage).removeprefix("STAGE_").lower())
    text = Text(f"{round_text}, {rest}, {stage}\n")
    for declared in view.declared:
        move = CODEC.game.sentence(CODEC.decode_move(declared.move), words_of("fireship"))
        to_answer = gettext("seat {seat}: {move} (to be answered)", seat=declared.seat + 1, move=move)
        text.append(f"{to_answer}\n", style="magenta")
    if view.attack_power:
        powers = {"attack": view.attack_power, "defence": view.defence_power}
        text.append(gettext("attack {attack} against defence {defence}", **powers) + "\n", style="magenta")
    return text


def _seats(match: verbs.Match) -> Table:
    columns = [gettext("seat"), gettext("colour"), _name("score", "islands"), gettext("cards"), gettext("badges"), ""]
    table = Table(*columns, box=None, padding=(0, 2))
    for number, seat in enumerate(match.view.seats):
        name = match.seats[number].name if match.seats else ""
        mark = "▶" if number in match.to_move else " "
        colour = Text(_owner(seat.colour), style=f"bold {STYLES[seat.colour]}")
        owned = [str(place + 1) for place, island in enumerate(match.view.islands) if island.owner == seat.colour]
        table.add_row(
            f"{mark} {number + 1} {name}",
            colour,
            " ".join(owned) or "-",
            _hand(seat),
            _badges(seat),
            _seat_conditions(seat),
        )
    return table


def _hand(seat: pb.SeatView) -> str:
    if not seat.HasField("hand"):
        return gettext("{number} secret", number=seat.hand_size)
    held = [(card, getattr(seat.hand, card)) for card in HAND_CARDS]
    return ", ".join([f"{number} {_name('mystery_card', card)}" for card, number in held if number]) or "-"


def _badges(seat: pb.SeatView) -> str:
    held = [(badge, getattr(seat.badges, badge)) for badge in BADGES]
    return ", ".join([f"{number} {_name('played_card', badge)}" for badge, number in held if number]) or "-"


def _seat_conditions(seat: pb.SeatView) -> str:
    facts = {
        _name("answer_kind", "anti_skull"): seat.anti_skull,
        gettext("in the fog"): seat.fog,
        gettext("swallowed"): seat.skips > 0,
        gettext("passes this turn"): seat.passes_turn,
        gettext("out"): seat.out,
        gettext("left"): seat.left,
    }
    return ", ".join([fact for fact, holds in facts.items() if holds])
