"""Response windows of Fireship: which seats may answer a declared move, how, and whose card counts (FS-85 to 89)."""

from __future__ import annotations

from engine_core import packed
from engine_core.games.fireship import moves
from engine_core.games.fireship.battle import owner_of_target
from engine_core.games.fireship.components import NO_CARD, PLUS_ONE
from engine_core.games.fireship.state import NO_SEAT, FireshipState


def defender(state: FireshipState) -> int:
    """The seat whose pawn or island is attacked; `NO_SEAT` if the window is not for an attack."""
    move = state.stack[-1].move
    return state.seat_of_colour[owner_of_target(state, move)] if isinstance(move, moves.Attack) else NO_SEAT


def seats_that_may_answer(state: FireshipState) -> int:
    """Bit mask of the seats that may answer the move on the top of the stack. Depends on public facts only."""
    top = state.stack[-1]
    target = defender(state)
    actor_may_answer = isinstance(top.move, (moves.Card, moves.Sector))
    mask = 0
    for number, seat in enumerate(state.seats):
        if seat.has_left or (number == top.seat and not actor_may_answer):
            continue
        if number == target:
            if seat.hand != 0 or seat.anti_skull:
                mask |= 1 << number
        elif seat.hand != 0 and not seat.passes_turn:
            mask |= 1 << number
    return mask


def legal_answers(state: FireshipState, seat: int) -> list[int]:
    """The legal answers of a seat that owes one in the window, as numbers of `ANSWER_NAMES` from 1."""
    owner = state.seats[seat]
    found = [moves.PASS, moves.PASS_TURN]
    if packed.count_of(owner.hand, NO_CARD):
        found.append(moves.SAY_NO)
    if seat == defender(state):
        if packed.count_of(owner.hand, PLUS_ONE):
            found.append(moves.ADD_ONE)
        if owner.anti_skull:
            found.append(moves.ANTI_SKULL)
    return found


def seat_whose_card_counts(state: FireshipState) -> int:
    """The seat whose card counts once all have answered; `NO_SEAT` when nobody played one.

    The first Non clockwise from the seat after the acting one; without a Non, the card of the target's owner.
    """
    seat_count = len(state.seats)
    actor = state.stack[-1].seat
    for step in range(1, seat_count + 1):
        seat = (actor + step) % seat_count
        if state.seats[seat].answer == moves.SAY_NO:
            return seat
    for number, owner in enumerate(state.seats):
        if owner.answer in (moves.ADD_ONE, moves.ANTI_SKULL):
            return number
    return NO_SEAT
