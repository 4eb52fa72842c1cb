"""The TypeScript client, installed by npm, plays whole matches over a service that is killed in the middle."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from engine_core.games import GAMES
from tests.clients.platform_service import KEY, Platform, platform_service
from tests.clients.python.test_matches import KILL_AT, Service
from tests.clients.test_generated import MODULES, run_tool, tool_path
from tests.services.processes import ROOT

FOLDER = ROOT / "clients" / "typescript"
PROGRAMS = Path(__file__).parent / "typescript"


@pytest.fixture(scope="module")
def service(redis_url: str) -> Iterator[Service]:
    service = Service(redis_url)
    yield service
    service.stop()


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs that use the installed package, compiled as strictly as can be."""
    folder = tmp_path_factory.mktemp("typescript")
    source = folder / "source"
    shutil.copytree(FOLDER, source, ignore=shutil.ignore_patterns("dist", "node_modules"))
    (source / "node_modules").symlink_to(MODULES)
    run_tool("npm", "pack", "--silent", "--pack-destination", str(folder), cwd=source)
    [archive] = folder.glob("*.tgz")
    shutil.copytree(PROGRAMS, folder / "program")
    run_tool("npm", "install", "--offline", "--no-audit", "--no-fund", "--silent", str(archive), cwd=folder / "program")
    (folder / "program/node_modules/standardwebhooks").symlink_to(MODULES / "standardwebhooks")
    run_tool(tool_path("tsc"), "--project", str(folder / "program"))
    return folder / "program" / "js"


@pytest.fixture
def platform() -> Iterator[Platform]:
    with platform_service() as platform:
        yield platform


def test_there_is_a_method_for_every_route(programs: Path, platform: Platform) -> None:
    secret = run_tool("node", str(programs / "routes.js"), platform.url, KEY, platform.receiver_url).strip()
    assert platform.uncalled_routes() == set()
    headers, body = platform.requests.get(timeout=20)
    words = ["node", str(programs / "webhook.js"), secret, json.dumps(headers), body.decode()]
    assert run_tool(*words) == "webhook.test\n"


def test_the_types_are_those_of_the_document(tmp_path: Path) -> None:
    document, types = tmp_path / "components.json", tmp_path / "schema.ts"
    paths = {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "proto" / "gen")])}
    words = [sys.executable, str(FOLDER / "document.py")]
    document.write_text(
        subprocess.run(words, env={**os.environ, **paths}, check=True, capture_output=True, text=True).stdout
    )
    run_tool(tool_path("openapi-typescript"), str(document), "--output", str(types))
    assert types.read_text() == (FOLDER / "src" / "schema.ts").read_text(), "run `make typescript-client`"


@pytest.mark.parametrize("transport", ["rest", "socket"])
@pytest.mark.parametrize("game", GAMES)
def test_a_match_continues_without_a_gap_when_the_service_is_killed(
    game: str, transport: str, service: Service, programs: Path
) -> None:
    node = shutil.which("node", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    assert node is not None
    # Node.js 20 has WebSocket only with a flag.
    words = [node, "--experimental-websocket", str(programs / "match.js"), service.url, game, transport]
    restart: Thread | None = None
    last = ""
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            last = line.strip()
            if restart is None and last.startswith("at ") and int(last.removeprefix("at ")) >= KILL_AT:
                restart = service.kill()
    assert restart is not None
    restart.join()
    assert last.startswith("over at "), last
    assert process.returncode == 0
