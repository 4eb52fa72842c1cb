"""Secrets of webhooks, in the form of Standard Webhooks: `whsec_` and the key in Base64."""

from __future__ import annotations

import base64
import binascii
import secrets
from typing import Final

PREFIX: Final = "whsec_"
KEY_BYTES: Final = 32
MIN_KEY_BYTES: Final = 24
MAX_KEY_BYTES: Final = 64


def new_secret() -> str:
    """A new random secret."""
    return PREFIX + base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()


def key_of(secret: str) -> bytes:
    """The key of a secret. Raises `ValueError`, which never repeats it."""
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not secret.startswith(PREFIX) or not MIN_KEY_BYTES <= len(key) <= MAX_KEY_BYTES:
        raise ValueError(f"it must be {PREFIX} and {MIN_KEY_BYTES} to {MAX_KEY_BYTES} bytes in Base64")
    return key
