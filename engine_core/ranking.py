"""Ranking of seats by points and tie-breaks."""

from __future__ import annotations

from engine_core.game import Points, Score, Standing


def ranked_score(breakdowns: list[list[Points]], keys: list[tuple[int, ...]], reason: str) -> Score:
    """The score of a match. A seat with a greater key ranks higher, equal keys share a rank.

    Breakdowns and keys are given by seat; `reason` is empty, and nobody wins, until the match is over.
    """
    standings = [
        Standing(seat, sum([line.points for line in lines]), 1 + sum([key > keys[seat] for key in keys]), lines)
        for seat, lines in enumerate(breakdowns)
    ]
    winners = [standing.seat for standing in standings if reason and standing.rank == 1]
    return Score(standings, winners, reason)
