"""The log of a recorded match in words, as an observer sees it, from the play-throughs in `tests/data`."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from engine_core.game import NATURE
from engine_core.games import GAMES
from engine_core.match import AnyMatch, Match

PLAYTHROUGHS = Path(__file__).parents[2] / "data" / "playthroughs"
ENTRY = re.compile(r" *\d+ (?:nature|seat (?P<seat>\d)): (?P<notation>.*?)(?:  .*)?")
NAMES = ("Ann", "Bob", "Cara", "Dan", "Eve")


@cache
def log_in_words(name: str, observer: int, locale: str = "en") -> list[tuple[str, tuple[str, ...]]]:
    """By entry its notation and what it brought, of a match such as `fireship-rings-4`."""
    game, preset, seats = name.split("-")
    rules = GAMES[game]
    match: AnyMatch = Match(rules, rules.start(int(seats), rules.presets()[preset]), None)
    words = rules.words(locale).with_players(NAMES[: int(seats)])
    log = []
    for line in (PLAYTHROUGHS / f"{name}.txt").read_text().splitlines():
        if (found := ENTRY.fullmatch(line)) is None or match.is_over():
            continue
        before = rules.view(match.state, observer)
        seat = NATURE if found["seat"] is None else int(found["seat"])
        [entry] = match.play(seat, rules.parse(found["notation"]))
        seen, after = entry.seen_by(observer), rules.view(match.state, observer)
        log.append((found["notation"], tuple(rules.consequences(before, seat, seen, after, words))))
    return log
