"""The scripts of the page: their types, and that the compiled client is that of `clients/typescript`."""

from __future__ import annotations

from pathlib import Path

from tests.clients.test_generated import run_tool, tool_path
from tests.services.processes import ROOT

CLIENT = ROOT / "gateway" / "page" / "static" / "client"


def test_the_client_is_compiled_from_its_source(tmp_path: Path) -> None:
    run_tool(tool_path("tsc"), "--project", str(ROOT / "clients" / "typescript"), "--outDir", str(tmp_path))
    compiled = {path.name: path.read_text() for path in tmp_path.glob("*.js")}
    assert compiled == {path.name: path.read_text() for path in CLIENT.glob("*.js")}, "run `make page-client`"
