"""Legal moves of Fireship as sentences with what a seat needs to choose: the powers of a battle, the cost of a path."""

from __future__ import annotations

from engine_core.game import Move
from engine_core.games.fireship import moves
from engine_core.games.fireship.board import IS_SEA, NEARBY_ISLANDS, NEARBY_SQUARES, SQUARES_NEAR_ISLAND
from engine_core.games.fireship.components import FAST_SQUARES, ISLAND_POWERS, POWERS
from engine_core.games.fireship.notation import NOTATION
from engine_core.games.fireship.view import FireshipView
from engine_core.words import Words


def sentence(view: FireshipView, move: Move, words: Words) -> str:
    """The sentence of an attack or of a square to go to; empty for other moves."""
    if isinstance(move, moves.Attack):
        powers = str(_attack_power(view, move)), str(_defence_power(view, move))
        return words.sentence("attack_powers", NOTATION.sentence(move, words), *powers)
    if isinstance(move, moves.Sail):
        points = str(_points(view.chosen_pawn, move.to)), str(view.points)
        return words.sentence("sail_points", NOTATION.sentence(move, words), *points)
    return ""


def _points(pawn: int, to: int) -> int:
    """The points of the shortest path: half the squares, rounded up, for a fast pawn (FS-82)."""
    steps = moves.paths_of(pawn).lengths[to]
    return (steps + FAST_SQUARES - 1) // FAST_SQUARES if pawn & moves.FAST else steps


def _attack_power(view: FireshipView, attack: moves.Attack) -> int:
    own = view.seats[view.active_seat].colour
    power = _pawn_power(view, own, NEARBY_SQUARES[attack.start]) + attack.plus_ones
    if view.options.island_supports_attack:
        for island in NEARBY_ISLANDS[attack.start]:
            if view.owners[island] == own:
                power += ISLAND_POWERS[view.rings[island]]  # FS-42
    return power


def _defence_power(view: FireshipView, attack: moves.Attack) -> int:
    if attack.island == moves.NO_ISLAND:
        return _pawn_power(view, attack.owner, NEARBY_SQUARES[attack.square])
    owner = view.owners[attack.island]
    power = ISLAND_POWERS[view.rings[attack.island]]
    is_swallowed = any(seat.colour == owner and seat.turns_to_skip > 0 for seat in view.seats)  # FS-90
    return power if is_swallowed else power + _pawn_power(view, owner, SQUARES_NEAR_ISLAND[attack.island])


def _pawn_power(view: FireshipView, owner: int, squares: list[int]) -> int:
    """The powers of the pawns of a colour that are at sea on these squares."""
    near = [pawn for pawn in view.pawns if pawn.owner == owner and pawn.pawn // moves.CLASSES in squares]
    return sum([pawn.count * POWERS[moves.kind_of(pawn.pawn)] for pawn in near if IS_SEA[pawn.pawn // moves.CLASSES]])
