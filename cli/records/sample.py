"""Source of matches that are played now: between `random` and `greedy` bots, the same for the same seed."""

from __future__ import annotations

from itertools import count, islice
from typing import Final

from cli.records.ledger import block_matches
from cli.records.source import Source
from services.tournaments.plan.plan import Block, Spec
from services.tournaments.plan.tables import EvenTables
from services.tournaments.play.blocks import play_block

ENTRANTS: Final = ("random", "greedy", "greedy")
"""At tables of two, a third of the matches is between `greedy` bots, so that both strong and weak moves are met."""


def sample_matches(spec: Spec, matches: int) -> Source:
    """So many matches in blocks, as a round robin of `ENTRANTS` without end would play them."""
    return islice(_endless_matches(spec), matches)


def _endless_matches(spec: Spec) -> Source:
    tables = EvenTables(range(len(spec.entrants)), spec.table_size)
    for index in count():
        result = play_block(spec, Block(index, tables[index % len(tables)]))
        yield from block_matches(f"sample-{spec.game}-{spec.seed}", spec, result, result.encode_moves())
