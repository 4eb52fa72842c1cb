"""Moves as messages: the `Move` of every game has one field, by which its kind is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

from engine_core.game import Move
from services.engine.wire import Writer
from services.grpc_server.errors import InvalidRequest

MoveWriters = dict[type[Move], tuple[int, Callable[[Writer, Move], None]]]
"""The field of each kind of move, and what writes the message in it."""


class Chosen(Protocol):
    """What the `Move` messages of all games have in common."""

    def WhichOneof(self, oneof_group: Literal["kind"]) -> str | None: ...


def move_written(writers: MoveWriters, move: Move) -> bytes:
    """A `Move`."""
    out = Writer()
    field, write = writers[type(move)]
    place = out.begin(field)
    write(out, move)
    out.end(place)
    return out.done()


def named_kind(move: Chosen) -> str:
    """Which kind of move it is. Raises `InvalidRequest`."""
    kind = move.WhichOneof("kind")
    if kind is None:
        raise InvalidRequest("move", "one kind of move must be given")
    return kind
