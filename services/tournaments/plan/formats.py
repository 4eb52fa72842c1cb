"""The formats: which tables play in the next round, given what has been played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from services.tournaments.plan.plan import InvalidSpec, Plan, Table, lots
from services.tournaments.plan.swiss_pairing import meetings, neighbours
from services.tournaments.plan.tables import Mixes
from services.tournaments.results.tally import Tally

MOST_PLANNED: Final = 100_000_000
"""Blocks of a whole tournament."""


@dataclass(frozen=True)
class Round:
    """A round that has been played: its tables and what their blocks came to."""

    tables: Sequence[Table]
    tally: Tally


Begun = Mapping[int, Table]
"""Those tables of a round, by number, that results tell of."""

UNBEGUN: Final[Begun] = {}

Pairing = Callable[[Plan, Sequence[Round], Begun], Sequence[Table]]
"""The tables of the round after those that have been played; none when the tournament is over. Deterministic.

Where a pairing may change with the version of Fireside, the tables that are begun stay as they are.
"""


def round_robin(plan: Plan, played: Sequence[Round], begun: Begun = UNBEGUN) -> Sequence[Table]:
    """One round, in which every choice of entrants that fills a table meets."""
    return () if played else Mixes(range(len(plan.entrants)), plan.table_size)


def swiss(plan: Plan, played: Sequence[Round], begun: Begun = UNBEGUN) -> Sequence[Table]:
    """Neighbours in the standings play; nobody plays again whom another pairing of the round would spare that.

    Where entrants are left over, those sit out that have sat out least, the last in the standings first. Where another
    version of Fireside has begun the round with other tables, those stand, and the rest are paired like this.
    """
    if len(played) == swiss_rounds(plan):
        return ()
    if len(plan.entrants) < plan.table_size:
        return Mixes(range(len(plan.entrants)), plan.table_size)
    count = len(plan.entrants) // plan.table_size
    if len(begun) == count:
        return [begun[number] for number in range(count)]
    ranking = _ranking(plan, played)
    tables = _paired(plan, played, ranking)
    if all(tables[number] == table for number, table in begun.items()):
        return tables
    seated = {entrant for table in begun.values() for entrant in table}
    others = iter(_paired(plan, played, [entrant for entrant in ranking if entrant not in seated]))
    return [begun[number] if number in begun else next(others) for number in range(count)]


def _paired(plan: Plan, played: Sequence[Round], ranking: list[int]) -> list[Table]:
    """Tables of these entrants, but for those left over."""
    out = _sitting_out(plan, played, ranking)
    met = meetings([table for past in played for table in past.tables])
    return neighbours([entrant for entrant in ranking if entrant not in out], plan.table_size, met)


def swiss_rounds(plan: Plan) -> int:
    """As many as the plan says; otherwise as a knockout would have, and one more to tell the next ones."""
    rounds, reached = 1, 1
    while reached < len(plan.entrants):
        rounds, reached = rounds + 1, reached * plan.table_size
    return plan.rounds or rounds


def _ranking(plan: Plan, played: Sequence[Round]) -> list[int]:
    """By wins a chair, then by mean rank, then by lot. Who has not played yet stands where all began."""
    total = Tally(len(plan.entrants))
    for past in played:
        total.merge(past.tally)
    lot = lots(plan)

    def place(entrant: int) -> tuple[float, float, int]:
        line = total.lines[entrant]
        if not line.played:
            return (-1 / plan.table_size, (plan.table_size + 1) / 2, lot[entrant])
        return (-line.win_share, line.mean_rank, lot[entrant])

    return sorted(range(len(plan.entrants)), key=place)


def _sitting_out(plan: Plan, played: Sequence[Round], ranking: list[int]) -> set[int]:
    played_in = Counter(entrant for past in played for table in past.tables for entrant in set(table))
    last_first = sorted(ranking, key=lambda entrant: (-played_in[entrant], -ranking.index(entrant)))
    return set(last_first[: len(ranking) % plan.table_size])


def knockout(plan: Plan, played: Sequence[Round], begun: Begun = UNBEGUN) -> Sequence[Table]:
    """The winner of each table goes on, until one is left.

    The entrants are listed in order of strength: tables are filled there and back, so that the first meet late, and
    where entrants are left over the first of them go on without a match. A last group that is smaller than a table
    plays as in a round robin.
    """
    left = list(range(len(plan.entrants)))
    for past in played:
        left = _survivors(plan, left, past)
    if len(left) == 1:
        return ()
    if len(left) < plan.table_size:
        return Mixes(left, plan.table_size)
    return _brackets(left[len(left) % plan.table_size :], plan.table_size)


def _brackets(entrants: list[int], size: int) -> list[Table]:
    count = len(entrants) // size
    rows = [entrants[start : start + count] for start in range(0, len(entrants), count)]
    columns = zip(*[row if number % 2 == 0 else row[::-1] for number, row in enumerate(rows)], strict=True)
    return [tuple(column) for column in columns]


def _survivors(plan: Plan, left: list[int], past: Round) -> list[int]:
    """Those that had no match, and the best of each table: by wins, then by mean rank, then by place in the list."""

    def place(entrant: int) -> tuple[float, float, int]:
        line = past.tally.lines[entrant]
        return (-line.win_share, line.mean_rank, entrant)

    if len(left) < plan.table_size:
        return [min(left, key=place)]
    playing = {entrant for table in past.tables for entrant in table}
    winners = {min(table, key=place) for table in past.tables}
    return [entrant for entrant in left if entrant in winners or entrant not in playing]


PAIRINGS: Final[dict[str, Pairing]] = {"round_robin": round_robin, "swiss": swiss, "knockout": knockout}
"""By the names in `FORMATS`."""


def next_tables(plan: Plan, played: Sequence[Round], begun: Begun = UNBEGUN) -> Sequence[Table]:
    """The tables of the next round; none when the tournament is over."""
    return PAIRINGS[plan.format](plan, played, begun)


def tables_a_round(plan: Plan) -> int:
    """How many tables each round of a Swiss tournament has."""
    return len(swiss(plan, ()))


def planned_blocks(plan: Plan) -> int:
    """How many blocks the whole tournament has; this much is known before it begins."""
    return plan.blocks * (_swiss_tables(plan) if plan.format == "swiss" else _tables(plan))


def check_size(plan: Plan) -> None:
    """Raise `InvalidSpec` for a plan whose matches nobody could count in 32 bits."""
    blocks = planned_blocks(plan)
    if blocks > MOST_PLANNED:
        raise InvalidSpec("blocks", f"{blocks} in all tables and rounds; at most {MOST_PLANNED}")


def _swiss_tables(plan: Plan) -> int:
    """As many in each round: without pairing anybody, which takes seconds where the rounds are many."""
    return swiss_rounds(plan) * tables_a_round(plan)


def _tables(plan: Plan) -> int:
    played: list[Round] = []
    while tables := next_tables(plan, played):
        played.append(Round(tables, Tally(len(plan.entrants))))
    return sum(len(past.tables) for past in played)
