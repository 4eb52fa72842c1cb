"""Validation of the names of bots for hosted seats: our bots, addresses of third-party bots, or imported bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine_core.bots import SERVED_LIMITS, Limits, check_limits
from services.bots.remote.allowed import MAX_ADDRESS_LENGTH, BotAddress, checked_address, is_remote
from services.grpc_server.errors import InvalidRequest

MAX_BOT_NAME_LENGTH: Final = MAX_ADDRESS_LENGTH


def check_name(
    bot: str,
    allowed: Sequence[BotAddress],
    field: str,
    limits: Limits = SERVED_LIMITS,
    imported: Sequence[str] = (),
) -> None:
    """Raise `InvalidRequest` for a bot that is unknown, that may not be called, or that costs more than `limits`.

    `imported` are the names of the imported bots that the operator allows; a client can name no other code.
    """
    if bot in imported:
        return
    if len(bot) > MAX_BOT_NAME_LENGTH:
        raise InvalidRequest(field, f"at most {MAX_BOT_NAME_LENGTH} characters, not {len(bot)}")
    try:
        if is_remote(bot):
            checked_address(bot, allowed)
        else:
            check_limits(bot, limits)
    except ValueError as error:
        raise InvalidRequest(field, str(error)) from None
