"""Mutations of the rules that the tests must catch: a wrong bound, a swapped comparison, a forgotten payment."""

from __future__ import annotations

from typing import NamedTuple


class Edit(NamedTuple):
    """A text that occurs once in the rules of a game, and its replacement."""

    game: str
    old: str
    new: str


EDITS: list[Edit] = [
    Edit("fire_bulls", "free += PILES", "free += 2 * PILES"),
    Edit("fire_bulls", "state.squares[pile + 2 * PILES] == EMPTY", "state.squares[pile + PILES] == EMPTY"),
    Edit("fire_bulls", "state.deck != 0 or state.discards != 0", "state.deck != 0"),
    Edit("fire_bulls", "state.piles.count(0) >= EMPTY", "state.piles.count(0) > EMPTY"),
    Edit("fire_bulls", "0 if state.drew_or_captured else state.quiet_turns + 1", "state.quiet_turns + 1"),
    Edit("fire_bulls", "(-VALUES[card], has_colour", "(VALUES[card], has_colour"),
    Edit("fire_bulls", "(not seat.has_left, sum([line", "(seat.has_left, sum([line"),
    Edit("fire_bulls", "seat.place = mover.place", "pass"),
    Edit("fire_bulls", "    winner.hand -= payment\n", ""),
    Edit("fire_bulls", "elif state.captures < state.capture_limit", "elif state.captures <= state.capture_limit"),
    Edit(
        "fire_bulls",
        "(state.active_seat + seat_count - state.pending_draws) % seat_count",
        "(state.active_seat + state.pending_draws) % seat_count",
    ),
    Edit("fire_bulls", "max(1, place - 1)", "max(1, place - 2)"),
    Edit("spring_festival", "(move.offset + arm) %", "(move.offset - arm) %"),
    Edit("spring_festival", "seat.applause += components.SPARK * display.complete_sparks(slot)", "seat.applause += 1"),
    Edit("spring_festival", "(state.composing_seat + 1) %", "(state.composing_seat - 1) %"),
    Edit("spring_festival", "if state.round < components.ROUNDS:", "if state.round <= components.ROUNDS:"),
    Edit("spring_festival", "seat.display.exploded &= ~compositions", "seat.display.exploded |= compositions"),
    Edit("spring_festival", "if number > most:", "if number >= most:"),
    Edit("spring_festival", "other.applause < seat.applause", "other.applause <= seat.applause"),
    Edit("spring_festival", "if seat.has_launched else 0", "if seat.has_launched else 1"),
    Edit(
        "spring_festival",
        "len(_neighbours(display, slot, SIDES)) < len(SIDES)",
        "len(_neighbours(display, slot, SIDES)) <= len(SIDES)",
    ),
    Edit("spring_festival", "len(set(numbers)) == 4", "len(set(numbers)) >= 3"),
    Edit("spring_festival", "largest = max(largest, len(group))", "largest += len(group)"),
    Edit(
        "fireship",
        "(state, attack, owner) > declared_defence_power",
        "(state, attack, owner) >= declared_defence_power",
    ),
    Edit(
        "fireship",
        "remove_pawns(state, attack.owner, NEARBY_SQUARES[attack.square])",
        "remove_pawns(state, attack.owner, [attack.square])",
    ),
    Edit("fireship", "    state.rings[island] = 0\n", ""),
    Edit("fireship", "        state.badge_stock[badge] += 1\n", ""),
    Edit(
        "fireship",
        "effect == components.LOSE_BOAT else 2  # FS-70",
        "effect == components.LOSE_BOAT else 1  # FS-70",
    ),
    Edit("fireship", "if state.owners.count(owner) == ISLANDS:", "if state.owners.count(owner) == ISLANDS - 1:"),
    Edit("fireship", "seat.turns_to_skip += 1", "seat.turns_to_skip += 2"),
    Edit("fireship", "seat.eliminated_in_turn if seat.eliminated_in_turn else _STILL_IN", "_STILL_IN"),
    Edit("fireship", "ISLAND_POWERS[state.rings[island]] for island", "ISLAND_POWERS[0] for island"),
    Edit("fireship", "(number + 1) % seat_count", "(number - 1) % seat_count"),
    Edit("fireship", "state.round >= state.options.rounds", "state.round > state.options.rounds"),
]
