"""Response of `Score`, as a message and not as bytes like other responses, since it is needed about once a match."""

# In a module of its own, which is not compiled: mypyc 2.4.1 released an object too often here, and the engine crashed.

from __future__ import annotations

from fireside.match.v1 import match_pb2
from google.protobuf.message import Message

from engine_core.game import Standing
from engine_core.match import AnyMatch
from services.engine.codec import MessageClass


def score_of(match: AnyMatch, response: MessageClass) -> Message:
    """Points and ranks of a match at its current position."""
    score = match.game.score(match.state)
    return response(
        over=match.is_over(),
        reason=score.reason,
        winners=score.winners,
        standings=[_standing(standing) for standing in score.standings],
    )


def _standing(standing: Standing) -> match_pb2.Standing:
    return match_pb2.Standing(
        seat=standing.seat,
        points=standing.points,
        rank=standing.rank,
        breakdown=[match_pb2.Points(label=line.label, points=line.points) for line in standing.breakdown],
    )
