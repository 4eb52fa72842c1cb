"""Moves of Fire Bulls in messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from fireside.fire_bulls.v1 import fire_bulls_pb2 as pb

from engine_core.game import Move
from engine_core.games.fire_bulls import moves
from engine_core.games.fire_bulls.cards import DIRECTIONS, PILES, POINT_KINDS
from engine_core.games.fire_bulls.state import MAX_SEATS
from services.engine import wire
from services.engine.codecs.fire_bulls.cards import KINDS, MOST, WIDTH
from services.engine.codecs.ranges import chosen, named_kind
from services.errors import InvalidRequest


def write_move(move: Move) -> bytes:
    """A `Move`."""
    return WRITERS[type(move)](move)


def decode_move(move: pb.Move) -> Move:
    """Raises `InvalidRequest`."""
    return DECODERS[named_kind(move)](move)


def _write_qi(move: moves.Qi) -> bytes:
    seat = b"" if move.to == moves.TO_RESERVE else wire.given(1, move.to)
    return wire.data(14, seat + wire.number(2, move.card + 1))


WRITERS: Final = cast(
    dict[type[Move], Callable[[Move], bytes]],
    {
        moves.Take: lambda move: wire.data(1, wire.number(1, move.card + 1)),
        moves.Draw: lambda move: wire.data(2),
        moves.Step: lambda move: wire.data(3, wire.number(1, move.to)),
        moves.Attack: lambda move: wire.data(
            4, wire.number(1, move.direction) + wire.counts(2, move.payment, KINDS, WIDTH)
        ),
        moves.AttackGeneral: lambda move: wire.data(5, wire.counts(1, move.payment, KINDS, WIDTH)),
        moves.Capture: lambda move: wire.data(6, wire.counts(1, move.payment, KINDS, WIDTH)),
        moves.Stop: lambda move: wire.data(7),
        moves.Power: lambda move: wire.data(8, wire.number(1, move.use)),
        moves.Price: lambda move: wire.data(9, wire.number(1, move.card + 1)),
        moves.Release: lambda move: wire.data(10, wire.number(1, move.card + 1)),
        moves.Yen: lambda move: wire.data(11, wire.number(1, move.pile) + wire.number(2, move.card + 1)),
        moves.Place: lambda move: wire.data(12, wire.number(1, move.seat) + wire.number(2, move.direction)),
        moves.First: lambda move: wire.data(13, wire.number(1, move.seat)),
        moves.Qi: _write_qi,
        moves.Pick: lambda move: wire.data(15, wire.number(1, move.seat) + wire.number(2, move.card + 1)),
    },
)


def _kind(card: int, kinds: int, field: str) -> int:
    """A card that must be known."""
    if not 1 <= card <= kinds:
        raise InvalidRequest(f"move.{field}", "no such card" if card else "a card must be named")
    return card - 1


def _seen(card: int, field: str) -> int:
    """A card that may be hidden."""
    return chosen(card, 0, KINDS, field) - 1


def _payment(cards: pb.AttackCards, field: str) -> int:
    counts = [cards.blue, cards.yellow, cards.brown, cards.red, cards.green, cards.warrior]
    payment = 0
    for kind, count in enumerate(counts):
        payment |= count << WIDTH * kind if 0 <= count <= MOST[kind] else -1
    if payment <= 0:
        raise InvalidRequest(f"move.{field}", "at least one card, and of each kind at most as many as there are")
    return payment


def _direction(number: int, field: str) -> int:
    return chosen(number, 1, DIRECTIONS, field)


def _seat(number: int, field: str) -> int:
    return chosen(number, 0, MAX_SEATS - 1, field)


def _decode_qi(move: pb.Move) -> Move:
    qi = move.qi
    to = _seat(qi.seat, "qi.seat") if qi.HasField("seat") else moves.TO_RESERVE
    return moves.Qi(to, _seen(qi.card, "qi.card"))


DECODERS: Final[dict[str, Callable[[pb.Move], Move]]] = {
    "take": lambda move: moves.Take(_kind(move.take.card, KINDS, "take.card")),
    "draw": lambda move: moves.DRAW,
    "step": lambda move: moves.Step(_direction(move.step.to, "step.to")),
    "attack": lambda move: moves.Attack(
        _direction(move.attack.direction, "attack.direction"), _payment(move.attack.payment, "attack.payment")
    ),
    "general": lambda move: moves.AttackGeneral(_payment(move.general.payment, "general.payment")),
    "capture": lambda move: moves.Capture(_payment(move.capture.payment, "capture.payment")),
    "stop": lambda move: moves.STOP,
    "power": lambda move: moves.Power(move.power.use),
    "price": lambda move: moves.Price(_kind(move.price.card, POINT_KINDS, "price.card")),
    "release": lambda move: moves.Release(_kind(move.release.card, KINDS, "release.card")),
    "yen": lambda move: moves.Yen(
        chosen(move.yen.pile, 1, PILES, "yen.pile"), _kind(move.yen.card, POINT_KINDS, "yen.card")
    ),
    "place": lambda move: moves.Place(
        _seat(move.place.seat, "place.seat"), _direction(move.place.direction, "place.direction")
    ),
    "first": lambda move: moves.First(_seat(move.first.seat, "first.seat")),
    "qi": _decode_qi,
    "pick": lambda move: moves.Pick(_seat(move.pick.seat, "pick.seat"), _seen(move.pick.card, "pick.card")),
}
