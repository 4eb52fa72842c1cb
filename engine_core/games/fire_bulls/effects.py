"""The effects of the moves of Fire Bulls on the state: setup, actions, attacks, powers and the end of a turn."""

from __future__ import annotations

from engine_core import packed
from engine_core.games.fire_bulls import components, moves, stages
from engine_core.games.fire_bulls.columns import nearest_square, pile_to_fill, place_in_column, slide_columns
from engine_core.games.fire_bulls.deck import can_draw, count_exhaustion, prepare_draw
from engine_core.games.fire_bulls.ending import count_quiet_turn, end_match, end_reason
from engine_core.games.fire_bulls.state import GENERAL_ASIDE, GENERAL_WON, NO_SEAT, FireBullsState


def destination(state: FireBullsState) -> int:
    """Where the next card of the deck goes: a seat's hand or `TO_RESERVE`."""
    if state.stage == stages.SETUP_HANDS:
        return [packed.size(seat.hand) < components.START_HAND for seat in state.seats].index(True)
    if state.stage == stages.SETUP_RESERVE or state.stage == stages.REFILL:
        return moves.TO_RESERVE
    return state.active_seat


def draw_qi(state: FireBullsState, move: moves.Qi) -> None:
    """Nature draws a card of the deck to its destination."""
    card = packed.ONE_OF_KIND[move.card]
    state.deck -= card
    state.drew_or_captured = True
    if move.to == moves.TO_RESERVE:
        state.reserve += card
        state.deck_at_most -= card
        for seat in state.seats:
            seat.deck_at_most -= card
    else:
        owner = state.seats[move.to]
        owner.hand += card
        owner.deck_at_most -= card
    if state.deck == 0:
        count_exhaustion(state)  # FB-22
    _continue_after_qi(state)


def _continue_after_qi(state: FireBullsState) -> None:
    stage = state.stage
    if stage == stages.DRAWING:
        state.stage = stages.STEPPING  # FB-15
    elif stage == stages.REFILL:
        state.pending_draws -= 1
        _refill(state)
    elif stage == stages.BONUS:
        state.pending_draws -= 1
        _give_bonus(state)
    elif stage == stages.BO_DRAW:
        _continue_attack(state)
    else:
        _continue_setup(state)


# Setup


def _continue_setup(state: FireBullsState) -> None:
    stage = setup_stage(state)
    if stage > stages.SETUP_FIRST:
        _begin_turn(state, state.options.first_seat)
    else:
        state.stage = stage


def setup_stage(state: FireBullsState) -> int:
    """The next stage of the setup: point cards, places, hands, Reserve, first seat (FB-86); then `ACTION`."""
    if pile_to_fill(state):
        return stages.SETUP_YEN
    if any(seat.place == 0 for seat in state.seats):
        return stages.SETUP_PLACES
    if any(packed.size(seat.hand) < components.START_HAND for seat in state.seats):
        return stages.SETUP_HANDS
    if packed.size(state.reserve) < components.RESERVE:
        return stages.SETUP_RESERVE
    return stages.SETUP_FIRST if state.options.first_seat == NO_SEAT else stages.ACTION


def place_pawn(state: FireBullsState, move: moves.Place) -> None:
    """Nature puts a pawn in front of a free direction (FB-03, FB-04)."""
    state.seats[move.seat].place = move.direction
    _continue_setup(state)


def set_first_seat(state: FireBullsState, move: moves.First) -> None:
    """Nature draws the seat that begins (FB-08)."""
    _begin_turn(state, move.seat)


def _begin_turn(state: FireBullsState, seat: int) -> None:
    state.active_seat = seat
    state.stage = stages.ACTION
    state.drew_or_captured = False
    if state.captures:
        state.clear_attack()


# Gathering


def take_from_reserve(state: FireBullsState, move: moves.Take) -> None:
    """Take a card of the Reserve into the hand, publicly; the deck refills the Reserve."""
    owner = state.seats[state.active_seat]
    card = packed.ONE_OF_KIND[move.card]
    state.reserve -= card
    owner.hand += card
    owner.known_cards += card
    state.pending_draws = cards_to_refill(state)
    _refill(state)


def cards_to_refill(state: FireBullsState) -> int:
    """How many cards are dealt to the Reserve after a card was taken (FB-13)."""
    return max(0, components.RESERVE - packed.size(state.reserve)) if state.profile_rules.refills_to_three else 1


def _refill(state: FireBullsState) -> None:
    """Continue refilling the Reserve until it is full or the deck has no card (FB-13)."""
    if state.pending_draws and prepare_draw(state):
        state.stage = stages.REFILL
    else:
        state.pending_draws = 0
        _collect_price(state)


def begin_draw(state: FireBullsState, move: moves.Draw) -> None:
    """Draw a card for the active seat from the deck, which is rebuilt if it is empty."""
    prepare_draw(state)
    state.stage = stages.DRAWING


def move_pawn(state: FireBullsState, move: moves.Step) -> None:
    """Move the pawn to a direction. A pawn already there swaps places with it (FB-19)."""
    mover = state.seats[state.active_seat]
    for seat in state.seats:
        if seat.place == move.to:
            seat.place = mover.place
    mover.place = move.to
    _collect_price(state)


# Attacking


def begin_attack(state: FireBullsState, move: moves.Attack) -> None:
    """Begin an attack: the first capture fixes the direction (FB-31) and the limit of captures."""
    direct = move.direction == state.seats[state.active_seat].place
    state.direction = move.direction
    state.capture_limit = components.MAX_DIRECT_CAPTURES if direct else state.profile_rules.max_deviated_captures
    _capture_nearest(state, move.payment)


def capture_next(state: FireBullsState, move: moves.Capture) -> None:
    """Pay for the next card of the line."""
    _capture_nearest(state, move.payment)


def _capture_nearest(state: FireBullsState, payment: int) -> None:
    square = nearest_square(state.squares, state.direction)
    card = state.squares[square]
    state.squares[square] = components.EMPTY
    _capture_card(state, card, payment)


def capture_general(state: FireBullsState, move: moves.AttackGeneral) -> None:
    """Capture the general, which is an attack of its own (FB-48)."""
    state.general_place = GENERAL_WON
    state.general_winner = state.active_seat
    _capture_card(state, components.GENERAL, move.payment)


def _capture_card(state: FireBullsState, card: int, payment: int) -> None:
    winner = state.seats[state.active_seat]
    winner.hand -= payment
    winner.known_cards = packed.subtract(winner.known_cards, payment)
    state.discards += payment  # FB-25
    winner.victory = components.with_count_changed(winner.victory, card, 1)
    state.won_this_turn = components.with_count_changed(state.won_this_turn, card, 1)
    state.captures += 1
    state.drew_or_captured = True
    state.warriors_owed += packed.count_of(payment, components.WARRIOR)
    state.power_card = card
    if _power_could_help(state):
        state.stage = stages.POWER
    else:
        _continue_attack(state)


def _power_could_help(state: FireBullsState) -> bool:
    """Whether the seat may use the power of the card it won. Depends on public facts only (FB-54)."""
    if state.power_card == components.BO:
        return can_draw(state)
    if state.power_card == components.COLONEL or state.power_card == components.GENERAL:
        owner = state.seats[state.active_seat]
        return any(seat.hand != 0 for seat in state.seats if seat is not owner)
    return False


def use_or_decline_power(state: FireBullsState, move: moves.Power) -> None:
    """Use the power of the card just won, or not."""
    if not move.use:
        _continue_attack(state)
    elif state.power_card == components.BO:
        prepare_draw(state)
        state.stage = stages.BO_DRAW
    else:
        state.stage = stages.COLONEL_PICK if state.power_card == components.COLONEL else stages.GENERAL_PICK
        state.pending_draws = len(state.seats) - 1
        _skip_empty_hands(state)


def seat_to_pick_from(state: FireBullsState) -> int:
    """The opponent that nature picks from: clockwise, beginning after the active seat (FB-55)."""
    seat_count = len(state.seats)
    return (state.active_seat + seat_count - state.pending_draws) % seat_count


def _skip_empty_hands(state: FireBullsState) -> None:
    while state.pending_draws and state.seats[seat_to_pick_from(state)].hand == 0:
        state.pending_draws -= 1
    if state.pending_draws == 0:
        _continue_attack(state)


def pick_card(state: FireBullsState, move: moves.Pick) -> None:
    """Nature takes a card from an opponent: face up for the colonel, face down for the general (FB-56)."""
    loser = state.seats[move.seat]
    card = packed.ONE_OF_KIND[move.card]
    loser.hand -= card
    if state.stage == stages.COLONEL_PICK:
        loser.known_cards = packed.subtract(loser.known_cards, card)
        state.discards += card
    else:
        loser.known_cards = packed.subtract(loser.known_cards, components.ONE_OF_EACH_KIND)
        state.seats[state.active_seat].hand += card
    state.pending_draws -= 1
    _skip_empty_hands(state)


def _continue_attack(state: FireBullsState) -> None:
    """Go to the next capture, even if the hand cannot pay for it (FB-30), or end the attack."""
    won = state.power_card
    state.power_card = components.EMPTY
    if won == components.GENERAL:
        _collect_price(state)
    elif state.captures < state.capture_limit and nearest_square(state.squares, state.direction) != components.EMPTY:
        state.stage = stages.CAPTURE
    else:
        _end_attack(state)


def stop_capturing(state: FireBullsState, move: moves.Stop) -> None:
    """The active seat captures no more."""
    _end_attack(state)


def _end_attack(state: FireBullsState) -> None:
    """End the attack, with its bonus cards (FB-52)."""
    state.pending_draws = state.profile_rules.bonus_cards(state.captures)
    _give_bonus(state)


def _give_bonus(state: FireBullsState) -> None:
    if state.pending_draws and prepare_draw(state):
        state.stage = stages.BONUS
    else:
        state.pending_draws = 0
        _collect_price(state)


# End of the turn (FB-59)


def has_earlier_card(state: FireBullsState, card: int) -> bool:
    """Whether the active seat has a card of this kind from an earlier turn."""
    return state.seats[state.active_seat].victory[card] > state.won_this_turn[card]


def _collect_price(state: FireBullsState) -> None:
    """Collect a card for each warrior used, as long as the seat has cards of earlier turns (FB-60)."""
    if state.warriors_owed and any(has_earlier_card(state, card) for card in range(components.POINT_KINDS)):
        state.stage = stages.PRICE
    else:
        state.warriors_owed = 0
        _enforce_hand_limit(state)


def pay_price(state: FireBullsState, move: moves.Price) -> None:
    """Remove the card from the game, as the price of a warrior (FB-61)."""
    seat = state.seats[state.active_seat]
    seat.victory = components.with_count_changed(seat.victory, move.card, -1)
    state.removed = components.with_count_changed(state.removed, move.card, 1)
    state.warriors_owed -= 1
    _collect_price(state)


def _enforce_hand_limit(state: FireBullsState) -> None:
    if packed.size(state.seats[state.active_seat].hand) > components.HAND_LIMIT:
        state.stage = stages.RELEASE
    else:
        if state.captures:  # without a capture the columns are unchanged
            slide_columns(state)
        _fill_columns(state)


def release_card(state: FireBullsState, move: moves.Release) -> None:
    """Put a card above the hand limit into the Reserve (FB-62)."""
    owner = state.seats[state.active_seat]
    card = packed.ONE_OF_KIND[move.card]
    owner.hand -= card
    owner.known_cards = packed.subtract(owner.known_cards, card)
    state.reserve += card
    _enforce_hand_limit(state)


def _fill_columns(state: FireBullsState) -> None:
    if pile_to_fill(state):
        state.stage = stages.FILL
    else:
        _finish_turn(state)


def turn_up_yen(state: FireBullsState, move: moves.Yen) -> None:
    """Nature turns up a point card; the general goes aside (FB-06, FB-67)."""
    state.undrawn = components.with_count_changed(state.undrawn, move.card, -1)
    state.piles = components.with_count_changed(state.piles, move.pile - 1, -1)
    if move.card == components.GENERAL:
        state.general_place = GENERAL_ASIDE
    else:
        place_in_column(state, move.pile, move.card)
    if state.stage == stages.SETUP_YEN:
        _continue_setup(state)
    else:
        _fill_columns(state)


def pass_turn(state: FireBullsState, move: moves.Pass) -> None:
    """Pass the turn of a seat whose player has left (FB-87)."""
    _finish_turn(state)


def _finish_turn(state: FireBullsState) -> None:
    """Count the turn and test the end."""
    count_quiet_turn(state)
    state.reason = end_reason(state)
    if state.reason:
        end_match(state)
    else:
        _begin_turn(state, (state.active_seat + 1) % len(state.seats))
