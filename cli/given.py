"""Options that were given: those that make no difference are refused, instead of being passed over without a word."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence


def given(arguments: Namespace, names: Sequence[str]) -> dict[str, object]:
    """Those of the options that were given, by name; each of them has nothing, or something empty, as its default."""
    values = {name: getattr(arguments, name) for name in names}
    return {name: value for name, value in values.items() if value or (value == 0 and value is not False)}


def refuse(arguments: Namespace, names: Sequence[str], why: str) -> None:
    """Raises `ValueError` that names those of the options that were given."""
    if found := given(arguments, names):
        raise ValueError(f"{', '.join(f'--{name}' for name in found)}: {why}")
