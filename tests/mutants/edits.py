"""Small faults of the rules that the tests must catch: a wrong bound, a swapped comparison, a forgotten payment."""

from __future__ import annotations

from typing import NamedTuple


class Edit(NamedTuple):
    """One text of a file of a game that is replaced by another. The text is there once."""

    game: str
    file: str
    old: str
    new: str


EDITS: list[Edit] = [
    Edit("fire_bulls", "columns.py", "free += PILES", "free += 2 * PILES"),
    Edit(
        "fire_bulls", "columns.py", "state.squares[pile + 2 * PILES] == EMPTY", "state.squares[pile + PILES] == EMPTY"
    ),
    Edit("fire_bulls", "deck.py", "state.deck != 0 or state.discards != 0", "state.deck != 0"),
    Edit("fire_bulls", "ending.py", "state.piles.count(0) >= EMPTY", "state.piles.count(0) > EMPTY"),
    Edit("fire_bulls", "ending.py", "0 if state.lively else state.quiet_turns + 1", "state.quiet_turns + 1"),
    Edit("fire_bulls", "score.py", "(-VALUES[card], has_colour", "(VALUES[card], has_colour"),
    Edit("fire_bulls", "score.py", "(not seat.left, sum([line", "(seat.left, sum([line"),
    Edit("fire_bulls", "flow.py", "seat.place = mover.place", "pass"),
    Edit("fire_bulls", "flow.py", "    winner.hand -= payment\n", ""),
    Edit("fire_bulls", "flow.py", "state.captures < state.capture_limit", "state.captures <= state.capture_limit"),
    Edit("fire_bulls", "flow.py", "(state.active + seats - state.due) % seats", "(state.active + state.due) % seats"),
    Edit("fire_bulls", "rules.py", "max(1, seat.place - 1)", "max(1, seat.place - 2)"),
    Edit("spring_festival", "flow.py", "(move.offset + arm) %", "(move.offset - arm) %"),
    Edit("spring_festival", "flow.py", "seat.applause += display.sparks(slot)", "seat.applause += 1"),
    Edit("spring_festival", "flow.py", "(state.composer + 1) %", "(state.composer - 1) %"),
    Edit("spring_festival", "flow.py", "state.round < components.ROUNDS", "state.round <= components.ROUNDS"),
    Edit(
        "spring_festival", "flow.py", "seat.display.exploded &= ~compositions", "seat.display.exploded |= compositions"
    ),
    Edit("spring_festival", "flow.py", "if number > most:", "if number >= most:"),
    Edit("spring_festival", "score.py", "other.applause < seat.applause", "other.applause <= seat.applause"),
    Edit("spring_festival", "score.py", "if seat.launched else 0", "if seat.launched else 1"),
    Edit("spring_festival", "signs.py", "_sides_taken(display, slot) < 4", "_sides_taken(display, slot) <= 4"),
    Edit("spring_festival", "signs.py", "len(set(numbers)) == 4", "len(set(numbers)) >= 3"),
    Edit("spring_festival", "signs.py", "largest = max(largest, len(group))", "largest += len(group)"),
    Edit(
        "fireship",
        "battle.py",
        "attack_of(state, attack, owner) > defence_of",
        "attack_of(state, attack, owner) >= defence_of",
    ),
    Edit(
        "fireship",
        "battle.py",
        "sink(state, attack.owner, NEAR[attack.square])",
        "sink(state, attack.owner, [attack.square])",
    ),
    Edit("fireship", "battle.py", "    state.rings[island] = 0\n", ""),
    Edit("fireship", "flow.py", "        state.badge_stock[badge] += 1\n", ""),
    Edit(
        "fireship",
        "flow.py",
        "effect == components.LOSE_BOAT else 2  # FS-70",
        "effect == components.LOSE_BOAT else 1  # FS-70",
    ),
    Edit("fireship", "flow.py", "state.owners.count(owner) == ISLANDS", "state.owners.count(owner) == ISLANDS - 1"),
    Edit("fireship", "flow.py", "seat.skips += 1", "seat.skips += 2"),
    Edit("fireship", "score.py", "seat.out if seat.out else _STILL_IN", "_STILL_IN"),
    Edit("fireship", "score.py", "ISLAND_POWERS[state.rings[island]] for island", "ISLAND_POWERS[0] for island"),
    Edit("fireship", "turns.py", "(number + 1) % seats", "(number - 1) % seats"),
    Edit("fireship", "turns.py", "state.round >= state.options.rounds", "state.round > state.options.rounds"),
]
