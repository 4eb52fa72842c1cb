"""Progress of a Swiss tournament whose round another version of Fireside has started."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from services.tournaments.ledger.file import FileLedger
from services.tournaments.ledger.ledger import Ledger, StoredResult
from services.tournaments.plan.plan import Block, Table, entrants_by_seat
from services.tournaments.progress import TournamentProgress
from tests.services.tournaments.plans import rotated_block, spec_of

SPEC = spec_of(8, 2, "swiss", blocks=2)
STRENGTH_ORDER = range(8)
FIRST_ROUND_TABLES = [(7, 0), (6, 1), (5, 2), (4, 3)]
SECOND_ROUND_TABLES = [(7, 4), (6, 5), (3, 1), (2, 0)]


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    opened = FileLedger(tmp_path / "ledger.db")
    yield opened
    opened.close()


def round_results(first: int, tables: Sequence[Table]) -> list[StoredResult]:
    """All results of a round."""
    blocks = [Block(index, tables[(index - first) % len(tables)]) for index in range(first, first + 2 * len(tables))]
    return [
        (each.index, rotated_block(each.index, entrants_by_seat(SPEC, each, 0), STRENGTH_ORDER).encode())
        for each in blocks
    ]


def progress_in_second_round(ledger: Ledger, recorded: Sequence[StoredResult]) -> TournamentProgress:
    """A tournament in its second round."""
    ledger.create("cup", SPEC, 1000)
    token = ledger.acquire("cup", 60_000)
    assert token is not None
    ledger.record("cup", token, recorded)
    progress = TournamentProgress(ledger, ledger.tournament("cup"))
    assert progress.next_round()
    assert list(progress.missing()) == []
    assert progress.next_round()
    return progress


def test_played_rounds_are_not_paired_again(ledger: Ledger) -> None:
    missing = list(
        progress_in_second_round(
            ledger, round_results(0, FIRST_ROUND_TABLES) + round_results(8, SECOND_ROUND_TABLES)[1:]
        ).missing()
    )
    assert missing == [Block(8, SECOND_ROUND_TABLES[0])]


def test_played_tables_of_a_started_round_remain_and_the_others_are_paired(ledger: Ledger) -> None:
    played_lines = [line for line in round_results(8, SECOND_ROUND_TABLES) if line[0] in (10, 12)]
    missing = {
        block.index: block.table
        for block in progress_in_second_round(ledger, round_results(0, FIRST_ROUND_TABLES) + played_lines).missing()
    }
    assert (missing[8], missing[14]) == (SECOND_ROUND_TABLES[0], SECOND_ROUND_TABLES[2])
    assert (missing[9], missing[11]) == (missing[13], missing[15])
    assert sorted([*missing[8], *missing[9], *missing[14], *missing[11]]) == list(range(8))
