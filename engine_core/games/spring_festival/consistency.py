"""Consistency checks of a Spring Festival state given by a client, made before a match continues from it."""

from __future__ import annotations

from typing import Final

from engine_core.consistency import require
from engine_core.errors import InconsistentState
from engine_core.games.spring_festival import components, stages
from engine_core.games.spring_festival.compositions import COLOUR, COMPOSITIONS, PATTERN, can_complete, pile
from engine_core.games.spring_festival.display import slot_count
from engine_core.games.spring_festival.effects import find_seats_to_move, seats_staying
from engine_core.games.spring_festival.squares import NO_SQUARE
from engine_core.games.spring_festival.state import (
    NO_SEAT,
    NO_SIGN,
    SIGN_NONE,
    SIGN_RANDOM,
    SpringFestivalSeat,
    SpringFestivalState,
)


def check_seats(state: SpringFestivalState) -> None:
    """Raise `InconsistentState` if the stage needs a seat to move and none is."""
    stage = state.stage
    if stage > stages.SETUP_FIRST:
        require(
            (state.active_seat == NO_SEAT) == (stage == stages.OVER),
            "state.activeSeat",
            "one of the seats until the end",
        )
    composing = stage in (stages.COMPOSING, stages.PATTERN_DEAL, stages.COLOUR_DEAL)
    require(composing == (state.composing_seat != NO_SEAT), "state.composingSeat", "it does not fit the stage")


def check(state: SpringFestivalState) -> None:
    """Raise `InconsistentState` for the first fact that no match could reach.

    Displays must be connected and numbers within their ranges, and the seats to move known; everything else is
    checked here.
    """
    _check_leaving(state)
    _check_ending(state)
    if state.reason == "left":
        _check_broken_off(state)
        return
    for check_part in PARTS:
        check_part(state)
    _check_choice(state)


def _check_broken_off(state: SpringFestivalState) -> None:
    """Check a match that ended because only one player was left.

    This may happen in any stage and leaves the rest of the state as it was, so the state must fit one of the stages.
    The error is that of the stage that passes most checks.
    """
    most = -1
    fault = InconsistentState("state.stage", "it fits no stage of a match")
    for stage in range(stages.SETUP_STORE, stages.OVER):
        dealing = stage in (
            stages.PATTERN_DEAL,
            stages.COLOUR_DEAL,
        )  # the seat that was dealt to is not in the state any more
        for composer in range(len(state.seats)) if dealing else [NO_SEAT]:
            state.stage = stage
            state.composing_seat = composer
            passed = 0
            try:
                for check_part in PARTS:
                    check_part(state)
                    passed += 1
                return
            except InconsistentState as error:
                if passed > most:
                    most = passed
                    fault = error
            finally:
                state.stage = stages.OVER
                state.composing_seat = NO_SEAT
    raise fault


def _turned_store_tiles(state: SpringFestivalState) -> int:
    """How often the store has been turned."""
    return state.round - 1 if state.stage == stages.ORIENTING else state.round


def _resolved_rounds(state: SpringFestivalState) -> int:
    """How many tiles each seat has placed."""
    return state.round - 1 if state.stage in (stages.ORIENTING, stages.STOCKING, stages.PLACING) else state.round


def _check_leaving(state: SpringFestivalState) -> None:
    staying = seats_staying(state)
    require(staying > 0, "state.seats", "all have left")
    require(staying > 1 or state.stage == stages.OVER, "state.stage", "all but one have left")


def _check_ending(state: SpringFestivalState) -> None:
    expected = ""
    if state.stage == stages.OVER:
        expected = "left" if seats_staying(state) == 1 else "finale"
    require(state.reason == expected, "state.reason", f"it is {expected!r} in this position")


def _check_round(state: SpringFestivalState) -> None:
    stage = state.stage
    if stage <= stages.LAYING:
        require(state.round == 0, "state.round", "0 in the setup")
    elif stage in (stages.FINALE, stages.OVER):
        require(state.round == components.ROUNDS, "state.round", f"{components.ROUNDS} at the end")
    else:
        require(1 <= state.round <= components.ROUNDS, "state.round", f"1 to {components.ROUNDS} in this stage")
    if stage == stages.STOCKING:
        require(state.round < components.ROUNDS, "state.stage", "the store is not stocked in the last round")


def _check_options(state: SpringFestivalState) -> None:
    _check_sign(state)
    _check_active(state)
    if _turned_store_tiles(state) == 0:
        require(state.offset == 0, "state.offset", "0 before the store is turned")


def _check_sign(state: SpringFestivalState) -> None:
    chosen = state.options.sign
    if chosen == SIGN_RANDOM:
        drawn = state.sign != NO_SIGN
        require(drawn == (state.stage > stages.SETUP_SIGN), "state.sign", "it does not fit the stage")
    else:
        sign = NO_SIGN if chosen == SIGN_NONE else components.SIGNS.index(chosen)
        require(state.sign == sign, "state.sign", "the options name another")
        require(state.stage != stages.SETUP_SIGN, "state.stage", "the options name the sign")


def _check_active(state: SpringFestivalState) -> None:
    if state.reason:
        return  # it is nobody's turn any more
    first = state.options.first_seat
    stage = state.stage
    if stage <= stages.SETUP_FIRST:
        require(state.active_seat == first, "state.activeSeat", "nobody is active before it is drawn or named")
        require(stage != stages.SETUP_FIRST or first == NO_SEAT, "state.stage", "the options name the first seat")
        return
    require(state.active_seat != NO_SEAT, "state.activeSeat", "one of the seats is active")
    if first != NO_SEAT:
        rounds = state.round if stage == stages.FINALE else max(0, state.round - 1)
        require(state.active_seat == (first + rounds) % len(state.seats), "state.activeSeat", "it is another's turn")


def _check_ascending(numbers: list[int], field: str) -> None:
    require(numbers == sorted(numbers), field, "they must ascend")


def _check_tiles(state: SpringFestivalState) -> None:
    """Every tile must be in one place; start tiles not laid yet, and those of absent seats, in none."""
    _check_ascending(state.undrawn, "state.undrawn")
    found = [0] * (len(components.TILES) + 1)  # NO_TILE counts at the end
    for tile in state.undrawn + state.top_tiles + state.discards:
        require(
            tile == components.NO_TILE or tile >= components.FIRST_STORE_TILE,
            "state.undrawn",
            "start tiles are not of the store",
        )
        found[tile] += 1
    for tile in state.replaced:
        found[tile] += 1
    for number, seat in enumerate(state.seats):
        require(
            seat.tile == components.NO_TILE or seat.tile >= components.FIRST_STORE_TILE,
            f"state.seats[{number}].tile",
            "a start tile",
        )
        found[seat.tile] += 1
        _check_tiles_laid(state, number, found)
    for tile in range(components.FIRST_STORE_TILE, len(components.TILES)):
        name = components.TILES[tile].name
        require(found[tile] == 1, "state.undrawn", f"{name} is in {found[tile]} places")
    for tile in range(components.FIRST_STORE_TILE):
        most = 1 if tile < components.SET_SIZE * len(state.seats) else 0
        least = most if state.round else 0
        require(
            least <= found[tile] <= most, "state.replaced", f"{components.TILES[tile].name} is in {found[tile]} places"
        )


def _check_tiles_laid(state: SpringFestivalState, number: int, found: list[int]) -> None:
    for tile in state.seats[number].display.tiles:
        own = tile in components.start_set(number) or (state.round > 0 and tile >= components.FIRST_STORE_TILE)
        require(own, f"state.seats[{number}].display", f"{components.TILES[tile].name} cannot lie there")
        found[tile] += 1


def _check_cards(state: SpringFestivalState) -> None:
    """Every composition card of the match must be in one place."""
    extra = state.options.extra_compositions
    _check_ascending(state.undrawn_patterns, "state.undrawnPatterns")
    _check_ascending(state.undrawn_colours, "state.undrawnColours")
    found = [0] * len(COMPOSITIONS)
    for card in state.undrawn_patterns + state.undrawn_colours:
        found[card] += 1
    for number, seat in enumerate(state.seats):
        _check_ascending(seat.cards, f"state.seats[{number}].cards")
        for card in seat.cards + seat.completed:
            found[card] += 1
    used = pile(COLOUR, extra) + pile(PATTERN, extra)
    for card in range(len(COMPOSITIONS)):
        name = COMPOSITIONS[card].name
        require(found[card] == (card in used), "state.undrawnColours", f"{name} is in {found[card]} places")
    for card in state.undrawn_patterns:
        require(COMPOSITIONS[card].kind == PATTERN, "state.undrawnPatterns", "a colour card")
    for card in state.undrawn_colours:
        require(COMPOSITIONS[card].kind == COLOUR, "state.undrawnColours", "a pattern card")


def _check_store(state: SpringFestivalState) -> None:
    turned = _turned_store_tiles(state)
    stocked = [top != components.NO_TILE for top in state.top_tiles].count(True)
    if state.stage in (stages.SETUP_STORE, stages.STOCKING):
        require(stocked < components.PILES, "state.stage", "the store is stocked")
    else:
        require(
            stocked == (components.PILES if turned < components.ROUNDS else 0), "state.tops", f"{stocked} in this stage"
        )
    require(components.NO_TILE not in state.top_tiles[:stocked], "state.tops", "the piles are turned up from 0 on")
    undrawn = components.STORE_TILES - components.PILES * turned - stocked
    require(len(state.undrawn) == undrawn, "state.undrawn", f"{undrawn} in this round and stage")
    discards = (components.PILES - len(state.seats)) * turned
    require(len(state.discards) == discards, "state.discards", f"{discards} in this round and stage")


def _check_displays(state: SpringFestivalState) -> None:
    resolved = _resolved_rounds(state)
    if state.round == 0:
        require(not state.replaced, "state.replaced", "nothing is replaced in the setup")
        return
    placed = len(state.seats) * (components.SET_SIZE + resolved)
    laid = sum([len(seat.display.tiles) for seat in state.seats])
    require(laid + len(state.replaced) == placed, "state.replaced", f"{placed} tiles have been laid and placed")


def _check_piles_of_cards(state: SpringFestivalState) -> None:
    for kind in (PATTERN, COLOUR):
        held = [_cards_of_kind(seat, kind) for seat in state.seats]
        undrawn = state.pile(kind)
        setup = stages.SETUP_PATTERN if kind == PATTERN else stages.SETUP_COLOUR
        if state.stage <= setup:
            dealt = sum(held)
            expected = [
                min(components.CARDS_OF_A_KIND, max(0, dealt - components.CARDS_OF_A_KIND * seat))
                for seat in range(len(held))
            ]
            require(held == expected, "state.seats", "cards are dealt seat by seat")
            full = dealt == components.CARDS_OF_A_KIND * len(held)
            require(dealt == 0 if state.stage < setup else not full, "state.stage", "it does not fit the cards")
            continue
        missing = state.stage == (stages.PATTERN_DEAL if kind == PATTERN else stages.COLOUR_DEAL)
        require(bool(undrawn) or not missing, "state.stage", "nature has no card to deal")
        for number, cards in enumerate(held):
            most = components.CARDS_OF_A_KIND - (missing and number == state.composing_seat)
            enough = cards == most if undrawn else cards <= most
            require(enough, f"state.seats[{number}].cards", f"{cards} of a kind")


def _cards_of_kind(seat: SpringFestivalSeat, kind: int) -> int:
    return sum([COMPOSITIONS[card].kind == kind for card in seat.cards])


def _check_each_seat(state: SpringFestivalState) -> None:
    for number, seat in enumerate(state.seats):
        _check_seat(state, seat, f"state.seats[{number}]")


def _check_seat(state: SpringFestivalState, seat: SpringFestivalSeat, where: str) -> None:
    resolved = _resolved_rounds(state)
    laid = len(seat.display.tiles)
    if state.round:
        require(
            components.SET_SIZE <= laid <= components.SET_SIZE + resolved,
            f"{where}.display",
            f"{laid} tiles in this round",
        )
    else:
        most = components.SET_SIZE if state.stage == stages.LAYING else 0
        require(laid <= most, f"{where}.display", f"at most {most} tiles in this stage")
    require(resolved > 0 or not seat.completed, f"{where}.completed", "nothing is completed yet")
    require(resolved > 0 or seat.display.exploded == 0, f"{where}.display", "nothing has exploded yet")
    taken = state.stage in (stages.STOCKING, stages.PLACING)
    require((seat.tile != components.NO_TILE) == taken, f"{where}.tile", "it does not fit the stage")
    if seat.placement != NO_SQUARE:
        require(state.stage == stages.PLACING, f"{where}.placement", "nothing is placed in this stage")
        require(seat.placement in seat.display.reachable, f"{where}.placement", "no tile can be placed there")
    _check_finale(state, seat, where, resolved)


def _check_finale(state: SpringFestivalState, seat: SpringFestivalSeat, where: str, resolved: int) -> None:
    display = seat.display
    perfect = 0
    if state.stage in (stages.FINALE, stages.OVER):
        require(seat.has_launched or state.stage == stages.FINALE, f"{where}.launched", "the match is over")
        require(seat.has_launched or display.exploded == 0, f"{where}.display", "all are rockets before the launch")
        if seat.has_launched:
            _check_launched(seat, where)
            perfect = components.PERFECT_FINALE if slot_count(display.exploded) == len(display.tiles) else 0
    else:
        require(not seat.has_launched, f"{where}.launched", "it is not time for the finale")
    most = 3 * components.SPARK * resolved + perfect
    require(perfect <= seat.applause <= most, f"{where}.applause", "not so much in this round")


def _check_launched(seat: SpringFestivalSeat, where: str) -> None:
    exploded = seat.display.exploded
    seat.display.exploded = 0
    chains = [seat.display.explosion_chain(slot) for slot in range(len(seat.display.tiles))]
    seat.display.exploded = exploded
    require(exploded in chains, f"{where}.display", "no rocket sets off just these")


def _check_choice(state: SpringFestivalState) -> None:
    """A seat that is to move must have a legal move."""
    stage = state.stage
    if stage in (stages.LAYING, stages.PLACING, stages.FINALE):
        require(find_seats_to_move(state) != 0, "state.stage", "nobody owes a choice")
    elif stage == stages.COMPOSING:
        seat = state.seats[state.composing_seat]
        require(can_complete(seat.display, seat.cards), "state.composingSeat", "that seat can complete nothing")
    elif stage in (stages.PATTERN_DEAL, stages.COLOUR_DEAL):
        kind = PATTERN if stage == stages.PATTERN_DEAL else COLOUR
        completed = state.seats[state.composing_seat].completed
        right = bool(completed) and COMPOSITIONS[completed[-1]].kind == kind
        require(right, "state.composingSeat", "that seat has not just completed a card of this kind")


PARTS: Final = [
    _check_round,
    _check_options,
    _check_tiles,
    _check_cards,
    _check_store,
    _check_displays,
    _check_piles_of_cards,
    _check_each_seat,
]
"""The checks that do not depend on the seat to move, in their order."""
