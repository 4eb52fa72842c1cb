"""The example bots pass the check that `fireside bot check` makes; a bad one does not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PATHS = os.pathsep.join([str(ROOT), str(ROOT / "proto" / "gen")])
ENVIRONMENT = {**os.environ, "PYTHONPATH": PATHS}


@contextmanager
def running_example(*command: str) -> Iterator[str]:
    """Run an example; its address."""
    with subprocess.Popen(
        command, cwd=ROOT / "examples", env=ENVIRONMENT, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def check_bot(address: str, *words: str) -> tuple[int, str]:
    """The exit code and the output of `fireside bot check`."""
    command = [sys.executable, "-m", "cli.main", "bot", "check", address, "--matches", "1", *words]
    done = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("command", "game"),
    [
        ((sys.executable, "grpc_bot.py"), "fire_bulls"),
        ((sys.executable, "webhook_bot.py"), "spring_festival"),
        (("node", "webhook_bot.mjs"), "fire_bulls"),
    ],
)
def test_an_example_bot_passes_the_check(command: tuple[str, ...], game: str) -> None:
    with running_example(*command) as address:
        code, output = check_bot(address, "--game", game, "--json")
    report = json.loads(output)
    assert code == 0
    assert report["passed"]
    results = report["games"][game]
    assert results["moves"] > 0
    assert results["failures"] == {}
    assert 0 < results["milliseconds"]["p50"] <= results["milliseconds"]["p95"] <= results["milliseconds"]["max"]


def test_an_unreachable_bot_fails_the_check() -> None:
    code, output = check_bot("http://127.0.0.1:1/", "--game", "fire_bulls", "--seconds", "1")
    assert code == 1
    assert "3 unreachable" in output
    assert "1 forfeits" in output
    assert output.endswith("FAILED\n")
