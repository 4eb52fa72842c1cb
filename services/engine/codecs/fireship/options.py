"""Converts options of Fireship to `Options` messages and back."""

from __future__ import annotations

from fireside.fireship.v1 import field_numbers as fields
from fireside.fireship.v1 import fireship_pb2 as pb

from engine_core.errors import InvalidOption
from engine_core.games.fireship.components import COLOURS, MOVEMENT_DICE
from engine_core.games.fireship.state import MAX_SEATS, FireshipOptions
from services.engine.wire import Writer


def write_options(out: Writer, field: int, options: FireshipOptions) -> None:
    """Write an `Options` field."""
    start = out.begin(field)
    _write_fields(out, options)
    out.end(start)


def encode_options(options: FireshipOptions) -> pb.Options:
    """An `Options` message."""
    out = Writer()
    _write_fields(out, options)
    return pb.Options.FromString(out.to_bytes())


def _write_fields(out: Writer, options: FireshipOptions) -> None:
    out.explicit(fields.Options.FORTIFICATION, options.fortification)
    out.number(fields.Options.ROUNDS, options.rounds)
    out.number(fields.Options.MOVEMENT_DICE, options.movement_dice)
    out.flag(fields.Options.ISLAND_SUPPORTS_ATTACK, options.island_supports_attack)
    out.numbers(fields.Options.COLOURS, list(options.colours), 1)


def decode_options(options: pb.Options) -> FireshipOptions:
    """The options of a message. Raises `InvalidOption`."""
    if len(options.colours) > MAX_SEATS:
        raise InvalidOption("options.colours", f"at most {MAX_SEATS}")
    if not all(1 <= colour <= len(COLOURS) for colour in options.colours):
        raise InvalidOption("options.colours", "a colour without a corner")
    return FireshipOptions(
        options.fortification if options.HasField("fortification") else True,
        options.rounds,
        options.movement_dice or MOVEMENT_DICE[0],
        options.island_supports_attack,
        tuple([colour - 1 for colour in options.colours]),
    )
