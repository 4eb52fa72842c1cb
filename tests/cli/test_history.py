"""Lines of a log in the terminal: sealed moves that an entry reveals come before what all of them brought."""

from __future__ import annotations

from cli.play.history import event_lines
from fireside_client.types.any_game import Event, Reveal


def revealed(seat: int, notation: str, text: str) -> Reveal:
    return {"seat": seat, "move": {}, "notation": notation, "text": text}


def entry(revision: int, seat: int, notation: str, text: str, *reveals: Reveal) -> Event:
    return {"revision": revision, "seat": seat, "notation": notation, "reveals": [*reveals], "head": "", "text": text}


def test_a_revealed_move_is_shown_once_and_what_moves_brought_at_the_end() -> None:
    placed = [revealed(0, "place 0 1", "Place A"), revealed(1, "place 1 0", "Place B")]
    log = [
        entry(1, 0, "place ?", "Place a secret tile"),
        entry(2, 1, "place ?", "Place B. Ann sets off one explosion", *placed),
    ]
    names = ["Ann", "Bob"]
    assert [line.plain.strip() for line in event_lines(log, names, None)] == [
        "1 Ann: place ?   Place a secret tile",
        "1 Ann: had chosen place 0 1   Place A",
        "2 Bob: place 1 0   Place B. Ann sets off one explosion",
    ]
    assert [line.plain.strip() for line in event_lines(log, names, 0)] == [
        "1 Ann: place ?   Place a secret tile",
        "2 Bob: place 1 0   Place B. Ann sets off one explosion",
    ]
