"""The effects of the moves of Fire Bulls on the state: setup, actions, attacks, powers and the end of a turn."""

from __future__ import annotations

from engine_core import packed
from engine_core.games.fire_bulls import components, moves, stages
from engine_core.games.fire_bulls.columns import lay, nearest_square, pile_to_fill, slide
from engine_core.games.fire_bulls.deck import can_draw, exhaust, prepare_draw
from engine_core.games.fire_bulls.ending import count_quiet, end_match, reason_to_end
from engine_core.games.fire_bulls.state import GENERAL_ASIDE, GENERAL_WON, NO_SEAT, FireBullsState


def destination(state: FireBullsState) -> int:
    """Where the next card of the deck goes: a seat's hand or `TO_RESERVE`."""
    if state.stage == stages.SETUP_HANDS:
        return [packed.size(seat.hand) < components.START_HAND for seat in state.seats].index(True)
    if state.stage == stages.SETUP_RESERVE or state.stage == stages.REFILL:
        return moves.TO_RESERVE
    return state.active


def qi(state: FireBullsState, move: moves.Qi) -> None:
    """Nature draws a card of the deck to its destination."""
    one = packed.ONE_OF_KIND[move.card]
    state.deck -= one
    state.lively = True
    if move.to == moves.TO_RESERVE:
        state.reserve += one
        state.at_most -= one
        for seat in state.seats:
            seat.at_most -= one
    else:
        owner = state.seats[move.to]
        owner.hand += one
        owner.at_most -= one
    if state.deck == 0:
        exhaust(state)  # FB-22
    _after_qi(state)


def _after_qi(state: FireBullsState) -> None:
    stage = state.stage
    if stage == stages.DRAWING:
        state.stage = stages.STEPPING  # FB-15
    elif stage == stages.REFILL:
        state.due -= 1
        _refill(state)
    elif stage == stages.BONUS:
        state.due -= 1
        _give_bonus(state)
    elif stage == stages.BO_DRAW:
        _after_power(state)
    else:
        _go_on_with_setup(state)


# Setup


def _go_on_with_setup(state: FireBullsState) -> None:
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


def place(state: FireBullsState, move: moves.Place) -> None:
    """Nature puts a pawn in front of a free direction (FB-03, FB-04)."""
    state.seats[move.seat].place = move.direction
    _go_on_with_setup(state)


def first(state: FireBullsState, move: moves.First) -> None:
    """Nature draws the seat that begins (FB-08)."""
    _begin_turn(state, move.seat)


def _begin_turn(state: FireBullsState, seat: int) -> None:
    state.active = seat
    state.stage = stages.ACTION
    state.lively = False
    if state.captures:
        state.forget_attack()


# Gathering


def take(state: FireBullsState, move: moves.Take) -> None:
    """Take a card of the Reserve into the hand, publicly; the deck refills the Reserve."""
    owner = state.seats[state.active]
    one = packed.ONE_OF_KIND[move.card]
    state.reserve -= one
    owner.hand += one
    owner.known += one
    state.due = cards_to_refill(state)
    _refill(state)


def cards_to_refill(state: FireBullsState) -> int:
    """How many cards are dealt to the Reserve after a card was taken (FB-13)."""
    return max(0, components.RESERVE - packed.size(state.reserve)) if state.rulebook.refills_to_three else 1


def _refill(state: FireBullsState) -> None:
    """Continue refilling the Reserve until it is full or the deck has no card (FB-13)."""
    if state.due and prepare_draw(state):
        state.stage = stages.REFILL
    else:
        state.due = 0
        _collect_price(state)


def draw(state: FireBullsState, move: moves.Draw) -> None:
    """Draw a card for the active seat from the deck, which is rebuilt if it is empty."""
    prepare_draw(state)
    state.stage = stages.DRAWING


def step(state: FireBullsState, move: moves.Step) -> None:
    """Move the pawn to a direction. A pawn already there swaps places with it (FB-19)."""
    mover = state.seats[state.active]
    for seat in state.seats:
        if seat.place == move.to:
            seat.place = mover.place
    mover.place = move.to
    _collect_price(state)


# Attacking


def attack(state: FireBullsState, move: moves.Attack) -> None:
    """Begin an attack: the first capture fixes the direction (FB-31) and the limit of captures."""
    direct = move.direction == state.seats[state.active].place
    state.direction = move.direction
    state.capture_limit = components.DIRECT_MAX if direct else state.rulebook.deviated_max
    _win_nearest(state, move.payment)


def capture(state: FireBullsState, move: moves.Capture) -> None:
    """Pay for the next card of the line."""
    _win_nearest(state, move.payment)


def _win_nearest(state: FireBullsState, payment: int) -> None:
    square = nearest_square(state, state.direction)
    card = state.squares[square]
    state.squares[square] = components.EMPTY
    _win(state, card, payment)


def attack_general(state: FireBullsState, move: moves.AttackGeneral) -> None:
    """Capture the general, which is an attack of its own (FB-48)."""
    state.general = GENERAL_WON
    state.general_winner = state.active
    _win(state, components.GENERAL, move.payment)


def _win(state: FireBullsState, card: int, payment: int) -> None:
    winner = state.seats[state.active]
    winner.hand -= payment
    winner.known = packed.subtract(winner.known, payment)
    state.discards += payment  # FB-25
    winner.victory = components.adjusted(winner.victory, card, 1)
    state.won_now = components.adjusted(state.won_now, card, 1)
    state.captures += 1
    state.lively = True
    state.warriors_owed += packed.number_of(payment, components.WARRIOR)
    state.power = card
    if _power_could_help(state):
        state.stage = stages.POWER
    else:
        _after_power(state)


def _power_could_help(state: FireBullsState) -> bool:
    """Whether the seat may use the power of the card it won. Depends on public facts only (FB-54)."""
    if state.power == components.BO:
        return can_draw(state)
    if state.power == components.COLONEL or state.power == components.GENERAL:
        owner = state.seats[state.active]
        return any(seat.hand != 0 for seat in state.seats if seat is not owner)
    return False


def power(state: FireBullsState, move: moves.Power) -> None:
    """Use the power of the card just won, or not."""
    if not move.use:
        _after_power(state)
    elif state.power == components.BO:
        prepare_draw(state)
        state.stage = stages.BO_DRAW
    else:
        state.stage = stages.COLONEL_PICK if state.power == components.COLONEL else stages.GENERAL_PICK
        state.due = len(state.seats) - 1
        _next_victim(state)


def victim(state: FireBullsState) -> int:
    """The opponent that nature picks from: clockwise, beginning after the active seat (FB-55)."""
    seats = len(state.seats)
    return (state.active + seats - state.due) % seats


def _next_victim(state: FireBullsState) -> None:
    while state.due and state.seats[victim(state)].hand == 0:
        state.due -= 1
    if state.due == 0:
        _after_power(state)


def pick(state: FireBullsState, move: moves.Pick) -> None:
    """Nature takes a card from an opponent: face up for the colonel, face down for the general (FB-56)."""
    loser = state.seats[move.seat]
    one = packed.ONE_OF_KIND[move.card]
    loser.hand -= one
    if state.stage == stages.COLONEL_PICK:
        loser.known = packed.subtract(loser.known, one)
        state.discards += one
    else:
        loser.known = packed.subtract(loser.known, components.EACH_KIND)
        state.seats[state.active].hand += one
    state.due -= 1
    _next_victim(state)


def _after_power(state: FireBullsState) -> None:
    """Go to the next capture, even if the hand cannot pay for it (FB-30), or end the attack."""
    won = state.power
    state.power = components.EMPTY
    if won == components.GENERAL:
        _collect_price(state)
    elif state.captures < state.capture_limit and nearest_square(state, state.direction) != components.EMPTY:
        state.stage = stages.CAPTURE
    else:
        _end_attack(state)


def stop(state: FireBullsState, move: moves.Stop) -> None:
    """The active seat captures no more."""
    _end_attack(state)


def _end_attack(state: FireBullsState) -> None:
    """End the attack, with its bonus cards (FB-52)."""
    state.due = bonus_cards(state, state.captures)
    _give_bonus(state)


def bonus_cards(state: FireBullsState, captures: int) -> int:
    """How many bonus cards an attack with `captures` captures gives (FB-52)."""
    if state.rulebook.bonus_for_three_only and captures < components.DIRECT_MAX:
        return 0
    return captures - 1


def _give_bonus(state: FireBullsState) -> None:
    if state.due and prepare_draw(state):
        state.stage = stages.BONUS
    else:
        state.due = 0
        _collect_price(state)


# End of the turn (FB-59)


def has_earlier_card(state: FireBullsState, card: int) -> bool:
    """Whether the active seat has a card of this kind from an earlier turn."""
    return state.seats[state.active].victory[card] > state.won_now[card]


def _collect_price(state: FireBullsState) -> None:
    """Collect a card for each warrior used, as long as the seat has cards of earlier turns (FB-60)."""
    if state.warriors_owed and any(has_earlier_card(state, card) for card in range(components.POINT_KINDS)):
        state.stage = stages.PRICE
    else:
        state.warriors_owed = 0
        _limit_hand(state)


def price(state: FireBullsState, move: moves.Price) -> None:
    """Remove the card from the game, as the price of a warrior (FB-61)."""
    seat = state.seats[state.active]
    seat.victory = components.adjusted(seat.victory, move.card, -1)
    state.removed = components.adjusted(state.removed, move.card, 1)
    state.warriors_owed -= 1
    _collect_price(state)


def _limit_hand(state: FireBullsState) -> None:
    if packed.size(state.seats[state.active].hand) > components.HAND_LIMIT:
        state.stage = stages.RELEASE
    else:
        if state.captures:  # without a capture the columns are unchanged
            slide(state)
        _fill(state)


def release(state: FireBullsState, move: moves.Release) -> None:
    """Put a card above the hand limit into the Reserve (FB-62)."""
    owner = state.seats[state.active]
    one = packed.ONE_OF_KIND[move.card]
    owner.hand -= one
    owner.known = packed.subtract(owner.known, one)
    state.reserve += one
    _limit_hand(state)


def _fill(state: FireBullsState) -> None:
    if pile_to_fill(state):
        state.stage = stages.FILL
    else:
        _finish_turn(state)


def yen(state: FireBullsState, move: moves.Yen) -> None:
    """Nature turns up a point card; the general goes aside (FB-06, FB-67)."""
    state.undrawn = components.adjusted(state.undrawn, move.card, -1)
    state.piles = components.adjusted(state.piles, move.pile - 1, -1)
    if move.card == components.GENERAL:
        state.general = GENERAL_ASIDE
    else:
        lay(state, move.pile, move.card)
    if state.stage == stages.SETUP_YEN:
        _go_on_with_setup(state)
    else:
        _fill(state)


def pass_turn(state: FireBullsState, move: moves.Pass) -> None:
    """Pass the turn of a seat whose player has left (FB-87)."""
    _finish_turn(state)


def _finish_turn(state: FireBullsState) -> None:
    """Count the turn and test the end."""
    count_quiet(state)
    state.reason = reason_to_end(state)
    if state.reason:
        end_match(state)
    else:
        _begin_turn(state, (state.active + 1) % len(state.seats))
