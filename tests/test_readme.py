"""The examples of the README do what it says."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
FOR_PROGRAMS = (ROOT / "docs/programs.md").read_text()
RESEARCH = (ROOT / "docs/research.md").read_text()
SERVE_PROGRAM = "import sys; from cli.main import main; sys.exit(main())"
TIMEOUT_SECONDS = 60.0


def code_blocks(language: str, page: str = README) -> list[str]:
    """The examples in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


SESSION = [block for block in code_blocks("sh") if "curl" in block or "URL=" in block]
PROGRAMS = code_blocks("python") + code_blocks("python", FOR_PROGRAMS)
OVER_THE_NETWORK = [block for block in code_blocks("python", RESEARCH) if "grpc" in block]


@dataclass(frozen=True)
class Service:
    """Where a running service is, instead of the addresses that the README has."""

    port: int
    grpc_port: int

    def adapt(self, example: str) -> str:
        """The example, for this service."""
        return example.replace("127.0.0.1:8080", f"127.0.0.1:{self.port}").replace(
            "127.0.0.1:50051", f"127.0.0.1:{self.grpc_port}"
        )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_it_answers(url: str, process: subprocess.Popen[bytes]) -> None:
    end = monotonic() + TIMEOUT_SECONDS
    while True:
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except OSError:
            assert process.poll() is None, "fireside serve has ended"
            assert monotonic() < end, "fireside serve does not answer"
            sleep(0.1)


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    service = Service(free_port(), free_port())
    options = ["--port", str(service.port), "--grpc-port", str(service.grpc_port)]
    with subprocess.Popen([sys.executable, "-c", SERVE_PROGRAM, "serve", *options], cwd=ROOT) as process:
        try:
            wait_until_it_answers(f"http://127.0.0.1:{service.port}/v1/games", process)
            yield service
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def answers(service: Service, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, object]]:
    """What the session prints: one JSON object a call."""
    script = service.adapt("set -euo pipefail\n" + "\necho\n".join(SESSION))
    folder = tmp_path_factory.mktemp("session")
    done = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
    assert done.returncode == 0, done.stderr
    return json_values(done.stdout)


def json_values(text: str) -> list[dict[str, object]]:
    """A sequence of JSON objects."""
    decoder = json.JSONDecoder()
    values = []
    rest = text.lstrip()
    while rest:
        value, end = decoder.raw_decode(rest)
        values.append(value)
        rest = rest[end:].lstrip()
    return values


def test_every_call_of_the_readme_session_is_answered(answers: list[dict[str, object]]) -> None:
    assert len(answers) == "".join(SESSION).count("curl") - 1  # one answer goes into a file


def test_the_session_plays_a_match(answers: list[dict[str, object]]) -> None:
    new_match, legal, drawn, watched = answers[:4]
    assert legal["moves"]
    assert drawn["revision"] == watched["revision"] != new_match["revision"]


def test_the_session_shows_a_refusal_and_an_inline_position(answers: list[dict[str, object]]) -> None:
    refused, inline = answers[-2:]
    assert refused["reason"] == "MALFORMED_MOVE"
    assert inline["moves"]


@pytest.mark.parametrize("program", PROGRAMS + OVER_THE_NETWORK, ids=["grpc", "in_process", "for_programs", "research"])
def test_every_program_runs_and_prints_something(program: str, service: Service) -> None:
    script = f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / 'proto/gen')!r}]\n{service.adapt(program)}"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_every_target_of_the_readme_is_in_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"^make ([a-z-]+)", README, re.MULTILINE):
        assert f"\n{target}:" in makefile
