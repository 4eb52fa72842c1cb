"""Consistency checks of the stack of declared moves in a Fireship state, from the bottom of the stack."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine_core import packed
from engine_core.consistency import require
from engine_core.errors import InconsistentState
from engine_core.game import Move
from engine_core.games.fireship import battle, components, legal, moves, stages
from engine_core.games.fireship.board import BATTLESHIP_SQUARE, MYSTERY, NEARBY_ISLANDS, NEARBY_SQUARES, SPECIAL, WHEEL
from engine_core.games.fireship.state import FireshipState

FIELD: Final = "state.declared"
MAX_DECLARED_MOVES: Final = 32
"""Upper bound of the stack's height: more than there are cards that could be declared."""


def check(state: FireshipState) -> None:
    """Raise `InconsistentState` unless the stack fits the stage. Dice, pawns and cards are checked before."""
    _require(0 < len(state.stack) <= MAX_DECLARED_MOVES, "something is going on in this stage")
    _require(state.stack[0].seat == state.active_seat, "the active seat has begun it")
    main = state.stack[0].move
    check_main = CHECKS.get(type(main))
    if check_main is None:
        raise InconsistentState(FIELD, "nothing that a seat can declare")
    check_main(state, main)
    if not isinstance(main, moves.Attack):
        _require(state.defence_bonus == 0, "only an attack has a defence")
    answers = 1
    if isinstance(main, moves.UseSquare) and SPECIAL[main.square] != BATTLESHIP_SQUARE and len(state.stack) > 1:
        _check_outcome(state, main)
        answers = 2
    for place in range(answers, len(state.stack)):
        _check_answer(state, place)
    _check_stage(state, main)


def _require(fact: bool, description: str) -> None:
    require(fact, FIELD, description)


def _check_action(state: FireshipState) -> None:
    _require(bool(state.dice) and state.has_acted, "the action of the turn is used up")


def _check_attack(state: FireshipState, move: moves.Attack) -> None:
    _check_action(state)
    own = state.seats[state.active_seat].colour
    owner = battle.owner_of_target(state, move)
    _require(state.power_on_square[own][move.start] > 0, "nobody is there to attack")
    _require(owner != own and not state.is_fogged(owner), "that target cannot be attacked")
    if move.island == moves.NO_ISLAND:
        near = move.square in NEARBY_SQUARES[move.start] and state.power_on_square[owner][move.square] > 0
        _require(near and not state.is_swallowed(owner), "no such pawn is within reach")
    else:
        _require(move.island in NEARBY_ISLANDS[move.start], "that island is out of reach")
    _require(
        battle.declared_attack_power(state, move, own) >= battle.declared_defence_power(state, move),
        "the attack is too weak",
    )
    spent = move.plus_ones + state.defence_bonus
    _require(spent <= packed.count_of(state.discards, components.PLUS_ONE), "the +1 cards are not among the discards")


def _check_square(state: FireshipState, move: moves.UseSquare) -> None:
    _check_action(state)
    own = state.seats[state.active_seat].colour
    arrived = [pawn for pawn in state.pawns[own] if pawn & moves.ARRIVED and pawn // moves.CLASSES == move.square]
    if SPECIAL[move.square] == BATTLESHIP_SQUARE:
        arrived = [pawn for pawn in arrived if moves.kind_of(pawn) == components.PLANE]
        _require(
            state.kind_counts[own][components.BATTLESHIP] < components.PAWNS_PER_KIND[components.BATTLESHIP],
            "no battleship is in reserve",
        )
    _require(bool(arrived), "no pawn has come to that square")


def _check_ring(state: FireshipState, move: moves.Fortify) -> None:
    announced = bool(state.dice) and state.has_fortified and not state.has_acted
    _require(announced, "the ring of the turn is used up, the action is not")
    own = state.seats[state.active_seat].colour
    may = (
        state.options.fortification and state.owners[move.island] == own and state.rings[move.island] < components.RINGS
    )
    _require(may, "that island cannot be fortified")
    boats = battle.boats_near(state, own, move.island)
    _require(move.first <= move.second and move.first in boats, "no such boats are by the island")
    boats.remove(move.first)
    _require(move.second in boats, "no such boats are by the island")


def _check_boum(state: FireshipState, move: moves.Boum) -> None:
    boat = moves.pawn_code(move.square, components.BOAT)
    there = boat in state.pawns[move.owner] and bool(NEARBY_SQUARES[move.square])
    own = move.owner == state.seats[state.active_seat].colour
    _require(there and not own and not state.is_swallowed(move.owner), "no such boat can be destroyed")
    _check_spent(state, move.source, components.BOUM)


def _check_fog(state: FireshipState, move: moves.Fog) -> None:
    _check_before_throw(state)
    _require(not state.seats[state.active_seat].fog, "the seat is in the fog already")
    _check_spent(state, move.source, components.FOG)


def _check_hasten(state: FireshipState, move: moves.Hasten) -> None:
    _check_before_throw(state)
    own = state.pawns[state.seats[state.active_seat].colour]
    _require(move.pawn in own and move.pawn & moves.FAST == 0, "no such pawn can be made fast")
    is_badge_only = move.card == components.GULF_STREAM
    _require(not is_badge_only or move.source != moves.HAND, "there is no such mystery card")
    _check_spent(state, move.source, move.card)


def _check_before_throw(state: FireshipState) -> None:
    _require(not state.dice, "that card is played before the throw")


def _check_spent(state: FireshipState, source: int, card: int) -> None:
    spent = (
        packed.count_of(state.discards, card)
        if source == moves.HAND
        else state.badge_stock[components.BADGES.index(card)]
    )
    _require(spent > 0, "the card or badge is not spent")


def _check_outcome(state: FireshipState, main: moves.UseSquare) -> None:
    """The sector or card drawn by a wheel or mystery square must fit."""
    _require(state.stack[1].seat == state.active_seat, "it is for the active seat")
    move = state.stack[1].move
    if isinstance(move, moves.Sector):
        _require(SPECIAL[main.square] == WHEEL, "no wheel is there")
        _require(
            components.SECTORS[move.sector - 1] not in (components.DRAW_CARD, components.SPIN_AGAIN),
            "there is nothing to cancel",
        )
    else:
        _require(isinstance(move, moves.Card) and _is_immediate(state, move), "no card that happens at once")


def _is_immediate(state: FireshipState, move: moves.Card) -> bool:
    return move.card >= 0 and not components.IS_HAND_CARD[move.card] and packed.count_of(state.discards, move.card) > 0


def _check_answer(state: FireshipState, place: int) -> None:
    below = state.stack[place - 1]
    declared = state.stack[place]
    move = declared.move
    _require(
        isinstance(move, moves.Answer) and move.answer in (moves.SAY_NO, moves.ADD_ONE, moves.ANTI_SKULL),
        "no card that answers",
    )
    assert isinstance(move, moves.Answer)
    if move.answer == moves.SAY_NO:
        own_draw = isinstance(below.move, (moves.Card, moves.Sector))
        _require(declared.seat != below.seat or own_draw, "nobody says Non to an own action")
    elif isinstance(below.move, moves.Attack):
        owner = battle.owner_of_target(state, below.move)
        _require(
            owner != components.WHITE and declared.seat == state.seat_of_colour[owner], "only the defender answers so"
        )
    else:
        skull = (
            isinstance(below.move, moves.UseSquare)
            and move.answer == moves.ANTI_SKULL
            and declared.seat == state.active_seat
        )
        _require(skull, "there is nothing to answer so")
    if move.answer == moves.ANTI_SKULL:
        _require(not state.seats[declared.seat].anti_skull, "the anti-skull card is not spent")


def _check_stage(state: FireshipState, main: Move) -> None:
    stage = state.stage
    top = state.stack[-1].move
    depth = len(state.stack)
    square = SPECIAL[main.square] if isinstance(main, moves.UseSquare) else -1
    if stage == stages.WINDOW:
        _require(square not in (WHEEL, MYSTERY) or depth > 1, "no window opens on that")
    elif stage == stages.BATTLE:
        _require(isinstance(top, moves.Attack), "an attack is going on")
    elif stage in (stages.BATTLESHIP_THROW, stages.SKULL_ANSWER):
        _require(square == BATTLESHIP_SQUARE and depth == 1, "a battleship square is used")
        if stage == stages.SKULL_ANSWER:
            _require(state.seats[state.active_seat].anti_skull, "the anti-skull card is spent")
    elif stage == stages.SPINNING:
        _require(square == WHEEL and depth == 1, "a wheel is turned")
    elif stage == stages.DRAWING:
        _require(square in (WHEEL, MYSTERY) and depth == 1, "a card is drawn")
        _require(state.deck != 0, "there is a card to draw")
    elif stage == stages.LOSING:
        _check_loss(state, top, depth)


def _check_loss(state: FireshipState, top: Move, depth: int) -> None:
    effect = -1
    if isinstance(top, moves.Card):
        effect = top.card
    elif isinstance(top, moves.Sector):
        effect = components.SECTORS[top.sector - 1]
    _require(depth == 2 and effect in (components.LOSE_BOAT, components.LOSE_PLANE), "a pawn is lost")
    least = 1 if effect == components.LOSE_BOAT else 2
    own = state.seats[state.active_seat].colour
    _require(
        state.kind_counts[own][0 if effect == components.LOSE_BOAT else components.PLANE] >= least,
        "there is a pawn to lose",
    )
    _require(bool(legal.pawns_to_lose(state)), "there is a pawn to lose")


CHECKS: Final[dict[type[Move], Callable[[FireshipState, Any], None]]] = {
    moves.Attack: _check_attack,
    moves.UseSquare: _check_square,
    moves.Fortify: _check_ring,
    moves.Boum: _check_boum,
    moves.Fog: _check_fog,
    moves.Hasten: _check_hasten,
}
"""The check of the declared move at the bottom of the stack, by its class."""
