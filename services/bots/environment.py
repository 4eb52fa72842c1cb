"""Environment variables about bots, which several roles read."""

from __future__ import annotations

from collections.abc import Mapping

from engine_core.bots import LIMITS, SERVED_LIMITS, Limits
from runtime.service_settings import LEAST_KEY_BYTES
from services.bots.remote.allowed import BotAddress, allowed_addresses


def bot_allow(environment: Mapping[str, str]) -> tuple[BotAddress, ...]:
    """Third parties' bots that may be called."""
    try:
        return allowed_addresses(environment.get("FIRESIDE_BOT_ALLOW", ""))
    except ValueError as error:
        raise ValueError(f"FIRESIDE_BOT_ALLOW: {error}") from None


def bot_limits(environment: Mapping[str, str]) -> Limits:
    """How much the options of our bots may cost in seats of matches; what is not named is as usual."""
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
    """What requests to webhooks are signed with. Errors never repeat it."""
    text = environment.get("FIRESIDE_BOT_SECRET", "")
    if text and len(text) < LEAST_KEY_BYTES:
        raise ValueError(f"FIRESIDE_BOT_SECRET: it is shorter than {LEAST_KEY_BYTES} characters")
    return text.encode()
