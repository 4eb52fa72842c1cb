"""Bots on the command line: parses and checks their names, and names the players that they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.translation import gettext
from engine_core.bots import BOTS, LIMITS, UnknownBot, check_limits
from services.bots.remote.allowed import is_remote

PLAYER_NAMES: Final = ("Ada", "Ben", "Cleo", "Dev", "Eve")
"""Names of players by seat."""


def split_names(text: str) -> tuple[str, ...]:
    """Split comma-separated names of bots; a part `name=value` is a further option of the preceding bot."""
    names: list[str] = []
    for part in text.split(","):
        if names and "=" in part and ":" not in part:
            names[-1] += f",{part}"
        else:
            names.append(part)
    return tuple(names)


def check_names(names: Sequence[str], option: str) -> None:
    """Raise `ValueError` that names the command-line option for a bot that no service has.

    Whether a service has the bot and allows its options, or may call it at its address, is for the service to say.
    """
    for name in names:
        try:
            if not is_remote(name):
                check_limits(name, LIMITS)
        except UnknownBot as error:
            if name.partition(":")[0] in BOTS:
                raise ValueError(f"--{option} {name}: {error.description}") from None
            known = gettext("the bots are {names}, or grpc:host:port, http://… or https://…", names=", ".join(BOTS))
            raise ValueError(f"--{option} {name}: {known}") from None


def player_name(seat: int, bot: str) -> str:
    """The name of a player that is a bot: a person's name by seat, and the kind of bot."""
    kind = bot if is_remote(bot) else bot.partition(":")[0]
    return f"{PLAYER_NAMES[seat % len(PLAYER_NAMES)]} ({kind})"
