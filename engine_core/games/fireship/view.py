"""What an observer of Fireship may know: built from what may be seen."""

from __future__ import annotations

from typing import Final

from engine_core.game import Move, View
from engine_core.games.fireship import battle
from engine_core.games.fireship.components import WHITE, size
from engine_core.games.fireship.moves import Attack
from engine_core.games.fireship.score import island_power, pawn_power
from engine_core.games.fireship.state import FireshipOptions, FireshipState

NO_HAND: Final = -1
"""The hand of a seat that is not the observer's."""


class SeatView:
    """A seat as the observer sees it: `hand` is `NO_HAND` and `answer` 0 unless it is the observer's own."""

    def __init__(self, state: FireshipState, number: int, observer: int) -> None:
        seat = state.seats[number]
        self.colour: Final = seat.colour
        self.hand_size: Final = size(seat.hand)
        self.hand: Final[int] = seat.hand if number == observer else NO_HAND
        self.badges: Final = seat.badges[:]
        self.anti_skull: Final = seat.anti_skull
        self.fog: Final = seat.fog
        self.skips: Final = seat.skips
        self.silent: Final = seat.silent
        self.has_answered: Final = seat.answer != 0
        self.answer: Final[int] = seat.answer if number == observer else 0
        self.out: Final = seat.out
        self.left: Final = seat.left
        self.first_throw: Final = seat.first_throw
        self.island_power: Final = island_power(state, seat.colour)
        self.pawn_power: Final = pawn_power(state, seat.colour)


class PawnView:
    """Pawns that are alike (FS-115); `pawn` is packed."""

    def __init__(self, owner: int, pawn: int, count: int) -> None:
        self.owner: Final = owner
        self.pawn: Final = pawn
        self.count: Final = count


class DeclaredView:
    """Something that was done and may still be cancelled."""

    def __init__(self, seat: int, move: Move) -> None:
        self.seat: Final = seat
        self.move: Final = move


def _pawns(state: FireshipState) -> list[PawnView]:
    found: list[PawnView] = []
    for owner in range(WHITE + 1):
        pawns = state.pawns[owner]
        found += [PawnView(owner, pawn, pawns.count(pawn)) for pawn in sorted(set(pawns))]
    return found


class FireshipView(View):
    """FS-112: everything but the hands of the others, their sealed answers, and what the deck is made of."""

    def __init__(self, state: FireshipState, observer: int) -> None:
        self.options: Final[FireshipOptions] = state.options
        self.stage: Final = state.stage
        self.active: Final = state.active
        self.first: Final = state.first
        self.round: Final = state.round
        self.seats: Final = [SeatView(state, number, observer) for number in range(len(state.seats))]
        self.pawns: Final = _pawns(state)
        self.owners: Final = state.owners[:]
        self.rings: Final = state.rings[:]
        self.deck_size: Final = size(state.deck)
        self.at_most: Final[int] = state.seats[observer].at_most if observer >= 0 else state.at_most
        self.discards: Final[int] = state.discards
        self.badge_stock: Final = state.badge_stock[:]
        self.dice: Final = state.dice[:]
        self.points: Final = state.points
        self.chosen: Final = state.chosen
        self.acted: Final = state.acted
        self.fortified: Final = state.fortified
        self.declared: Final = [DeclaredView(declared.seat, declared.move) for declared in state.stack]
        self.asked: Final = state.asked
        self.attack_power: Final = _attack_power(state)
        self.defence_power: Final = _defence_power(state)
        self.time_is_up: Final = state.time_is_up


def _attack_power(state: FireshipState) -> int:
    """Of the running attack; 0 without one."""
    move = state.stack[0].move if state.stack else None
    return battle.attack_of(state, move, state.seats[state.active].colour) if isinstance(move, Attack) else 0


def _defence_power(state: FireshipState) -> int:
    move = state.stack[0].move if state.stack else None
    return battle.defence_of(state, move) if isinstance(move, Attack) else 0


def view(state: FireshipState, observer: int) -> FireshipView:
    """The view of a seat, or of a spectator."""
    return FireshipView(state, observer)
