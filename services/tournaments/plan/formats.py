"""Tournament formats (round robin, gauntlet, Swiss, knockout): tables of the next round, given those already played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from services.tournaments.plan.plan import InvalidSpec, Plan, Table, tie_breaks
from services.tournaments.plan.swiss_pairing import meetings, swiss_tables
from services.tournaments.plan.tables import EvenTables, GauntletTables
from services.tournaments.results.tally import Tally

MAX_PLANNED_BLOCKS: Final = 100_000_000
"""Most blocks of a whole tournament."""


@dataclass(frozen=True)
class Round:
    """A round that has been played: its tables and the sums of their results."""

    tables: Sequence[Table]
    tally: Tally


StartedTables = Mapping[int, Table]
"""Tables of a round that already have results, by their number in the round."""

NONE_STARTED: Final[StartedTables] = {}

Pairing = Callable[[Plan, Sequence[Round], StartedTables], Sequence[Table]]
"""Computes the tables of the next round, deterministically; none when the tournament is over.

A pairing algorithm may change with the version of Fireside: tables that already have results stay as they are.
"""


def round_robin(plan: Plan, played: Sequence[Round], started: StartedTables = NONE_STARTED) -> Sequence[Table]:
    """One round, with a table for every combination of entrants."""
    return () if played else EvenTables(range(len(plan.entrants)), plan.table_size)


def gauntlet(plan: Plan, played: Sequence[Round], started: StartedTables = NONE_STARTED) -> Sequence[Table]:
    """One round, with a table of the first entrant and every combination of the others."""
    if len(plan.entrants) <= plan.table_size:
        return round_robin(plan, played)  # all sit at every table
    return () if played else GauntletTables(range(len(plan.entrants)), plan.table_size)


def swiss(plan: Plan, played: Sequence[Round], started: StartedTables = NONE_STARTED) -> Sequence[Table]:
    """Pair entrants that are near each other in the standings, with as few repeated meetings as possible.

    If the entrants do not fill the tables, those sit out that have sat out least, the last in the standings first. If
    another version of Fireside has begun the round with other tables, these stay, and the other entrants are paired.
    """
    if len(played) == swiss_rounds(plan):
        return ()
    if len(plan.entrants) < plan.table_size:
        return EvenTables(range(len(plan.entrants)), plan.table_size)
    count = len(plan.entrants) // plan.table_size
    if len(started) == count:
        return [started[number] for number in range(count)]
    ranking = _ranking(plan, played)
    tables = _pair_ranked(plan, played, ranking)
    if all(tables[number] == table for number, table in started.items()):
        return tables
    seated = {entrant for table in started.values() for entrant in table}
    others = iter(_pair_ranked(plan, played, [entrant for entrant in ranking if entrant not in seated]))
    return [started[number] if number in started else next(others) for number in range(count)]


def _pair_ranked(plan: Plan, played: Sequence[Round], ranking: list[int]) -> list[Table]:
    """Swiss tables of these entrants, except those that sit out."""
    out = _sitting_out(plan, played, ranking)
    met_before = meetings([table for past in played for table in past.tables])
    return swiss_tables([entrant for entrant in ranking if entrant not in out], plan.table_size, met_before)


def swiss_rounds(plan: Plan) -> int:
    """The plan's number of rounds; by default one more than a knockout would have, to rank the runners-up, too."""
    rounds, reached = 1, 1
    while reached < len(plan.entrants):
        rounds, reached = rounds + 1, reached * plan.table_size
    return plan.rounds or rounds


def _ranking(plan: Plan, played: Sequence[Round]) -> list[int]:
    """Entrants by wins a seat, then mean rank, then lot. One that has not played yet ranks as an average one."""
    total = Tally(len(plan.entrants))
    for past in played:
        total.merge(past.tally)
    tie_break = tie_breaks(plan)

    def place(entrant: int) -> tuple[float, float, int]:
        line = total.lines[entrant]
        if not line.played:
            return (-1 / plan.table_size, (plan.table_size + 1) / 2, tie_break[entrant])
        return (-line.win_share, line.mean_rank, tie_break[entrant])

    return sorted(range(len(plan.entrants)), key=place)


def _sitting_out(plan: Plan, played: Sequence[Round], ranking: list[int]) -> set[int]:
    rounds_played = Counter(entrant for past in played for table in past.tables for entrant in set(table))
    last_first = sorted(ranking, key=lambda entrant: (-rounds_played[entrant], -ranking.index(entrant)))
    return set(last_first[: len(ranking) % plan.table_size])


def knockout(plan: Plan, played: Sequence[Round], started: StartedTables = NONE_STARTED) -> Sequence[Table]:
    """The winner of each table advances, until one is left.

    The plan lists the entrants in order of strength, and tables are seeded in a serpentine, so that strong ones meet
    late. If the entrants do not fill the tables, the strongest advance without a match (a bye). A last group that is
    smaller than a table plays as in a round robin.
    """
    remaining = list(range(len(plan.entrants)))
    for past in played:
        remaining = _survivors(plan, remaining, past)
    if len(remaining) == 1:
        return ()
    if len(remaining) < plan.table_size:
        return EvenTables(remaining, plan.table_size)
    return _brackets(remaining[len(remaining) % plan.table_size :], plan.table_size)


def _brackets(entrants: list[int], size: int) -> list[Table]:
    count = len(entrants) // size
    rows = [entrants[start : start + count] for start in range(0, len(entrants), count)]
    columns = zip(*[row if number % 2 == 0 else row[::-1] for number, row in enumerate(rows)], strict=True)
    return [tuple(column) for column in columns]


def _survivors(plan: Plan, remaining: list[int], past: Round) -> list[int]:
    """Entrants with a bye, and the best of each table: by wins, then mean rank, then position in the plan."""

    def place(entrant: int) -> tuple[float, float, int]:
        line = past.tally.lines[entrant]
        return (-line.win_share, line.mean_rank, entrant)

    if len(remaining) < plan.table_size:
        return [min(remaining, key=place)]
    playing = {entrant for table in past.tables for entrant in table}
    winners = {min(table, key=place) for table in past.tables}
    return [entrant for entrant in remaining if entrant in winners or entrant not in playing]


PAIRINGS: Final[dict[str, Pairing]] = {
    "round_robin": round_robin,
    "gauntlet": gauntlet,
    "swiss": swiss,
    "knockout": knockout,
}
"""Pairing functions by the names in `FORMATS`."""


def next_tables(plan: Plan, played: Sequence[Round], started: StartedTables = NONE_STARTED) -> Sequence[Table]:
    """The tables of the next round; none when the tournament is over."""
    return PAIRINGS[plan.format](plan, played, started)


def tables_per_round(plan: Plan) -> int:
    """Number of tables in each round of a Swiss tournament."""
    return len(swiss(plan, ()))


def planned_blocks(plan: Plan) -> int:
    """Number of blocks of the whole tournament; known before it begins."""
    return plan.blocks * (_swiss_table_count(plan) if plan.format == "swiss" else _table_count(plan))


def check_size(plan: Plan) -> None:
    """Raise `InvalidSpec` above `MAX_PLANNED_BLOCKS` blocks, since matches are counted in 32 bits."""
    blocks = planned_blocks(plan)
    if blocks > MAX_PLANNED_BLOCKS:
        raise InvalidSpec("blocks", f"{blocks} in all tables and rounds; at most {MAX_PLANNED_BLOCKS}")


def _swiss_table_count(plan: Plan) -> int:
    """Number of tables in all rounds, without pairing each round, which would take seconds for many rounds."""
    return swiss_rounds(plan) * tables_per_round(plan)


def _table_count(plan: Plan) -> int:
    played: list[Round] = []
    while tables := next_tables(plan, played):
        played.append(Round(tables, Tally(len(plan.entrants))))
    return sum(len(past.tables) for past in played)
