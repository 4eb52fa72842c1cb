"""Kuhn poker obeys every law that the other games obey, in a process of its own, in which it is the only game."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
OPENSPIEL_LAWS = "tests/kuhn_poker/openspiel_laws.py"
NEEDS_THREE_SEATS = (
    "tests/conformance/records/test_log.py::test_fault20_a_move_has_the_same_effect_after_a_seat_has_left"
)


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
    assert " passed" in run_laws("tests/conformance", OPENSPIEL_LAWS, "--deselect", NEEDS_THREE_SEATS)


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


def test_tables_hints_and_spectators_of_kuhn_poker_obey_the_laws() -> None:
    laws = {
        "hints/test_hints.py": (
            "test_positions_that_look_the_same_to_a_seat_get_the_same_hint",
            "test_a_hint_in_a_match_in_play_is_logged_once_a_turn",
            "test_a_record_shows_the_hints_and_is_proved",
            "test_a_finished_match_gives_hints_of_any_seat_and_forks_at_any_revision",
        ),
        "secrecy/test_interference.py": ("test_hidden_information_changes_nothing_that_an_observer_is_sent",),
        "secrecy/test_spectators.py": (
            "test_the_last_entries_change_nothing_that_spectators_are_sent",
            "test_spectators_see_the_match_of_so_many_entries_ago_and_all_of_it_at_the_end",
            "test_an_open_match_that_is_over_is_shown_as_each_seat_to_everybody",
        ),
        "tables/test_calls.py": (
            "test_a_match_waits_until_every_seat_is_taken_and_is_then_played_and_verified",
            "test_a_match_that_waited_has_a_record_that_can_be_verified",
            "test_a_seat_is_handed_over_and_its_player_has_it_until_then",
            "test_a_rematch_begins_when_all_players_have_called_with_the_seats_moved_on",
        ),
    }
    run = [f"tests/services/engine/{file}::{name}" for file, names in laws.items() for name in names]
    assert " passed" in run_laws(*run)
