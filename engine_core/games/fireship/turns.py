"""Turn order of Fireship: the throw for the first turn, begin and end of turns, movement dice, sailing."""

from __future__ import annotations

from engine_core.games.fireship import stages
from engine_core.games.fireship.board import PLAIN, SPECIAL
from engine_core.games.fireship.components import BADGES, BOAT, FAST_SQUARES
from engine_core.games.fireship.moves import (
    ARRIVED,
    FAST,
    ChoosePawn,
    EndTurn,
    Sail,
    Throw,
    kind_of,
    paths_of,
    pawn_code,
)
from engine_core.games.fireship.state import NO_PAWN, NO_SEAT, FireshipState

# The first throw


def first_throw_die(state: FireshipState, face: int) -> None:
    """Apply a die of the throw for the first turn; seats tied for the highest throw again (FS-06)."""
    state.seats[state.thrower].first_throw += face
    state.pending_dice -= 1
    if state.pending_dice:
        return
    state.pending_dice = state.options.movement_dice
    later_seats = state.contest >> state.thrower + 1
    if later_seats:
        state.thrower += 1 + _lowest_bit(later_seats)
        return
    _settle_contest(state)


def _lowest_bit(mask: int) -> int:
    """Number of the lowest bit."""
    return (mask & -mask).bit_length() - 1


def _settle_contest(state: FireshipState) -> None:
    best = max([seat.first_throw for number, seat in enumerate(state.seats) if state.contest >> number & 1])
    tied = 0
    for number, seat in enumerate(state.seats):
        if state.contest >> number & 1 and seat.first_throw == best:
            tied |= 1 << number
    state.contest = tied
    state.thrower = _lowest_bit(tied)
    if tied & (tied - 1):
        for number, seat in enumerate(state.seats):
            if tied >> number & 1:
                seat.first_throw = 0
        return
    state.pending_dice = 0
    state.first_seat = state.thrower
    _begin_turn(state, state.thrower)


# Beginning and end of a turn


def _begin_turn(state: FireshipState, number: int) -> bool:
    """Begin the turn of a seat. Returns False if the seat skips it (FS-90)."""
    seat = state.seats[number]
    state.active_seat = number
    state.turn += 1
    _clear_turn(state)
    seat.fog = False
    if not state.pawns[seat.colour]:
        state.gain_pawn(seat.colour, BOAT)  # FS-106
    if seat.turns_to_skip:
        seat.turns_to_skip -= 1
        return False
    state.stage = stages.CARDS_FIRST
    return True


def end_turn(state: FireshipState, move: EndTurn) -> None:
    """End the turn and begin the next one that is not skipped."""
    state.clear_marks(state.seats[state.active_seat].colour)
    while True:
        _eliminate_seats(state)
        if end_match_if_decided(state, "last_player") or _begin_next_turn(state):
            return


def _eliminate_seats(state: FireshipState) -> None:
    """Eliminate all seats that have neither pawn nor island (FS-107)."""
    for seat in state.seats:
        if seat.eliminated_in_turn or state.pawns[seat.colour] or seat.colour in state.owners:
            continue
        seat.eliminated_in_turn = state.turn
        state.discards += seat.hand
        seat.hand = 0
        seat.anti_skull = False
        seat.fog = False
        seat.turns_to_skip = 0
        seat.passes_turn = False
        for badge in range(len(BADGES)):
            state.badge_stock[badge] += seat.badges[badge]
            seat.badges[badge] = 0


def end_match_if_decided(state: FireshipState, reason: str) -> bool:
    """End the match when at most one seat that stayed is still in it (FS-107 to FS-109); `reason` if there is one."""
    staying = 0
    for seat in state.seats:
        if not seat.eliminated_in_turn and not seat.has_left:
            staying += 1
    if staying > 1:
        return False
    end_match(state, reason if staying else "nobody_left")
    return True


def _begin_next_turn(state: FireshipState) -> bool:
    """Pass the turn to the next seat that is in the match. Returns False if that seat skips it."""
    seat_count = len(state.seats)
    number = state.active_seat
    while True:
        number = (number + 1) % seat_count
        if number == state.first_seat:
            if state.time_is_up or state.round >= state.options.rounds:
                end_match(state, "time_limit" if state.time_is_up else "round_limit")  # FS-103
                return True
            state.round += 1
        if not state.seats[number].eliminated_in_turn:
            return _begin_turn(state, number)


def end_match(state: FireshipState, reason: str) -> None:
    """End the match, and clear what belongs to the running turn."""
    state.stage = stages.OVER
    state.reason = reason
    if state.active_seat != NO_SEAT:
        state.clear_marks(state.seats[state.active_seat].colour)
        state.active_seat = NO_SEAT
    _clear_turn(state)
    state.stack.clear()
    state.seats_to_answer = 0
    state.pending_dice = 0
    state.defence_bonus = 0
    state.chosen_pawn = NO_PAWN
    for seat in state.seats:
        seat.answer = 0


def _clear_turn(state: FireshipState) -> None:
    """Clear what belongs to a turn."""
    state.points = 0
    state.dice.clear()
    state.has_acted = False
    state.has_fortified = False
    for seat in state.seats:
        seat.passes_turn = False


# Dice and pawns


def begin_throw(state: FireshipState, move: Throw) -> None:
    """Throw the dice of the turn."""
    state.stage = stages.THROWING
    state.pending_dice = state.options.movement_dice


def movement_die(state: FireshipState, face: int) -> None:
    """Record one movement die of the turn."""
    state.dice.append(face)
    state.points += face
    state.pending_dice -= 1
    if state.pending_dice == 0:
        state.stage = stages.MOVING


def choose_pawn(state: FireshipState, move: ChoosePawn) -> None:
    """Choose the pawn that sails next."""
    state.chosen_pawn = move.pawn
    state.stage = stages.SAILING


def sail_pawn(state: FireshipState, move: Sail) -> None:
    """Sail the chosen pawn by the shortest path (FS-24); a fast one needs half the points, rounded up (FS-82)."""
    pawn = state.chosen_pawn
    to = move.to
    owner = state.seats[state.active_seat].colour
    steps = paths_of(pawn).lengths[to]
    state.points -= (steps + FAST_SQUARES - 1) // FAST_SQUARES if pawn & FAST else steps
    state.take_pawn(owner, pawn)
    marks = (0 if SPECIAL[to] == PLAIN else ARRIVED) + (pawn & FAST)
    state.put_pawn(owner, pawn_code(to, kind_of(pawn)) + marks)
    state.chosen_pawn = NO_PAWN
    state.stage = stages.MOVING
