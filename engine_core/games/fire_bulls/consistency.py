"""Consistency checks of a Fire Bulls state given by a client, made before a match continues from it."""

from __future__ import annotations

from engine_core import packed
from engine_core.consistency import require
from engine_core.games.fire_bulls import components, effects, stages
from engine_core.games.fire_bulls.columns import nearest_square, pile_to_fill
from engine_core.games.fire_bulls.deck import can_draw
from engine_core.games.fire_bulls.ending import end_reason
from engine_core.games.fire_bulls.state import GENERAL_ASIDE, GENERAL_HIDDEN, GENERAL_WON, NO_SEAT, FireBullsState


def check(state: FireBullsState) -> None:
    """Raise `InconsistentState` for the first fact that no match could reach.

    Lists must have their lengths, seats and directions their ranges, and counts must not be negative; everything
    else is checked here.
    """
    _check_attack_cards(state)
    _check_point_cards(state)
    _check_piles(state)
    _check_knowledge(state)
    _check_counters(state)
    _check_ending(state)
    if state.stage <= stages.SETUP_FIRST:
        _check_setup(state)
    else:
        _check_turn(state)
    _check_stage(state)


def _check_attack_cards(state: FireBullsState) -> None:
    places = [state.deck, state.discards, state.reserve]
    places.extend([seat.hand for seat in state.seats])
    for card in range(6):
        found = sum([packed.count_of(cards, card) for cards in places])
        there_are = packed.count_of(components.FULL_DECK, card)
        require(found == there_are, "state.deck", f"{found} attack cards of kind {card + 1}, not {there_are}")


def _check_point_cards(state: FireBullsState) -> None:
    for card in range(components.POINT_KINDS):
        found = state.undrawn[card] + state.squares.count(card) + state.removed[card]
        found += sum([seat.victory[card] for seat in state.seats])
        found += card == components.GENERAL and state.general_place == GENERAL_ASIDE
        there_are = components.POINT_COUNTS[card]
        require(found == there_are, "state.undrawn", f"{found} point cards of kind {card + 1}, not {there_are}")
    require(components.GENERAL not in state.squares, "state.squares", "the general never lies in a column")
    hidden = state.undrawn[components.GENERAL] == 1
    require(hidden == (state.general_place == GENERAL_HIDDEN), "state.general", "it does not say where the general is")
    won = state.general_place == GENERAL_WON
    require(won == (state.general_winner != NO_SEAT), "state.generalWinner", "a seat once the general is won, else -1")
    for number, seat in enumerate(state.seats):
        is_winner = seat.victory[components.GENERAL] == 0 or number == state.general_winner
        require(is_winner, "state.generalWinner", "another seat has the general")


def _check_piles(state: FireBullsState) -> None:
    require(sum(state.piles) == sum(state.undrawn), "state.piles", "they do not hold the undrawn point cards")


def _check_knowledge(state: FireBullsState) -> None:
    """The recorded knowledge of seats and the public about hands and deck must be true (FB-90)."""
    require(packed.is_superset(state.deck_at_most, state.deck), "state.deckAtMost", "less than the deck holds")
    for number, seat in enumerate(state.seats):
        where = f"state.seats[{number}]"
        require(packed.is_superset(seat.hand, seat.known_cards), f"{where}.known", "more than the hand holds")
        require(packed.is_superset(seat.deck_at_most, state.deck), f"{where}.deckAtMost", "less than the deck holds")
        require(
            packed.is_superset(state.deck_at_most, seat.deck_at_most),
            f"{where}.deckAtMost",
            "more than the public knows",
        )


def _check_counters(state: FireBullsState) -> None:
    seat_count = len(state.seats)
    require(
        state.exhaustions <= components.EXHAUSTIONS_TO_END,
        "state.exhaustions",
        f"at most {components.EXHAUSTIONS_TO_END}",
    )
    most = min(state.exhaustions, components.EXHAUSTIONS_TO_END - 1)
    require(state.rebuilds <= most, "state.rebuilds", "a rebuild follows an exhaustion, and not the last one")
    if state.deck == 0:
        require(state.rebuilds < state.exhaustions, "state.deck", "empty, but no exhaustion is counted for it")
    require(
        state.quiet_turns < components.QUIET_TURNS_PER_SEAT * seat_count,
        "state.quietTurns",
        "they count as an exhaustion",
    )
    if state.exhaustions == components.EXHAUSTIONS_TO_END:
        require(
            state.drew_or_captured or state.stage == stages.OVER,
            "state.exhaustions",
            "the match ended with the turn of the last",
        )


def _check_ending(state: FireBullsState) -> None:
    over = state.stage == stages.OVER
    expected = end_reason(state) if over else ""
    require(state.reason == expected, "state.reason", f"it is {expected!r} in this position")
    require(expected != "" or not over, "state.stage", "nothing has ended the match")
    for number, seat in enumerate(state.seats):
        field = f"state.seats[{number}].penalty"
        if seat.penalty != components.EMPTY:
            require(state.reason == "exhaustion", field, "it is lost at the last exhaustion only")
            require(state.removed[seat.penalty] > 0, field, "it is not out of the game")


def _check_setup(state: FireBullsState) -> None:
    require(state.active_seat == NO_SEAT, "state.activeSeat", "nobody is active in the setup")
    _check_gaps(state)
    require(state.discards == 0, "state.discards", "nothing is discarded in the setup")
    require(state.general_place != GENERAL_WON, "state.general", "nobody has won it in the setup")
    require(sum(state.removed) == 0, "state.removed", "nothing has left the game in the setup")
    require(state.exhaustions == 0 and state.quiet_turns == 0, "state.exhaustions", "none in the setup")
    require(state.stage == effects.setup_stage(state), "state.stage", "another part of the setup comes first")
    places = [seat.place for seat in state.seats if seat.place]
    require(len(set(places)) == len(places), "state.seats", "two pawns at one direction")
    require(
        not places or state.stage >= stages.SETUP_PLACES, "state.seats", "pawns are placed after the columns are filled"
    )
    for number, seat in enumerate(state.seats):
        where = f"state.seats[{number}]"
        most = components.START_HAND if state.stage >= stages.SETUP_HANDS else 0
        require(packed.size(seat.hand) <= most, f"{where}.hand", f"at most {most} cards in this stage")
        require(sum(seat.victory) == 0, f"{where}.victory", "nothing is won in the setup")
    most = components.RESERVE if state.stage >= stages.SETUP_RESERVE else 0
    require(packed.size(state.reserve) <= most, "state.reserve", f"at most {most} cards in this stage")
    _check_no_attack(state)


def _check_no_attack(state: FireBullsState) -> None:
    require(state.direction == 0, "state.direction", "no attack is running")
    require(state.captures == 0, "state.captures", "no attack is running")
    require(sum(state.won_this_turn) == 0, "state.wonThisTurn", "no attack is running")
    require(state.capture_limit == 0, "state.captureLimit", "no attack is running")
    require(state.warriors_owed == 0, "state.warriorsOwed", "no attack is running")
    require(state.power_card == components.EMPTY, "state.power", "no attack is running")


def _check_turn(state: FireBullsState) -> None:
    seats = state.seats
    if state.stage == stages.OVER:
        require(state.active_seat == NO_SEAT, "state.activeSeat", "it is nobody's turn any more")
        require(not state.drew_or_captured, "state.turnIsLively", "no turn is running")
        _check_no_attack(state)
    else:
        require(0 <= state.active_seat < len(seats), "state.activeSeat", "it is the turn of one of the seats")
    places = {seat.place for seat in seats}
    require(0 not in places and len(places) == len(seats), "state.seats", "each pawn stands at its own direction")
    for number, seat in enumerate(seats):
        if number != state.active_seat or state.stage in (stages.ACTION, stages.FILL, stages.OVER):
            require(
                packed.size(seat.hand) <= components.HAND_LIMIT,
                f"state.seats[{number}].hand",
                f"at most {components.HAND_LIMIT} cards",
            )
    if state.captures == 0 and state.stage not in (stages.FILL, stages.OVER):
        _check_columns(state)
    if state.stage != stages.OVER:
        _check_captures(state)
        _check_attack(state)
    require(state.warriors_owed <= components.WARRIORS * state.captures, "state.warriorsOwed", "more than were paid")
    require(state.captures == 0 or state.drew_or_captured, "state.turnIsLively", "a card was captured")


def _check_captures(state: FireBullsState) -> None:
    require(
        sum(state.won_this_turn) == state.captures, "state.wonThisTurn", "it does not hold the captures of this turn"
    )
    victory = state.seats[state.active_seat].victory
    for card in range(components.POINT_KINDS):
        require(state.won_this_turn[card] <= victory[card], "state.wonThisTurn", "more than the active seat has")


def _check_attack(state: FireBullsState) -> None:
    """An attack must run along a line, or be the one on the general (FB-48)."""
    direction = state.direction
    if direction == 0:
        require(
            state.captures == state.won_this_turn[components.GENERAL], "state.direction", "cards were won along a line"
        )
        require(state.capture_limit == 0, "state.captureLimit", "no attack runs along a line")
        return
    place = state.seats[state.active_seat].place
    require(direction in state.profile_rules.attackable[place], "state.direction", "the pawn cannot attack there")
    limit = components.MAX_DIRECT_CAPTURES if direction == place else state.profile_rules.max_deviated_captures
    require(state.capture_limit == limit, "state.captureLimit", f"it is {limit} for this attack")
    require(1 <= state.captures <= limit, "state.captures", f"1 to {limit} in this attack")
    require(state.won_this_turn[components.GENERAL] == 0, "state.wonThisTurn", "the general is never won along a line")


def _check_stage(state: FireBullsState) -> None:
    """The items to be chosen or drawn in the stage must exist."""
    stage = state.stage
    choosing = stage in (stages.ACTION, stages.STEPPING, stages.POWER, stages.CAPTURE, stages.PRICE, stages.RELEASE)
    if stage not in (stages.POWER, stages.BO_DRAW, stages.COLONEL_PICK, stages.GENERAL_PICK):
        require(state.power_card == components.EMPTY, "state.power", "no power is offered or used in this stage")
    if stage in (stages.REFILL, stages.BONUS, stages.COLONEL_PICK, stages.GENERAL_PICK):
        most = _max_pending_draws(state)
        require(1 <= state.pending_draws <= most, "state.due", f"1 to {most} in this stage")
    else:
        require(state.pending_draws == 0, "state.due", "nothing is due in this stage")
    if stage in (stages.RELEASE, stages.FILL, stages.OVER):
        require(state.warriors_owed == 0, "state.warriorsOwed", "the price has been paid by now")
    if choosing:
        _check_choice(state)
    elif stage != stages.OVER:
        _check_draw(state)


def _max_pending_draws(state: FireBullsState) -> int:
    """Upper bound of `pending_draws`: cards that nature still has to draw in this stage, or opponents to pick from."""
    if state.stage == stages.REFILL:
        return effects.cards_to_refill(state)
    return state.captures - 1 if state.stage == stages.BONUS else len(state.seats) - 1


def _check_choice(state: FireBullsState) -> None:
    stage = state.stage
    if stage == stages.ACTION:
        _check_no_attack(state)
        require(not state.drew_or_captured, "state.turnIsLively", "the turn has only begun")
    elif stage == stages.STEPPING:
        _check_no_attack(state)
        require(state.drew_or_captured, "state.turnIsLively", "a card was drawn before the step")
    elif stage == stages.CAPTURE:
        further = state.direction > 0 and nearest_square(state.squares, state.direction) != components.EMPTY
        require(further, "state.direction", "no further card lies on that line")
        require(state.captures < state.capture_limit, "state.captures", "the attack has won all it may")
    elif stage == stages.POWER:
        _check_power(state)
    elif stage == stages.PRICE:
        earlier = any(effects.has_earlier_card(state, card) for card in range(components.POINT_KINDS))
        require(state.warriors_owed > 0, "state.warriorsOwed", "no price is due")
        require(earlier, "state.seats", "the active seat has no card of an earlier turn to give")
    else:
        held = packed.size(state.seats[state.active_seat].hand)
        require(held > components.HAND_LIMIT, "state.stage", "the hand is within its limit")


def _check_columns(state: FireBullsState) -> None:
    """At the start of a turn the columns have slid and are filled, and they stay so until a card is captured."""
    _check_gaps(state)
    filled = pile_to_fill(state) == 0
    require(filled, "state.squares", "a column is not filled from its pile")


def _check_power(state: FireBullsState) -> None:
    _check_power_won(state)
    if state.power_card == components.BO:
        require(can_draw(state), "state.power", "no card can be drawn for it")
    else:
        require(_somebody_else_holds(state), "state.power", "no opponent holds a card")


def _check_power_won(state: FireBullsState) -> None:
    power = state.power_card
    require(power in (components.BO, components.COLONEL, components.GENERAL), "state.power", "no card with a power")
    require(state.won_this_turn[power] > 0, "state.power", "the active seat has not won that card in this turn")


def _somebody_else_holds(state: FireBullsState) -> bool:
    return any(seat.hand != 0 for number, seat in enumerate(state.seats) if number != state.active_seat)


def _check_draw(state: FireBullsState) -> None:
    stage = state.stage
    if stage == stages.FILL:
        require(pile_to_fill(state) != 0, "state.stage", "every column is filled")
        _check_gaps(state)
    elif stage in (stages.COLONEL_PICK, stages.GENERAL_PICK):
        _check_power_won(state)
        require(
            state.power_card == (components.COLONEL if stage == stages.COLONEL_PICK else components.GENERAL),
            "state.power",
            "not of this stage",
        )
        require(state.seats[effects.seat_to_pick_from(state)].hand != 0, "state.due", "that opponent holds no card")
    elif stage not in (stages.SETUP_YEN, stages.SETUP_PLACES, stages.SETUP_FIRST):
        _check_deck_draw(state)


def _check_gaps(state: FireBullsState) -> None:
    for column in range(components.PILES):
        squares = state.squares[column :: components.PILES]
        cards = len(squares) - squares.count(components.EMPTY)
        require(components.EMPTY not in squares[:cards], "state.squares", f"column {column + 1} has a gap")


def _check_deck_draw(state: FireBullsState) -> None:
    stage = state.stage
    require(state.deck != 0, "state.deck", "nature has no card to draw")
    if stage == stages.BO_DRAW:
        _check_power_won(state)
        require(state.power_card == components.BO, "state.power", "not of this stage")
    elif stage in (stages.REFILL, stages.DRAWING):
        require(state.direction == 0 and state.captures == 0, "state.direction", "no attack is running")
    require(state.exhaustions < components.EXHAUSTIONS_TO_END, "state.exhaustions", "nothing is drawn after the last")
