"""Terminal board of Fire Bulls: columns and their piles, pawns at their directions, hands and won cards."""

from __future__ import annotations

from typing import Final

from fireside.fire_bulls.v1 import fire_bulls_pb2 as pb
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from google.protobuf import json_format
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

STYLES: Final = {
    "blue": "bold blue",
    "yellow": "bold yellow",
    "brown": "bold rgb(160,110,60)",
    "red": "bold red",
    "green": "bold green",
    "white": "bold white",
    "warrior": "bold magenta",
}
GENERAL_PLACE_TEXTS: Final = {
    pb.GENERAL_PLACE_HIDDEN: "in a pile",
    pb.GENERAL_PLACE_ASIDE: "next to the columns",
    pb.GENERAL_PLACE_WON: "won",
}
DIRECTIONS: Final = 5
ATTACK_CARDS: Final = ("blue", "yellow", "brown", "red", "green", "warrior")


def draw(match: dict[str, object]) -> RenderableType:
    """Draw the table of a match, given in JSON from REST."""
    parsed = json_format.ParseDict(match, verbs.Match(), ignore_unknown_fields=True)
    view = parsed.view
    return Group(_columns(view), _reserve_line(view), _seats(parsed))


def _point_card(card: pb.PointCard.ValueType) -> Text:
    name = pb.PointCard.Name(card).removeprefix("POINT_CARD_").lower().replace("_", " ")
    if card == pb.POINT_CARD_UNSPECIFIED:
        return Text("·", style="dim")
    return Text(name, style=STYLES.get(name.split()[-1], "bold white"))


def _colour(colour: pb.Colour.ValueType) -> str:
    return pb.Colour.Name(colour).removeprefix("COLOUR_").lower()


def _columns(view: pb.View) -> Table:
    table = Table(box=None, padding=(0, 2))
    for column in view.columns:
        table.add_column(f"pile of {column.pile_size}", justify="center", min_width=16)
    for row in (2, 1, 0):
        table.add_row(*[_point_card(column.squares[row]) for column in view.columns])
    table.add_row(*[_pawn(view, direction) for direction in (2, 3, 4)])
    table.add_row(Text.assemble(_pawn(view, 1), "  ↗"), "", Text.assemble("↖  ", _pawn(view, 5)))
    return table


def _pawn(view: pb.View, direction: int) -> Text:
    for seat in view.seats:
        if seat.place == direction:
            colour = _colour(seat.colour)
            return Text(f"{direction} ▲ {colour}", style=STYLES[colour])
    return Text(f"{direction}", style="dim")


def _attack_cards(cards: pb.AttackCards) -> Text:
    numbers = (cards.blue, cards.yellow, cards.brown, cards.red, cards.green, cards.warrior)
    text = Text()
    for name, number in zip(ATTACK_CARDS, numbers, strict=True):
        if number:
            text.append(f"{number} {name}  ", style=STYLES[name])
    return text if text else Text("none", style="dim")


def _reserve_line(view: pb.View) -> Text:
    return Text.assemble(
        "\nReserve: ",
        _attack_cards(view.reserve),
        f"  deck {view.deck_size}, exhausted {view.exhaustions} of 3, general {_general(view)}\n",
    )


def _general(view: pb.View) -> str:
    return GENERAL_PLACE_TEXTS[view.general] + (f" by seat {view.general_winner}" if view.general_winner >= 0 else "")


def _seats(match: verbs.Match) -> Table:
    table = Table("seat", "colour", "hand", "won", box=None, padding=(0, 2))
    for number, seat in enumerate(match.view.seats):
        colour = _colour(seat.colour)
        mark = "▶" if number in match.to_move else " "
        name = match.seats[number].name if match.seats else ""
        hand = _attack_cards(seat.hand) if seat.HasField("hand") else Text(f"{seat.hand_size} cards")
        table.add_row(f"{mark} {number} {name}", Text(colour, style=STYLES[colour]), hand, _won(seat))
    return table


def _won(seat: pb.SeatView) -> Text:
    text = Text()
    for pile in seat.victory:
        text.append(f"{pile.count} ")
        text.append_text(_point_card(pile.card))
        text.append("  ")
    return text if text else Text("nothing yet", style="dim")
