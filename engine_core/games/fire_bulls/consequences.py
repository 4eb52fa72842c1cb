"""What moves of Fire Bulls brought, for the log: won cards, swapped places, used powers, exhaustions, lost cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine_core.game import Move
from engine_core.games.fire_bulls import components, moves, stages
from engine_core.games.fire_bulls.columns import nearest_square
from engine_core.games.fire_bulls.components import EMPTY, POINT_CARD_NAMES
from engine_core.games.fire_bulls.notation import POINT_CARD
from engine_core.games.fire_bulls.state import GENERAL_ASIDE
from engine_core.games.fire_bulls.view import FireBullsView
from engine_core.words import Words

POWERS: Final = {components.BO: "draw", components.COLONEL: "discard", components.GENERAL: "take"}
"""The kind of power of a card, as a key of the names `card_power`."""


def consequences(before: FireBullsView, move: Move, after: FireBullsView, words: Words) -> list[str]:
    """Clauses for what a move brought, from the views of one observer before and after it."""
    clauses = _setup(before, words)
    of_move = CLAUSES.get(type(move))
    if of_move is not None:
        clauses += of_move(before, move, after, words)
    return clauses + _exhaustion(before, move, after, words) + _penalties(before, after, words)


def _setup(before: FireBullsView, words: Words) -> list[str]:
    """What nature draws for in the setup, said at the first draw of each stage."""
    stage = before.stage
    if stage == stages.SETUP_YEN and sum(before.piles) == components.PILES * components.PILE_SIZE:
        return [words.clause("setup_columns")]
    if stage == stages.SETUP_PLACES and not any(seat.place for seat in before.seats):
        return [words.clause("setup_pawns")]
    if stage == stages.SETUP_HANDS and not any(seat.hand_size for seat in before.seats):
        return [words.clause("setup_hands", str(components.START_HAND))]
    if stage == stages.SETUP_RESERVE and before.reserve == 0:
        return [words.clause("setup_reserve")]
    return [words.clause("setup_first")] if stage == stages.SETUP_FIRST else []


def _captured(before: FireBullsView, direction: int, words: Words) -> list[str]:
    card = POINT_CARD_NAMES[before.squares[nearest_square(before.squares, direction)]]
    return [_won(before, card, words)]


def _won(before: FireBullsView, card: str, words: Words) -> str:
    return words.clause("wins", words.player(before.active_seat), words.one(POINT_CARD.kind, card.replace("-", "_")))


def _attack(before: FireBullsView, move: moves.Attack, after: FireBullsView, words: Words) -> list[str]:
    return _captured(before, move.direction, words)


def _capture(before: FireBullsView, move: moves.Capture, after: FireBullsView, words: Words) -> list[str]:
    return _captured(before, before.direction, words)


def _general(before: FireBullsView, move: moves.AttackGeneral, after: FireBullsView, words: Words) -> list[str]:
    return [_won(before, "general", words)]


def _power(before: FireBullsView, move: moves.Power, after: FireBullsView, words: Words) -> list[str]:
    return [words.name("card_power", POWERS[before.power_card])] if move.use else []


def _pick(before: FireBullsView, move: moves.Pick, after: FireBullsView, words: Words) -> list[str]:
    """Who gets the card that nature picks: the attacker by the general, nobody by the colonel (FB-56)."""
    if before.stage == stages.GENERAL_PICK:
        return [words.clause("gets_picked", words.player(before.active_seat))]
    return [words.clause("picked_discarded")]


def _step(before: FireBullsView, move: moves.Step, after: FireBullsView, words: Words) -> list[str]:
    """The new places of pawns that were swapped with the one that moved (FB-19)."""
    return [
        words.clause("swapped", words.player(number), str(seat.place))
        for number, seat in enumerate(after.seats)
        if number != before.active_seat and seat.place != before.seats[number].place
    ]


def _qi(before: FireBullsView, move: moves.Qi, after: FireBullsView, words: Words) -> list[str]:
    return [words.clause("bonus")] if before.stage == stages.BONUS else []


def _yen(before: FireBullsView, move: moves.Yen, after: FireBullsView, words: Words) -> list[str]:
    is_general = move.card == components.GENERAL and after.general_place == GENERAL_ASIDE
    return [words.clause("general_aside")] if is_general else []


def _exhaustion(before: FireBullsView, move: Move, after: FireBullsView, words: Words) -> list[str]:
    """That the deck is exhausted (FB-22), or that quiet turns count as an exhaustion (FB-27)."""
    if after.exhaustions == before.exhaustions:
        return []
    key = "exhausted" if isinstance(move, moves.Qi) else "quiet"
    return [words.clause(key, str(after.exhaustions), str(components.EXHAUSTIONS_TO_END))]


def _penalties(before: FireBullsView, after: FireBullsView, words: Words) -> list[str]:
    """The cards that seats lose at the end (FB-76)."""
    clauses: list[str] = []
    for number, seat in enumerate(after.seats):
        if seat.penalty != EMPTY and before.seats[number].penalty == EMPTY:
            card = words.one(POINT_CARD.kind, POINT_CARD_NAMES[seat.penalty].replace("-", "_"))
            clauses.append(words.clause("penalty", words.player(number), card))
    return clauses


CLAUSES: Final[dict[type[Move], Callable[[FireBullsView, Any, FireBullsView, Words], list[str]]]] = {
    moves.Attack: _attack,
    moves.Capture: _capture,
    moves.AttackGeneral: _general,
    moves.Power: _power,
    moves.Pick: _pick,
    moves.Step: _step,
    moves.Qi: _qi,
    moves.Yen: _yen,
}
"""The clauses of a move, by its class."""
