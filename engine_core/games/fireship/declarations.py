"""Whether what is going on in a position could be going on: the stack of what was declared, from its bottom."""

from __future__ import annotations

from typing import Final

from engine_core import packed
from engine_core.consistency import require
from engine_core.game import Move
from engine_core.games.fireship import battle, legal
from engine_core.games.fireship.board import BATTLESHIP_SQUARE, ISLANDS_NEAR, MYSTERY, NEAR, SPECIAL, WHEEL
from engine_core.games.fireship.components import (
    BADGES,
    BATTLESHIP,
    BOUM,
    DRAW_CARD,
    FOG,
    GULF_STREAM,
    IS_KEPT,
    LOSE_BOAT,
    LOSE_PLANE,
    PLANE,
    PLUS_ONE,
    RINGS,
    SECTORS,
    SPIN_AGAIN,
    STOCK,
    UPDRAFT,
    WHITE,
)
from engine_core.games.fireship.moves import (
    ADD_ONE,
    ANTI_SKULL,
    ARRIVED,
    CLASSES,
    FAST,
    HAND,
    NO_ISLAND,
    SAY_NO,
    Answer,
    Attack,
    Boum,
    Card,
    Fog,
    Fortify,
    Hasten,
    Sector,
    UseSquare,
    kind_of,
    pawn_code,
)
from engine_core.games.fireship.state import (
    BATTLE,
    BATTLESHIP_THROW,
    DRAWING,
    LOSING,
    SKULL_ANSWER,
    SPINNING,
    WINDOW,
    FireshipState,
)

FIELD: Final = "state.declared"
MOST_DECLARED: Final = 32
"""More than there are cards to declare."""


def check(state: FireshipState) -> None:
    """Raise `InconsistentState` unless the stack is one of the stage; dice, pawns and cards have been checked."""
    _require(0 < len(state.stack) <= MOST_DECLARED, "something is going on in this stage")
    _require(state.stack[0].seat == state.active, "the active seat has begun it")
    main = state.stack[0].move
    _check_main(state, main)
    if not isinstance(main, Attack):
        _require(state.bonus == 0, "only an attack has a defence")
    answers = 1
    if isinstance(main, UseSquare) and SPECIAL[main.square] != BATTLESHIP_SQUARE and len(state.stack) > 1:
        _check_outcome(state, main)
        answers = 2
    for place in range(answers, len(state.stack)):
        _check_answer(state, place)
    _check_stage(state, main)


def _require(fact: bool, description: str) -> None:
    require(fact, FIELD, description)


def _check_main(state: FireshipState, move: Move) -> None:
    thrown = bool(state.dice)
    if isinstance(move, (Attack, UseSquare)):
        _require(thrown and state.acted, "the action of the turn is used up")
    if isinstance(move, Fortify):
        _require(thrown and state.fortified and not state.acted, "the ring of the turn is used up, the action is not")
    if isinstance(move, (Fog, Hasten)):
        _require(not thrown, "that card is played before the throw")
    if isinstance(move, Attack):
        _check_attack(state, move)
    elif isinstance(move, UseSquare):
        _check_square(state, move)
    elif isinstance(move, Fortify):
        _check_ring(state, move)
    else:
        _check_card(state, move)


def _check_attack(state: FireshipState, move: Attack) -> None:
    own = state.seats[state.active].colour
    owner = battle.owner_of_target(state, move)
    _require(state.power[own][move.start] > 0, "nobody is there to attack")
    _require(owner != own and not state.is_fogged(owner), "that target cannot be attacked")
    if move.island == NO_ISLAND:
        near = move.square in NEAR[move.start] and state.power[owner][move.square] > 0
        _require(near and not state.is_swallowed(owner), "no such pawn is within reach")
    else:
        _require(move.island in ISLANDS_NEAR[move.start], "that island is out of reach")
    _require(battle.attack_of(state, move, own) >= battle.defence_of(state, move), "the attack is too weak")
    spent = move.plus_ones + state.bonus
    _require(spent <= packed.number_of(state.discards, PLUS_ONE), "the +1 cards are not among the discards")


def _check_square(state: FireshipState, move: UseSquare) -> None:
    own = state.seats[state.active].colour
    arrived = [pawn for pawn in state.pawns[own] if pawn & ARRIVED and pawn // CLASSES == move.square]
    if SPECIAL[move.square] == BATTLESHIP_SQUARE:
        arrived = [pawn for pawn in arrived if kind_of(pawn) == PLANE]
        _require(state.numbers[own][BATTLESHIP] < STOCK[BATTLESHIP], "no battleship is in reserve")
    _require(bool(arrived), "no pawn has come to that square")


def _check_ring(state: FireshipState, move: Fortify) -> None:
    own = state.seats[state.active].colour
    may = state.options.fortification and state.owners[move.island] == own and state.rings[move.island] < RINGS
    _require(may, "that island cannot be fortified")
    boats = battle.boats_near(state, own, move.island)
    _require(move.first <= move.second and move.first in boats, "no such boats are by the island")
    boats.remove(move.first)
    _require(move.second in boats, "no such boats are by the island")


def _check_card(state: FireshipState, move: Move) -> None:
    own = state.seats[state.active].colour
    if isinstance(move, Boum):
        boat = pawn_code(move.square, 0)
        there = move.owner != own and boat in state.pawns[move.owner] and bool(NEAR[move.square])
        _require(there and not state.is_swallowed(move.owner), "no such boat can be destroyed")
        _check_spent(state, move.source, BOUM)
    elif isinstance(move, Fog):
        _require(not state.seats[state.active].fog, "the seat is in the fog already")
        _check_spent(state, move.source, FOG)
    elif isinstance(move, Hasten):
        _require(move.pawn in state.pawns[own] and move.pawn & FAST == 0, "no such pawn can be made fast")
        plane = kind_of(move.pawn) == PLANE
        _require(plane or move.source != HAND, "there is no such mystery card")
        _check_spent(state, move.source, UPDRAFT if plane else GULF_STREAM)
    else:
        _require(False, "nothing that can be going on")


def _check_spent(state: FireshipState, source: int, card: int) -> None:
    spent = packed.number_of(state.discards, card) if source == HAND else state.badge_stock[BADGES.index(card)]
    _require(spent > 0, "the card or badge is not spent")


def _check_outcome(state: FireshipState, main: UseSquare) -> None:
    """What wheel or mystery square have given."""
    _require(state.stack[1].seat == state.active, "it is for the active seat")
    move = state.stack[1].move
    if isinstance(move, Sector):
        _require(SPECIAL[main.square] == WHEEL, "no wheel is there")
        _require(SECTORS[move.sector - 1] not in (DRAW_CARD, SPIN_AGAIN), "there is nothing to cancel")
    else:
        _require(isinstance(move, Card) and _is_immediate(state, move), "no card that happens at once")


def _is_immediate(state: FireshipState, move: Card) -> bool:
    return move.card >= 0 and not IS_KEPT[move.card] and packed.number_of(state.discards, move.card) > 0


def _check_answer(state: FireshipState, place: int) -> None:
    below = state.stack[place - 1]
    declared = state.stack[place]
    move = declared.move
    _require(isinstance(move, Answer) and move.answer in (SAY_NO, ADD_ONE, ANTI_SKULL), "no card that answers")
    assert isinstance(move, Answer)
    if move.answer == SAY_NO:
        own_draw = isinstance(below.move, (Card, Sector))
        _require(declared.seat != below.seat or own_draw, "nobody says Non to an own action")
    elif isinstance(below.move, Attack):
        owner = battle.owner_of_target(state, below.move)
        _require(owner != WHITE and declared.seat == state.seat_of[owner], "only the defender answers so")
    else:
        skull = isinstance(below.move, UseSquare) and move.answer == ANTI_SKULL and declared.seat == state.active
        _require(skull, "there is nothing to answer so")
    if move.answer == ANTI_SKULL:
        _require(not state.seats[declared.seat].anti_skull, "the anti-skull card is not spent")


def _check_stage(state: FireshipState, main: Move) -> None:
    stage = state.stage
    top = state.stack[-1].move
    depth = len(state.stack)
    square = SPECIAL[main.square] if isinstance(main, UseSquare) else -1
    if stage == WINDOW:
        _require(square not in (WHEEL, MYSTERY) or depth > 1, "no window opens on that")
    elif stage == BATTLE:
        _require(isinstance(top, Attack), "an attack is going on")
    elif stage in (BATTLESHIP_THROW, SKULL_ANSWER):
        _require(square == BATTLESHIP_SQUARE and depth == 1, "a battleship square is used")
        if stage == SKULL_ANSWER:
            _require(state.seats[state.active].anti_skull, "the anti-skull card is spent")
    elif stage == SPINNING:
        _require(square == WHEEL and depth == 1, "a wheel is turned")
    elif stage == DRAWING:
        _require(square in (WHEEL, MYSTERY) and depth == 1, "a card is drawn")
        _require(state.deck != 0, "there is a card to draw")
    elif stage == LOSING:
        _check_loss(state, top, depth)


def _check_loss(state: FireshipState, top: Move, depth: int) -> None:
    effect = -1
    if isinstance(top, Card):
        effect = top.card
    elif isinstance(top, Sector):
        effect = SECTORS[top.sector - 1]
    _require(depth == 2 and effect in (LOSE_BOAT, LOSE_PLANE), "a pawn is lost")
    least = 1 if effect == LOSE_BOAT else 2
    own = state.seats[state.active].colour
    _require(state.numbers[own][0 if effect == LOSE_BOAT else PLANE] >= least, "there is a pawn to lose")
    _require(bool(legal.losses(state)), "there is a pawn to lose")
