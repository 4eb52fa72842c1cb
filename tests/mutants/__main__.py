"""Mutation testing of the rules: `make mutants` applies each edit to a copy of the tree and runs the tests on it.

Prints the test that caught each edit. Exits with 1 if an edit survives, or if its text is not there exactly once.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from tests.mutants.edits import EDITS, Edit

ROOT = Path(__file__).parents[2]
COPIES_FOLDER = ROOT / "build" / "mutants"
COPIED_FOLDERS = (
    "engine_core",
    "services",
    "runtime",
    "proto",
    "tests/conformance",
    "tests/engine_core",
    "tests/data",
    "docs/games",
)
WORKERS = 2
TIMEOUT_SECONDS = 600
"""Time limit of the tests of one edit, so that an endless match counts as caught."""
FAILED_TEST = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)


class EditOutcome(NamedTuple):
    """The test that caught an edit, empty if it survived, and the seconds that this took."""

    edit: Edit
    caught_by: str
    seconds: float


def copy_tree(number: int) -> Path:
    """Copy what the tests of the rules need; the folder of the copy."""
    copy = COPIES_FOLDER / str(number)
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir(parents=True)
    shutil.copy(ROOT / "pyproject.toml", copy)
    for folder in COPIED_FOLDERS:
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def files_with_text(tree: Path, edit: Edit) -> list[Path]:
    """The files of the game that contain the old text, each repeated for every occurrence."""
    files = sorted((tree / "engine_core" / "games" / edit.game).glob("*.py"))
    return [file for file in files for _ in range(file.read_text().count(edit.old))]


def try_edit(copy: Path, edit: Edit) -> EditOutcome:
    """Apply an edit to the copy, run the tests, and restore the copy."""
    [file], started = files_with_text(copy, edit), time.monotonic()
    text = file.read_text()
    file.write_text(text.replace(edit.old, edit.new))
    try:
        caught = first_failing_test(copy, f"tests/engine_core/games/{edit.game}") or first_failing_test(
            copy, "tests/conformance", "-k", edit.game
        )
    finally:
        file.write_text(text)
    return EditOutcome(edit, caught, time.monotonic() - started)


def first_failing_test(copy: Path, *tests: str) -> str:
    """The first test that fails; empty if all pass."""
    command = [sys.executable, "-P", "-B", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--no-header", *tests]
    path = os.pathsep.join([str(copy), str(copy / "proto/gen")])
    environment = os.environ | {"PYTHONPATH": path, "FIRESIDE_EVERY_SETUP": "1"}
    try:
        run = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, text=True, check=False, timeout=TIMEOUT_SECONDS
        )
    except subprocess.TimeoutExpired:
        return "its time"
    if run.returncode == 0:
        return ""
    found = FAILED_TEST.search(run.stdout)
    if not found:
        raise RuntimeError(run.stdout + run.stderr)
    return found[1]


def main() -> int:
    """Try all edits; the exit code."""
    ambiguous = [edit for edit in EDITS if len(files_with_text(ROOT, edit)) != 1]
    for edit in ambiguous:
        print(f"not there exactly once: {edit.game}: {edit.old!r}")
    if ambiguous:
        return 1
    copies: SimpleQueue[Path] = SimpleQueue()
    for number in range(WORKERS):
        copies.put(copy_tree(number))

    def try_in_copy(edit: Edit) -> EditOutcome:
        copy = copies.get()
        try:
            return try_edit(copy, edit)
        finally:
            copies.put(copy)

    survived = 0
    with ThreadPoolExecutor(WORKERS) as pool:
        for edit, caught_by, seconds in pool.map(try_in_copy, EDITS):
            survived += not caught_by
            change = f"{edit.old.strip()} → {edit.new.strip() or 'nothing'}"
            print(f"{edit.game}: {change}\n    {caught_by or 'SURVIVED'}, {seconds:.0f} s", flush=True)
    print(f"{len(EDITS) - survived} of {len(EDITS)} caught")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
