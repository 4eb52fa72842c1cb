"""Readers of environment variables that several roles share."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

T = TypeVar("T", int, float)

LOG_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR")

_NUMBER: Final = re.compile(r"[-+.0-9a-z]+")
"""`int` and `float` also accept underscores, blanks and digits of other scripts, which are most likely mistakes."""


def positive_number(
    environment: Mapping[str, str], variable: str, parse: Callable[[str], T], default: T, most: int
) -> T:
    """A number above 0 and at most `most`; the default if unset. Raises `ValueError` that begins with the variable."""
    text = environment.get(variable, "")
    if not text:
        return default
    try:
        number = parse(text if _NUMBER.fullmatch(text) else "")
    except ValueError:
        raise ValueError(f"{variable}: {text!r} is not a number") from None
    if not 0 < number <= most:
        raise ValueError(f"{variable}: {text!r} is not above 0, or above {most}")
    return number


def drain_seconds(environment: Mapping[str, str], most: int) -> float:
    """Seconds to continue serving after SIGTERM; 0 by default."""
    zero = environment.get("FIRESIDE_DRAIN_SECONDS", "") == "0"
    return 0.0 if zero else positive_number(environment, "FIRESIDE_DRAIN_SECONDS", float, 0.0, most)


def log_level(environment: Mapping[str, str], default: str) -> str:
    """The lowest level that is logged. Raises `ValueError`."""
    level = environment.get("FIRESIDE_LOG_LEVEL", "") or default
    if level not in LOG_LEVELS:
        raise ValueError(f"FIRESIDE_LOG_LEVEL: one of {', '.join(LOG_LEVELS)}, not {level!r}")
    return level
