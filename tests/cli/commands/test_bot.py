"""Command `fireside bot check`: errors of its arguments."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.main import main
from tests.services.bots.imported.bot_files import write_bots


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--seconds", "inf"], "--seconds: above 0, and at most 86400, not inf"),
        (["--seconds", "1e300"], "--seconds: above 0, and at most 86400, not 1e+300"),
        (["--seconds", "nan"], "--seconds: above 0, and at most 86400, not nan"),
        (["--seconds", "0"], "--seconds: above 0, and at most 86400, not 0"),
        (["--matches", "0"], "--matches: at least 1, not 0"),
        (["--game", "chess"], "there is no game 'chess'"),
    ],
)
def test_invalid_arguments_are_reported_in_one_line(
    words: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bot", "check", "http://127.0.0.1:1/", *words]) == 2
    assert capsys.readouterr().err == f"fireside: {expected}\n"


@pytest.mark.parametrize(("bot", "code"), [("Last", 0), ("Faulty(fault='raises')", 1)])
def test_the_class_of_a_file_is_checked(
    bot: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--game", "fire_bulls", "--matches", "1", "--json"]
    assert main(["bot", "check", f"{write_bots(tmp_path)}:{bot}", *words]) == code
    game = json.loads(capsys.readouterr().out)["games"]["fire_bulls"]
    assert (game["matches"], game["failures"]) == (1, {"crashed": 3} if code else {})


def test_an_invalid_address_is_reported_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", "check", "ftp://bots.example/"]) == 2
    assert capsys.readouterr().err == "fireside: it must begin with grpc:, http:// or https://\n"
