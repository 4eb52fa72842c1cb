"""Converts options of Fire Bulls to `Options` messages and back."""

from __future__ import annotations

from typing import Final, cast

from fireside.fire_bulls.v1 import fire_bulls_pb2 as pb

from engine_core.errors import InvalidOption
from engine_core.games.fire_bulls.components import COLOURS
from engine_core.games.fire_bulls.state import MAX_SEATS, NO_SEAT, FireBullsOptions

PROFILES: Final = ["merged", "fr", "it"]
"""Profile names in the order of the enum `Profile`, from 1."""


def decode_options(options: pb.Options) -> FireBullsOptions:
    """The options of a message. Raises `InvalidOption`."""
    profile = options.profile or 1
    if not 1 <= profile <= len(PROFILES):
        raise InvalidOption("options.profile", f"there is no profile {profile}")
    if len(options.colours) > MAX_SEATS:
        raise InvalidOption("options.colours", f"at most {MAX_SEATS}")
    if not all(1 <= colour <= len(COLOURS) for colour in options.colours):
        raise InvalidOption("options.colours", "a colour that is none of the five")
    first = options.first_seat if options.HasField("first_seat") else NO_SEAT
    if options.HasField("first_seat") and first < 0:
        raise InvalidOption("options.firstSeat", f"a seat, not {first}")
    return FireBullsOptions(PROFILES[profile - 1], tuple([colour - 1 for colour in options.colours]), first)


def encode_options(options: FireBullsOptions) -> pb.Options:
    """The options as a message."""
    return pb.Options(
        profile=profile_number(options.profile),
        colours=[colour_number(colour) for colour in options.colours],
        first_seat=None if options.first_seat == NO_SEAT else options.first_seat,
    )


def profile_number(profile: str) -> pb.Profile.ValueType:
    """The value of the enum `Profile`."""
    return cast(pb.Profile.ValueType, PROFILES.index(profile) + 1)


def colour_number(colour: int) -> pb.Colour.ValueType:
    """The value of the enum `Colour`."""
    return cast(pb.Colour.ValueType, colour + 1)
