"""Command `fireside bot check`: errors of its arguments."""

from __future__ import annotations

import pytest

from cli.main import main


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


def test_an_invalid_address_is_reported_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", "check", "ftp://bots.example/"]) == 2
    assert capsys.readouterr().err == "fireside: it must begin with grpc:, http:// or https://\n"
