"""A bot that looks ahead makes the move that wins at once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from engine_core.bots import bot_named
from engine_core.bots.observation import Observation
from engine_core.bots.position_values import AnyGame
from engine_core.explore import random_step
from engine_core.game import Move, Over, State, Turn
from engine_core.games import GAMES
from tests.engine_core.games.fire_bulls.positions import GAME as FIRE_BULLS
from tests.engine_core.games.fire_bulls.positions import new_position

BOTS = ["greedy", "mcts:iterations=50"]
SEVEN_REDS = "red red red red red red red"


def winning_moves(game: AnyGame, state: State, seat: int) -> list[Move]:
    """The moves after which the match is over and won by nobody but the seat."""
    moves = game.legal_moves(state, seat)
    after = {move: game.next_state(state, seat, move) for move in moves}
    return [
        move
        for move in moves
        if isinstance(game.phase(after[move]), Over) and game.score(after[move]).winners == [seat]
    ]


def decisive_positions(game: AnyGame, play_outs: int) -> Iterator[tuple[State, int]]:
    """Positions of random play-outs, with the seat to move, in which less than half of the moves win at once."""
    for seed in range(play_outs):
        random = Random(seed)
        state = game.start(game.min_seats, next(iter(game.presets().values())))
        while True:
            phase = game.phase(state)
            if isinstance(phase, Turn) and len(phase.seats) == 1:
                seat = phase.seats[0]
                winning = winning_moves(game, state, seat)
                if winning and 2 * len(winning) < len(game.legal_moves(state, seat)):
                    yield game.copy(state), seat
            if not random_step(game, state, random):
                break


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("name", ["spring_festival", "fireship"])
def test_the_move_that_wins_at_once_is_found(name: str, bot: str) -> None:
    game = GAMES[name]
    positions = list(islice(decisive_positions(game, 100), 5))
    assert len(positions) == 5
    for state, seat in positions:
        move = bot_named(bot).choose(Observation(game, state, seat), Random(1))
        assert move in winning_moves(game, state, seat), game.notation(move)


@pytest.mark.parametrize("bot", BOTS)
def test_the_capture_of_the_general_that_wins_at_once_is_found(bot: str) -> None:
    position = new_position([SEVEN_REDS, ""], general="aside", piles=(0, 0, 10), victories=["", "wu-red"])
    assert len(position.moves()) > 2
    for seed in range(5):
        move = bot_named(bot).choose(Observation(FIRE_BULLS, position.state, 0), Random(seed))
        assert FIRE_BULLS.notation(move) == f"general: {SEVEN_REDS}"
