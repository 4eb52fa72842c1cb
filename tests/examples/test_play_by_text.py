"""The example that plays any game by sentences: it knows no rule, and reaches the end of a match in every language."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine_core.games import GAMES
from tests.services.processes import Process

EXAMPLE = Path(__file__).parents[2] / "examples/play_by_text.py"
MAX_LINES = 60
FIRST_CHOICES = "1\n" * 2000


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with Process("serve", "--port", "0", "--grpc-port", "0", REDIS_URL="") as process:
        yield process.line().split()[3]


@pytest.mark.parametrize(("game", "locale"), [*zip(sorted(GAMES), ("en", "fr", "it"), strict=True)])
def test_a_person_who_types_the_first_number_plays_to_the_end(url: str, game: str, locale: str) -> None:
    command = [sys.executable, str(EXAMPLE), url, game, locale]
    run = subprocess.run(command, input=FIRST_CHOICES, capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stderr
    assert "  1. " in run.stdout
    *_, last = run.stdout.splitlines()
    assert last.startswith(("1. seat", "2. seat"))


def test_the_example_program_is_short() -> None:
    assert len(EXAMPLE.read_text().splitlines()) <= MAX_LINES
