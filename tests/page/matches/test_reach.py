"""Every legal move in Chromium, reached by clicks, by arrow keys and in the list, in turns with moves of all kinds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from engine_core.game import NATURE, Move, State
from engine_core.games import AnyGame
from engine_core.pictures import Setting
from engine_core.pictures.themes import LIGHT
from tests.conformance.game_setups import GAME_SETUPS, GameSetup
from tests.conformance.presentation.drawn_positions import DRAWN_GAMES, pictures
from tests.conformance.records.corpus import RECORDED_SETUPS, record_path
from tests.page.conftest import NewPage

REACH: Final = Path(__file__).with_name("reach.js").read_text("utf-8")
PLAYTHROUGHS: Final = Path(__file__).parents[2] / "data" / "playthroughs"
LINE: Final = re.compile(r"^ *\d+ (?:nature|seat (\d)): (.+?)(?:  .*)?$", re.MULTILINE)
MOST_ALIKE: Final = 8
"""The most moves of one turn that name the same parts, so that their sentences are to be chosen from."""


def recorded_moves(setup: GameSetup) -> Iterator[list[tuple[int, str]]]:
    """The matches of a setup under `tests/data`: seats or nature, and moves."""
    text = PLAYTHROUGHS.joinpath(f"{setup}.txt").read_text("utf-8")
    yield [(int(seat or NATURE), notation) for seat, notation in LINE.findall(text)]
    if setup in RECORDED_SETUPS:
        events = json.loads(record_path(setup).read_text("utf-8"))["events"]
        yield [(event.get("seat", NATURE), event["notation"]) for event in events]


def recorded_turns(game: AnyGame) -> Iterator[tuple[State, int, list[Move]]]:
    """Each turn of the recorded matches of a game: the position, a seat that is to move, and its legal moves."""
    for setup in [setup for setup in GAME_SETUPS if setup.game is game]:
        for moves in recorded_moves(setup):
            state = setup.start()
            for seat, notation in moves:
                if notation == "leave":
                    game.leave(state, seat)
                    continue
                if seat != NATURE:
                    yield state, seat, game.legal_moves(state, seat)
                game.apply(state, seat, game.parse(notation))


def turns_with_all_kinds(game: AnyGame) -> Iterator[tuple[State, int, list[Move]]]:
    """The first turns with a move of each kind: of each class, number of parts, and way to say it in a word."""
    known: set[tuple[type[Move], int, str]] = set()
    for state, seat, moves in recorded_turns(game):
        notations = [game.notation(move) for move in moves]
        words = [notation if notation.isidentifier() else "" for notation in notations]
        kinds = {(type(move), len(pictures(game).parts(move)), word) for move, word in zip(moves, words, strict=True)}
        if not kinds <= known:
            known |= kinds
            yield state, seat, moves


@pytest.mark.parametrize("game", DRAWN_GAMES, ids=lambda game: game.name)
def test_every_legal_move_is_reached_by_clicks_by_keys_and_in_the_list(game: AnyGame, new_page: NewPage) -> None:
    words = game.words("en")
    positions: list[dict[str, Any]] = []
    for state, seat, moves in turns_with_all_kinds(game):
        offered = [
            {
                "text": game.sentence(move, words),
                "notation": game.notation(move),
                "parts": list(pictures(game).parts(move)),
            }
            for move in moves
        ]
        picture = pictures(game).draw(game.view(state, seat), Setting(words, LIGHT, []))
        positions.append({"picture": picture, "moves": offered})
    page = new_page()
    page.goto("/")
    page.get_by_role("button", name="Play now").first.wait_for()
    for position, reached in zip(positions, page.evaluate(REACH, positions), strict=True):
        offered = position["moves"]
        assert reached["sentences"] == [move["text"] for move in offered] == reached["byList"]
        assert set(reached["framed"]) <= {part for move in offered for part in move["parts"]}
        assert {move["parts"][0] for move in offered} <= set(reached["framed"])
        assert reached["lost"] == []  # a part that is not framed yet shares its place with one to click before it
        assert reached["byArrows"] == reached["framed"]
        for move, result in zip(offered, reached["byClicks"], strict=True):
            assert result == [move["notation"]] or (move["text"] in result and len(result) <= MOST_ALIKE), move
    print(f"\n{game.name}: {len(positions)} turns, {sum(len(position['moves']) for position in positions)} moves")
