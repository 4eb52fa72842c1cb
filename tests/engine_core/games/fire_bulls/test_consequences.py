"""What the log says of the moves of Fire Bulls: won cards, swapped places, powers, exhaustions, lost cards."""

from __future__ import annotations

import pytest

from engine_core.game import SPECTATOR
from tests.engine_core.games.played import log_in_words


@pytest.mark.parametrize(
    ("match", "revision", "notation", "expected"),
    [
        ("fire_bulls-it-4", 1, "yen 1 wu-red", "setup: the columns are filled"),
        ("fire_bulls-it-4", 2, None, ""),
        ("fire_bulls-it-4", 11, "place 0 2", "setup: the pawns are placed by lot"),
        ("fire_bulls-it-4", 15, "qi 0 red", "setup: everybody draws 3 cards"),
        ("fire_bulls-it-4", 27, "qi reserve blue", "setup: the Reserve is filled"),
        ("fire_bulls-it-4", 30, "first 2", "the first player is drawn by lot"),
        ("fire_bulls-it-3", 301, "attack 4: blue blue blue", "Bob wins a blue Xi"),
        ("fire_bulls-it-4", 39, "step 1", "Cara now stands in front of line 2"),
        ("fire_bulls-it-4", 95, "pick 1 warrior", "Dan gets the card"),
        ("fire_bulls-it-4", 249, "pick 2 blue", "the card goes to the discards"),
        ("fire_bulls-it-4", 281, "qi 0 warrior", "a bonus card for the attack"),
        ("fire_bulls-it-3", 168, "yen 3 general", "the general lies next to the columns and can be attacked"),
        ("fire_bulls-it-4", 165, "qi reserve brown", "the Qi deck is exhausted (1 of 3)"),
        (
            "fire_bulls-it-2",
            406,
            "release brown",
            "too many turns without a draw or a capture count as an exhaustion (3 of 3); "
            "Ann loses the general Qi Jie at the end; Bob loses a colonel at the end",
        ),
    ],
)
def test_recorded_moves_say_what_they_brought(match: str, revision: int, notation: str | None, expected: str) -> None:
    recorded, clauses = log_in_words(match, SPECTATOR)[revision - 1]
    assert notation in (None, recorded)
    assert "; ".join(clauses) == expected


@pytest.mark.parametrize(
    ("locale", "used"),
    [
        ("en", {"each opponent discards a card at random", "draw a card from the Qi deck"}),
        ("fr", {"chaque adversaire défausse une carte au hasard", "piocher une carte Attaque"}),
        ("it", {"ogni avversario scarta una carta a caso", "pescare una carta dal mazzo Esercito di Qi"}),
    ],
)
def test_the_use_of_a_power_says_what_it_does(locale: str, used: set[str]) -> None:
    log = log_in_words("fire_bulls-it-4", SPECTATOR, locale)
    found = {clause for notation, clauses in log if notation == "power yes" for clause in clauses}
    assert used & found
    assert not [clauses for notation, clauses in log if notation == "power no" and clauses]
