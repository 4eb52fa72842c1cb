"""Plans and results for the tests of tournaments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import cast

from services.tournaments.plan.plan import Plan, Spec
from services.tournaments.results.results import BlockResult, MatchResult

SPEC = Spec("fire_bulls", ("random", "greedy", "random"), 2, blocks=3, seed=7)

UNKNOWN_RULES_PLAN = Plan(**{**asdict(SPEC), "rules_version": "fire_bulls@99"})
"""The same plan, for a rules version that does not exist."""


def stored_elsewhere(plan: Plan) -> Spec:
    """The plan typed as a `Spec`, as if another version of Fireside had begun it."""
    return cast(Spec, plan)


def spec_of(entrants: int, table_size: int, format: str = "round_robin", **changes: int) -> Spec:
    """A plan for `entrants` bots of one kind."""
    spec = replace(SPEC, entrants=("random",) * entrants, table_size=table_size, format=format, blocks=1)
    return replace(spec, **changes)  # type: ignore[arg-type]


def block_result(index: int, *matches: tuple[Sequence[int], Sequence[int]]) -> BlockResult:
    """A block's result from the entrants and the ranks of its matches."""
    return BlockResult(
        index,
        tuple(
            MatchResult(tuple(entrants), tuple([10 - rank for rank in ranks]), tuple(ranks), "end", 50)
            for entrants, ranks in matches
        ),
    )


def rotated_block(index: int, entrants: Sequence[int], strongest: Sequence[int]) -> BlockResult:
    """A block in which the stronger entrant always ranks better, whatever its seat."""
    better = sorted(entrants, key=strongest.index)
    ranks = {entrant: better.index(entrant) + 1 for entrant in entrants}
    turns = [[*entrants[turn:], *entrants[:turn]] for turn in range(len(entrants))]
    return block_result(index, *[(seats, [ranks[entrant] for entrant in seats]) for seats in turns])
