"""Converts parts of a stored `MatchProgress` message to the objects of the rules and back."""

from __future__ import annotations

from fireside.match.v1.match_record_pb2 import MatchProgress, PoolTaken

from engine_core.chain import HEAD_BYTES


def decode_heads(match_progress: MatchProgress) -> list[bytes]:
    """The hash chain heads, in the order of `records.heads`."""
    heads = match_progress.heads
    return [heads[start : start + HEAD_BYTES] for start in range(0, len(heads), HEAD_BYTES)]


def decode_taken(match_progress: MatchProgress) -> dict[str, dict[str, int]]:
    """The bit masks of copies that have left each pool of nature, as in `Luck.taken_copies`."""
    return {pool: dict(taken.copies) for pool, taken in match_progress.taken.items()}


def encode_taken(taken: dict[str, dict[str, int]]) -> dict[str, PoolTaken]:
    """The messages for the bit masks of `Luck.taken_copies`."""
    return {pool: PoolTaken(copies=copies) for pool, copies in taken.items()}
