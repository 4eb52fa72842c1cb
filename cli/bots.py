"""Bots on the command line: parses and checks their names, and names the players that they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from cli.translation import gettext
from engine_core.bots import BOTS, LIMITS, UnknownBot, check_limits
from services.bots.imported.bots import ImportedBotLimits, ImportedBots
from services.bots.imported.names import imported_bot_name, is_imported
from services.bots.remote.allowed import is_remote
from services.bots.remote.failure import BotFailed

PLAYER_NAMES: Final = ("Ada", "Ben", "Cleo", "Dev", "Eve")
"""Names of players by seat."""


def split_names(text: str) -> tuple[str, ...]:
    """Split comma-separated bots; a part `key=value` is an option of the bot before it, unless the value is a bot.

    So is each part in the parentheses of an imported bot.
    """
    names: list[str] = []
    for part in text.split(","):
        is_option = "=" in part and ":" not in part and part.partition("=")[2] not in BOTS
        if names and (is_option or names[-1].count("(") > names[-1].count(")")):
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
            if is_imported(name):
                imported_bot_name(name)
            elif not is_remote(name):
                check_limits(name, LIMITS)
        except UnknownBot as error:
            if name.partition(":")[0] in BOTS:
                raise ValueError(f"--{option} {name}: {error.description}") from None
            known = gettext(
                "the bots are {names}, or file.py:Class, module:Class, grpc:host:port, http://… or https://…",
                names=", ".join(BOTS),
            )
            raise ValueError(f"--{option} {name}: {known}") from None
        except ValueError as error:
            raise ValueError(f"--{option} {error}") from None


@contextmanager
def imported_bots(names: Sequence[str], limits: ImportedBotLimits) -> Iterator[ImportedBots]:
    """Start the imported ones among some bots, until the end of the block. Raises `ValueError` for one that fails."""
    bots = ImportedBots(limits)
    try:
        for name in filter(is_imported, names):
            try:
                bots.start(name)
            except BotFailed as failure:
                raise ValueError(f"{name}: {failure.detail}") from None
        yield bots
    finally:
        bots.close()


def check_imported_bots(names: Sequence[str], limits: ImportedBotLimits) -> None:
    """Raise `ValueError` for an imported bot whose class cannot be imported or made."""
    with imported_bots(names, limits):
        pass


def player_name(seat: int, bot: str) -> str:
    """The name of a player that is a bot: a person's name by seat, and the kind of bot or its class."""
    kind = bot if is_remote(bot) else bot.partition(":")[0]
    if is_imported(bot):
        kind = imported_bot_name(bot).class_name
    return f"{PLAYER_NAMES[seat % len(PLAYER_NAMES)]} ({kind})"
