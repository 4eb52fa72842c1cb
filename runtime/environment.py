"""Variables of the environment that every role reads alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

T = TypeVar("T", int, float)

LOG_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR")

_NUMBER: Final = re.compile(r"[-+.0-9a-z]+")
"""What Python would read besides, other scripts' digits, underscores and blanks, is most likely a mistake."""


def positive(environment: Mapping[str, str], variable: str, parse: Callable[[str], T], default: T, most: int) -> T:
    """A number above 0; the default where there is none. Raises `ValueError` that begins with the variable's name."""
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
    """How long to serve on when asked to stop; 0 is as good as none."""
    zero = environment.get("FIRESIDE_DRAIN_SECONDS", "") == "0"
    return 0.0 if zero else positive(environment, "FIRESIDE_DRAIN_SECONDS", float, 0.0, most)


def log_level(environment: Mapping[str, str], default: str) -> str:
    """The least level that is logged."""
    level = environment.get("FIRESIDE_LOG_LEVEL", "") or default
    if level not in LOG_LEVELS:
        raise ValueError(f"FIRESIDE_LOG_LEVEL: one of {', '.join(LOG_LEVELS)}, not {level!r}")
    return level
