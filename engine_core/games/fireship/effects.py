"""The effects of the moves of Fireship that can be cancelled: declaration, response window, resolution."""

from __future__ import annotations

from engine_core import packed
from engine_core.game import Move
from engine_core.games.fireship import battle, components, moves, stages, turns, windows
from engine_core.games.fireship.board import BATTLESHIP_SQUARE, ISLANDS, SPECIAL, WHEEL
from engine_core.games.fireship.state import NO_SEAT, Declared, FireshipSeat, FireshipState


def play_boum(state: FireshipState, move: moves.Boum) -> None:
    """Play a Boum."""
    _spend(state, move.source, components.BOUM)
    _declare(state, state.active_seat, move)


def play_fog(state: FireshipState, move: moves.Fog) -> None:
    """Play a fog."""
    _spend(state, move.source, components.FOG)
    _declare(state, state.active_seat, move)


def play_hasten(state: FireshipState, move: moves.Hasten) -> None:
    """Play an updraft or a Gulf Stream."""
    _spend(state, move.source, move.card)
    _declare(state, state.active_seat, move)


def _spend(state: FireshipState, source: int, card: int) -> None:
    """A card goes to the discard pile, a badge to the stock (FS-94)."""
    seat = state.seats[state.active_seat]
    if source == moves.HAND:
        _discard(state, seat, card, 1)
    else:
        badge = components.BADGES.index(card)
        seat.badges[badge] -= 1
        state.badge_stock[badge] += 1


def _discard(state: FireshipState, seat: FireshipSeat, card: int, number: int) -> None:
    seat.hand -= packed.ONE_OF_KIND[card] * number
    state.discards += packed.ONE_OF_KIND[card] * number


def declare_fortification(state: FireshipState, move: moves.Fortify) -> None:
    """Declare the building of a ring on an island."""
    state.has_fortified = True
    _declare(state, state.active_seat, move)


def declare_attack(state: FireshipState, move: moves.Attack) -> None:
    """Declare an attack, with its +1 cards (FS-86)."""
    state.has_acted = True
    _discard(state, state.seats[state.active_seat], components.PLUS_ONE, move.plus_ones)
    _declare(state, state.active_seat, move)


def use_square(state: FireshipState, move: moves.UseSquare) -> None:
    """Use the special square that a pawn has come to."""
    state.has_acted = True
    square = SPECIAL[move.square]
    if square == BATTLESHIP_SQUARE:
        _declare(state, state.active_seat, move)
        return
    state.stack.append(Declared(state.active_seat, move))
    if square == WHEEL:
        state.stage = stages.SPINNING
    else:
        _begin_draw(state)


def _clear_stack(state: FireshipState) -> None:
    """Clear the stack: the action is done or cancelled."""
    state.stack.clear()
    state.defence_bonus = 0
    state.stage = stages.MOVING if state.dice else stages.CARDS_FIRST


# Response windows


def _declare(state: FireshipState, seat: int, move: Move) -> None:
    """Put a move that may be cancelled on the stack, and open its response window."""
    state.stack.append(Declared(seat, move))
    _open_window(state)


def _open_window(state: FireshipState) -> None:
    state.seats_to_answer = windows.seats_that_may_answer(state)
    if state.seats_to_answer:
        state.stage = stages.WINDOW
    else:
        _resolve_top(state)


def record_answer(state: FireshipState, seat: int, move: moves.Answer) -> None:
    """Answer a response window, sealed until all have answered (FS-89), or the skull of a battleship square."""
    if state.stage == stages.WINDOW:
        state.seats[seat].answer = move.answer
        mark_answered(state, seat)
    elif move.answer == moves.ANTI_SKULL:
        state.seats[seat].anti_skull = False
        _declare(state, seat, move)
    else:
        _lose_plane(state)


def mark_answered(state: FireshipState, seat: int) -> None:
    """Note that a seat has answered the window or left; the last one closes the round."""
    state.seats_to_answer &= ~(1 << seat)
    if state.seats_to_answer == 0:
        _close_answer_round(state)


def _close_answer_round(state: FireshipState) -> None:
    """Close a round of answers: one card counts, the others return to their hands unseen (FS-89)."""
    counts = windows.seat_whose_card_counts(state)
    answer = 0
    for number, seat in enumerate(state.seats):
        if seat.answer == moves.PASS_TURN:
            seat.passes_turn = True
        if number == counts:
            answer = seat.answer
        seat.answer = 0
    if counts == NO_SEAT:
        _resolve_top(state)
        return
    seat = state.seats[counts]
    if answer == moves.ANTI_SKULL:
        seat.anti_skull = False
    else:
        _discard(state, seat, components.NO_CARD if answer == moves.SAY_NO else components.PLUS_ONE, 1)
    _declare(state, counts, moves.ANSWERS[answer])


def _resolve_top(state: FireshipState) -> None:
    """Resolve the top of the stack, which nobody has cancelled."""
    move = state.stack[-1].move
    if isinstance(move, moves.Answer):
        state.stack.pop()
        _resolve_answer(state, move.answer)
    elif isinstance(move, moves.Attack):
        state.stage = stages.BATTLE
    elif isinstance(move, moves.UseSquare):
        state.stage = stages.BATTLESHIP_THROW
    elif isinstance(move, moves.Card):
        _apply_effect(state, move.card)
    elif isinstance(move, moves.Sector):
        _apply_effect(state, components.SECTORS[move.sector - 1])
    else:
        _resolve_card_or_ring(state)
        _clear_stack(state)


def _resolve_answer(state: FireshipState, answer: int) -> None:
    if answer == moves.SAY_NO:
        _cancel(state)
    elif answer == moves.ANTI_SKULL:
        _clear_stack(state)  # the attack is off, or the plane is safe (FS-80)
    else:
        state.defence_bonus += 1
        move = state.stack[-1].move
        assert isinstance(move, moves.Attack)
        owner = state.seats[state.active_seat].colour
        if battle.declared_attack_power(state, move, owner) < battle.declared_defence_power(state, move):
            _clear_stack(state)  # FS-85
        else:
            _open_window(state)


def _cancel(state: FireshipState) -> None:
    """Resolve a Non: remove the move that it cancels from the stack, and continue with the one below."""
    move = state.stack.pop().move
    if not isinstance(move, moves.Answer):
        _clear_stack(state)
    elif move.answer == moves.ANTI_SKULL and isinstance(state.stack[-1].move, moves.UseSquare):
        _lose_plane(state)
    else:
        _open_window(state)


def _resolve_card_or_ring(state: FireshipState) -> None:
    """Apply a played card or badge, or a ring."""
    move = state.stack[-1].move
    seat = state.seats[state.active_seat]
    if isinstance(move, moves.Boum):
        state.take_pawn(move.owner, moves.pawn_code(move.square, components.BOAT))
    elif isinstance(move, moves.Fog):
        seat.fog = True
    elif isinstance(move, moves.Hasten):
        state.take_pawn(seat.colour, move.pawn)
        state.put_pawn(seat.colour, move.pawn | moves.FAST)
    elif isinstance(move, moves.Fortify):
        state.take_pawn(seat.colour, move.first)
        state.take_pawn(seat.colour, move.second)
        state.rings[move.island] += 1


# Dice, wheel and cards


def roll_die(state: FireshipState, move: moves.Die) -> None:
    """Nature rolls the die of the stage."""
    if state.stage == stages.THROWING:
        turns.movement_die(state, move.face)
    elif state.stage == stages.BATTLE:
        _battle_die(state, move.face)
    elif state.stage == stages.BATTLESHIP_THROW:
        _battleship_die(state, move.face)
    else:
        turns.first_throw_die(state, move.face)


def _battle_die(state: FireshipState, face: int) -> None:
    move = state.stack[-1].move
    assert isinstance(move, moves.Attack)
    owner = state.seats[state.active_seat].colour
    if battle.is_won(state, move, owner, face):
        battle.apply_victory(state, move, owner)
    if state.owners.count(owner) == ISLANDS:
        turns.end_match(state, "all_islands")  # FS-102
    else:
        _clear_stack(state)


def _battleship_die(state: FireshipState, face: int) -> None:
    seat = state.seats[state.active_seat]
    if face == components.SKULL:
        if seat.anti_skull:
            state.stage = stages.SKULL_ANSWER
        else:
            _lose_plane(state)
        return
    if face in components.BATTLESHIP_FACES:
        state.gain_pawn(seat.colour, components.BATTLESHIP)
    _clear_stack(state)


def _used_square(state: FireshipState) -> int:
    move = state.stack[0].move
    assert isinstance(move, moves.UseSquare)
    return move.square


def _lose_plane(state: FireshipState) -> None:
    """Remove the plane that came to the battleship square this turn (FS-65)."""
    owner = state.seats[state.active_seat].colour
    pawn = moves.pawn_code(_used_square(state), components.PLANE, arrived=True)
    state.take_pawn(owner, pawn if pawn in state.pawns[owner] else pawn | moves.FAST)
    _clear_stack(state)


def stop_wheel(state: FireshipState, move: moves.Sector) -> None:
    """The wheel stops at a sector."""
    effect = components.SECTORS[move.sector - 1]
    if effect == components.DRAW_CARD:
        _begin_draw(state)
    elif effect != components.SPIN_AGAIN:
        _declare(state, state.active_seat, move)


def _begin_draw(state: FireshipState) -> None:
    """Nature draws a card, if there is one (FS-76)."""
    if state.deck == 0:
        if state.discards == 0:
            _clear_stack(state)
            return
        _rebuild(state)
    state.stage = stages.DRAWING


def _rebuild(state: FireshipState) -> None:
    """Make the discards, which are public, the new deck: everybody knows its cards (FS-116)."""
    state.deck = state.discards
    state.discards = 0
    state.rebuilds += 1
    state.deck_at_most = state.deck
    for seat in state.seats:
        seat.deck_at_most = state.deck


def receive_card(state: FireshipState, move: moves.Card) -> None:
    """Draw a card: one to keep goes to the hand, any other is public and takes effect at once (FS-78, FS-79)."""
    one = packed.ONE_OF_KIND[move.card]
    state.deck -= one
    if components.IS_HAND_CARD[move.card]:
        seat = state.seats[state.active_seat]
        seat.hand += one
        seat.deck_at_most -= one
        _clear_stack(state)
        return
    state.discards += one
    state.deck_at_most -= one
    for seat in state.seats:
        seat.deck_at_most -= one
    _declare(state, state.active_seat, move)


def _apply_effect(state: FireshipState, effect: int) -> None:
    """Apply an immediate card or a sector of the wheel."""
    seat = state.seats[state.active_seat]
    if effect == components.GAIN_BOAT:
        state.gain_pawn(seat.colour, components.BOAT)
    elif effect == components.GAIN_PLANE:
        state.gain_pawn(seat.colour, components.PLANE)
    elif effect == components.BERMUDA:
        seat.turns_to_skip += 1
    elif effect == components.KRAKEN:
        battle.apply_kraken(state, _used_square(state))
    elif effect in (components.LOSE_BOAT, components.LOSE_PLANE):
        least = 1 if effect == components.LOSE_BOAT else 2  # FS-70, FS-71
        if (
            state.kind_counts[seat.colour][components.BOAT if effect == components.LOSE_BOAT else components.PLANE]
            >= least
        ):
            state.stage = stages.LOSING
            return
    else:
        _give_badge(state, seat, components.BADGES.index(effect))
    _clear_stack(state)


def _give_badge(state: FireshipState, seat: FireshipSeat, badge: int) -> None:
    """Give a badge to a seat, if the stock has one (FS-74)."""
    if state.badge_stock[badge]:
        state.badge_stock[badge] -= 1
        seat.badges[badge] += 1


def kind_to_lose(state: FireshipState) -> int:
    """The kind of pawn that the active seat must give up."""
    move = state.stack[-1].move
    effect = move.card if isinstance(move, moves.Card) else components.LOSE_BOAT
    if isinstance(move, moves.Sector):
        effect = components.SECTORS[move.sector - 1]
    return components.PLANE if effect == components.LOSE_PLANE else components.BOAT


def lose_pawn(state: FireshipState, move: moves.Lose) -> None:
    """Remove a pawn of the active seat, of that kind and on that square, with any marks."""
    owner = state.seats[state.active_seat].colour
    first = moves.pawn_code(move.square, move.kind)
    for pawn in state.pawns[owner]:
        if first <= pawn < first + moves.MARKS:
            state.take_pawn(owner, pawn)
            break
    _clear_stack(state)


def note_time_up(state: FireshipState, move: moves.TimeUp) -> None:
    """Time is up: the match ends with this round (FS-103)."""
    state.time_is_up = True
