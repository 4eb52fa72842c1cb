"""Schemathesis: generated requests, valid and invalid, against the whole service in separate processes.

`make fuzz` generates more of them.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

EXAMPLES = int(os.environ.get("FIRESIDE_FUZZ_EXAMPLES", "3"))
SCENARIOS = 4 * EXAMPLES
ROOT = Path(__file__).parents[2]
SERVICE = [sys.executable, "-m", "cli.main", "serve", "--port", "0", "--grpc-port", "0"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "proto" / "gen")])}

SCHEMATHESIS = str(Path(sys.executable).with_name("schemathesis"))
COMMON = [
    "--no-color",
    "--seed=1",
    "--generation-deterministic",
]
SINGLE = ["run", "--phases=coverage,fuzzing", f"--max-examples={EXAMPLES}"]
CALLS = [
    f"--config-file={Path(__file__).with_name('schemathesis-calls.toml')}",
    *SINGLE,
    "--exclude-path-regex=:batchApply$",
    # A schema does not know the rules: what it allows, a game may still refuse with a 400.
    "--exclude-checks=positive_data_acceptance",
]
BATCHES = [
    *SINGLE,
    "--include-path-regex=:batchApply$",
    # Nor does it know that ProtoJSON takes null for nothing and numbers for enums; a batch is answered part by part.
    "--exclude-checks=positive_data_acceptance,negative_data_rejection",
]
SEQUENCES = [
    f"--config-file={Path(__file__).with_name('schemathesis-sequences.toml')}",
    "run",
    "--phases=stateful",
    f"--max-examples={SCENARIOS}",
    "--include-path-regex=/matches",
    "--exclude-path-regex=/events$",
    "--exclude-checks=positive_data_acceptance,negative_data_rejection",
]


@pytest.fixture
def url() -> Iterator[str]:
    service = subprocess.Popen(SERVICE, cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True)
    assert service.stdout is not None
    yield next(word for line in service.stdout for word in line.split() if word.startswith("http://"))
    service.terminate()
    service.wait(10)
    service.stdout.close()


@pytest.mark.parametrize("choice", [CALLS, BATCHES, SEQUENCES], ids=["calls", "batches", "sequences"])
def test_no_request_breaks_the_service_or_its_promises(choice: list[str], url: str, tmp_path: Path) -> None:
    """No 5xx, no undocumented status, header or field, and nothing accepted that the document forbids."""
    command = [SCHEMATHESIS, *choice, *COMMON, f"{url}/openapi.json"]
    run = subprocess.run(command, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True)
    print(run.stdout)
    assert run.returncode == 0, run.stdout
    links = re.search(r"Scenarios: +(\d+)\s+API Links: +(\d+) covered / (\d+) selected", run.stdout)
    assert bool(links) == (choice is SEQUENCES)
    # Fewer would mean that the search ended early, of which schemathesis says nothing.
    assert links is None or int(links[1]) >= SCENARIOS, run.stdout
    assert links is None or int(links[2]) > 0.5 * int(links[3]), run.stdout
