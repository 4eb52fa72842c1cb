"""What a view says beyond its fields: observer, seats to move, ranks, and squares whose use is open."""

from __future__ import annotations

from typing import Final

from engine_core.games.fireship import components, moves, stages
from engine_core.games.fireship.board import BATTLESHIP_SQUARE, SPECIAL
from engine_core.games.fireship.state import NO_SEAT
from engine_core.games.fireship.view import NO_HAND, FireshipSeatView, FireshipView
from engine_core.pictures import Setting
from engine_core.words import capitalised

STAGE_NAMES: Final = {
    stages.FIRST_THROW: "first_throw",
    stages.CARDS_FIRST: "cards_first",
    stages.THROWING: "throwing",
    stages.MOVING: "moving",
    stages.SAILING: "sailing",
    stages.WINDOW: "window",
    stages.BATTLE: "battle",
    stages.BATTLESHIP_THROW: "battleship_throw",
    stages.SKULL_ANSWER: "skull_answer",
    stages.SPINNING: "spinning",
    stages.DRAWING: "drawing",
    stages.LOSING: "losing",
    stages.OVER: "over",
}
"""The key of each stage among the words."""
_OWN_CHOICES: Final = [stages.CARDS_FIRST, stages.MOVING, stages.SAILING, stages.SKULL_ANSWER, stages.LOSING]
_STILL_IN: Final = 1_000_000


def observer_of(view: FireshipView) -> int:
    """The seat that sees the view; `NO_SEAT` for a spectator."""
    for number, seat in enumerate(view.seats):
        if seat.hand != NO_HAND:
            return number
    return NO_SEAT


def is_to_move(view: FireshipView, number: int) -> bool:
    """Whether a seat is to move."""
    if view.stage == stages.WINDOW:
        return view.seats_to_answer >> number & 1 == 1
    return view.stage in _OWN_CHOICES and number == view.active_seat


def islands_of(view: FireshipView, seat: FireshipSeatView) -> int:
    """How many islands fly the flag of a seat."""
    return view.owners.count(seat.colour)


def rank_of(view: FireshipView, number: int) -> int:
    """The rank of a seat, from 1, in the order of the score (FS-105, FS-107, FS-109)."""
    own = _rank_key(view, view.seats[number])
    return 1 + sum([_rank_key(view, seat) > own for seat in view.seats])


def _rank_key(view: FireshipView, seat: FireshipSeatView) -> tuple[int, ...]:
    turn = seat.eliminated_in_turn or _STILL_IN
    return (not seat.has_left, turn, islands_of(view, seat), seat.island_power, seat.pawn_power)


def squares_to_use(view: FireshipView, number: int) -> list[int]:
    """The special squares that pawns of a seat have come to and may use (FS-58, FS-63, FS-64)."""
    found: list[int] = []
    if view.has_acted:
        return found
    own = [pawn for pawn in view.pawns if pawn.owner == view.seats[number].colour]
    battleships = sum([pawn.count for pawn in own if moves.kind_of(pawn.pawn) == components.BATTLESHIP])
    has_room = battleships < components.PAWNS_PER_KIND[components.BATTLESHIP]
    for pawn in own:
        square = pawn.pawn // moves.CLASSES
        if pawn.pawn & moves.ARRIVED == 0 or square in found:
            continue
        if SPECIAL[square] != BATTLESHIP_SQUARE or (has_room and moves.kind_of(pawn.pawn) == components.PLANE):
            found.append(square)
    return found


def situation(view: FireshipView, setting: Setting) -> str:
    """What screen readers say of a position: stage, seats to move and round."""
    words = setting.words
    stage = words.name("stage", STAGE_NAMES[view.stage])
    sentences = [capitalised(stage)]
    movers = [setting.name(number) for number in range(len(view.seats)) if is_to_move(view, number)]
    if movers:
        sentences.append(words.sentence("picture.movers", words.joined(movers)))
    sentences.append(words.sentence("picture.round", str(view.round), str(view.options.rounds)))
    return ". ".join(sentences)
