"""Positions of random matches of every game."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from engine_core.explore import random_step
from services.engine.codecs import AnyCodec


def empty_options(codec: AnyCodec) -> Message:
    """An `Options` message without any field set."""
    options = codec.service.methods_by_name["NewGame"].input_type.fields_by_name["options"].message_type
    assert options is not None
    return GetMessageClass(options)()


def positions(codec: AnyCodec, seat_count: int, random: Random) -> Iterator[Any]:
    """Every position of a random match; all are the same object, which changes."""
    game = codec.game
    default = codec.decode_options(empty_options(codec))
    state = game.start(seat_count, default)
    yield state
    while random_step(game, state, random):
        yield state
