"""Converts options of Spring Festival to `Options` messages and back."""

from __future__ import annotations

from fireside.spring_festival.v1 import field_numbers as fields
from fireside.spring_festival.v1 import spring_festival_pb2 as pb

from engine_core.errors import InvalidOption
from engine_core.games.spring_festival.state import NO_SEAT, SIGN_CHOICES, SpringFestivalOptions
from services.engine.wire import Writer


def write_options(options: SpringFestivalOptions) -> bytes:
    """The bytes of an `Options`."""
    out = Writer()
    out.number(fields.Options.SIGN, SIGN_CHOICES.index(options.sign) + 1)
    out.flag(fields.Options.EXTRA_COMPOSITIONS, options.extra_compositions)
    if options.first_seat != NO_SEAT:
        out.explicit(fields.Options.FIRST_SEAT, options.first_seat)
    return out.to_bytes()


def decode_options(options: pb.Options) -> SpringFestivalOptions:
    """The options of a message. Raises `InvalidOption`."""
    sign = options.sign or pb.SIGN_NONE
    if not 1 <= sign <= len(SIGN_CHOICES):
        raise InvalidOption("options.sign", f"there is no sign {sign}")
    if options.HasField("first_seat") and options.first_seat < 0:
        raise InvalidOption("options.firstSeat", f"a seat, not {options.first_seat}")
    first = options.first_seat if options.HasField("first_seat") else NO_SEAT
    return SpringFestivalOptions(SIGN_CHOICES[sign - 1], options.extra_compositions, first)
