"""How good a position of Fireship looks for a seat."""

from __future__ import annotations

from typing import Final

from engine_core.games.fireship.board import ISLANDS, PORTS, ways_from
from engine_core.games.fireship.components import ISLAND_POWERS, PLANE, POWERS, size
from engine_core.games.fireship.moves import CLASSES, kind_of
from engine_core.games.fireship.state import OVER, FireshipState

RING: Final = 0.08
"""What each point of power of an island is worth beyond the island: it is harder to take."""
POWER: Final = 0.05
"""What a point of power of a pawn is worth."""
NEARNESS: Final = 0.5
"""What a pawn of power 1 at the port of another's island is worth; half as much at `HALF_WAY` steps."""
HALF_WAY: Final = 4.0
CARD: Final = 0.08
BADGE: Final = 0.08


def evaluate(state: FireshipState, seat: int) -> float:
    """Islands, and what pawns, cards and badges may still do."""
    player = state.seats[seat]
    islands = float(state.owners.count(player.colour))
    if state.stage == OVER or player.out:
        return islands
    power = RING * sum([ISLAND_POWERS[state.rings[i]] for i in range(ISLANDS) if state.owners[i] == player.colour])
    return islands + power + _fleet(state, player.colour) + CARD * size(player.hand) + BADGE * sum(player.badges)


def _fleet(state: FireshipState, colour: int) -> float:
    """Pawns that are near to islands of others are worth the more."""
    ports = [PORTS[island] for island in range(ISLANDS) if state.owners[island] != colour]
    worth = 0.0
    for pawn in state.pawns[colour]:
        kind = kind_of(pawn)
        ways = ways_from(pawn // CLASSES, kind == PLANE).lengths
        worth += POWER * POWERS[kind]
        if ports and ways:
            nearest = min([ways[port] for port in ports])
            worth += NEARNESS * HALF_WAY / (HALF_WAY + nearest) * POWERS[kind] / POWERS[-1]
    return worth
