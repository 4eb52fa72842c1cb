"""Command `fireside demo` against a real service."""

from __future__ import annotations

import pytest

from cli.main import main


def test_a_match_between_bots_is_shown_in_short_and_then_where_to_look_next(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "--game", "fireship", "--url", url]) == 0
    shown = capsys.readouterr().out
    assert main(["demo", "--game", "chess", "--url", url]) == 1
    assert "Fireship - The GAME: Ada (mcts) against Ben (greedy)" in shown
    for part in [
        "b boat 1",
        "In the middle of the match",
        "At the end",
        "over after",
        "play fireship",
        "docs/playing.md",
    ]:
        assert part in shown
    assert shown.count("\n") < 100
