"""Converts states and views to plain data, so that interpreted and compiled ones can be compared."""

from __future__ import annotations

from engine_core.game import Move


def plain(value: object) -> object:
    """Lists, dictionaries and values that are equal if the objects are; private attributes are left out."""
    if isinstance(value, (bool, int, str, bytes, float, Move)) or value is None:
        return value
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    names = sorted(getattr(type(value), "__mypyc_attrs__", ()) or vars(value))
    return {name: plain(getattr(value, name)) for name in names if not name.startswith("_")}
