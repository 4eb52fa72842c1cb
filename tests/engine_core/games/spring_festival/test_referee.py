"""Spring Festival: whole matches, move by move, against the independent model in `referee.py`."""

from __future__ import annotations

from random import Random
from typing import Final

import pytest

from engine_core.game import NATURE, Chance, Over, Turn
from engine_core.games.spring_festival.components import NO_TILE, SIGNS, TILE_NAMES
from engine_core.games.spring_festival.compositions import COMPOSITION_NAMES
from engine_core.games.spring_festival.signs import points
from engine_core.games.spring_festival.squares import NO_SQUARE, column, row
from engine_core.games.spring_festival.state import NO_SEAT, SIGN_CHOICES, SpringFestivalOptions, SpringFestivalState
from tests.engine_core.games.spring_festival.positions import GAME
from tests.engine_core.games.spring_festival.referee import Artisan, Referee, Square, sign_points

LEAVING_SHARES: Final = [0.0, 0.02]
"""How likely a player goes before a move: in some matches nobody does."""


def legal_moves_by_seat(state: SpringFestivalState) -> dict[int, list[str]]:
    phase = GAME.phase(state)
    seats = phase.seats if isinstance(phase, Turn) else (NATURE,) if isinstance(phase, Chance) else ()
    return {seat: [GAME.notation(move) for move in GAME.legal_moves(state, seat)] for seat in seats}


def referee_seats(state: SpringFestivalState) -> list[Artisan]:
    """The seats of a state in the referee's words."""
    return [
        Artisan(
            [f"S{number + 1}-{each}" for each in (1, 2, 3, 4)],
            {
                square_coordinates(square): TILE_NAMES[tile]
                for square, tile in zip(shown.squares, shown.tiles, strict=True)
            },
            {square_coordinates(square) for slot, square in enumerate(shown.squares) if shown.exploded >> slot & 1},
            [COMPOSITION_NAMES[card] for card in seat.cards],
            [COMPOSITION_NAMES[card] for card in seat.completed],
            seat.applause,
            seat.has_launched,
            seat.has_left,
            TILE_NAMES[seat.tile] if seat.tile != NO_TILE else "",
            square_coordinates(seat.placement) if seat.placement != NO_SQUARE else None,
        )
        for number, seat in enumerate(state.seats)
        for shown in [seat.display]
    ]


def square_coordinates(square: int) -> Square:
    return column(square), row(square)


def choose_move(moves: list[str], random: Random) -> str:
    """Any move; mostly a completion, and mostly a replacement or a square near the middle, so that much happens."""
    if len(moves) == 1:
        return moves[0]
    if moves[-1] == "pass" and random.random() < 0.9:
        return random.choice(moves[:-1])
    if moves[0].startswith("place") and random.random() < 0.8:
        return random.choice([move for move in moves if all(abs(int(word)) < 3 for word in move.split()[1:])])
    return random.choice(moves)


def assert_agreement(state: SpringFestivalState, referee: Referee) -> None:
    """Whom they ask, what may be chosen in which order, what lies on the table, and the points."""
    assert legal_moves_by_seat(state) == referee.moves_by_seat
    for artisan in referee.seats:
        artisan.cards.sort()
    assert referee_seats(state) == referee.seats
    assert [TILE_NAMES[tile] if tile != NO_TILE else "" for tile in state.top_tiles] == referee.tops
    assert [TILE_NAMES[tile] for tile in state.discards] == referee.discards
    assert [TILE_NAMES[tile] for tile in state.replaced] == referee.replaced
    score = GAME.score(state)
    for seat, standing in enumerate(score.standings):
        assert [(line.label, line.points) for line in standing.breakdown] == referee.breakdown(seat)
    assert [standing.rank for standing in score.standings] == referee.ranks()
    for seat in legal_moves_by_seat(state):
        if seat != NATURE:
            assert GAME.notation(GAME.default_move(state, seat)) == referee.default(seat)


@pytest.mark.parametrize("seat_count", [2, 3, 4])
@pytest.mark.parametrize("sign", SIGN_CHOICES)
def test_every_move_of_a_match_agrees_with_the_independent_referee(sign: str, seat_count: int) -> None:
    random = Random(f"{sign}/{seat_count}")
    leaving = random.choice(LEAVING_SHARES)
    first = random.choice([None, *range(seat_count)])
    extra = random.random() < 0.5
    state = GAME.start(seat_count, SpringFestivalOptions(sign, extra, NO_SEAT if first is None else first))
    referee = Referee(seat_count, sign, extra, first)
    while not isinstance(phase := GAME.phase(state), Over):
        assert_agreement(state, referee)
        seat = random.choice(phase.seats) if isinstance(phase, Turn) else NATURE
        stayed = [each for each in range(seat_count) if not GAME.has_left(state, each)]
        if random.random() < leaving and seat != NATURE:
            goer = random.choice(stayed)
            GAME.leave(state, goer)
            referee.make_move(goer, "leave")
        else:
            move = choose_move(legal_moves_by_seat(state)[seat], random)
            GAME.apply(state, seat, GAME.parse(move))
            referee.make_move(seat, move)
    assert_agreement(state, referee)
    assert phase.reason == referee.over
    winners = GAME.score(state).winners
    assert winners == [seat for seat, rank in enumerate(referee.ranks()) if rank == 1]


@pytest.mark.parametrize("sign", SIGNS)
def test_points_of_signs_on_random_displays_agree_with_the_independent_referee(sign: str) -> None:
    random = Random(sign)
    found = set()
    for _ in range(300):
        state = GAME.start(2, SpringFestivalOptions())
        shown = state.seats[0].display
        for tile in random.sample(range(len(TILE_NAMES)), random.randint(2, 16)):
            shown.put_tile(
                tile,
                min(
                    random.sample(shown.free_squares(), 1) + random.sample(shown.free_squares(), 1),
                    key=squared_distance,
                ),
            )
        [mine, _] = referee_seats(state)
        worth = sign_points(sign, mine.tiles, mine.sparks())
        assert points(shown, SIGNS.index(sign)) == worth
        found.add(worth)
    assert len(found) > 2


def squared_distance(square: int) -> int:
    return column(square) ** 2 + row(square) ** 2
