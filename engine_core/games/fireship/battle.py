"""Battles of Fireship: attack and defence power, outcome of the die, losses and gains."""

from __future__ import annotations

from engine_core.games.fireship.board import (
    IS_SEA,
    KRAKEN_REACH,
    NEARBY_ISLANDS,
    NEARBY_SQUARES,
    PORTS,
    SQUARES_NEAR_ISLAND,
)
from engine_core.games.fireship.components import (
    BOAT,
    ISLAND_POWERS,
    PAWNS_PER_KIND,
    WHITE,
    WINS_EQUAL,
    WINS_GREATER,
)
from engine_core.games.fireship.moves import CLASSES, NO_ISLAND, Attack, pawn_code
from engine_core.games.fireship.state import MAX_PAWNS_ON_SEA, FireshipState


def attack_power(state: FireshipState, owner: int, start: int) -> int:
    """Attack power: the attacking pawn and its owner's pawns within one square (FS-35)."""
    power = state.power_on_square[owner]
    total = 0
    for square in NEARBY_SQUARES[start]:
        total += power[square]
    if state.options.island_supports_attack:
        for island in NEARBY_ISLANDS[start]:
            if state.owners[island] == owner:
                total += ISLAND_POWERS[state.rings[island]]  # FS-42
    return total


def island_defence(state: FireshipState, island: int) -> int:
    """Defence power of an island: its own and that of its owner's pawns within one square (FS-37), unless swallowed."""
    owner = state.owners[island]
    total = ISLAND_POWERS[state.rings[island]]
    if not state.is_swallowed(owner):
        power = state.power_on_square[owner]
        for square in SQUARES_NEAR_ISLAND[island]:
            total += power[square]
    return total


def pawn_defence(state: FireshipState, owner: int, square: int) -> int:
    """Defence power of a pawn: its own and that of the pawns of its colour within one square (FS-38)."""
    power = state.power_on_square[owner]
    total = 0
    for near in NEARBY_SQUARES[square]:
        total += power[near]
    return total


def owner_of_target(state: FireshipState, attack: Attack) -> int:
    """The colour that is attacked."""
    return attack.owner if attack.island == NO_ISLAND else state.owners[attack.island]


def declared_attack_power(state: FireshipState, attack: Attack, owner: int) -> int:
    """Power of a declared attack, its +1 cards included."""
    return attack_power(state, owner, attack.start) + attack.plus_ones


def declared_defence_power(state: FireshipState, attack: Attack) -> int:
    """Power of the defence, with the +1 cards that were not cancelled."""
    if attack.island == NO_ISLAND:
        return pawn_defence(state, attack.owner, attack.square) + state.defence_bonus
    return island_defence(state, attack.island) + state.defence_bonus


def is_won(state: FireshipState, attack: Attack, owner: int, face: int) -> bool:
    """Whether a face of the battle die wins (FS-44)."""
    if declared_attack_power(state, attack, owner) > declared_defence_power(state, attack):
        return face in WINS_GREATER
    return face in WINS_EQUAL


def remove_pawns(state: FireshipState, owner: int, squares: list[int]) -> None:
    """Remove all pawns of a colour from some squares: into its reserve, white ones out of the game (FS-48)."""
    for pawn in state.pawns[owner][:]:
        if pawn // CLASSES in squares:
            state.take_pawn(owner, pawn)


def apply_victory(state: FireshipState, attack: Attack, owner: int) -> None:
    """Apply a won battle: the defenders are lost (FS-47), and an attacked island changes its owner."""
    if attack.island == NO_ISLAND:
        remove_pawns(state, attack.owner, NEARBY_SQUARES[attack.square])
    else:
        _take_island(state, attack.island, owner)


def _take_island(state: FireshipState, island: int, owner: int) -> None:
    loser = state.owners[island]
    if not state.is_swallowed(loser):
        remove_pawns(state, loser, SQUARES_NEAR_ISLAND[island])
    state.owners[island] = owner
    state.rings[island] = 0
    if state.kind_counts[owner][BOAT] == PAWNS_PER_KIND[BOAT]:
        return
    port = PORTS[island]
    if state.pawn_counts[port] < MAX_PAWNS_ON_SEA:
        state.put_pawn(owner, pawn_code(port, BOAT))
    else:
        state.gain_pawn(owner, BOAT)  # FS-50


def apply_kraken(state: FireshipState, centre: int) -> None:
    """Apply the kraken: all pawns on the sea around a square are lost (FS-73)."""
    for owner in range(WHITE + 1):
        if not state.is_swallowed(owner):
            remove_pawns(state, owner, KRAKEN_REACH[centre])


def boats_near(state: FireshipState, owner: int, island: int) -> list[int]:
    """Packed boats of a colour that could pay for a ring of an island, ascending (FS-95)."""
    near = SQUARES_NEAR_ISLAND[island]
    return [
        pawn
        for pawn in state.pawns[owner]
        if pawn % CLASSES < 4 and IS_SEA[pawn // CLASSES] and pawn // CLASSES in near
    ]
