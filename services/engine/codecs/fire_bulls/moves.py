"""Converts moves of Fire Bulls to `Move` messages and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from fireside.fire_bulls.v1 import field_numbers as fields
from fireside.fire_bulls.v1 import fire_bulls_pb2 as pb

from engine_core.game import Move
from engine_core.games.fire_bulls import moves
from engine_core.games.fire_bulls.components import DIRECTIONS, PILES, POINT_KINDS
from engine_core.games.fire_bulls.state import MAX_SEATS
from services.engine.codecs.fire_bulls.cards import ATTACK_CARD_KINDS, COUNT_BITS, packed_cards
from services.engine.codecs.move_kinds import MoveWriters, move_kind, write_by_kind
from services.engine.codecs.ranges import move_number
from services.engine.wire import Writer
from services.grpc_server.errors import InvalidRequest


def write_move(move: Move) -> bytes:
    """The bytes of a `Move`."""
    return write_by_kind(WRITERS, move)


def decode_move(move: pb.Move) -> Move:
    """The move of a message. Raises `InvalidRequest`."""
    return DECODERS[move_kind(move)](move)


def _write_attack(out: Writer, move: moves.Attack) -> None:
    out.number(fields.Attack.DIRECTION, move.direction)
    out.counts(fields.Attack.PAYMENT, move.payment, COUNT_BITS)


def _write_yen(out: Writer, move: moves.Yen) -> None:
    out.number(fields.Yen.PILE, move.pile)
    out.number(fields.Yen.CARD, move.card + 1)


def _write_place(out: Writer, move: moves.Place) -> None:
    out.number(fields.Place.SEAT, move.seat)
    out.number(fields.Place.DIRECTION, move.direction)


def _write_qi(out: Writer, move: moves.Qi) -> None:
    if move.to != moves.TO_RESERVE:
        out.explicit(fields.Qi.SEAT, move.to)
    out.number(fields.Qi.CARD, move.card + 1)


def _write_pick(out: Writer, move: moves.Pick) -> None:
    out.number(fields.Pick.SEAT, move.seat)
    out.number(fields.Pick.CARD, move.card + 1)


WRITERS: Final = cast(
    MoveWriters,
    {
        moves.Take: (fields.Move.TAKE, lambda out, move: out.number(fields.Take.CARD, move.card + 1)),
        moves.Draw: (fields.Move.DRAW, lambda out, move: None),
        moves.Step: (fields.Move.STEP, lambda out, move: out.number(fields.Step.TO, move.to)),
        moves.Attack: (fields.Move.ATTACK, _write_attack),
        moves.AttackGeneral: (
            fields.Move.GENERAL,
            lambda out, move: out.counts(fields.General.PAYMENT, move.payment, COUNT_BITS),
        ),
        moves.Capture: (
            fields.Move.CAPTURE,
            lambda out, move: out.counts(fields.Capture.PAYMENT, move.payment, COUNT_BITS),
        ),
        moves.Stop: (fields.Move.STOP, lambda out, move: None),
        moves.Power: (fields.Move.POWER, lambda out, move: out.number(fields.Power.USE, move.use)),
        moves.Price: (fields.Move.PRICE, lambda out, move: out.number(fields.Price.CARD, move.card + 1)),
        moves.Release: (fields.Move.RELEASE, lambda out, move: out.number(fields.Release.CARD, move.card + 1)),
        moves.Yen: (fields.Move.YEN, _write_yen),
        moves.Place: (fields.Move.PLACE, _write_place),
        moves.First: (fields.Move.FIRST, lambda out, move: out.number(fields.First.SEAT, move.seat)),
        moves.Qi: (fields.Move.QI, _write_qi),
        moves.Pick: (fields.Move.PICK, _write_pick),
        moves.Pass: (fields.Move.PASS_ON, lambda out, move: None),
    },
)


def _decode_card(card: int, kinds: int, field: str) -> int:
    """A card that must be named, counted from 0."""
    if not 1 <= card <= kinds:
        raise InvalidRequest(f"move.{field}", "no such card" if card else "a card must be named")
    return card - 1


def _decode_card_or_hidden(card: int, field: str) -> int:
    """A card counted from 0; -1 for one that is hidden from the observer."""
    return move_number(card, 0, ATTACK_CARD_KINDS, field) - 1


def _decode_payment(cards: pb.AttackCards, field: str) -> int:
    payment = packed_cards(cards)
    if payment <= 0:
        raise InvalidRequest(f"move.{field}", "at least one card, and of each kind at most as many as there are")
    return payment


def _decode_direction(number: int, field: str) -> int:
    return move_number(number, 1, DIRECTIONS, field)


def _decode_seat(number: int, field: str) -> int:
    return move_number(number, 0, MAX_SEATS - 1, field)


def _decode_qi(move: pb.Move) -> Move:
    qi = move.qi
    to = _decode_seat(qi.seat, "qi.seat") if qi.HasField("seat") else moves.TO_RESERVE
    return moves.Qi(to, _decode_card_or_hidden(qi.card, "qi.card"))


DECODERS: Final[dict[str, Callable[[pb.Move], Move]]] = {
    "take": lambda move: moves.Take(_decode_card(move.take.card, ATTACK_CARD_KINDS, "take.card")),
    "draw": lambda move: moves.DRAW,
    "step": lambda move: moves.Step(_decode_direction(move.step.to, "step.to")),
    "attack": lambda move: moves.Attack(
        _decode_direction(move.attack.direction, "attack.direction"),
        _decode_payment(move.attack.payment, "attack.payment"),
    ),
    "general": lambda move: moves.AttackGeneral(_decode_payment(move.general.payment, "general.payment")),
    "capture": lambda move: moves.Capture(_decode_payment(move.capture.payment, "capture.payment")),
    "stop": lambda move: moves.STOP,
    "power": lambda move: moves.Power(move.power.use),
    "price": lambda move: moves.Price(_decode_card(move.price.card, POINT_KINDS, "price.card")),
    "release": lambda move: moves.Release(_decode_card(move.release.card, ATTACK_CARD_KINDS, "release.card")),
    "yen": lambda move: moves.Yen(
        move_number(move.yen.pile, 1, PILES, "yen.pile"), _decode_card(move.yen.card, POINT_KINDS, "yen.card")
    ),
    "place": lambda move: moves.Place(
        _decode_seat(move.place.seat, "place.seat"), _decode_direction(move.place.direction, "place.direction")
    ),
    "first": lambda move: moves.First(_decode_seat(move.first.seat, "first.seat")),
    "qi": _decode_qi,
    "pick": lambda move: moves.Pick(
        _decode_seat(move.pick.seat, "pick.seat"), _decode_card_or_hidden(move.pick.card, "pick.card")
    ),
    "pass_on": lambda move: moves.PASS,
}
