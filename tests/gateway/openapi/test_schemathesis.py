"""Schemathesis: generated requests, valid and invalid, against the whole service in separate processes.

All games have the same calls, from one template, and most requests without a match have a state. So `make test`
generates requests of each shape once: all that have a match or a record, of one game, and of every game the options,
moves and states. `make fuzz` generates more, for all calls of every game.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

EXAMPLE_COUNT = int(os.environ.get("FIRESIDE_FUZZ_EXAMPLES", "3"))
SCENARIO_COUNT = 4 * EXAMPLE_COUNT
EVERY_GAME = "FIRESIDE_FUZZ_EXAMPLES" in os.environ
# Of the other games, a state and a move on their own: `:apply`, which has both, takes twice as many requests. Records
# differ in their options and moves alone, which other requests have. Of Fire Bulls, no state without a move, and no
# samples, hints and pictures of a state, whose other fields those of a match have too.
REPEATED_SHAPES = (
    r"^/v1/(spring-festival|fireship)(?!/matches$|/matches/\{match_id\}/moves$|:score$)"
    r"|^/v1/fire-bulls:(legalMoves|score|sample|hint|picture)$"
)
ROOT = Path(__file__).parents[3]
SERVE_COMMAND = [sys.executable, "-m", "cli.main", "serve", "--port", "0", "--grpc-port", "0"]
SERVE_ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "proto" / "gen")])}

SCHEMATHESIS = str(Path(sys.executable).with_name("schemathesis"))
COMMON_OPTIONS = [
    "--no-color",
    "--seed=1",
    "--generation-deterministic",
]
SINGLE_CALL_OPTIONS = ["run", "--phases=coverage,fuzzing", f"--max-examples={EXAMPLE_COUNT}"]
CALLS_OPTIONS = [
    f"--config-file={Path(__file__).with_name('schemathesis-calls.toml')}",
    *SINGLE_CALL_OPTIONS,
    "--exclude-path-regex=:batchApply$" if EVERY_GAME else f"--exclude-path-regex=:batchApply$|{REPEATED_SHAPES}",
    # A schema does not know the rules: what it allows, a game may still refuse with a 400.
    "--exclude-checks=positive_data_acceptance",
]
BATCH_OPTIONS = [
    *SINGLE_CALL_OPTIONS,
    "--include-path-regex=:batchApply$" if EVERY_GAME else "--include-path-regex=^/v1/fire-bulls:batchApply$",
    # Nor does it know that ProtoJSON takes null for nothing and numbers for enums; a batch is answered part by part.
    "--exclude-checks=positive_data_acceptance,negative_data_rejection",
]
SEQUENCE_OPTIONS = [
    f"--config-file={Path(__file__).with_name('schemathesis-sequences.toml')}",
    "run",
    "--phases=stateful",
    f"--max-examples={SCENARIO_COUNT}",
    "--include-path-regex=/matches",
    "--exclude-path-regex=/events$",
    "--exclude-checks=positive_data_acceptance,negative_data_rejection",
]


@pytest.fixture
def url() -> Iterator[str]:
    service = subprocess.Popen(SERVE_COMMAND, cwd=ROOT, env=SERVE_ENVIRONMENT, stdout=subprocess.PIPE, text=True)
    assert service.stdout is not None
    yield next(word for line in service.stdout for word in line.split() if word.startswith("http://"))
    service.terminate()
    service.wait(10)
    service.stdout.close()


@pytest.mark.timeout(900)  # a minute alone, five while all processors run other tests and browsers
@pytest.mark.parametrize(
    "choice", [CALLS_OPTIONS, BATCH_OPTIONS, SEQUENCE_OPTIONS], ids=["calls", "batches", "sequences"]
)
def test_no_generated_request_breaks_the_service_or_the_document(choice: list[str], url: str, tmp_path: Path) -> None:
    """No 5xx, no undocumented status, header or field, and nothing accepted that the document forbids."""
    command = [SCHEMATHESIS, *choice, *COMMON_OPTIONS, f"{url}/openapi.json"]
    run = subprocess.run(command, cwd=tmp_path, env=SERVE_ENVIRONMENT, capture_output=True, text=True)
    print(run.stdout)
    assert run.returncode == 0, run.stdout
    links = re.search(r"Scenarios: +(\d+)\s+API Links: +(\d+) covered / (\d+) selected", run.stdout)
    assert bool(links) == (choice is SEQUENCE_OPTIONS)
    # Fewer would mean that the search ended early, of which schemathesis says nothing.
    assert links is None or int(links[1]) >= SCENARIO_COUNT, run.stdout
    assert links is None or int(links[2]) > 0.5 * int(links[3]), run.stdout
