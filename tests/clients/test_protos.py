"""Tools that read protos (buf, @grpc/proto-loader, protoc) need nothing but the folder `proto`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gateway.routing import registry
from tests.clients.test_generated import MODULES, PLAYERS
from tests.services.processes import ROOT

SERVICES = [registry.CATALOG, registry.TOURNAMENTS, *registry.GAMES.values()]
CLOSED_PROXY = "http://127.0.0.1:9"
OFFLINE_ENVIRONMENT = {"HTTP_PROXY": CLOSED_PROXY, "HTTPS_PROXY": CLOSED_PROXY, "NO_PROXY": ""}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the folder, far from everything else."""
    return Path(shutil.copytree(ROOT / "proto", tmp_path / "proto", ignore=shutil.ignore_patterns("gen", "*.binpb")))


def _run_tool(folder: Path, *words: str, **environment: str) -> str:
    home = {"HOME": str(folder.parent), "XDG_CACHE_HOME": str(folder.parent / "cache")}
    run = subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, **OFFLINE_ENVIRONMENT, **home, **environment},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


@pytest.mark.parametrize("deed", [["lint"], ["build", "--output", "image.binpb"]], ids=["lint", "build"])
def test_fault26_buf_builds_the_folder_unchanged(deed: list[str], folder: Path) -> None:
    _run_tool(folder, str(Path(sys.executable).with_name("buf")), *deed)


def test_fault26_third_party_protos_are_marked_and_not_linted(folder: Path) -> None:
    google_protos = sorted((folder / "google").rglob("*.proto"))
    assert [path.stem for path in google_protos] == ["annotations", "field_behavior", "http", "httpbody"]
    assert all("Google LLC" in path.read_text() and "Apache License" in path.read_text() for path in google_protos)
    assert "Apache License" in (folder / "google" / "LICENSE").read_text()


def test_fault26_proto_loader_loads_every_service_from_the_folder_alone(folder: Path) -> None:
    if not MODULES.is_dir():
        pytest.fail("there is no proto-loader: run `make build/clients/.stamp`, which needs npm")
    files = sorted(str(path.relative_to(folder)) for path in (folder / "fireside").rglob("*.proto"))
    output = _run_tool(folder, "node", str(PLAYERS / "load.cjs"), str(folder), *files, NODE_PATH=str(MODULES))
    loaded = dict(line.split(" ", 1) for line in output.splitlines())
    for service in SERVICES:
        assert loaded[service.full_name].split() == sorted(method.name for method in service.methods)


def test_fault26_protoc_needs_no_other_folder(folder: Path) -> None:
    files = sorted(str(path.relative_to(folder)) for path in (folder / "fireside").rglob("*.proto"))
    words = [sys.executable, "-m", "grpc_tools.protoc", "-I.", "--descriptor_set_out=all.binpb", "--include_imports"]
    _run_tool(folder, *words, *files)
