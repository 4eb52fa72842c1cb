"""Command `fireside replay` against a real service."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from cli.main import main
from services.tournaments.plan.plan import Block
from services.tournaments.play.blocks import play_block
from services.tournaments.records import replay_match
from tests.services.tournaments.plans import SPEC


@pytest.fixture(scope="module")
def record() -> str:
    """The record of a match of a tournament."""
    result = play_block(SPEC, Block(0, (0, 1)))
    return replay_match("cup", SPEC, result, result.encode_moves(), 0).record()


def test_a_match_of_a_tournament_is_replayed(
    record: str, url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cup-0.json").write_text(record)
    assert main(["replay", str(tmp_path / "cup-0.json"), "--url", url]) == 0
    shown = capsys.readouterr().out
    for seat, player in enumerate(json.loads(record)["seats"]):
        assert f"{seat + 1} {player['bot'].capitalize()}: " in shown
    assert "Over (" in shown
    rows = re.findall(r"│ \d+ +│ (\d+) \w+ +│ (-?\d+) +│", shown)
    points = [standing["points"] for standing in json.loads(record)["result"]["standings"]]
    assert sorted(rows) == [(str(seat + 1), str(each)) for seat, each in enumerate(points)]


def test_the_beginning_is_shown_as_a_seat_saw_it(
    record: str, url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def shown(*words: str) -> str:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(record.encode())))
        assert main(["replay", "--revision", "20", "--url", url, *words]) == 0
        return capsys.readouterr().out

    assert "As it stands" in shown()
    assert shown("--seat", "0") != shown("--seat", "1")


def test_what_is_no_record_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "no.json").write_text("[]")
    assert main(["replay", str(tmp_path / "no.json")]) == 2
    assert capsys.readouterr().err == "fireside: this is no match record in JSON\n"
