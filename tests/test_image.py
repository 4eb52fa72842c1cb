"""The image as the Dockerfile defines it: its files, its user and its command."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Final

import pytest

from tests.k8s.builds import OVERLAYS, pod_spec, workloads

ROOT: Final = Path(__file__).parents[1]
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text())
DOCKERFILE_LINES: Final = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text()).splitlines()
DOCKERFILE_INSTRUCTIONS: Final = [
    line.partition(" ")[::2] for line in DOCKERFILE_LINES if line and not line.startswith("#")
]
FINAL_STAGE_START: Final = max(number for number, (word, _) in enumerate(DOCKERFILE_INSTRUCTIONS) if word == "FROM")
FINAL_STAGE: Final = DOCKERFILE_INSTRUCTIONS[FINAL_STAGE_START:]
"""The stage that becomes the image."""


def instruction_arguments(word: str) -> list[str]:
    """What the last stage says by an instruction."""
    return [rest for instruction, rest in FINAL_STAGE if instruction == word]


def is_in_build_context(path: str) -> bool:
    """Whether a file is sent to the build: the last line of `.dockerignore` that is about it decides."""
    verdict = True
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        pattern = line.removeprefix("!")
        if (
            line
            and not line.startswith("#")
            and any(fnmatch(part, pattern.removeprefix("**/")) for part in path_and_parents(path))
        ):
            verdict = line.startswith("!")
    return verdict


def path_and_parents(path: str) -> list[str]:
    """A path, the folders that it lies in, and its name."""
    pieces = path.split("/")
    return ["/".join(pieces[:end]) for end in range(1, len(pieces) + 1)] + [pieces[-1]]


def test_both_stages_begin_with_the_same_base() -> None:
    bases = {rest.split()[0] for word, rest in DOCKERFILE_INSTRUCTIONS if word == "FROM"}
    assert bases == {"${BASE}"}


def test_the_package_index_is_pips_own_unless_another_is_named() -> None:
    assert ("ARG", "PIP_INDEX_URL=") in DOCKERFILE_INSTRUCTIONS


def test_the_image_runs_the_command_of_the_wheel() -> None:
    assert instruction_arguments("ENTRYPOINT") == ['["fireside"]']
    assert "fireside" in PROJECT["project"]["scripts"]


def test_the_image_prints_its_version() -> None:
    assert f"VERSION={PROJECT['project']['version']}" in instruction_arguments("ARG")


@pytest.mark.parametrize("name", OVERLAYS)
def test_the_user_of_the_image_is_that_of_the_manifests_by_number(name: str) -> None:
    [user] = instruction_arguments("USER")
    for workload in workloads(name):
        context = pod_spec(workload)["securityContext"]
        assert user == f"{context['runAsUser'].number}:{context['runAsGroup'].number}"


@pytest.mark.parametrize("font", ["dejavu", "wqy"])
def test_the_image_has_the_fonts_of_the_pictures(font: str) -> None:
    folder = f"/usr/share/fonts/truetype/{font}"
    assert f"--from=wheels {folder} {folder}" in instruction_arguments("COPY")


def header_check() -> str:
    """The program that the Dockerfile runs before it compiles."""
    [line] = [rest for word, rest in DOCKERFILE_INSTRUCTIONS if word == "RUN" and "Python.h" in rest]
    return shlex.split(line)[2]


def test_a_base_without_the_headers_of_python_is_refused_at_once_in_plain_words(tmp_path: Path) -> None:
    program = header_check()
    subprocess.run([sys.executable, "-c", program], check=True)
    elsewhere = f"import sysconfig; sysconfig.get_path = lambda name: {str(tmp_path)!r}; {program}"
    refused = subprocess.run([sys.executable, "-c", elsewhere], capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert refused.stderr.startswith(f"BASE has no {tmp_path}/Python.h: the rules cannot be compiled")
    words = [rest for word, rest in DOCKERFILE_INSTRUCTIONS if word == "RUN"]
    assert "Python.h" in words[0]  # before anything is installed


def test_each_role_has_an_image_with_the_extras_that_it_needs() -> None:
    images = {
        workload["metadata"]["name"].text: container["image"].text.partition(":")[0]
        for workload in workloads("production")
        for container in pod_spec(workload)["containers"]
    }
    heavy = {name for name, image in images.items() if image == "fireside-tournaments"}
    assert heavy == {"tournaments", "dask-scheduler", "dask-worker"}
    assert ("ARG", "EXTRAS=service,tournaments,telemetry") in DOCKERFILE_INSTRUCTIONS


def test_nothing_is_downloaded_into_the_last_stage() -> None:
    assert not re.search(r"apt-get|pip|curl|wget", " ".join(instruction_arguments("RUN")))


@pytest.mark.parametrize("package", PROJECT["tool"]["importlinter"]["root_packages"])
def test_every_package_but_that_for_learning_programs_is_copied_into_the_image(package: str) -> None:
    assert is_in_build_context(f"{package}/__init__.py") == (package != "environments")
    assert not is_in_build_context(f"{package}/__init__.cpython-313-x86_64-linux-gnu.so")


@pytest.mark.parametrize("file", ["setup.py", "pyproject.toml", "constraints.txt", "README.md", "LICENSE"])
def test_every_file_that_the_build_reads_is_copied(file: str) -> None:
    assert is_in_build_context(file)
    assert (ROOT / file).exists()


@pytest.mark.parametrize(
    "file", [".git/config", ".env", "secrets.env", "tests/conftest.py", "k8s/overlays/x.env", "build/x"]
)
def test_no_other_file_is_copied(file: str) -> None:
    assert not is_in_build_context(file)
