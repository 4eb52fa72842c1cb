"""Readers of the environment variables about bots and webhooks that several roles share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine_core.bots import LIMITS, SERVED_LIMITS, Limits
from runtime.environment import positive_number
from runtime.service_settings import MEBIBYTE, MIN_KEY_BYTES
from services.bots.imported.names import is_imported
from services.bots.remote.allowed import BotAddress, allowed_addresses

MAX_BOT_MEMORY: Final = 1 << 50
BOT_MEMORY: Final = 4096 * MEBIBYTE
"""Default address space of an imported bot: NumPy alone reserves several hundred MB, PyTorch more than 1 GB."""


def bot_memory(environment: Mapping[str, str]) -> int:
    """Greatest address space of an imported bot in bytes. Raises `ValueError` that begins with the variable."""
    return positive_number(environment, "FIRESIDE_BOT_MEMORY", int, BOT_MEMORY, MAX_BOT_MEMORY)


def imported_bots(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Names of the imported bots that may have seats, exactly as clients name them; none by default."""
    names = [name.strip() for name in environment.get("FIRESIDE_IMPORTED_BOTS", "").split(";") if name.strip()]
    for name in names:
        if not is_imported(name):
            raise ValueError(f"FIRESIDE_IMPORTED_BOTS: {name!r} is not of the form module:Class or file.py:Class")
    return tuple(names)


def bot_allow(environment: Mapping[str, str]) -> tuple[BotAddress, ...]:
    """Addresses of third-party bots that may be called. Raises `ValueError` that begins with the variable."""
    try:
        return allowed_addresses(environment.get("FIRESIDE_BOT_ALLOW", ""))
    except ValueError as error:
        raise ValueError(f"FIRESIDE_BOT_ALLOW: {error}") from None


def webhook_allow(environment: Mapping[str, str]) -> tuple[BotAddress, ...]:
    """Addresses that webhooks of platforms may have. Raises `ValueError` that begins with the variable."""
    try:
        allowed = allowed_addresses(environment.get("FIRESIDE_WEBHOOK_ALLOW", ""))
    except ValueError as error:
        raise ValueError(f"FIRESIDE_WEBHOOK_ALLOW: {error}") from None
    if any(where.scheme == "grpc" for where in allowed):
        raise ValueError("FIRESIDE_WEBHOOK_ALLOW: an address must begin with http:// or https://")
    return allowed


def bot_limits(environment: Mapping[str, str]) -> Limits:
    """Limits of our bots' options in hosted seats, with defaults. Raises `ValueError` that begins with the variable."""
    given = {}
    for item in filter(None, environment.get("FIRESIDE_BOT_LIMITS", "").split(",")):
        name, _, text = item.strip().partition("=")
        if name not in Limits._fields or name in given:
            raise ValueError(f"FIRESIDE_BOT_LIMITS: {name!r} is none of {', '.join(Limits._fields)}, or is given twice")
        most = getattr(LIMITS, name)
        if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= most):
            raise ValueError(f"FIRESIDE_BOT_LIMITS: {name} must be from 1 to {most}, not {text!r}")
        given[name] = int(text)
    return SERVED_LIMITS._replace(**given)


def bot_secret(environment: Mapping[str, str]) -> bytes:
    """The secret that signs requests to webhooks. Raises `ValueError`, which never repeats it."""
    text = environment.get("FIRESIDE_BOT_SECRET", "")
    if text and len(text) < MIN_KEY_BYTES:
        raise ValueError(f"FIRESIDE_BOT_SECRET: it is shorter than {MIN_KEY_BYTES} characters")
    return text.encode()
