"""The recorded tournaments, and the page that sums them up."""

from __future__ import annotations

import json

import pytest

from bench.tournaments.recorded import PAGE, RECORDED_TOURNAMENTS, TABLE_ROWS, RecordedTournament, markdown_table
from cli.bots import split_names


def test_the_page_of_bots_has_the_table_made_from_the_reports() -> None:
    found = TABLE_ROWS.search(PAGE.read_text(encoding="utf-8"))
    assert found
    assert found[0] == markdown_table()


@pytest.mark.parametrize("row", RECORDED_TOURNAMENTS, ids=lambda row: row.report.stem)
def test_fault33_no_recorded_figure_lies_outside_its_interval(row: RecordedTournament) -> None:
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


@pytest.mark.parametrize("row", RECORDED_TOURNAMENTS, ids=lambda row: row.report.stem)
def test_a_report_has_the_plan_that_would_be_played_today(row: RecordedTournament) -> None:
    plan = json.loads(row.report.read_text(encoding="utf-8"))["plan"]
    options = dict(zip(row.arguments[2::2], row.arguments[3::2], strict=True))
    assert (plan["game"], plan["table_size"], plan["blocks"], plan["seed"]) == (
        options["--game"],
        int(options["--table"]),
        int(options["--blocks"]),
        int(options["--seed"]),
    )
    assert tuple(plan["entrants"]) == split_names(options["--entrants"])
