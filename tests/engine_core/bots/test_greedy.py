"""Greedy bot: cards that it completes, rockets that it launches, and attacks without cost that it makes."""

from __future__ import annotations

from random import Random

import pytest

from engine_core.bots import bot_named
from engine_core.bots.greedy import GreedyBot
from engine_core.bots.observation import Observation
from engine_core.chance import Luck
from engine_core.game import Over
from engine_core.games import GAMES
from engine_core.games.fireship.moves import NO_ISLAND, Attack
from engine_core.games.spring_festival.components import ROUNDS
from engine_core.games.spring_festival.compositions import Complete
from engine_core.games.spring_festival.display import slot_count
from engine_core.games.spring_festival.stages import COMPOSING, FINALE
from engine_core.match import AnyMatch, Match

MOVES_TO_POSITION = """
0 lay S1-3 0 0;0 lay S1-2 -1 0;0 lay S1-1 0 -1;0 lay S1-4 0 1;1 lay S2-4 0 0;1 lay S2-2 1 0;1 lay S2-1 1 -1;
1 lay S2-3 1 1;1 orient 1;0 place 0 0;1 place 2 0;0 orient 2;0 place -1 -1;1 place -1 0;0 complete C06 -1 -1 0;
1 orient 2;0 place -2 -1;1 place 0 1;1 complete P11 0 0 0;0 orient 0;0 place -2 0;1 place 2 1;
1 complete P24 0 0 3;1 orient 1;0 place 1 0;1 place 1 1;0 complete P23 -1 -1 1;0 orient 1;0 place 0 1;
1 place 0 -1;0 complete P01 0 -1 1;1 orient 1;0 place 1 1;1 place 1 0;1 complete C10 0 0 3;0 orient 1;
0 place 0 0;1 place 2 1;0 complete P05 0 0 1;1 complete P15 0 0 2;1 orient 2;0 place -1 1;1 place 2 -1;
0 complete P10 -1 0 0;0 orient 0;0 place 0 0;1 place 1 -2;0 complete P12 -2 -1 0;1 orient 0;0 place -1 0;
1 place 1 -1;0 pass;0 orient 1;0 place 0 -1;1 place 1 0
"""
"""The moves of the match in which points were passed on, by seat."""


def play_moves(match: AnyMatch, moves: str) -> AnyMatch:
    """The match after these moves of its seats."""
    match.begin()
    for item in moves.replace("\n", "").split(";"):
        seat, _, notation = item.partition(" ")
        match.play(int(seat), match.game.parse(notation))
    return match


def start_match(name: str, seat_count: int, number: int) -> AnyMatch:
    game = GAMES[name]
    match: AnyMatch = Match(
        game, game.start(seat_count, next(iter(game.presets().values()))), Luck(bytes(32), [str(number)])
    )
    match.begin()
    return match


@pytest.mark.parametrize("bot", ["greedy", "mcts:iterations=60"])
def test_fault36_a_card_that_can_never_be_completed_again_is_completed_now(bot: str) -> None:
    game = GAMES["spring_festival"]
    match = play_moves(Match(game, game.start(2, game.presets()["base"]), Luck(bytes(32), ["0"])), MOVES_TO_POSITION)
    assert match.revision == 122
    move = bot_named(bot).choose(Observation(game, match.state, 0), Random(0))
    assert game.notation(move) == "complete P09 -1 0 0"


def test_fault36_greedy_completes_all_it_can_in_the_last_round_and_launches_its_best_rocket() -> None:
    game, bot, checked = GAMES["spring_festival"], GreedyBot(), {COMPOSING: 0, FINALE: 0}
    for number in range(6):
        match, random = start_match("spring_festival", 2 + number % 3, number), Random(number)
        while not match.is_over():
            seat, state = match.to_move()[0], match.state
            move = bot.choose(Observation(game, state, seat), random)
            if state.stage == COMPOSING and state.round == ROUNDS:
                checked[COMPOSING] += 1
                assert isinstance(move, Complete)
            if state.stage == FINALE:
                checked[FINALE] += 1
                display = state.seats[seat].display
                chains = {
                    each: slot_count(display.explosion_chain(display.slot_at(each.square)))
                    for each in match.legal_moves(seat)
                }
                assert chains[move] == max(chains.values())
            match.play(seat, move)
    assert min(checked.values()) >= 6


def test_fault36_greedy_leaves_no_attack_open_that_costs_nothing() -> None:
    """On an island, without cards: where it has no further move of its own to make before."""
    game, bot, checked = GAMES["fireship"], GreedyBot(), 0
    for number in range(3):
        match, random = start_match("fireship", 2, number), Random(number)
        while not isinstance(game.phase(match.state), Over):
            seat, state = match.to_move()[0], match.state
            move = bot.choose(Observation(game, state, seat), random)
            free = [each for each in match.legal_moves(seat) if is_free(each)]
            if free:
                checked += 1
                assert game.notation(move) != "end_turn"
            match.play(seat, move)
    assert checked > 20


def is_free(move: object) -> bool:
    return isinstance(move, Attack) and move.island != NO_ISLAND and not move.plus_ones
