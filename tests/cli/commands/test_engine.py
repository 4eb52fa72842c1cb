"""An engine as a process imports what it uses, and nothing beside."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
UNUSED = {
    "redis",
    "starlette",
    "granian",
    "fastapi",
    "numpy",
    "scipy",
    "dask",
    "distributed",
    "fakeredis",
    "rich",
    "httpx",
}


@pytest.fixture(scope="module")
def imported(redis_url: str) -> set[str]:
    """The packages that an engine on a Redis has imported when it serves."""
    environment = {**os.environ, "REDIS_URL": redis_url, "PYTHONPATH": f"{ROOT}:{ROOT / 'proto/gen'}"}
    words = [sys.executable, "-X", "importtime", "-m", "cli.main", "engine", "--port", "0"]
    with subprocess.Popen(
        words, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as engine:
        assert engine.stdout is not None
        assert "engine is at" in engine.stdout.readline()
        engine.terminate()
        _, told = engine.communicate(timeout=60)
    lines = [line for line in told.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}


def test_an_engine_imports_what_it_serves_with(imported: set[str]) -> None:
    assert {"grpc", "hiredis", "engine_core", "services"} <= imported


@pytest.mark.parametrize("package", sorted(UNUSED))
def test_an_engine_on_a_redis_does_not_import(imported: set[str], package: str) -> None:
    assert package not in imported
