"""Writes and reads `Move` messages, which in every game are a oneof with a field for each kind of move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

from engine_core.game import Move
from services.engine.wire import Writer
from services.grpc_server.errors import InvalidRequest

MoveWriters = dict[type[Move], tuple[int, Callable[[Writer, Move], None]]]
"""For each class of moves, the field number of its kind and the function that writes the message in that field."""


class MoveMessage(Protocol):
    """What the `Move` messages of all games have in common."""

    def WhichOneof(self, oneof_group: Literal["kind"]) -> str | None: ...


def write_by_kind(writers: MoveWriters, move: Move) -> bytes:
    """The bytes of a `Move`, with the field of its kind set."""
    out = Writer()
    field, write = writers[type(move)]
    start = out.begin(field)
    write(out, move)
    out.end(start)
    return out.to_bytes()


def move_kind(message: MoveMessage) -> str:
    """The name of the field that is set. Raises `InvalidRequest` if none is set."""
    kind = message.WhichOneof("kind")
    if kind is None:
        raise InvalidRequest("move", "one kind of move must be given")
    return kind
