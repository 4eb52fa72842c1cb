"""Spring Festival: lengths and scores of matches compared with the play check of the rulings, section 9."""

from __future__ import annotations

from random import Random
from statistics import mean

import pytest

from engine_core.explore import random_step
from engine_core.game import NATURE, Chance, Move, Over, Turn
from engine_core.games.spring_festival.compositions import Complete, can_complete
from engine_core.games.spring_festival.moves import Launch, PlaceTile
from engine_core.games.spring_festival.state import SpringFestivalOptions, SpringFestivalState
from tests.engine_core.games.spring_festival.positions import GAME

MATCHES = 60


@pytest.mark.parametrize(
    ("seat_count", "least", "usual", "natures"), [(2, 103, 110.5, 60.3), (3, 124, 134.6, 65.4), (4, 145, 158.8, 70.5)]
)
def test_random_matches_last_as_long_as_in_the_play_check(
    seat_count: int, least: int, usual: float, natures: float
) -> None:
    random = Random(seat_count)
    lengths = []
    draws = []
    points = []
    cards = []
    for _ in range(MATCHES):
        state = GAME.start(seat_count, SpringFestivalOptions("random"))
        moves = drawn = 0
        while True:
            chance = isinstance(GAME.phase(state), Chance)
            if not random_step(GAME, state, random):
                break
            moves += 1
            drawn += chance
        lengths.append(moves)
        draws.append(drawn)
        for standing, seat in zip(GAME.score(state).standings, state.seats, strict=True):
            points.append(sum([line.points for line in standing.breakdown if line.label != "sign"]))
            cards.append(len(seat.completed))
    assert usual - 2 < mean(lengths) < usual + 2
    assert natures - 1.5 < mean(draws) < natures + 1.5
    assert least + 1 <= min(lengths)
    assert 11 < mean(points) < 19
    assert 0.8 < mean(cards) < 1.6


@pytest.mark.parametrize(("seat_count", "least"), [(2, 103), (3, 124), (4, 145)])
def test_a_match_in_which_nothing_is_completed_is_the_shortest(seat_count: int, least: int) -> None:
    """A drawn sign is one move more, and so is a first seat that is drawn: the play check counts the seat."""
    state = GAME.start(seat_count, SpringFestivalOptions())
    random = Random(3)
    moves = 0
    while not isinstance(phase := GAME.phase(state), Over):
        seat = phase.seats[0] if isinstance(phase, Turn) else NATURE
        legal = GAME.legal_moves(state, seat)
        GAME.apply(
            state, seat, legal[-1] if seat != NATURE and len(legal) > 1 and is_pass(legal) else random.choice(legal)
        )
        moves += not is_pass(legal)
    assert moves == least


def is_pass(legal: list[Move]) -> bool:
    return GAME.notation(legal[-1]) == "pass"


@pytest.mark.parametrize(("seat_count", "points"), [(2, 54.0), (4, 58.0)])
def test_players_that_take_the_best_at_once_score_as_in_the_play_check(seat_count: int, points: float) -> None:
    random = Random(f"capable {seat_count}")
    scores = []
    for _ in range(5):
        state = GAME.start(seat_count, SpringFestivalOptions())
        while not isinstance(phase := GAME.phase(state), Over):
            seat = phase.seats[0] if isinstance(phase, Turn) else NATURE
            legal = GAME.legal_moves(state, seat)
            GAME.apply(state, seat, random.choice(legal) if seat == NATURE else best_move(state, seat, legal, random))
        scores += [standing.points for standing in GAME.score(state).standings]
    assert points * 0.6 < mean(scores) < points * 1.2


def best_move(state: SpringFestivalState, seat: int, legal: list[Move], random: Random) -> Move:
    """The move after which the seat's own display is worth the most."""
    random.shuffle(legal)
    if not isinstance(legal[0], (Complete, Launch, PlaceTile)):
        completions = [move for move in legal if isinstance(move, Complete)]
        return completions[0] if completions else legal[0]
    return max(legal, key=lambda move: worth_of_move(state, seat, move))


def worth_of_move(state: SpringFestivalState, seat: int, move: Move) -> float:
    copied = state.copy()
    own = copied.seats[seat]
    if isinstance(move, Launch):
        GAME.apply(copied, seat, move)
        return GAME.score(copied).standings[seat].points
    if not isinstance(move, PlaceTile):
        return 1.0
    slot = own.display.slot_at(move.square)
    if slot < 0:
        slot = own.display.put_tile(own.tile, move.square)
    else:
        own.display.replace_tile(slot, own.tile)
    applause = own.display.complete_sparks(slot)
    own.display.exploded = own.display.explosion_chain(slot)
    chains = max([own.display.explosion_chain(other).bit_count() for other in range(len(own.display.tiles))])
    return 1.5 * applause + own.display.exploded.bit_count() * 0.5 + chains * 0.1 + worth_of_completions(copied, seat)


def worth_of_completions(state: SpringFestivalState, seat: int) -> float:
    return 4.0 * sum([can_complete(state.seats[seat].display, [card]) for card in state.seats[seat].cards])
