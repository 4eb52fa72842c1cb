"""Clients that others generate, from the OpenAPI document and from the protos, play whole matches unmodified."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from services.engine.codecs import CODECS
from tests.services.processes import ROOT, Process

PLAYERS = Path(__file__).parent
MODULES = ROOT / "build/clients/node_modules"
"""What generates clients in TypeScript, and checks them; `make build/clients/.stamp` installs it."""
GAMES = sorted(CODECS)
BINARY_TYPES = dict.fromkeys(("image/svg+xml", "image/png"), "application/octet-stream")
NARROWING_PROGRAM = """
from typing import assert_never

from made.models import (
    FireshipAttackIsland,
    FireshipAttackPawn,
    FireshipLegalMove,
    FireshipMoveAttack,
    FireshipMoveSail,
    FireshipStage,
    FireshipView,
)


def described(legal: FireshipLegalMove) -> str:
    move = legal.move
    if isinstance(move, FireshipMoveSail):
        return move.sail.to
    if not isinstance(move, FireshipMoveAttack):
        return ""
    if isinstance(move.attack, FireshipAttackIsland):
        return f"island {move.attack.island}"
    if isinstance(move.attack, FireshipAttackPawn):
        return move.attack.pawn.square
    assert_never(move.attack)


def is_known(view: FireshipView) -> bool:
    return isinstance(view.stage, FireshipStage)
"""
"""A program in whose types moves and values of enums narrow by their classes."""


@pytest.fixture(scope="module")
def service() -> Iterator[tuple[str, str]]:
    """A whole service: its URL and its address for gRPC."""
    with Process("serve", "--port", "0", "--grpc-port", "0", REDIS_URL="") as process:
        words = process.line().rstrip(")").split()
        yield words[3], words[5]


@pytest.fixture(scope="module")
def rest_client(service: tuple[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The client that openapi-python-client makes of the served document."""
    folder = tmp_path_factory.mktemp("rest")
    document = folder / "openapi.json"
    document.write_text(json.dumps(httpx.get(f"{service[0]}/openapi.json").json()))
    plain = folder / "config.yml"
    # Ruff, which it would have tidy up, changes types of its own templates. Without the overrides it knows no images.
    plain.write_text(json.dumps({"post_hooks": [], "content_type_overrides": BINARY_TYPES}))
    words = ["openapi-python-client", "generate", "--path", str(document), "--output-path", str(folder / "made")]
    words += ["--config", str(plain)]
    output = run_tool(str(Path(sys.executable).with_name(words[0])), *words[1:], "--meta", "none", "--fail-on-warning")
    assert "WARNING" not in output.upper()
    return folder


@pytest.fixture(scope="module")
def typescript(service: tuple[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What two generators make of the served document, and a program that uses both."""
    if not MODULES.is_dir():
        pytest.fail("there are no generators for TypeScript: run `make build/clients/.stamp`, which needs npm")
    folder = tmp_path_factory.mktemp("typescript")
    document = folder / "openapi.json"
    document.write_text(httpx.get(f"{service[0]}/openapi.json").text)
    for name in ("player.ts", "tsconfig.json"):
        shutil.copy(PLAYERS / name, folder)
    (folder / "node_modules").symlink_to(MODULES)
    run_tool(tool_path("openapi-typescript"), str(document), "--output", str(folder / "schema.ts"))
    words = ["--input", str(document), "--output", str(folder / "client"), "--client", "@hey-api/client-fetch"]
    run_tool(tool_path("openapi-ts"), *words, "--no-log-file")
    return folder


def tool_path(name: str) -> str:
    return str(MODULES / ".bin" / name)


@pytest.fixture(scope="module")
def grpc_client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The code that protoc makes of the folder of protos."""
    folder = tmp_path_factory.mktemp("grpc")
    protos = sorted(str(path.relative_to(ROOT / "proto")) for path in (ROOT / "proto/fireside").rglob("*.proto"))
    words = [f"-I{ROOT / 'proto'}", f"--python_out={folder}", f"--grpc_python_out={folder}"]
    run_tool(sys.executable, "-m", "grpc_tools.protoc", *words, *protos)
    return folder


def run_tool(*words: str, cwd: Path = Path("/")) -> str:
    """What a command says that is to succeed; it finds the installed libraries, and nothing of this tree."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    run = subprocess.run(words, cwd=cwd, env=environment, capture_output=True, text=True, timeout=200)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout + run.stderr


@pytest.mark.parametrize("game", GAMES)
def test_a_client_made_from_the_openapi_document_plays_a_match(
    game: str, service: tuple[str, str], rest_client: Path
) -> None:
    url, _ = service
    output = run_tool(sys.executable, str(PLAYERS / "rest_player.py"), str(rest_client), "made", url, game)
    assert "over at revision" in output


@pytest.mark.parametrize("game", GAMES)
def test_a_client_made_from_the_protos_plays_a_match(game: str, service: tuple[str, str], grpc_client: Path) -> None:
    _, address = service
    output = run_tool(sys.executable, str(PLAYERS / "grpc_player.py"), str(grpc_client), address, game)
    assert "over at revision" in output


def test_fault23_generated_typescript_clients_pass_strict_checks_and_play(
    service: tuple[str, str], typescript: Path
) -> None:
    run_tool(tool_path("tsc"), "--project", str(typescript))
    output = run_tool("node", str(typescript / "js" / "player.js"), service[0])
    assert "over at revision" in output


def test_fault23_no_generated_type_was_renamed(typescript: Path) -> None:
    """A generator that finds a name taken appends a number to it."""
    types = (typescript / "client" / "types.gen.ts").read_text()
    assert "export type FireBullsMatch = " in types
    assert re.findall(r"export type \w*[A-Za-z][0-9] = ", types) == []


def test_fault24_generators_type_streamed_messages_and_required_fields(typescript: Path) -> None:
    types = (typescript / "client" / "types.gen.ts").read_text()
    new_game_type = types.partition("export type FireBullsNewGameResponse = {")[2].partition("};")[0]
    assert re.search(r"^ +match: FireBullsMatch;$", new_game_type, re.MULTILINE)
    assert re.search(r"^ +state\?: FireBullsState;$", new_game_type, re.MULTILINE)
    watched = types.partition("export type WatchFireBullsResponses = {")[2].partition("};")[0]
    assert "200: FireBullsStreamEvent;" in watched
    kinds = "FireBullsEvent | FireBullsTurn | FireBullsSeatEvent | FireBullsMatchOver | Problem"
    assert f"export type FireBullsStreamEvent = {kinds};" in types


def test_fault23_the_generated_python_client_passes_strict_checks(rest_client: Path) -> None:
    (rest_client / "narrowing.py").write_text(NARROWING_PROGRAM)
    words = ["--strict", "--config-file", "", "made", "narrowing.py"]
    run_tool(sys.executable, "-m", "mypy", *words, cwd=rest_client)
