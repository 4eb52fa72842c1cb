"""The view of a seat or spectator of Fireship, built from public facts and the observer's own hand and answer."""

from __future__ import annotations

from typing import Final

from engine_core import packed
from engine_core.game import Move, View, ViewPart
from engine_core.games.fireship import battle
from engine_core.games.fireship.components import WHITE
from engine_core.games.fireship.moves import Attack
from engine_core.games.fireship.score import island_power, pawn_power
from engine_core.games.fireship.state import NO_PAWN, FireshipOptions, FireshipState

NO_HAND: Final = -1
"""The hand of a seat that is not the observer's."""


class FireshipSeatView(ViewPart):
    """A seat as the observer sees it: `hand` is `NO_HAND` and `answer` 0 unless it is the observer's own."""

    def __init__(self, state: FireshipState, number: int, observer: int) -> None:
        seat = state.seats[number]
        self.colour = seat.colour
        self.hand_size = packed.size(seat.hand)
        self.hand: int = seat.hand if number == observer else NO_HAND
        self.badges = seat.badges[:]
        self.anti_skull = seat.anti_skull
        self.fog = seat.fog
        self.turns_to_skip = seat.turns_to_skip
        self.passes_turn = seat.passes_turn
        self.has_answered = seat.answer != 0
        self.answer: int = seat.answer if number == observer else 0
        self.eliminated_in_turn = seat.eliminated_in_turn
        self.has_left = seat.has_left
        self.first_throw = seat.first_throw
        self.island_power = island_power(state, seat.colour)
        self.pawn_power = pawn_power(state, seat.colour)


class PawnView(ViewPart):
    """A number of identical pawns (FS-115); `pawn` is packed."""

    def __init__(self, owner: int, pawn: int, count: int) -> None:
        self.owner = owner
        self.pawn = pawn
        self.count = count


class DeclaredView(ViewPart):
    """A declared move on the stack, which may still be cancelled."""

    def __init__(self, seat: int, move: Move) -> None:
        self.seat = seat
        self.move = move


def _pawns(state: FireshipState) -> list[PawnView]:
    found: list[PawnView] = []
    for owner in range(WHITE + 1):
        last = NO_PAWN
        for pawn in state.pawns[owner]:  # ascending, so that identical ones follow each other
            if pawn != last:
                found.append(PawnView(owner, pawn, 0))
                last = pawn
            found[-1].count += 1
    return found


class FireshipView(View):
    """All but the hands of the others, their sealed answers, and the order and cards of the deck (FS-112)."""

    def __init__(self, state: FireshipState, observer: int) -> None:
        self.options: FireshipOptions = state.options
        self.stage = state.stage
        self.active_seat = state.active_seat
        self.first_seat = state.first_seat
        self.round = state.round
        self.seats = [FireshipSeatView(state, number, observer) for number in range(len(state.seats))]
        self.pawns = _pawns(state)
        self.owners = state.owners[:]
        self.rings = state.rings[:]
        self.deck_size = packed.size(state.deck)
        self.deck_at_most: int = state.seats[observer].deck_at_most if observer >= 0 else state.deck_at_most
        self.discards: int = state.discards
        self.badge_stock = state.badge_stock[:]
        self.dice = state.dice[:]
        self.points = state.points
        self.chosen_pawn = state.chosen_pawn
        self.has_acted = state.has_acted
        self.has_fortified = state.has_fortified
        self.declared = [DeclaredView(declared.seat, declared.move) for declared in state.stack]
        self.seats_to_answer = state.seats_to_answer
        self.attack_power = attack_power_of(state)
        self.defence_power = defence_power_of(state)
        self.time_is_up = state.time_is_up


def attack_power_of(state: FireshipState) -> int:
    """The attack power of the current attack; 0 without one."""
    move = state.stack[0].move if state.stack else None
    return (
        battle.declared_attack_power(state, move, state.seats[state.active_seat].colour)
        if isinstance(move, Attack)
        else 0
    )


def defence_power_of(state: FireshipState) -> int:
    """The defence power of the current attack; 0 without one."""
    move = state.stack[0].move if state.stack else None
    return battle.declared_defence_power(state, move) if isinstance(move, Attack) else 0


def view(state: FireshipState, observer: int) -> FireshipView:
    """The view of a position for a seat or a spectator."""
    return FireshipView(state, observer)
