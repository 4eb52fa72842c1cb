"""Source of matches from the ledger of tournaments: those whose moves are stored, in the order of their results."""

from __future__ import annotations

from functools import partial
from typing import Final

from google.protobuf.message import Message

from cli.records.source import Source, SourceMatch
from services.tournaments.ledger.ledger import Ledger, Tournament
from services.tournaments.plan.plan import Spec
from services.tournaments.records import match_id, replay_match
from services.tournaments.results.results import BlockResult

RESULTS_PER_READ: Final = 128


def tournament_matches(ledger: Ledger, tournament: Tournament) -> Source:
    """The matches of a tournament. Raises `UnknownPlan` if this version does not know the rules."""
    spec = tournament.plan.playable()
    for first in range(0, tournament.done, RESULTS_PER_READ):
        for index, result in ledger.lines(tournament.id, first, RESULTS_PER_READ):
            moves = ledger.moves(tournament.id, index)
            if moves is not None:
                yield from block_matches(tournament.id, spec, BlockResult.decode(index, result), moves)


def block_matches(tournament_id: str, spec: Spec, result: BlockResult, moves: bytes) -> Source:
    """The matches of a block, from its stored moves."""
    for index in range(len(result.matches)):
        read = partial(_record, tournament_id, spec, result, moves, index)
        yield SourceMatch(match_id(tournament_id, spec, result.index, index), spec.game, read)


def _record(tournament_id: str, spec: Spec, result: BlockResult, moves: bytes, index: int) -> Message:
    return replay_match(tournament_id, spec, result, moves, index).record_message()
