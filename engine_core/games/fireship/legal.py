"""Legal moves of the active seat of Fireship by stage, in their stable order."""

from __future__ import annotations

from typing import Final

from engine_core import packed
from engine_core.game import Move
from engine_core.games.fireship import battle, board, components, moves
from engine_core.games.fireship.effects import kind_to_lose
from engine_core.games.fireship.state import MAX_PAWNS_ON_SEA, NO_PAWN, FireshipState

# Positions of the badges in `BADGES`.
_BOUM_BADGE: Final = 0
_GULF_STREAM_BADGE: Final = 1
_FOG_BADGE: Final = 2
_UPDRAFT_BADGE: Final = 3


def moves_before_throw(state: FireshipState) -> list[Move]:
    """Legal moves before the throw: cards, then the throw (FS-12, FS-92)."""
    found: list[Move] = []
    _add_boums(state, found)
    seat = state.seats[state.active_seat]
    if not seat.fog:  # FS-93
        if packed.count_of(seat.hand, components.FOG):
            found.append(moves.FOGS[moves.HAND])
        if seat.badges[_FOG_BADGE]:
            found.append(moves.FOGS[moves.BADGE])
    if packed.count_of(seat.hand, components.UPDRAFT):
        _add_hastened(state, found, moves.HAND, True)
    if seat.badges[_UPDRAFT_BADGE]:
        _add_hastened(state, found, moves.BADGE, True)
    if seat.badges[_GULF_STREAM_BADGE]:
        _add_hastened(state, found, moves.BADGE, False)
    found.append(moves.THROW)
    return found


def _add_boums(state: FireshipState, found: list[Move]) -> None:
    seat = state.seats[state.active_seat]
    if packed.count_of(seat.hand, components.BOUM):
        _add_boats(state, found, moves.HAND)
    if seat.badges[_BOUM_BADGE]:
        _add_boats(state, found, moves.BADGE)


def _add_boats(state: FireshipState, found: list[Move], source: int) -> None:
    """Add the boats that a Boum can sink: boats of others at sea, not swallowed (FS-84). These never have marks."""
    own = state.seats[state.active_seat].colour
    for owner in range(components.WHITE + 1):
        if owner == own or state.is_swallowed(owner):
            continue
        last = NO_PAWN
        for pawn in state.pawns[owner]:
            if pawn % moves.CLASSES == 0 and pawn != last and board.IS_SEA[pawn // moves.CLASSES]:
                found.append(moves.boum_move(source, owner, pawn // moves.CLASSES))
                last = pawn


def _add_hastened(state: FireshipState, found: list[Move], source: int, planes: bool) -> None:
    last = NO_PAWN
    for pawn in state.pawns[state.seats[state.active_seat].colour]:
        if pawn != last and pawn & moves.FAST == 0 and (moves.kind_of(pawn) == components.PLANE) == planes:
            found.append(moves.hasten_move(source, pawn))
            last = pawn


def moves_after_throw(state: FireshipState) -> list[Move]:
    """Legal moves after the throw: Boum, pawns to sail, rings, attacks, special squares, end of turn (FS-15)."""
    found: list[Move] = []
    _add_boums(state, found)
    if not state.has_acted:
        if state.points:
            _add_pawns(state, found)
        if state.options.fortification and not state.has_fortified:
            _add_rings(state, found)
        _add_attacks(state, found)
        _add_squares(state, found)
    found.append(moves.END_TURN)
    return found


def _in_reach(pawn: int, paths: board.Paths, points: int) -> int:
    """How many of a pawn's targets it reaches with `points`; a fast pawn moves more squares per point."""
    return paths.within[components.FAST_SQUARES * points if pawn & moves.FAST else points]


def _add_pawns(state: FireshipState, found: list[Move]) -> None:
    """Add the pawns that can sail somewhere."""
    last = NO_PAWN
    count = state.pawn_counts
    for pawn in state.pawns[state.seats[state.active_seat].colour]:
        if pawn == last:
            continue
        last = pawn
        paths = moves.paths_of(pawn)
        for number in range(_in_reach(pawn, paths, state.points)):
            if count[paths.targets[number]] < MAX_PAWNS_ON_SEA:
                found.append(moves.choose_pawn_move(pawn))
                break


def destinations(state: FireshipState) -> list[Move]:
    """Legal moves of the chosen pawn: reachable squares with room, nearest first, then northmost, westmost."""
    pawn = state.chosen_pawn
    paths = moves.paths_of(pawn)
    count = state.pawn_counts
    found: list[Move] = []
    for number in range(_in_reach(pawn, paths, state.points)):
        target = paths.targets[number]
        if count[target] < MAX_PAWNS_ON_SEA:
            found.append(moves.SAILS[target])
    return found


def _add_rings(state: FireshipState, found: list[Move]) -> None:
    """Add the rings: two boats near an own island, each different pair once (FS-95, FS-115)."""
    own = state.seats[state.active_seat].colour
    for island in range(board.ISLANDS):
        if state.owners[island] != own or state.rings[island] == components.RINGS:
            continue
        boats = battle.boats_near(state, own, island)
        before = NO_PAWN
        for one in range(len(boats) - 1):
            first = boats[one]
            if first == before:
                continue
            before = first
            last = NO_PAWN
            for other in range(one + 1, len(boats)):
                second = boats[other]
                if second != last:
                    found.append(moves.Fortify(island, first, second))
                    last = second


def _add_attacks(state: FireshipState, found: list[Move]) -> None:
    """Add the attacks from each square with an own pawn: islands, then pawns by square and colour (FS-115)."""
    seat = state.seats[state.active_seat]
    own = seat.colour
    plus_ones = packed.count_of(seat.hand, components.PLUS_ONE)
    last = -1
    for pawn in state.pawns[own]:
        start = pawn // moves.CLASSES
        if start == last or not board.IS_SEA[start]:
            continue
        last = start
        power = -1
        for near, island in enumerate(board.NEARBY_ISLANDS[start]):
            owner = state.owners[island]
            if owner == own or state.is_fogged(owner):
                continue
            if power < 0:
                power = battle.attack_power(state, own, start)
            lack = battle.island_defence(state, island) - power
            for spent in range(max(0, lack), plus_ones + 1):
                found.append(moves.attack_on_island(start, near, spent))
        _add_attacks_on_pawns(state, found, start, power, plus_ones)


def _add_attacks_on_pawns(state: FireshipState, found: list[Move], start: int, power: int, plus_ones: int) -> None:
    own = state.seats[state.active_seat].colour
    count = state.pawn_counts
    for near, square in enumerate(board.NEARBY_SQUARES[start]):
        if count[square] == 0:
            continue
        for owner in range(components.WHITE + 1):
            if owner == own or state.power_on_square[owner][square] == 0:
                continue
            if state.is_fogged(owner) or state.is_swallowed(owner):
                continue
            if power < 0:
                power = battle.attack_power(state, own, start)
            lack = battle.pawn_defence(state, owner, square) - power
            for spent in range(max(0, lack), plus_ones + 1):
                found.append(moves.attack_on_pawn(start, near, owner, spent))


def _add_squares(state: FireshipState, found: list[Move]) -> None:
    """Add the special squares that an own pawn has come to (FS-58, FS-63, FS-64)."""
    own = state.seats[state.active_seat].colour
    has_room = state.kind_counts[own][components.BATTLESHIP] < components.PAWNS_PER_KIND[components.BATTLESHIP]
    last = -1
    for pawn in state.pawns[own]:
        square = pawn // moves.CLASSES
        if pawn & moves.ARRIVED == 0 or square == last:
            continue
        if board.SPECIAL[square] != board.BATTLESHIP_SQUARE or (has_room and moves.kind_of(pawn) == components.PLANE):
            found.append(moves.USE_SQUARES[square])
            last = square


def pawns_to_lose(state: FireshipState) -> list[Move]:
    """Legal moves for a loss: own pawns of the kind to be given up, base included (FS-70)."""
    kind = kind_to_lose(state)
    found: list[Move] = []
    last = -1
    for pawn in state.pawns[state.seats[state.active_seat].colour]:
        square = pawn // moves.CLASSES
        if moves.kind_of(pawn) == kind and square != last:
            found.append(moves.LOSSES[kind][square])
            last = square
    return found
