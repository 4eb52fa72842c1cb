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

RING_VALUE: Final = 0.08
"""Value of each point of an island's power, since a stronger one is harder to take."""
POWER_VALUE: Final = 0.05
"""Value of each point of a pawn's power."""
NEARNESS_VALUE: Final = 0.5
"""Value of a pawn of the highest power at the port of another's island; half as much at `HALF_VALUE_STEPS` steps."""
HALF_VALUE_STEPS: Final = 4.0
CARD_VALUE: Final = 0.08
BADGE_VALUE: Final = 0.08


def evaluate(state: FireshipState, seat: int) -> float:
    """Heuristic value for a seat: its islands, plus the value of its pawns, cards, badges and a declared attack."""
    player = state.seats[seat]
    islands = float(state.owners.count(player.colour))
    if state.stage == stages.OVER or player.eliminated_in_turn:
        return islands
    power = RING_VALUE * sum(
        [ISLAND_POWERS[state.rings[i]] for i in range(ISLANDS) if state.owners[i] == player.colour]
    )
    own = (
        islands
        + power
        + _fleet_value(state, player.colour)
        + CARD_VALUE * packed.size(player.hand)
        + BADGE_VALUE * sum(player.badges)
    )
    return own + _attack_value(state, player.colour) if state.stack else own


def _attack_value(state: FireshipState, colour: int) -> float:
    """Expected gain or loss by a declared attack on an island, assuming that nobody cancels it."""
    attack = state.stack[0].move
    if not isinstance(attack, Attack) or attack.island == NO_ISLAND:
        return 0.0
    attacker, defender = state.seats[state.active_seat].colour, state.owners[attack.island]
    if colour not in (attacker, defender):
        return 0.0
    stronger = declared_attack_power(state, attack, attacker) > declared_defence_power(state, attack)
    chance = len(WINS_GREATER if stronger else WINS_EQUAL) / len(FACES)
    if colour == attacker:
        return chance * (1.0 + RING_VALUE * ISLAND_POWERS[0])
    return -chance * (1.0 + RING_VALUE * ISLAND_POWERS[state.rings[attack.island]])


def _fleet_value(state: FireshipState, colour: int) -> float:
    """Value of a colour's pawns: greater the nearer they are to islands of others."""
    ports = [PORTS[island] for island in range(ISLANDS) if state.owners[island] != colour]
    worth = 0.0
    for pawn in state.pawns[colour]:
        kind = kind_of(pawn)
        steps = paths_of(pawn).lengths
        worth += POWER_VALUE * POWERS[kind]
        if ports and steps:
            nearest = min([steps[port] for port in ports])
            worth += NEARNESS_VALUE * HALF_VALUE_STEPS / (HALF_VALUE_STEPS + nearest) * POWERS[kind] / POWERS[-1]
    return worth
