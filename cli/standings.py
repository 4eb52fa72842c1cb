"""Formats the standings of a match as a table."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group
from rich.table import Table
from rich.text import Text

from cli.translation import gettext, labelled
from fireside_client.types.any_game import ScoreResponse, Standing


def score_title(score: ScoreResponse, names: Sequence[str]) -> str:
    """Whether and why the match is over, and who has won."""
    reason = score["reasonText"]
    title = gettext("Over ({reason})", reason=reason) if reason else gettext("As it stands")
    if not score["winners"]:
        return title
    winners = ", ".join(names[seat] for seat in score["winners"])
    return labelled(title, gettext("won by {winners}", winners=winners))


def standings(score: ScoreResponse, names: Sequence[str], title: str) -> Group:
    """A title, and a table of the seats by rank, with the breakdown of points; winners are bold."""
    table = Table(gettext("rank"), gettext("seat"), gettext("points"), gettext("breakdown"))
    for standing in sorted(score["standings"], key=lambda standing: standing["rank"]):
        seat = standing["seat"]
        style = "bold" if seat in score["winners"] else ""
        name = Text(f"{seat + 1} {names[seat]}", style=style)
        table.add_row(str(standing["rank"]), name, str(standing["points"]), Text(breakdown(standing)))
    return Group(Text(title, style="italic"), table)


def breakdown(standing: Standing) -> str:
    """The parts of a seat's points."""
    return ", ".join(f"{part['text']} {part['points']}" for part in standing["breakdown"])
