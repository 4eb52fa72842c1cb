"""Round trip of block results through their bytes."""

from __future__ import annotations

from services.tournaments.results.results import BlockResult, MatchResult


def test_a_result_round_trips_through_its_bytes() -> None:
    match = MatchResult((2, 0), (-3, 14), (2, 1), "rounds", 211, (0,))
    result = BlockResult(5, (match, match))
    assert BlockResult.decode(5, result.encode()) == result
    assert BlockResult.decode(5, result.encode()).encode() == result.encode()
