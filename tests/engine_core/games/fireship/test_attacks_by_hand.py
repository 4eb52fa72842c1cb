"""Fireship: legal attacks, worked out from coordinates alone (FS-32 to FS-43, FS-54, FS-83, FS-90)."""

from __future__ import annotations

from random import Random

import pytest

from engine_core.games.fireship.board import BASES
from engine_core.games.fireship.components import OWNERS, PLUS_ONE, ROWS, WHITE
from engine_core.games.fireship.moves import CLASSES, MARKS
from engine_core.games.fireship.stages import MOVING
from engine_core.games.fireship.state import FireshipState
from engine_core.packed import count_of
from tests.engine_core.games.fireship.crowded import crowded_position
from tests.engine_core.games.fireship.positions import Position

POWERS = (1, 2, 4)
Cell = tuple[int, int]


def is_near(one: Cell, other: Cell) -> bool:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) <= 1


def square_name(place: Cell) -> str:
    return f"{'abcdefghijklmno'[place[1]]}{place[0] + 1}"


def pawns_at_sea(state: FireshipState, owner: int) -> list[tuple[Cell, int]]:
    """Where a colour's pawns are outside its base, with their powers."""
    pawns = [pawn for pawn in state.pawns[owner] if pawn // CLASSES not in BASES]
    return [(divmod(pawn // CLASSES, 15), POWERS[pawn % CLASSES // MARKS]) for pawn in pawns]


def total_power(pawns: list[tuple[Cell, int]], places: list[Cell]) -> int:
    return sum([worth for where, worth in pawns if any(is_near(where, place) for place in places)])


def attacks_by_coordinates(state: FireshipState) -> set[str]:
    """Every attack of the active seat, in notation."""
    seat = state.seats[state.active_seat]
    fleets = [pawns_at_sea(state, owner) for owner in range(WHITE + 1)]
    skips = {other.colour: other.turns_to_skip for other in state.seats}
    targets: list[tuple[str, list[Cell], int]] = []
    for owner in range(WHITE + 1):
        if owner == seat.colour or any(other.fog for other in state.seats if other.colour == owner):
            continue
        fleet = [] if skips.get(owner) else fleets[owner]
        targets += [
            (f"{OWNERS[owner]} {square_name(place)}", [place], total_power(fleet, [place])) for place, _ in fleet
        ]
        for island in [island for island in range(9) if state.owners[island] == owner]:
            cells = [(r, c) for r in range(15) for c in range(15) if ROWS[r][c] == str(island + 1)]
            targets.append((f"island {island + 1}", cells, 2 + 3 * state.rings[island] + total_power(fleet, cells)))
    found = set()
    for start, _ in fleets[seat.colour]:
        for target, places, defence in targets:
            if any(is_near(start, place) for place in places):
                for spent in range(count_of(seat.hand, PLUS_ONE) + 1):
                    if total_power(fleets[seat.colour], [start]) + spent >= defence:
                        found.add(f"attack {square_name(start)}: {target}" + (f" +{spent}" if spent else ""))
    return found


@pytest.mark.parametrize("seed", range(40))
def test_attacks_equal_those_of_an_independent_computation(seed: int) -> None:
    random = Random(seed)
    state = crowded_position(random).state
    for other in state.seats[:]:
        if other is not state.seats[state.active_seat]:
            other.fog = random.random() < 0.2
            other.turns_to_skip = int(random.random() < 0.2)
    state.stage, state.dice = MOVING, [0, 0]
    listed = Position(state).moves_starting("attack")
    assert len(set(listed)) == len(listed)
    assert set(listed) == attacks_by_coordinates(state)
