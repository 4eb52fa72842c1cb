"""The recorded tournaments, and the page that sums them up."""

from __future__ import annotations

import json

import pytest

from bench.tournaments.recorded import (
    PAGE,
    RECORDED_TOURNAMENTS,
    STRONG_ROWS,
    STRONG_TOURNAMENTS,
    TABLE_ROWS,
    RecordedTournament,
    StrongTournament,
    markdown_table,
    strong_table,
)
from cli.bots import split_names

EVERY_REPORT = pytest.mark.parametrize(
    "row", [*RECORDED_TOURNAMENTS, *STRONG_TOURNAMENTS], ids=lambda row: row.report.stem
)


def test_the_page_of_bots_has_the_tables_made_from_the_reports() -> None:
    for pattern, rows in ((TABLE_ROWS, markdown_table()), (STRONG_ROWS, strong_table())):
        found = pattern.search(PAGE.read_text(encoding="utf-8"))
        assert found
        assert found[0] == rows


@EVERY_REPORT
def test_fault33_no_recorded_figure_lies_outside_its_interval(row: RecordedTournament | StrongTournament) -> None:
    recorded = json.loads(row.report.read_text(encoding="utf-8"))
    report = recorded["report"]
    figures = [
        *[(line["win_share"], line["win_share_interval"]) for line in report["standings"]],
        *[(rating["value"], rating["interval"]) for rating in report["ratings"]],
        *[(pair["share"], pair["interval"]) for pair in report["pairs"]],
    ]
    bounds = [(figure, interval) for figure, interval in figures if interval is not None]
    assert len(bounds) >= len(report["pairs"])
    assert all(low < high and low <= figure <= high for figure, (low, high) in bounds)


@EVERY_REPORT
def test_a_report_has_the_plan_that_would_be_played_today(row: RecordedTournament | StrongTournament) -> None:
    plan = json.loads(row.report.read_text(encoding="utf-8"))["plan"]
    options = dict(zip(row.arguments[2::2], row.arguments[3::2], strict=True))
    assert (plan["game"], plan["table_size"], plan["blocks"], plan["seed"]) == (
        options["--game"],
        int(options["--table"]),
        int(options["--blocks"]),
        int(options["--seed"]),
    )
    assert tuple(plan["entrants"]) == split_names(options["--entrants"])
