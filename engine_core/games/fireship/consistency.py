"""Consistency checks of a Fireship state given by a client, made before a match continues from it."""

from __future__ import annotations

from typing import Final

from engine_core import packed
from engine_core.consistency import require
from engine_core.games.fireship import components, declarations, legal, stages, windows
from engine_core.games.fireship.board import BASES, IS_SEA, ISLANDS, PLAIN, PORTS, SPECIAL, SQUARES
from engine_core.games.fireship.moves import ARRIVED, CLASSES, MARKS
from engine_core.games.fireship.state import MAX_PAWNS_ON_SEA, NO_PAWN, NO_SEAT, FireshipState, starting_state

MAX_TURNS_TO_SKIP: Final = 1
"""A seat skips its turn before the next Bermuda could hit it."""


def check(state: FireshipState) -> None:
    """Raise `InconsistentState` for the first fact that no match could reach.

    Lists must have their lengths, seats, kinds and squares their ranges, and counts must not be negative; everything
    else is checked here.
    """
    _check_rounds(state)
    _check_cards(state)
    _check_badges(state)
    _check_pawns(state)
    _check_islands(state)
    _check_seats(state)
    _check_ending(state)
    _check_dice(state)
    _check_answers(state)
    _check_stage(state)


def _check_cards(state: FireshipState) -> None:
    places = [state.deck, state.discards]
    places.extend([seat.hand for seat in state.seats])
    for card in range(components.CARD_KINDS):
        found = sum([packed.count_of(cards, card) for cards in places])
        require(
            found == components.CARD_COUNTS[card],
            "state.deck",
            f"{found} cards {components.CARDS[card]}, not {components.CARD_COUNTS[card]}",
        )
    require(packed.is_superset(components.FULL_DECK, state.deck_at_most), "state.deckAtMost", "more than there are")
    require(packed.is_superset(state.deck_at_most, state.deck), "state.deckAtMost", "less than the deck holds")
    _check_rebuilds(state)
    for number, seat in enumerate(state.seats):
        where = f"state.seats[{number}]"
        require(
            seat.hand & components.HAND_CARD_LANES == seat.hand,
            f"{where}.hand",
            "it holds a card that happens at once and is never held",
        )
        require(packed.is_superset(seat.deck_at_most, state.deck), f"{where}.deckAtMost", "less than the deck holds")
        require(
            packed.is_superset(state.deck_at_most, seat.deck_at_most),
            f"{where}.deckAtMost",
            "more than the public knows",
        )


def _check_rebuilds(state: FireshipState) -> None:
    """The deck is rebuilt only for a draw, and a turn draws at most one card."""
    may_have_drawn = state.stage == stages.OVER or (state.has_acted and state.stage != stages.SPINNING)
    most = state.turn if may_have_drawn else max(0, state.turn - 1)
    require(state.rebuilds <= most, "state.rebuilds", f"at most {most}, one a turn")


def _check_badges(state: FireshipState) -> None:
    for badge, there_are in enumerate(components.BADGE_STOCK):
        found = state.badge_stock[badge] + sum([seat.badges[badge] for seat in state.seats])
        require(found == there_are, "state.badgeStock", f"{found} badges of kind {badge + 1}, not {there_are}")


def _check_pawns(state: FireshipState) -> None:
    for square in range(SQUARES):
        if IS_SEA[square]:
            require(state.pawn_counts[square] <= MAX_PAWNS_ON_SEA, "state.pawns", "more than two on a square")
    for owner in range(components.WHITE):
        for kind, most in enumerate(components.PAWNS_PER_KIND):
            require(state.kind_counts[owner][kind] <= most, "state.pawns", "more of a kind than there are")
        require(state.seat_of_colour[owner] >= 0 or not state.pawns[owner], "state.pawns", "a colour that nobody plays")
        for pawn in state.pawns[owner]:
            _check_pawn(state, owner, pawn)
    ports = [pawn // CLASSES for pawn in state.pawns[components.WHITE]]
    boats = all(pawn % CLASSES == components.BOAT for pawn in state.pawns[components.WHITE])
    require(boats and set(ports) <= set(PORTS), "state.pawns", "white has boats in ports only")
    require(len(set(ports)) == len(ports), "state.pawns", "two white boats in a port")


def _check_pawn(state: FireshipState, owner: int, pawn: int) -> None:
    square = pawn // CLASSES
    require(IS_SEA[square] or square == BASES[owner], "state.pawns", "a pawn stands on the sea or in its base")
    if pawn % MARKS:
        require(
            state.seat_of_colour[owner] == state.active_seat,
            "state.pawns",
            "only the active seat has arrived or fast pawns",
        )
    if pawn & ARRIVED:
        require(SPECIAL[square] != PLAIN, "state.pawns", "arrived is for special squares")


def _check_islands(state: FireshipState) -> None:
    for island in range(ISLANDS):
        where = f"state.islands[{island}]"
        owner = state.owners[island]
        require(
            owner == components.WHITE or state.seat_of_colour[owner] >= 0,
            f"{where}.owner",
            "a colour that nobody plays",
        )
        rings = state.rings[island]
        require(0 <= rings <= components.RINGS, f"{where}.rings", f"0 to {components.RINGS}")
        may = state.options.fortification and owner != components.WHITE
        require(rings == 0 or may, f"{where}.rings", "this island cannot be fortified")


def _check_seats(state: FireshipState) -> None:
    for number, seat in enumerate(state.seats):
        where = f"state.seats[{number}]"
        require(0 <= seat.turns_to_skip <= MAX_TURNS_TO_SKIP, f"{where}.skips", f"0 to {MAX_TURNS_TO_SKIP}")
        require(0 <= seat.eliminated_in_turn <= state.turn, f"{where}.out", "a turn that has been")
        most = state.options.movement_dice * max(components.FACES)
        require(seat.first_throw <= most, f"{where}.firstThrow", f"at most {most}")
        if seat.eliminated_in_turn == 0:
            continue
        bare = (
            seat.hand == 0
            and sum(seat.badges) == 0
            and not seat.anti_skull
            and not seat.fog
            and seat.turns_to_skip == 0
        )
        require(bare, where, "a seat that is out has nothing")
        gone = not state.pawns[seat.colour] and seat.colour not in state.owners
        require(gone, where, "a seat that is out has neither pawn nor island")


def _check_rounds(state: FireshipState) -> None:
    require(1 <= state.round <= state.options.rounds, "state.round", f"1 to {state.options.rounds}")
    begun = state.first_seat != NO_SEAT
    turn = begun and state.stage != stages.OVER
    require(
        turn == (state.active_seat != NO_SEAT), "state.activeSeat", "one of the seats from the first turn to the end"
    )
    require(
        begun or state.stage in (stages.FIRST_THROW, stages.OVER),
        "state.activeSeat",
        "it is the turn of one of the seats",
    )
    require(not begun or state.stage != stages.FIRST_THROW, "state.stage", "the first seat is known")
    if begun:
        _check_turns(state)
    else:
        require(state.round == 1, "state.round", "1 before the first turn")
        require(state.turn == 0, "state.turn", "0 before the first turn")
        _check_start_position(state)


def _check_turns(state: FireshipState) -> None:
    """Turns go round, over the seats that are out, from that of the first seat on."""
    number = state.first_seat
    round_number = 1
    turn = 1
    while turn < state.turn and round_number <= state.round:
        number = (number + 1) % len(state.seats)
        if number == state.first_seat:
            round_number += 1
        out = state.seats[number].eliminated_in_turn
        if out == 0 or out > turn:
            turn += 1
    right = (
        turn == state.turn
        and round_number == state.round
        and (state.stage == stages.OVER or number == state.active_seat)
    )
    require(right, "state.turn", "it is not that of round and seat")


def _check_ending(state: FireshipState) -> None:
    staying = [not seat.eliminated_in_turn and not seat.has_left for seat in state.seats].count(True)
    leaders = [owner for owner in range(components.WHITE) if state.owners.count(owner) == ISLANDS]
    if state.stage != stages.OVER:
        require(state.reason == "", "state.reason", "the match is not over")
        require(staying > 1, "state.seats", "nobody is left to play against")
        require(not leaders, "state.islands", "all in one colour: the match is over")
        return
    facts = {
        "all_islands": bool(leaders),
        "round_limit": state.round == state.options.rounds and not state.time_is_up,
        "time_limit": state.time_is_up,
        "last_player": staying == 1,
        "nobody_left": staying == 0,
        "left": staying == 1 and any(seat.has_left for seat in state.seats),
    }
    require(facts.get(state.reason, False), "state.reason", "it is no reason for the end of this match")


def _check_dice(state: FireshipState) -> None:
    dice = state.options.movement_dice
    stage = state.stage
    thrown = len(state.dice)
    if stage == stages.OVER:
        quiet = not (state.has_acted or state.has_fortified or any(seat.passes_turn for seat in state.seats))
        require(thrown == 0 and quiet, "state.dice", "no turn is running")
    elif stage == stages.THROWING:
        require(thrown < dice, "state.dice", "all are thrown")
        require(state.pending_dice == dice - thrown, "state.due", f"{dice - thrown} are to be thrown")
    elif stage == stages.FIRST_THROW:
        require(thrown == 0, "state.dice", "it is nobody's turn")
        require(1 <= state.pending_dice <= dice, "state.due", f"1 to {dice}")
    else:
        whole = dice if stage not in (stages.CARDS_FIRST, stages.WINDOW) else 0
        may = (0, dice) if stage == stages.WINDOW else (whole,)
        require(thrown in may, "state.dice", "the throw is whole, or still to come")
    if stage not in (stages.THROWING, stages.FIRST_THROW):
        require(state.pending_dice == 0, "state.due", "nothing is due in this stage")
    require(0 <= state.points <= sum(state.dice), "state.points", "more than was thrown")
    if stage == stages.THROWING:
        require(state.points == sum(state.dice), "state.points", "what was thrown")
    if thrown < dice and stage != stages.OVER:
        require(not state.has_acted and not state.has_fortified, "state.acted", "the dice come first")


def _check_answers(state: FireshipState) -> None:
    """The open response window must fit: the seats that owe an answer, and the answers given."""
    stage = state.stage
    if stage == stages.WINDOW:
        declarations.check(state)
        _check_window(state)
        return
    require(state.seats_to_answer == 0, "state.asked", "no window is open")
    for number, seat in enumerate(state.seats):
        require(seat.answer == 0, f"state.seats[{number}].answer", "no window is open")
    if stage in (
        stages.BATTLE,
        stages.BATTLESHIP_THROW,
        stages.SKULL_ANSWER,
        stages.SPINNING,
        stages.DRAWING,
        stages.LOSING,
    ):
        declarations.check(state)
    else:
        require(not state.stack, "state.declared", "nothing is going on in this stage")
        require(state.defence_bonus == 0, "state.defenceBonus", "no attack is going on")


def _check_window(state: FireshipState) -> None:
    require(state.seats_to_answer > 0, "state.asked", "some seat owes an answer in a window")
    asked = windows.seats_that_may_answer(state)
    answered = 0
    for number, seat in enumerate(state.seats):
        if seat.answer == 0:
            continue
        where = f"state.seats[{number}].answer"
        require(state.seats_to_answer >> number & 1 == 0, where, "it owes an answer")
        require(seat.answer in windows.legal_answers(state, number), where, "it cannot answer so")
        if not seat.has_left:
            answered |= 1 << number
    require(state.seats_to_answer | answered == asked, "state.asked", "not the seats that may answer in this window")


def _check_stage(state: FireshipState) -> None:
    stage = state.stage
    if stage == stages.FIRST_THROW:
        _check_first_throw(state)
    if stage in (stages.OVER, stages.FIRST_THROW):
        require(state.chosen_pawn == NO_PAWN, "state.chosen", "no pawn sails")
        return
    seat = state.seats[state.active_seat]
    require(seat.eliminated_in_turn == 0, "state.activeSeat", "that seat is out of the match")
    require(seat.turns_to_skip == 0 or state.has_acted, "state.activeSeat", "that seat skips its turn")
    if stage == stages.SAILING:
        require(not state.has_acted, "state.acted", "nobody sails after an action")
        require(state.chosen_pawn in state.pawns[seat.colour], "state.chosen", "the active seat has no such pawn")
        require(bool(legal.destinations(state)), "state.chosen", "that pawn has nowhere to go")
    else:
        require(state.chosen_pawn == NO_PAWN, "state.chosen", "no pawn sails")


def _check_first_throw(state: FireshipState) -> None:
    seat_count = len(state.seats)
    contest = state.contest
    require(
        0 < contest < 1 << seat_count and contest & contest - 1 > 0, "state.contest", "two seats of the match or more"
    )
    require(0 <= state.thrower < seat_count, "state.thrower", "a seat of the match")
    require(contest >> state.thrower & 1 == 1, "state.thrower", "that seat does not throw")
    for number, seat in enumerate(state.seats):
        dice = state.options.movement_dice
        if contest >> number & 1 and number >= state.thrower:
            dice = dice - state.pending_dice if number == state.thrower else 0
        throws = range(dice * max(components.FACES) + 1)
        require(seat.first_throw in throws, f"state.seats[{number}].firstThrow", f"{dice} dice have been thrown")


def _check_start_position(state: FireshipState) -> None:
    """Before the first turn, everything must be as it was set up."""
    start = starting_state(len(state.seats), state.options)
    require(state.pawns == start.pawns, "state.pawns", "nothing has moved yet")
    require(state.owners == start.owners, "state.islands", "nobody has taken one yet")
    require(state.discards == 0, "state.discards", "no card has been drawn yet")
    for number, (seat, fresh) in enumerate(zip(state.seats, start.seats, strict=True)):
        where = f"state.seats[{number}]"
        require(seat.hand == 0, f"{where}.hand", "no card has been drawn yet")
        require(seat.badges == fresh.badges, f"{where}.badges", "no badge has been won yet")
        require(seat.anti_skull, f"{where}.antiSkull", "nobody has used it yet")
        require(seat.turns_to_skip == 0, f"{where}.skips", "nobody has a turn to skip yet")
        require(not seat.fog and not seat.passes_turn, where, "no turn has begun yet")
