"""Converts parts of a stored `MatchProgress` message to the objects of the rules and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fireside.match.v1 import field_numbers as fields
from fireside.match.v1.match_record_pb2 import MatchProgress

from engine_core.chain import HEAD_BYTES
from services.engine.wire import Writer

KEY: Final = 1
VALUE: Final = 2
"""Field numbers of the entries of a map."""


def decode_heads(match_progress: MatchProgress) -> list[bytes]:
    """The hash chain heads, in the order of `records.heads`."""
    heads = match_progress.heads
    return [heads[start : start + HEAD_BYTES] for start in range(0, len(heads), HEAD_BYTES)]


def decode_taken(match_progress: MatchProgress) -> dict[str, dict[str, int]]:
    """The bit masks of copies that have left each pool of nature, as in `Luck.taken_copies`."""
    return {pool: dict(taken.copies) for pool, taken in match_progress.taken.items()}


def write_counts(out: Writer, field: int, counts: Mapping[str, int]) -> None:
    """Write a `map<string, int32>`, in canonical order."""
    for name in sorted(counts):
        start = out.begin(field)
        out.data(KEY, name.encode())
        out.explicit(VALUE, counts[name])
        out.end(start)


def write_taken(out: Writer, taken: Mapping[str, Mapping[str, int]]) -> None:
    """Write the bit masks of `Luck.taken_copies`, in canonical order."""
    for pool in sorted(taken):
        start = out.begin(fields.MatchProgress.TAKEN)
        out.data(KEY, pool.encode())
        copies = out.begin(VALUE)
        write_counts(out, fields.PoolTaken.COPIES, taken[pool])
        out.end(copies)
        out.end(start)
