"""Converts moves of Spring Festival to `Move` messages and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from fireside.spring_festival.v1 import field_numbers as fields
from fireside.spring_festival.v1 import spring_festival_pb2 as pb

from engine_core.game import Move
from engine_core.games.spring_festival import moves
from engine_core.games.spring_festival.components import FIRST_STORE_TILE, PILES, SIGNS, TILES
from engine_core.games.spring_festival.compositions import COMPOSITIONS, TURNS, Complete
from engine_core.games.spring_festival.moves import MAX_SEATS
from engine_core.games.spring_festival.squares import FARTHEST, square_at
from services.engine.codecs.move_kinds import MoveWriters, move_kind, write_by_kind
from services.engine.codecs.ranges import move_number
from services.engine.codecs.spring_festival.shared_fields import FIRST_SIGN, sign_number, write_square
from services.engine.wire import Writer
from services.grpc_server.errors import InvalidRequest


def write_move(move: Move) -> bytes:
    """The bytes of a `Move`."""
    return write_by_kind(WRITERS, move)


def decode_move(move: pb.Move) -> Move:
    """The move of a message. Raises `InvalidRequest`."""
    return DECODERS[move_kind(move)](move)


def _write_lay(out: Writer, move: moves.LayStartTile) -> None:
    out.number(fields.LayStartTile.TILE, move.tile + 1)
    write_square(out, fields.LayStartTile.SQUARE, move.square)


def _write_complete(out: Writer, move: Complete) -> None:
    out.number(fields.Complete.CARD, move.card + 1)
    write_square(out, fields.Complete.CORNER, move.corner)
    out.number(fields.Complete.TURNS, move.turns)


def _write_reveal(out: Writer, move: moves.RevealTile) -> None:
    out.number(fields.RevealTile.PILE, move.pile)
    out.number(fields.RevealTile.TILE, move.tile + 1)


def _write_deal(out: Writer, move: moves.Deal) -> None:
    out.number(fields.Deal.SEAT, move.seat)
    out.number(fields.Deal.CARD, move.card + 1)


WRITERS: Final = cast(
    MoveWriters,
    {
        moves.LayStartTile: (fields.Move.LAY, _write_lay),
        moves.RotateStore: (fields.Move.ORIENT, lambda out, move: out.number(fields.RotateStore.OFFSET, move.offset)),
        moves.PlaceTile: (fields.Move.PLACE, lambda out, move: write_square(out, fields.PlaceTile.SQUARE, move.square)),
        Complete: (fields.Move.COMPLETE, _write_complete),
        moves.Pass: (fields.Move.PASS_ON, lambda out, move: None),
        moves.Launch: (fields.Move.LAUNCH, lambda out, move: write_square(out, fields.Launch.SQUARE, move.square)),
        moves.RevealTile: (fields.Move.REVEAL, _write_reveal),
        moves.Deal: (fields.Move.DEAL, _write_deal),
        moves.DrawSign: (fields.Move.SIGN, lambda out, move: out.number(fields.DrawSign.SIGN, sign_number(move.sign))),
        moves.DrawFirstSeat: (
            fields.Move.FIRST_SEAT,
            lambda out, move: out.number(fields.DrawFirstSeat.SEAT, move.seat),
        ),
    },
)


def _named_square(square: pb.Square, given: bool, field: str) -> int:
    if not given:
        raise InvalidRequest(f"move.{field}", "a square must be given")
    x = move_number(square.x, -FARTHEST, FARTHEST, f"{field}.x")
    return square_at(x, move_number(square.y, -FARTHEST, FARTHEST, f"{field}.y"))


def _decode_lay(move: pb.Move) -> Move:
    lay = move.lay
    if not lay.tile and not lay.HasField("square"):
        return moves.SEALED_LAY
    tile = move_number(lay.tile, 1, FIRST_STORE_TILE, "lay.tile") - 1
    return moves.LayStartTile(tile, _named_square(lay.square, lay.HasField("square"), "lay.square"))


def _decode_place(move: pb.Move) -> Move:
    place = move.place
    if not place.HasField("square"):
        return moves.SEALED_PLACE
    return moves.PlaceTile(_named_square(place.square, True, "place.square"))


def _decode_complete(move: pb.Move) -> Move:
    complete = move.complete
    return Complete(
        move_number(complete.card, 1, len(COMPOSITIONS), "complete.card") - 1,
        _named_square(complete.corner, complete.HasField("corner"), "complete.corner"),
        move_number(complete.turns, 0, TURNS - 1, "complete.turns"),
    )


def _decode_launch(move: pb.Move) -> Move:
    launch = move.launch
    return moves.Launch(_named_square(launch.square, launch.HasField("square"), "launch.square"))


def _decode_reveal(move: pb.Move) -> Move:
    pile = move_number(move.reveal.pile, 0, PILES - 1, "reveal.pile")
    return moves.RevealTile(pile, move_number(move.reveal.tile, FIRST_STORE_TILE + 1, len(TILES), "reveal.tile") - 1)


def _decode_deal(move: pb.Move) -> Move:
    seat = move_number(move.deal.seat, 0, MAX_SEATS - 1, "deal.seat")
    return moves.Deal(seat, move_number(move.deal.card, 1, len(COMPOSITIONS), "deal.card") - 1)


def _decode_sign(move: pb.Move) -> Move:
    return moves.DrawSign(
        move_number(move.sign.sign, FIRST_SIGN, FIRST_SIGN + len(SIGNS) - 1, "sign.sign") - FIRST_SIGN
    )


DECODERS: Final[dict[str, Callable[[pb.Move], Move]]] = {
    "lay": _decode_lay,
    "orient": lambda move: moves.RotateStore(move_number(move.orient.offset, 0, PILES - 1, "orient.offset")),
    "place": _decode_place,
    "complete": _decode_complete,
    "pass_on": lambda move: moves.PASS,
    "launch": _decode_launch,
    "reveal": _decode_reveal,
    "deal": _decode_deal,
    "sign": _decode_sign,
    "first_seat": lambda move: moves.DrawFirstSeat(
        move_number(move.first_seat.seat, 0, MAX_SEATS - 1, "firstSeat.seat")
    ),
}
