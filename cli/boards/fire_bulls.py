"""Terminal board of Fire Bulls: columns and their piles, pawns at their directions, hands and won cards."""

from __future__ import annotations

from typing import Final

from fireside.fire_bulls.v1 import fire_bulls_pb2 as pb
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from google.protobuf import json_format
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cli.boards import words_of
from cli.translation import gettext, labelled

STYLES: Final = {
    "blue": "bold blue",
    "yellow": "bold yellow",
    "brown": "bold rgb(160,110,60)",
    "red": "bold red",
    "green": "bold green",
    "white": "bold white",
    "warrior": "bold magenta",
}
DIRECTIONS: Final = 5
ATTACK_CARDS: Final = ("blue", "yellow", "brown", "red", "green", "warrior")


def draw(match: dict[str, object]) -> RenderableType:
    """Draw the table of a match, given in JSON from REST."""
    parsed = json_format.ParseDict(match, verbs.Match(), ignore_unknown_fields=True)
    view = parsed.view
    return Group(_columns(view), _reserve_line(view), _seats(parsed))


def _point_card(card: pb.PointCard.ValueType) -> Text:
    key = pb.PointCard.Name(card).removeprefix("POINT_CARD_").lower()
    if card == pb.POINT_CARD_UNSPECIFIED:
        return Text("·", style="dim")
    return Text(_name("point_card", key), style=STYLES.get(key.rpartition("_")[2], "bold white"))


def _name(kind: str, key: str) -> str:
    return words_of("fire_bulls").name(kind, key)


def _colour(colour: pb.Colour.ValueType) -> str:
    return pb.Colour.Name(colour).removeprefix("COLOUR_").lower()


def _columns(view: pb.View) -> Table:
    table = Table(box=None, padding=(0, 2))
    for column in view.columns:
        table.add_column(gettext("pile of {size}", size=column.pile_size), justify="center", min_width=16)
    for row in (2, 1, 0):
        table.add_row(*[_point_card(column.squares[row]) for column in view.columns])
    table.add_row(*[_pawn(view, direction) for direction in (2, 3, 4)])
    table.add_row(Text.assemble(_pawn(view, 1), "  ↗"), "", Text.assemble("↖  ", _pawn(view, 5)))
    return table


def _pawn(view: pb.View, direction: int) -> Text:
    for seat in view.seats:
        if seat.place == direction:
            colour = _colour(seat.colour)
            return Text(f"{direction} ▲ {_name('colour', colour)}", style=STYLES[colour])
    return Text(f"{direction}", style="dim")


def _attack_cards(cards: pb.AttackCards) -> Text:
    numbers = (cards.blue, cards.yellow, cards.brown, cards.red, cards.green, cards.warrior)
    text = Text()
    for name, number in zip(ATTACK_CARDS, numbers, strict=True):
        if number:
            text.append(f"{number} {_short_name(name)}  ", style=STYLES[name])
    return text if text else Text(gettext("no cards"), style="dim")


def _short_name(card: str) -> str:
    """A bull is named by its colour alone."""
    return _name("attack_card", card) if card == "warrior" else _name("colour", card)


def _reserve_line(view: pb.View) -> Text:
    return Text.assemble(
        "\n" + labelled(gettext("Reserve"), ""),
        _attack_cards(view.reserve),
        "  ",
        gettext("deck {size}, exhausted {times} of 3", size=view.deck_size, times=view.exhaustions),
        ", " + labelled(_name("point_card", "general"), _general(view)) + "\n",
    )


def _general(view: pb.View) -> str:
    if view.general_winner >= 0:
        return gettext("won by seat {seat}", seat=view.general_winner)
    return _name("general_place", pb.GeneralPlace.Name(view.general).removeprefix("GENERAL_PLACE_").lower())


def _seats(match: verbs.Match) -> Table:
    table = Table(gettext("seat"), gettext("colour"), gettext("hand"), gettext("won"), box=None, padding=(0, 2))
    for number, seat in enumerate(match.view.seats):
        colour = _colour(seat.colour)
        mark = "▶" if number in match.to_move else " "
        name = match.seats[number].name if match.seats else ""
        hand = (
            _attack_cards(seat.hand)
            if seat.HasField("hand")
            else Text(gettext("{number} cards", number=seat.hand_size))
        )
        table.add_row(f"{mark} {number} {name}", Text(_name("colour", colour), style=STYLES[colour]), hand, _won(seat))
    return table


def _won(seat: pb.SeatView) -> Text:
    text = Text()
    for pile in seat.victory:
        text.append(f"{pile.count} ")
        text.append_text(_point_card(pile.card))
        text.append("  ")
    return text if text else Text(gettext("nothing yet"), style="dim")
