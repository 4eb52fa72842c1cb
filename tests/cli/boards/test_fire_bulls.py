"""The terminal board of Fire Bulls says what a person must know to choose a move."""

from __future__ import annotations

import re

import pytest

from engine_core.chance import Luck
from engine_core.game import SPECTATOR
from engine_core.games import GAMES
from engine_core.games.fire_bulls import components
from engine_core.match import AnyMatch, Match
from tests.cli.boards.drawn import board_text, legend_text

GAME = GAMES["fire_bulls"]


def new_match(preset: str = "merged") -> AnyMatch:
    match: AnyMatch = Match(GAME, GAME.start(2, GAME.presets()[preset]), Luck(bytes(32), []))
    match.begin()
    return match


@pytest.mark.parametrize("preset", sorted(components.RULES_BY_PROFILE))
def test_the_legend_has_the_points_and_prices_of_the_edition(preset: str) -> None:
    legend = legend_text(new_match(preset), SPECTATOR)
    values = {card.role: card.value for card in components.POINT_CARDS}
    shown = re.findall(r"(soldier|Wu|Xi|Bo|colonel|general|fortification) (\d+):", legend)
    assert {role.lower(): int(value) for role, value in shown} == values
    for role, kind in [("colonel", components.COLONEL), ("general", components.GENERAL)]:
        groups, single = components.RULES_BY_PROFILE[preset].costs[kind]
        price = f"{groups[0][1]} + {groups[1][1]} of two colours, or {single[0][1]} of one"
        assert f"{role} {values[role]}: {price}" in legend


@pytest.mark.parametrize(
    ("preset", "reach"), [("merged", "or the next one, at most 2"), ("it", "along any line, at most 3 cards")]
)
def test_the_legend_says_where_a_pawn_attacks(preset: str, reach: str) -> None:
    assert reach in legend_text(new_match(preset), SPECTATOR)


def test_the_board_says_what_is_to_be_chosen_and_what_is_known_of_a_hand() -> None:
    match = new_match()
    seat = match.to_move()[0]
    assert "choice of the action" in board_text(match, SPECTATOR)
    taken = next(move for move in match.legal_moves(seat) if GAME.notation(move).startswith("take"))
    match.play(seat, taken)
    colour = GAME.notation(taken).removeprefix("take ")
    assert f"4 cards (1 {colour}, ...)" in board_text(match, SPECTATOR)
