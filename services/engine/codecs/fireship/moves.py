"""Converts moves of Fireship to `Move` messages and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from fireside.fireship.v1 import field_numbers as fields
from fireside.fireship.v1 import fireship_pb2 as pb

from engine_core.game import Move
from engine_core.games.fireship import moves
from engine_core.games.fireship.board import ISLANDS, NAMES, PLAIN, SPECIAL
from engine_core.games.fireship.components import (
    BOAT,
    BOUM,
    CARD_KINDS,
    FACES,
    FOG,
    GULF_STREAM,
    PLANE,
    SECTORS,
    UPDRAFT,
    WHITE,
)
from engine_core.games.fireship.moves import kind_of
from engine_core.games.fireship.notation import MAX_PLUS_ONES
from services.engine.codecs.fireship.pawns import decode_pawn, pawn_bytes, sea_square_named, square_named
from services.engine.codecs.move_kinds import MoveWriters, move_kind, write_by_kind
from services.engine.codecs.ranges import move_number
from services.engine.wire import Writer
from services.grpc_server.errors import InvalidRequest

PLAYABLE_CARDS: Final = [BOUM, GULF_STREAM, FOG, UPDRAFT]
"""Cards that a seat plays in its turn, in the order of the enum `PlayedCard`, from 1."""


def write_move(move: Move) -> bytes:
    """The bytes of a `Move`."""
    return write_by_kind(WRITERS, move)


def decode_move(move: pb.Move) -> Move:
    """The move of a message. Raises `InvalidRequest`."""
    return DECODERS[move_kind(move)](move)


def _write_play(out: Writer, card: int, source: int) -> None:
    out.number(fields.PlayCard.CARD, PLAYABLE_CARDS.index(card) + 1)
    out.number(fields.PlayCard.SOURCE, source + 1)


def _write_boum(out: Writer, move: moves.Boum) -> None:
    _write_play(out, BOUM, move.source)
    out.number(fields.PlayCard.OWNER, move.owner + 1)
    out.data(fields.PlayCard.PAWN, pawn_bytes(moves.pawn_code(move.square, BOAT)))


def _write_hasten(out: Writer, move: moves.Hasten) -> None:
    _write_play(out, UPDRAFT if kind_of(move.pawn) == PLANE else GULF_STREAM, move.source)
    out.data(fields.PlayCard.PAWN, pawn_bytes(move.pawn))


def _write_fortify(out: Writer, move: moves.Fortify) -> None:
    out.number(fields.Fortify.ISLAND, move.island + 1)
    out.data(fields.Fortify.BOATS, pawn_bytes(move.first))
    out.data(fields.Fortify.BOATS, pawn_bytes(move.second))


def _write_attack(out: Writer, move: moves.Attack) -> None:
    out.text(fields.Attack.ATTACKER, NAMES[move.start])
    if move.island == moves.NO_ISLAND:
        target = out.begin(fields.Attack.PAWN)
        out.number(fields.Target.OWNER, move.owner + 1)
        out.text(fields.Target.SQUARE, NAMES[move.square])
        out.end(target)
    else:
        out.explicit(fields.Attack.ISLAND, move.island + 1)
    out.number(fields.Attack.PLUS_ONES, move.plus_ones)


def _write_lose(out: Writer, move: moves.Lose) -> None:
    out.number(fields.Lose.KIND, move.kind + 1)
    out.text(fields.Lose.SQUARE, NAMES[move.square])


WRITERS: Final = cast(
    MoveWriters,
    {
        moves.Boum: (fields.Move.PLAY_CARD, _write_boum),
        moves.Fog: (fields.Move.PLAY_CARD, lambda out, move: _write_play(out, FOG, move.source)),
        moves.Hasten: (fields.Move.PLAY_CARD, _write_hasten),
        moves.Throw: (fields.Move.THROW, lambda out, move: None),
        moves.ChoosePawn: (
            fields.Move.CHOOSE_PAWN,
            lambda out, move: out.data(fields.ChoosePawn.PAWN, pawn_bytes(move.pawn)),
        ),
        moves.Sail: (fields.Move.SAIL, lambda out, move: out.text(fields.Sail.TO, NAMES[move.to])),
        moves.Fortify: (fields.Move.FORTIFY, _write_fortify),
        moves.Attack: (fields.Move.ATTACK, _write_attack),
        moves.UseSquare: (
            fields.Move.USE_SQUARE,
            lambda out, move: out.text(fields.UseSquare.SQUARE, NAMES[move.square]),
        ),
        moves.Lose: (fields.Move.LOSE, _write_lose),
        moves.EndTurn: (fields.Move.END_TURN, lambda out, move: None),
        moves.Answer: (fields.Move.ANSWER, lambda out, move: out.number(fields.Answer.ANSWER, max(move.answer, 0))),
        moves.Die: (fields.Move.DIE, lambda out, move: out.number(fields.Die.FACE, move.face)),
        moves.Sector: (fields.Move.SECTOR, lambda out, move: out.number(fields.Sector.SECTOR, move.sector)),
        moves.Card: (fields.Move.CARD, lambda out, move: out.number(fields.Card.CARD, move.card + 1)),
        moves.TimeUp: (fields.Move.TIME_UP, lambda out, move: None),
    },
)


def _refuse(field: str, description: str) -> InvalidRequest:
    return InvalidRequest(f"move.{field}", description)


def _decode_boat(pawn: pb.Pawn, field: str) -> int:
    sea_square_named(pawn.square, f"{field}.square")
    if pawn.kind != BOAT + 1:
        raise _refuse(f"{field}.kind", "a boat")
    return decode_pawn(pawn, field)


def _decode_play(move: pb.Move) -> Move:
    play = move.play_card
    card = PLAYABLE_CARDS[move_number(play.card, 1, len(PLAYABLE_CARDS), "playCard.card") - 1]
    source = move_number(play.source, 1, len(moves.SOURCES), "playCard.source") - 1
    if card == FOG:
        return moves.Fog(source)
    if card == BOUM:
        owner = move_number(play.owner, 1, WHITE + 1, "playCard.owner") - 1
        return moves.Boum(source, owner, _decode_boat(play.pawn, "playCard.pawn") // moves.CLASSES)
    pawn = decode_pawn(play.pawn, "playCard.pawn")
    if (kind_of(pawn) == PLANE) != (card == UPDRAFT):
        raise _refuse("playCard.pawn.kind", "an updraft is for planes, a Gulf Stream for boats and battleships")
    return moves.Hasten(source, pawn)


def _decode_fortify(move: pb.Move) -> Move:
    fortify = move.fortify
    island = move_number(fortify.island, 1, ISLANDS, "fortify.island") - 1
    if len(fortify.boats) != 2:
        raise _refuse("fortify.boats", f"two, not {len(fortify.boats)}")
    first, second = [_decode_boat(boat, f"fortify.boats[{number}]") for number, boat in enumerate(fortify.boats)]
    return moves.Fortify(island, first, second)


def _decode_attack(move: pb.Move) -> Move:
    attack = move.attack
    start = sea_square_named(attack.attacker, "attack.attacker")
    plus_ones = move_number(attack.plus_ones, 0, MAX_PLUS_ONES, "attack.plusOnes")
    target = attack.WhichOneof("target")
    if target is None:
        raise _refuse("attack.island", "an island or a pawn must be given")
    if target == "island":
        return moves.Attack(start, move_number(attack.island, 1, ISLANDS, "attack.island") - 1, 0, 0, plus_ones)
    owner = move_number(attack.pawn.owner, 1, WHITE + 1, "attack.pawn.owner") - 1
    return moves.Attack(
        start, moves.NO_ISLAND, owner, sea_square_named(attack.pawn.square, "attack.pawn.square"), plus_ones
    )


def _decode_use(move: pb.Move) -> Move:
    square = sea_square_named(move.use_square.square, "useSquare.square")
    if SPECIAL[square] == PLAIN:
        raise _refuse("useSquare.square", "a special square")
    return moves.USE_SQUARES[square]


def _decode_lose(move: pb.Move) -> Move:
    kind = move_number(move.lose.kind, BOAT + 1, PLANE + 1, "lose.kind") - 1
    return moves.Lose(kind, square_named(move.lose.square, "lose.square"))


def _decode_answer(move: pb.Move) -> Move:
    answer = move_number(move.answer.answer, 0, len(moves.ANSWER_NAMES), "answer.answer")
    return moves.ANSWERS[answer] if answer else moves.SEALED_ANSWER


def _decode_die(move: pb.Move) -> Move:
    if move.die.face not in FACES:
        raise _refuse("die.face", f"0 or 2 to 6, not {move.die.face}")
    return moves.Die(move.die.face)


DECODERS: Final[dict[str, Callable[[pb.Move], Move]]] = {
    "play_card": _decode_play,
    "throw": lambda move: moves.THROW,
    "choose_pawn": lambda move: moves.ChoosePawn(decode_pawn(move.choose_pawn.pawn, "choosePawn.pawn")),
    "sail": lambda move: moves.Sail(sea_square_named(move.sail.to, "sail.to")),
    "fortify": _decode_fortify,
    "attack": _decode_attack,
    "use_square": _decode_use,
    "lose": _decode_lose,
    "end_turn": lambda move: moves.END_TURN,
    "answer": _decode_answer,
    "die": _decode_die,
    "sector": lambda move: moves.Sector(move_number(move.sector.sector, 1, len(SECTORS), "sector.sector")),
    "card": lambda move: moves.Card(move_number(move.card.card, 0, CARD_KINDS, "card.card") - 1),
    "time_up": lambda move: moves.TIME_UP,
}
