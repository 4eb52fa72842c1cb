"""Schema of tables of finished matches, which `fireside records` writes as Parquet files. docs/data.md explains it."""

from __future__ import annotations

from typing import Final

import pyarrow as pa

NO_ACTION: Final = -1
"""Action of entries that are no move of a seat: draws of nature, hints, epochs, and seats that leave."""

_TEXTS = pa.list_(pa.string())

SCHEMA: Final = pa.schema(
    [
        ("match_id", pa.string()),
        ("game", pa.string()),
        ("rules_version", pa.string()),
        ("options", pa.string()),  # by `format_options`, not as the API has them: the loader needs no messages
        ("names", _TEXTS),
        ("bots", _TEXTS),
        ("secret_seed", pa.string()),
        ("client_seeds", _TEXTS),
        ("commitment", pa.string()),
        ("reason", pa.string()),
        ("winners", pa.list_(pa.int8())),
        ("points", pa.list_(pa.int32())),
        ("ranks", pa.list_(pa.int8())),
        ("move_count", pa.int32()),
        ("moves", _TEXTS),
        ("movers", pa.list_(pa.int8())),
        ("actions", pa.list_(pa.int32())),
        ("create_time", pa.timestamp("ms", "UTC")),
    ]
)
"""Columns: lists by seat (`names`, `bots`, `points`, `ranks`) or by log entry (`moves`, `movers`, `actions`)."""
