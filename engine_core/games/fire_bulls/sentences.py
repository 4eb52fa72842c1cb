"""Legal moves of Fire Bulls as sentences with the card that is attacked, and whose pawn a step moves."""

from __future__ import annotations

from engine_core.game import Move
from engine_core.games.fire_bulls import moves
from engine_core.games.fire_bulls.columns import nearest_square
from engine_core.games.fire_bulls.components import POINT_CARD_NAMES
from engine_core.games.fire_bulls.notation import PAYMENT, POINT_CARD
from engine_core.games.fire_bulls.view import FireBullsView
from engine_core.words import Words


def sentence(view: FireBullsView, move: Move, words: Words) -> str:
    """The sentence of an attack along a line, or of a step that moves no pawn or two; empty for other moves."""
    if isinstance(move, moves.Attack):
        card = _nearest_card(view, move.direction, words)
        return words.sentence("attack_card", str(move.direction), PAYMENT.name(move.payment, words), card)
    if isinstance(move, moves.Capture):
        card = _nearest_card(view, view.direction, words)
        return words.sentence("capture_card", PAYMENT.name(move.payment, words), card)
    if isinstance(move, moves.Step):
        for number, seat in enumerate(view.seats):
            if seat.place == move.to:
                key = "step_stay" if number == view.active_seat else "step_swap"
                return words.sentence(key, str(move.to), words.player(number))
    return ""


def _nearest_card(view: FireBullsView, direction: int, words: Words) -> str:
    """The card of a line that an attack meets first."""
    card = view.squares[nearest_square(view.squares, direction)]
    return words.one(POINT_CARD.kind, POINT_CARD_NAMES[card].replace("-", "_"))
