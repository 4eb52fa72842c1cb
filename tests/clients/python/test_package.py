"""The package `fireside_client`: its generated modules, its installation, and its types in a program."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.python import narrowing
from tests.services.processes import PYTHON_PATHS, ROOT, Process

PACKAGE_FOLDER = ROOT / "clients/python"
FOREIGN_PACKAGES = {"cli", "engine_core", "fireside", "gateway", "services", "websockets"}
IMPORT_PROGRAM = f"import sys, fireside_client; print({FOREIGN_PACKAGES!r} & sys.modules.keys())"


def test_the_generated_modules_are_up_to_date(tmp_path: Path) -> None:
    command = [sys.executable, str(PACKAGE_FOLDER / "generate.py"), str(tmp_path)]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": os.pathsep.join(PYTHON_PATHS)}, check=True)
    generated = {path.relative_to(tmp_path): path.read_text() for path in tmp_path.rglob("*.py")}
    assert generated
    stale = [
        str(name) for name, text in generated.items() if (PACKAGE_FOLDER / "fireside_client" / name).read_text() != text
    ]
    assert stale == [], "run `make python-client`"


def test_the_package_is_installed_from_its_folder_without_the_service(tmp_path: Path) -> None:
    source = shutil.copytree(PACKAGE_FOLDER, tmp_path / "source", ignore=shutil.ignore_patterns("__pycache__"))
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-deps"]
    target = tmp_path / "installed"
    subprocess.run([*pip, "--no-build-isolation", "--no-index", "--target", target, source], check=True)
    assert (target / "fireside_client/py.typed").exists()
    run = subprocess.run(
        [sys.executable, "-c", IMPORT_PROGRAM],
        cwd="/",
        env={**os.environ, "PYTHONPATH": str(target)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == "set()\n"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with Process("serve", "--port", "0", "--grpc-port", "0", REDIS_URL="") as process:
        yield process.line().split()[3]


def test_a_program_with_narrowed_types_plays(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    narrowing.play(url)
    assert capsys.readouterr().out.startswith("['")


def test_the_program_of_the_readme_plays_a_match(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    program = (PACKAGE_FOLDER / "README.md").read_text().partition("```python\n")[2].partition("```")[0]
    exec(program.replace("http://127.0.0.1:8080", url), {})
    assert "'over': True" in capsys.readouterr().out
