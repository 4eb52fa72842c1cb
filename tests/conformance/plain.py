"""States and views as plain data, so that they can be compared, in the source and in the compiled engine."""

from __future__ import annotations

from engine_core.game import Move


def plain(value: object) -> object:
    """Lists, dictionaries and values that are equal when the objects are; what is their own affair is left out."""
    if isinstance(value, (bool, int, str, bytes, float, Move)) or value is None:
        return value
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    names = sorted(getattr(type(value), "__mypyc_attrs__", ()) or vars(value))
    return {name: plain(getattr(value, name)) for name in names if not name.startswith("_")}
