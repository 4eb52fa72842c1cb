"""Kuhn poker obeys every law that the other games obey, in a process of its own, in which it is the only game."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
NEEDS_THREE_SEATS = "tests/conformance/test_log.py::test_fault20_a_move_has_the_same_effect_after_a_seat_has_left"


def run_laws(*paths: str) -> str:
    """Run tests with Kuhn poker as the only game; what they print, if they pass."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.kuhn_poker.registration"]
    path = os.pathsep.join([str(ROOT), str(ROOT / "proto/gen")])
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    run = subprocess.run(
        [*command, *paths], cwd=ROOT, env={**environment, "PYTHONPATH": path}, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def test_kuhn_poker_obeys_the_laws() -> None:
    assert " passed" in run_laws("tests/conformance", "--deselect", NEEDS_THREE_SEATS)


def test_engines_serve_kuhn_poker() -> None:
    modules = (
        "engine/test_api_keys",
        "engine/test_codec",
        "engine/matches/test_rules_versions",
        "engine/presentation/test_pictures",
        "engine/streams/test_following_law",
        "engine/tables/test_tokens",
        "store/matches/test_memory",
    )
    assert " passed" in run_laws(*[f"tests/services/{module}.py" for module in modules])
