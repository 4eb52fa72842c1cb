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
from engine_core.games.fire_bulls.components import (
    COLONEL,
    GENERAL,
    MAX_DIRECT_CAPTURES,
    RULES_BY_PROFILE,
    ProfileRules,
)

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
    return Group(_columns(view), _reserve_line(view), _status_line(view), _seats(parsed))


def legend(match: dict[str, object]) -> RenderableType:
    """Where pawns attack, and what each point card is worth and costs, by the edition of the match."""
    view = json_format.ParseDict(match, verbs.Match(), ignore_unknown_fields=True).view
    rules = RULES_BY_PROFILE[pb.Profile.Name(view.profile).removeprefix("PROFILE_").lower()]
    straight, deviated = MAX_DIRECT_CAPTURES, rules.max_deviated_captures
    colonel, general = [f"{max(groups)} + {min(groups)}" for groups in _groups(rules)]
    lines = [
        gettext("Lines: 2, 3 and 4 go straight up; 1 ↗ and 5 ↖ go across; the lowest card is the nearest. ▲ is a pawn"),
        gettext("It attacks along any line, at most {straight} cards", straight=straight)
        if rules.attacks_anywhere
        else gettext(
            "It attacks along its own line, at most {straight} cards, or the next one, at most {deviated}",
            straight=straight,
            deviated=deviated,
        ),
        gettext("Points and prices in bulls, which a warrior can replace:"),
        "  " + gettext("soldier 1: one of its colour; Wu 2: two of its colour; Xi 3: three of its colour"),
        "  " + gettext("white Wu and Xi: as many of any one colour; fortification 0: one of any colour"),
        "  " + gettext("Bo 6: one of each colour; colonel 8: {groups} of two colours, or 5 of one", groups=colonel),
        "  " + gettext("general 12: {groups} of two colours, or 7 of one", groups=general),
        gettext("One more point for each card won in your own colour; a Bo has all colours"),
    ]
    return Text("\n".join(lines), style="dim")


def _groups(rules: ProfileRules) -> list[list[int]]:
    """The two groups of bulls, each of one colour, that a colonel and the general cost."""
    return [[number for _, number in rules.costs[kind][0]] for kind in (COLONEL, GENERAL)]


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
    held = [
        Text(f"{number} {_short_name(name)}", style=STYLES[name])
        for name, number in zip(ATTACK_CARDS, _numbers(cards), strict=True)
        if number
    ]
    return Text(", ").join(held) if held else Text(gettext("no cards"), style="dim")


def _numbers(cards: pb.AttackCards) -> list[int]:
    return [cards.blue, cards.yellow, cards.brown, cards.red, cards.green, cards.warrior]


def _short_name(card: str) -> str:
    """A bull is named by its colour alone."""
    return _name("attack_card", card) if card == "warrior" else _name("colour", card)


def _reserve_line(view: pb.View) -> Text:
    return Text.assemble(
        "\n" + labelled(gettext("Reserve"), ""),
        _attack_cards(view.reserve),
        "  ",
        gettext("deck {size}, exhausted {times} of 3", size=view.deck_size, times=view.exhaustions),
        ", " + labelled(_name("point_card", "general"), _general(view)),
    )


def _status_line(view: pb.View) -> Text:
    """What is to be chosen now, and how far an attack has come."""
    facts = [_name("stage", pb.Stage.Name(view.stage).removeprefix("STAGE_").lower())]
    if view.capture_limit:
        numbers = {"captures": view.captures, "limit": view.capture_limit}
        facts.append(gettext("{captures} of at most {limit} cards captured", **numbers))
    if view.warriors_owed:
        facts.append(gettext("{number} warriors to make up for", number=view.warriors_owed))
    return Text("; ".join(facts) + "\n")


def _general(view: pb.View) -> str:
    if view.general_winner >= 0:
        return gettext("won by seat {seat}", seat=view.general_winner + 1)
    return _name("general_place", pb.GeneralPlace.Name(view.general).removeprefix("GENERAL_PLACE_").lower())


def _seats(match: verbs.Match) -> Table:
    table = Table(gettext("seat"), gettext("colour"), gettext("hand"), gettext("won"), box=None, padding=(0, 2))
    for number, seat in enumerate(match.view.seats):
        colour = _colour(seat.colour)
        mark = "▶" if number in match.to_move else " "
        name = match.seats[number].name if match.seats else ""
        table.add_row(
            f"{mark} {number + 1} {name}", Text(_name("colour", colour), style=STYLES[colour]), _hand(seat), _won(seat)
        )
    return table


def _hand(seat: pb.SeatView) -> Text:
    """The cards of the own hand; of another one their number, and those that everybody knows to be there."""
    if seat.HasField("hand"):
        return _attack_cards(seat.hand)
    text = Text(gettext("{number} cards", number=seat.hand_size))
    if sum(_numbers(seat.known)):
        text.append(" (").append_text(_attack_cards(seat.known)).append(", ...)")
    return text


def _won(seat: pb.SeatView) -> Text:
    won = [Text.assemble(f"{pile.count} ", _point_card(pile.card)) for pile in seat.victory]
    return Text(", ").join(won) if won else Text(gettext("nothing yet"), style="dim")
