from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.tally import Tally, percentile, write


@pytest.mark.parametrize(("share", "expected"), [(50, 50), (95, 95), (99, 99), (100, 100)])
def test_so_many_per_cent_do_not_exceed_a_percentile(share: int, expected: int) -> None:
    assert percentile([*range(1, 101)], share) == expected


def test_of_one_value_all_percentiles_are_that_value() -> None:
    assert percentile([7.0], 1) == percentile([7.0], 99) == 7.0


def test_what_was_done_and_what_failed_is_kept(tmp_path: Path) -> None:
    tally = Tally()
    for seconds in (0.001, 0.002, 0.003, 0.004):
        tally.done("move", seconds)
    tally.failed("move", "503")
    tally.failed("score", "ReadError")
    write(tally, 2.0, tmp_path / "load.json")
    found = json.loads((tmp_path / "load.json").read_text())
    move, score = found["calls"]
    assert (move["count"], move["per_second"], move["errors"]) == (4, 2.0, {"503": 1})
    assert move["milliseconds"] == {"p50": 2.0, "p95": 4.0, "p99": 4.0}
    assert (score["count"], score["milliseconds"], found["errors"]) == (0, {}, 2)
