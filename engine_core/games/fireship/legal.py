"""What the seats of Fireship may choose, in the order in which it is listed."""

from __future__ import annotations

from typing import Final

from engine_core import packed
from engine_core.game import Move
from engine_core.games.fireship import battle
from engine_core.games.fireship.board import (
    BATTLESHIP_SQUARE,
    IS_SEA,
    ISLANDS,
    ISLANDS_NEAR,
    NEAR,
    SPECIAL,
    Ways,
    ways_from,
)
from engine_core.games.fireship.components import BATTLESHIP, BOUM, FOG, PLANE, PLUS_ONE, RINGS, STOCK, UPDRAFT, WHITE
from engine_core.games.fireship.flow import kind_to_lose
from engine_core.games.fireship.moves import (
    ARRIVED,
    BADGE,
    CLASSES,
    END_TURN,
    FAST,
    FOGS,
    HAND,
    LOSSES,
    NO_ISLAND,
    SAILS,
    THROW,
    USES,
    Attack,
    Fortify,
    boum,
    choosing,
    hastening,
    kind_of,
)
from engine_core.games.fireship.state import NO_PAWN, ROOM, FireshipState

# Positions of the badges in `BADGES`.
_BOUM_BADGE: Final = 0
_GULF_STREAM_BADGE: Final = 1
_FOG_BADGE: Final = 2
_UPDRAFT_BADGE: Final = 3


def before_throw(state: FireshipState) -> list[Move]:
    """Cards, then the throw (FS-12, FS-92)."""
    found: list[Move] = []
    _add_boums(state, found)
    seat = state.seats[state.active]
    if not seat.fog:  # FS-93
        if packed.number_of(seat.hand, FOG):
            found.append(FOGS[HAND])
        if seat.badges[_FOG_BADGE]:
            found.append(FOGS[BADGE])
    if packed.number_of(seat.hand, UPDRAFT):
        _add_hastened(state, found, HAND, True)
    if seat.badges[_UPDRAFT_BADGE]:
        _add_hastened(state, found, BADGE, True)
    if seat.badges[_GULF_STREAM_BADGE]:
        _add_hastened(state, found, BADGE, False)
    found.append(THROW)
    return found


def _add_boums(state: FireshipState, found: list[Move]) -> None:
    seat = state.seats[state.active]
    if packed.number_of(seat.hand, BOUM):
        _add_boats(state, found, HAND)
    if seat.badges[_BOUM_BADGE]:
        _add_boats(state, found, BADGE)


def _add_boats(state: FireshipState, found: list[Move], source: int) -> None:
    """Boats of the others on the sea, not swallowed (FS-84); nobody's but the active seat's have marks."""
    own = state.seats[state.active].colour
    for owner in range(WHITE + 1):
        if owner == own or state.is_swallowed(owner):
            continue
        last = NO_PAWN
        for pawn in state.pawns[owner]:
            if pawn % CLASSES == 0 and pawn != last and IS_SEA[pawn // CLASSES]:
                found.append(boum(source, owner, pawn // CLASSES))
                last = pawn


def _add_hastened(state: FireshipState, found: list[Move], source: int, planes: bool) -> None:
    last = NO_PAWN
    for pawn in state.pawns[state.seats[state.active].colour]:
        if pawn != last and pawn & FAST == 0 and (kind_of(pawn) == PLANE) == planes:
            found.append(hastening(source, pawn))
            last = pawn


def after_throw(state: FireshipState) -> list[Move]:
    """Boum, pawns to sail, rings, attacks, special squares, the end of the turn (FS-15)."""
    found: list[Move] = []
    _add_boums(state, found)
    if not state.acted:
        if state.points:
            _add_pawns(state, found)
        if state.options.fortification and not state.fortified:
            _add_rings(state, found)
        _add_attacks(state, found)
        _add_squares(state, found)
    found.append(END_TURN)
    return found


def _in_reach(pawn: int, there: Ways, points: int) -> int:
    """How many of the targets of a pawn the points are enough for."""
    return there.within[2 * points if pawn & FAST else points]


def _add_pawns(state: FireshipState, found: list[Move]) -> None:
    """Pawns that have somewhere to go."""
    last = NO_PAWN
    count = state.count
    for pawn in state.pawns[state.seats[state.active].colour]:
        if pawn == last:
            continue
        last = pawn
        there = ways_from(pawn // CLASSES, kind_of(pawn) == PLANE)
        for number in range(_in_reach(pawn, there, state.points)):
            if count[there.targets[number]] < ROOM:
                found.append(choosing(pawn))
                break


def ways(state: FireshipState) -> list[Move]:
    """Squares with room that the chosen pawn can reach: the nearest first, then northmost, westmost."""
    pawn = state.chosen
    there = ways_from(pawn // CLASSES, kind_of(pawn) == PLANE)
    count = state.count
    found: list[Move] = []
    for number in range(_in_reach(pawn, there, state.points)):
        target = there.targets[number]
        if count[target] < ROOM:
            found.append(SAILS[target])
    return found


def _add_rings(state: FireshipState, found: list[Move]) -> None:
    """Two boats by an own island, each pair of unlike ones once (FS-95, FS-115)."""
    own = state.seats[state.active].colour
    for island in range(ISLANDS):
        if state.owners[island] != own or state.rings[island] == RINGS:
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
                    found.append(Fortify(island, first, second))
                    last = second


def _add_attacks(state: FireshipState, found: list[Move]) -> None:
    """From each square with an own pawn: islands, then pawns by square and colour (FS-115)."""
    seat = state.seats[state.active]
    own = seat.colour
    plus_ones = packed.number_of(seat.hand, PLUS_ONE)
    last = -1
    for pawn in state.pawns[own]:
        start = pawn // CLASSES
        if start == last or not IS_SEA[start]:
            continue
        last = start
        power = -1
        for island in ISLANDS_NEAR[start]:
            owner = state.owners[island]
            if owner == own or state.is_fogged(owner):
                continue
            if power < 0:
                power = battle.attack_power(state, own, start)
            lack = battle.island_defence(state, island) - power
            for spent in range(max(0, lack), plus_ones + 1):
                found.append(Attack(start, island, 0, 0, spent))
        _add_attacks_on_pawns(state, found, start, power, plus_ones)


def _add_attacks_on_pawns(state: FireshipState, found: list[Move], start: int, power: int, plus_ones: int) -> None:
    own = state.seats[state.active].colour
    count = state.count
    for square in NEAR[start]:
        if count[square] == 0:
            continue
        for owner in range(WHITE + 1):
            if owner == own or state.power[owner][square] == 0:
                continue
            if state.is_fogged(owner) or state.is_swallowed(owner):
                continue
            if power < 0:
                power = battle.attack_power(state, own, start)
            lack = battle.pawn_defence(state, owner, square) - power
            for spent in range(max(0, lack), plus_ones + 1):
                found.append(Attack(start, NO_ISLAND, owner, square, spent))


def _add_squares(state: FireshipState, found: list[Move]) -> None:
    """Special squares that an own pawn has come to (FS-58, FS-63, FS-64)."""
    own = state.seats[state.active].colour
    has_room = state.numbers[own][BATTLESHIP] < STOCK[BATTLESHIP]
    last = -1
    for pawn in state.pawns[own]:
        square = pawn // CLASSES
        if pawn & ARRIVED == 0 or square == last:
            continue
        if SPECIAL[square] != BATTLESHIP_SQUARE or (has_room and kind_of(pawn) == PLANE):
            found.append(USES[square])
            last = square


def losses(state: FireshipState) -> list[Move]:
    """Own pawns of the kind that must be given up, base included (FS-70)."""
    kind = kind_to_lose(state)
    found: list[Move] = []
    last = -1
    for pawn in state.pawns[state.seats[state.active].colour]:
        square = pawn // CLASSES
        if kind_of(pawn) == kind and square != last:
            found.append(LOSSES[kind][square])
            last = square
    return found
