"""Text to JSON, more strictly than the standard library reads it."""

from __future__ import annotations

import json

from gateway.protojson.faults import MalformedJson
from gateway.schema import Json


def parse_json(text: bytes) -> Json:
    """Raises `MalformedJson`."""
    try:
        value: Json = json.loads(text.decode(), object_pairs_hook=_unique, parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        raise MalformedJson(str(error)) from error
    return value


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a key is there twice in one object")
    return members


def _refused(constant: str) -> Json:
    raise ValueError(f"{constant} is not JSON")
