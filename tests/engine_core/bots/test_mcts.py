"""MCTS bot: its search tree, sealed moves of others, and the end of a search whose caller has gone."""

from __future__ import annotations

from random import Random

import pytest

from engine_core.bots.bot import Bot
from engine_core.bots.greedy import GreedyBot
from engine_core.bots.ismcts import Node
from engine_core.bots.mcts import MctsBot
from engine_core.bots.observation import Observation
from engine_core.chance import Luck
from engine_core.game import Move
from engine_core.games import game_named
from engine_core.games.spring_festival.moves import PlaceTile
from engine_core.match import AnyMatch, Match

ITERATIONS = 40
GAME = game_named("spring_festival")


def match_in_placing(seat_count: int) -> AnyMatch:
    """All seats owe a sealed choice: where they put the same tile."""
    match: AnyMatch = Match(GAME, GAME.start(seat_count, GAME.presets()["base"]), Luck(bytes(32), []))
    match.begin()
    while len(match.to_move()) < seat_count or not isinstance(match.legal_moves(0)[0], PlaceTile):
        match.play(match.to_move()[0], match.legal_moves(match.to_move()[0])[0])
    return match


def search_tree(match: AnyMatch, seat: int) -> Node:
    bot = MctsBot(iterations=ITERATIONS)
    moves: list[Move] = match.legal_moves(seat)
    return bot.search(Observation(GAME, match.state, seat), moves, Random(3))


@pytest.mark.parametrize("seat", range(3))
def test_a_choice_does_not_depend_on_sealed_moves_of_others(seat: int) -> None:
    """What the others choose is counted in one place, whatever the seat that searches chooses."""
    match = match_in_placing(3)
    root = search_tree(match, seat)
    assert set(root.children) <= set(match.legal_moves(seat))
    for other in {0, 1, 2} - {seat}:
        edges = root.for_mover(other).edges
        assert set(edges) <= set(match.legal_moves(other))
        assert sum(edge.visits for edge in edges.values()) == ITERATIONS


def test_each_iteration_tries_one_move_of_the_searching_seat() -> None:
    match = match_in_placing(2)
    edges = search_tree(match, 1).edges
    assert set(edges) == set(match.legal_moves(1))
    assert sum(edge.visits for edge in edges.values()) == ITERATIONS + 2 * len(edges)


class CallerGone(BaseException):
    """For what the bot thinks about."""


@pytest.mark.parametrize("bot", [MctsBot(iterations=1_000_000), GreedyBot(samples=1000)])
def test_fault05_a_bot_stops_when_its_caller_has_gone(bot: Bot) -> None:
    draws = 0

    def check_caller() -> None:
        nonlocal draws
        draws += 1
        if draws == 10:
            raise CallerGone

    match = match_in_placing(2)
    with pytest.raises(CallerGone):
        bot.choose(Observation(GAME, match.state, 0, check_caller), Random(3))
