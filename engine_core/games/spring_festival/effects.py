"""The effects of the moves of Spring Festival on the state: setup, rounds, compositions and the finale."""

from __future__ import annotations

from engine_core.games.spring_festival import components, compositions, moves, stages
from engine_core.games.spring_festival.compositions import COMPOSITIONS, PATTERN, Complete, can_complete
from engine_core.games.spring_festival.display import NO_SLOT, insertion_index, slot_count
from engine_core.games.spring_festival.squares import NO_SQUARE
from engine_core.games.spring_festival.state import NO_SEAT, SIGN_RANDOM, SpringFestivalSeat, SpringFestivalState

# Seats that owe a choice


def find_seats_to_move(state: SpringFestivalState) -> int:
    """The bit mask of the seats that owe a choice; it follows from the rest of the state.

    Seats that have left are in it only once no other owes a choice (FW-70).
    """
    stage = state.stage
    if stage == stages.ORIENTING:
        return 1 << state.active_seat
    if stage == stages.COMPOSING:
        return 1 << state.composing_seat
    mask = 0
    absent = 0
    if stage in (stages.LAYING, stages.PLACING, stages.FINALE):
        for number, seat in enumerate(state.seats):
            if not _owes_choice(seat, stage):
                continue
            if seat.has_left:
                absent |= 1 << number
            else:
                mask |= 1 << number
    return mask or absent


def _owes_choice(seat: SpringFestivalSeat, stage: int) -> bool:
    if stage == stages.LAYING:
        return len(seat.display.tiles) < components.SET_SIZE
    if stage == stages.PLACING:
        return seat.placement == NO_SQUARE
    return not seat.has_launched


def seats_staying(state: SpringFestivalState) -> int:
    """How many seats have not left."""
    number = 0
    for seat in state.seats:
        if not seat.has_left:
            number += 1
    return number


# Setup


def pile_to_stock(state: SpringFestivalState) -> int:
    """The pile whose top nature turns up next, in turn from 0 to 3 (FW-14, FW-19)."""
    return (components.STORE_TILES - len(state.undrawn)) % components.PILES


def pile_size(state: SpringFestivalState, pile: int) -> int:
    """Number of tiles in a pile, its top included. It follows from the total, since piles are drawn from in turn."""
    hidden = (len(state.undrawn) + pile) // components.PILES
    return hidden + (state.top_tiles[pile] != components.NO_TILE)


def without_item(pool: list[int], item: int) -> list[int]:
    """A copy of an ascending list without one item. Not in place, since copies of the state may share the list."""
    others = pool[:]
    others.pop(insertion_index(others, item))
    return others


def reveal_tile(state: SpringFestivalState, move: moves.RevealTile) -> None:
    """Nature turns up the top of a pile."""
    state.undrawn = without_item(state.undrawn, move.tile)
    state.top_tiles[move.pile] = move.tile
    if move.pile == components.PILES - 1:
        state.stage = stages.PLACING if state.round else stages.SETUP_PATTERN


def seat_to_deal(state: SpringFestivalState) -> int:
    """The seat that the next composition card goes to."""
    if state.stage in (stages.PATTERN_DEAL, stages.COLOUR_DEAL):
        return state.composing_seat
    kind = PATTERN if state.stage == stages.SETUP_PATTERN else compositions.COLOUR
    dealt = compositions.pile_size(state.options.extra_compositions) - len(state.pile(kind))
    return dealt // components.CARDS_OF_A_KIND


def deal_card(state: SpringFestivalState, move: moves.Deal) -> None:
    """Nature deals a composition card."""
    card = move.card
    if COMPOSITIONS[card].kind == PATTERN:
        state.undrawn_patterns = without_item(state.undrawn_patterns, card)
    else:
        state.undrawn_colours = without_item(state.undrawn_colours, card)
    cards = state.seats[move.seat].cards
    cards.append(card)
    cards.sort()
    if state.stage in (stages.PATTERN_DEAL, stages.COLOUR_DEAL):
        continue_composing(state)  # FW-44
    elif seat_to_deal(state) == len(state.seats):
        _finish_dealing(state)


def _finish_dealing(state: SpringFestivalState) -> None:
    if state.stage == stages.SETUP_PATTERN:
        state.stage = stages.SETUP_COLOUR
    elif state.options.sign == SIGN_RANDOM:
        state.stage = stages.SETUP_SIGN
    else:
        _continue_with_first_seat(state)


def set_sign(state: SpringFestivalState, move: moves.DrawSign) -> None:
    """Nature draws the sign."""
    state.sign = move.sign
    _continue_with_first_seat(state)


def _continue_with_first_seat(state: SpringFestivalState) -> None:
    if state.active_seat == NO_SEAT:
        state.stage = stages.SETUP_FIRST
    else:
        state.stage = stages.LAYING


def set_first_seat(state: SpringFestivalState, move: moves.DrawFirstSeat) -> None:
    """Nature draws the seat that is active first."""
    state.active_seat = move.seat
    state.stage = stages.LAYING


def unlaid_start_tiles(state: SpringFestivalState, number: int) -> list[int]:
    """The start tiles that a seat has still to lay."""
    laid = state.seats[number].display.tiles
    return [tile for tile in components.start_set(number) if tile not in laid]


def lay_start_tile(state: SpringFestivalState, number: int, move: moves.LayStartTile) -> None:
    """A seat lays a start tile; once all have laid theirs, the first round begins (FW-11)."""
    state.seats[number].display.put_tile(move.tile, move.square)
    if find_seats_to_move(state) == 0:
        begin_round(state)


# A round


def begin_round(state: SpringFestivalState) -> None:
    """Begin the next round: the active seat is to turn the store."""
    state.round += 1
    state.stage = stages.ORIENTING


def turn_store(state: SpringFestivalState, number: int, move: moves.RotateStore) -> None:
    """Turn the store: every seat takes its tile, and tiles that nobody takes are discarded (FW-15 to FW-19)."""
    state.offset = move.offset
    tops = state.top_tiles
    for seat, arm in enumerate(components.ARMS[len(state.seats)]):
        pile = (move.offset + arm) % components.PILES
        state.seats[seat].tile = tops[pile]
        tops[pile] = components.NO_TILE
    for pile in range(components.PILES):
        if tops[pile] != components.NO_TILE:
            state.discards.append(tops[pile])
            tops[pile] = components.NO_TILE
    state.stage = stages.STOCKING if state.undrawn else stages.PLACING


def commit_placement(state: SpringFestivalState, number: int, move: moves.PlaceTile) -> None:
    """Commit the placement of a seat; the last one resolves all placements (FW-30)."""
    state.seats[number].placement = move.square
    if find_seats_to_move(state) != 0:
        return
    for seat in state.seats:
        _resolve_placement(state, seat)
    state.composing_seat = state.active_seat
    continue_composing(state)


def _resolve_placement(state: SpringFestivalState, seat: SpringFestivalSeat) -> None:
    """Resolve a placement: place the tile, count applause, flip it, follow the chain (FW-28)."""
    display = seat.display
    slot = display.slot_at(seat.placement)
    if slot == NO_SLOT:
        slot = display.put_tile(seat.tile, seat.placement)
    else:
        state.replaced.append(display.replace_tile(slot, seat.tile))
    seat.applause += components.SPARK * display.complete_sparks(slot)
    display.exploded = display.explosion_chain(slot)
    seat.tile = components.NO_TILE
    seat.placement = NO_SQUARE


# Compositions


def continue_composing(state: SpringFestivalState) -> None:
    """Pass to the first seat, from the composer on, that can complete a card; end the round if none can (FW-39)."""
    while state.composing_seat != NO_SEAT:
        seat = state.seats[state.composing_seat]
        if can_complete(seat.display, seat.cards):
            state.stage = stages.COMPOSING
            return
        pass_to_next_composer(state)
    _end_round(state)


def pass_to_next_composer(state: SpringFestivalState) -> None:
    """Pass the turn to complete compositions clockwise; `NO_SEAT` once all have had it."""
    state.composing_seat = (state.composing_seat + 1) % len(state.seats)
    if state.composing_seat == state.active_seat:
        state.composing_seat = NO_SEAT


def complete_composition(state: SpringFestivalState, number: int, move: Complete) -> None:
    """Complete a composition: its tiles become rockets, and a card of the same kind is drawn (FW-42, FW-45)."""
    seat = state.seats[number]
    seat.display.exploded &= ~compositions.covered(seat.display, move)
    seat.cards.remove(move.card)
    seat.completed.append(move.card)
    kind = COMPOSITIONS[move.card].kind
    if state.pile(kind):
        state.stage = stages.PATTERN_DEAL if kind == PATTERN else stages.COLOUR_DEAL
    else:
        continue_composing(state)  # FW-31


def pass_turn(state: SpringFestivalState, number: int, move: moves.Pass) -> None:
    """The composer passes: it completes no more cards in this round."""
    pass_to_next_composer(state)
    continue_composing(state)


def _end_round(state: SpringFestivalState) -> None:
    state.active_seat = (state.active_seat + 1) % len(state.seats)
    if state.round < components.ROUNDS:
        begin_round(state)
    else:
        _begin_finale(state)


# Finale


def _begin_finale(state: SpringFestivalState) -> None:
    """Begin the finale: all tiles show their rockets (FW-51)."""
    state.stage = stages.FINALE
    for seat in state.seats:
        seat.display.exploded = 0


def best_launch(seat: SpringFestivalSeat) -> int:
    """The square whose rocket sets off the longest chain; the first in reading order among equals (FW-71)."""
    display = seat.display
    best = NO_SQUARE
    most = 0
    for square in display.reachable:
        slot = display.slot_at(square)
        if slot != NO_SLOT:
            number = slot_count(display.explosion_chain(slot))
            if number > most:
                most = number
                best = square
    return best


def launch_finale(state: SpringFestivalState, number: int, move: moves.Launch) -> None:
    """Launch the finale of a seat; once all have, the match is over."""
    seat = state.seats[number]
    display = seat.display
    display.exploded = display.explosion_chain(display.slot_at(move.square))
    seat.has_launched = True
    if slot_count(display.exploded) == len(display.tiles):
        seat.applause += components.PERFECT_FINALE  # FW-53
    if find_seats_to_move(state) == 0:
        _end_match(state, "finale")


def leave(state: SpringFestivalState, number: int) -> None:
    """A player leaves; if one seat stays, it wins (FW-70)."""
    state.seats[number].has_left = True
    if seats_staying(state) <= 1:
        _end_match(state, "left")


def _end_match(state: SpringFestivalState, reason: str) -> None:
    """End the match, and clear all fields of the current round except the tiles that were taken."""
    state.stage = stages.OVER
    state.reason = reason
    state.active_seat = NO_SEAT
    state.composing_seat = NO_SEAT
    for seat in state.seats:
        seat.placement = NO_SQUARE
