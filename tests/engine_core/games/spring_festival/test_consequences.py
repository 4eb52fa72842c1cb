"""What the log says of the moves of Spring Festival: tiles, explosions, applause, rounds, points of the finale."""

from __future__ import annotations

import pytest

from engine_core.game import SPECTATOR
from engine_core.games.spring_festival.components import SIGNS
from tests.engine_core.games.played import log_in_words
from tests.engine_core.games.spring_festival.positions import GAME, ONE_TILE, finale_position


@pytest.mark.parametrize(
    ("match", "revision", "notation", "expected"),
    [
        ("spring_festival-base-3", 1, "reveal 0 T43", "setup: the store is stocked"),
        ("spring_festival-base-3", 5, "deal 0 P01", "setup: everybody receives 4 compositions"),
        ("spring_festival-base-3", 17, "first_seat 2", "the first active seat is drawn by lot"),
        ("spring_festival-base-3", 83, "deal 1 P09", "round 7 of 12 begins: Cara turns the store"),
        (
            "spring_festival-base-3",
            108,
            "orient 3",
            "Ann gets the red tile with two explosions (T35); Bob gets the green tile with two explosions (T27); "
            "Cara gets the green tile with four explosions (T01)",
        ),
        (
            "spring_festival-base-3",
            45,
            "place 0 2",
            "Ann sets off one explosion and gets one applause for sparks; Bob sets off one explosion; "
            "Cara covers the blue tile with three explosions (T24) on square (0, 2); "
            "Cara sets off one explosion and gets one applause for sparks; round 3 of 12 begins: Bob turns the store",
        ),
        (
            "spring_festival-base-3",
            127,
            "place -2 2",
            "Ann sets off one explosion; Bob covers the red tile with three explosions (T19) on square (2, -2); "
            "Bob sets off one explosion; Cara sets off one explosion; the finale begins: all tiles show their rockets",
        ),
        ("spring_festival-base-3", 130, "launch 0 1", "Cara sets off 7 of 12 tiles: seven points"),
    ],
)
def test_recorded_moves_say_what_they_brought(match: str, revision: int, notation: str, expected: str) -> None:
    recorded, clauses = log_in_words(match, SPECTATOR)[revision - 1]
    assert (recorded, "; ".join(clauses)) == (notation, expected)


def test_a_perfect_finale_and_the_points_of_the_sign_are_said() -> None:
    position = finale_position(["T44@0,0 T43@1,0", ONE_TILE])
    position.state.sign = SIGNS.index("dog")  # three points for each tile with four explosions that has a free side
    words, said = GAME.words("en").with_players(("Ann", "Bob")), []
    for seat in (0, 1):
        before = position.view(SPECTATOR)
        position.play(f"{seat}: launch 0 0")
        move = GAME.parse("launch 0 0")
        said.append(GAME.consequences(before, seat, move, position.view(SPECTATOR), words))
    assert said[0] == ["Ann sets off 2 of 2 tiles: two points", "Ann gets three applause for a perfect finale"]
    assert said[1] == [
        "Bob sets off 1 of 1 tiles: one point",
        "Bob gets three applause for a perfect finale",
        "Ann gets 0 points for the Dog",
        "Bob gets three points for the Dog",
    ]
