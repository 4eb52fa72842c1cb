"""Ports as words of a command."""

from __future__ import annotations

from typing import Final

PORT_MOST: Final = 65535


def port(text: str) -> int:
    """A port, 0 for any free one. Raises `ValueError`."""
    number = int(text)
    if not 0 <= number <= PORT_MOST:
        raise ValueError(f"a port is 0 to {PORT_MOST}")
    return number
