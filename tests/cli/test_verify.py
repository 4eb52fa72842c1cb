"""`fireside verify` proves records offline, and says what does not fit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.main import main

RECORDS = sorted((Path(__file__).parents[1] / "data" / "records").glob("*.json"))


@pytest.mark.parametrize("path", RECORDS[::5], ids=lambda path: path.stem)
def test_a_record_is_proved(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commitment = json.loads(path.read_text())["commitment"]
    assert main(["verify", str(path), "--commitment", commitment]) == 0
    assert capsys.readouterr().out


def test_a_changed_draw_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = json.loads(RECORDS[0].read_text())
    record["secretSeed"] = "00" * 32
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(record))
    assert main(["verify", str(changed)]) == 1
    printed = capsys.readouterr()
    assert "commitment" in printed.out + printed.err


def test_another_commitment_is_told() -> None:
    assert main(["verify", str(RECORDS[0]), "--commitment", "00" * 32]) == 1


def test_what_is_no_record_is_told(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    assert main(["verify", str(broken)]) in (1, 2)
    assert main(["verify", str(tmp_path / "missing.json")]) == 2
