"""Percentiles, counts and errors of the load generator, and its JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.load.statistics import LoadStatistics, percentile, write_json


@pytest.mark.parametrize(("percent", "expected"), [(50, 50), (95, 95), (99, 99), (100, 100)])
def test_a_percentile_is_the_value_that_so_many_per_cent_do_not_exceed(percent: int, expected: int) -> None:
    assert percentile([*range(1, 101)], percent) == expected


def test_all_percentiles_of_one_value_are_that_value() -> None:
    assert percentile([7.0], 1) == percentile([7.0], 99) == 7.0


def test_calls_and_errors_are_counted_by_kind(tmp_path: Path) -> None:
    statistics = LoadStatistics()
    for seconds in (0.001, 0.002, 0.003, 0.004):
        statistics.record_success("move", seconds)
    statistics.record_failure("move", "503")
    statistics.record_failure("score", "ReadError")
    write_json(statistics, 2.0, tmp_path / "load.json")
    found = json.loads((tmp_path / "load.json").read_text())
    move, score = found["calls"]
    assert (move["count"], move["per_second"], move["errors"]) == (4, 2.0, {"503": 1})
    assert move["milliseconds"] == {"p50": 2.0, "p95": 4.0, "p99": 4.0}
    assert (score["count"], score["milliseconds"], found["errors"]) == (0, {}, 2)
