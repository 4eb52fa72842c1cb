"""Heuristic evaluation of a position of Fireship, in islands."""

from __future__ import annotations

from typing import Final

from engine_core import packed
from engine_core.games.fireship import stages
from engine_core.games.fireship.battle import declared_attack_power, declared_defence_power
from engine_core.games.fireship.board import ISLANDS, PORTS
from engine_core.games.fireship.components import FACES, ISLAND_POWERS, POWERS, WINS_EQUAL, WINS_GREATER
from engine_core.games.fireship.moves import NO_ISLAND, Attack, kind_of, paths_of
from engine_core.games.fireship.state import FireshipState

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
    if state.stage == stages.OVER or player.out:
        return islands
    power = RING * sum([ISLAND_POWERS[state.rings[i]] for i in range(ISLANDS) if state.owners[i] == player.colour])
    own = islands + power + _fleet(state, player.colour) + CARD * packed.size(player.hand) + BADGE * sum(player.badges)
    return own + _attack(state, player.colour) if state.stack else own


def _attack(state: FireshipState, colour: int) -> float:
    """What the attack on an island that is declared may bring or cost: its die is thrown when nobody says no."""
    attack = state.stack[0].move
    if not isinstance(attack, Attack) or attack.island == NO_ISLAND:
        return 0.0
    attacker, defender = state.seats[state.active].colour, state.owners[attack.island]
    if colour not in (attacker, defender):
        return 0.0
    stronger = declared_attack_power(state, attack, attacker) > declared_defence_power(state, attack)
    chance = len(WINS_GREATER if stronger else WINS_EQUAL) / len(FACES)
    if colour == attacker:
        return chance * (1.0 + RING * ISLAND_POWERS[0])
    return -chance * (1.0 + RING * ISLAND_POWERS[state.rings[attack.island]])


def _fleet(state: FireshipState, colour: int) -> float:
    """Pawns that are near to islands of others are worth the more."""
    ports = [PORTS[island] for island in range(ISLANDS) if state.owners[island] != colour]
    worth = 0.0
    for pawn in state.pawns[colour]:
        kind = kind_of(pawn)
        steps = paths_of(pawn).lengths
        worth += POWER * POWERS[kind]
        if ports and steps:
            nearest = min([steps[port] for port in ports])
            worth += NEARNESS * HALF_WAY / (HALF_WAY + nearest) * POWERS[kind] / POWERS[-1]
    return worth
