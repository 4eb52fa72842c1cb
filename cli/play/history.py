"""Formats the entries of a match log as lines for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.text import Text

from cli.translation import gettext, labelled
from fireside_client.types.any_game import Event


def event_lines(events: Iterable[Event], names: Sequence[str], own_seat: int | None) -> Iterator[Text]:
    """A line for each move, with the chance draws after it; before it, one for each sealed move that it reveals."""
    line: Text | None = None
    for event in events:
        seat = event.get("seat")
        if seat is None and line is not None:
            line.append(f"; {event['text']}", style="dim")
            continue
        if line is not None:
            yield line
        # The text of an entry is that of the last move of its seat that it reveals, and says what all of them brought.
        own_reveal = next((each for each in reversed(event["reveals"]) if each["seat"] == seat), None)
        yield from (
            _event_line(
                each["seat"], gettext("had chosen {move}", move=each["notation"]), each["text"], names, own_seat
            )
            for each in event["reveals"]
            if each is not own_reveal and each["seat"] != own_seat  # the lines of an own move show it already
        )
        line = _event_line(
            seat, event["notation"] if own_reveal is None else own_reveal["notation"], event["text"], names, own_seat
        )
    if line is not None:
        yield line


def _event_line(seat: int | None, move: str, sentence: str, names: Sequence[str], own_seat: int | None) -> Text:
    if seat is None:
        return Text("  " + labelled(gettext("chance"), sentence), style="dim")
    name = (f"{seat + 1} {names[seat]}", "bold" if seat == own_seat else "cyan")
    return Text.assemble("  ", name, f": {move}   ", (sentence, "dim"))
