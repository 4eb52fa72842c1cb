"""Archives of a release have the same bytes whenever and wherever they are built, and what a registry needs."""

from __future__ import annotations

import json
import os
import shutil
import tarfile
import tomllib
from pathlib import Path

import pytest

from release.checksums import CHECKSUMS, differing, read_checksums, write_checksums
from release.protos import pack_protos
from release.python_packages import build_sdist
from release.sbom import IMAGE_EXTRAS
from release.tag import Release

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "clients/python"
RELEASE = Release("v1.2.3", "1.2.3", "0" * 40, 1_700_000_000)
PACKAGES = ["pyproject.toml", "clients/python/pyproject.toml"]


def copied(folder: Path, target: Path, age: int) -> Path:
    """A copy of a folder whose files have another time and other modes."""
    shutil.copytree(folder, target, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", "build"))
    for path in target.rglob("*"):
        if path.is_file():
            path.chmod(0o600 if age else 0o664)
        os.utime(path, (age, age))
    return target


def test_a_source_distribution_is_the_same_from_another_folder_at_another_time(tmp_path: Path) -> None:
    built = []
    for age in (0, 1_000_000_000):
        target = tmp_path / f"out-{age}"
        target.mkdir()
        built.append(build_sdist(copied(CLIENT, tmp_path / f"source-{age}", age), target, RELEASE.epoch))
    assert built[0].read_bytes() == built[1].read_bytes()
    with tarfile.open(built[0]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
        assert {member.mtime for member in archive} == {RELEASE.epoch}
    assert {"LICENSE", "README.md", "fireside_client/py.typed"} <= names


def test_protos_are_packed_with_the_ones_they_import_and_the_same_twice(tmp_path: Path) -> None:
    for age in (0, 1_000_000_000):
        source = tmp_path / str(age)
        copied(ROOT / "proto", source / "proto", age)
        pack_protos(source, RELEASE, source)
    [one, other] = [tmp_path / str(age) / "fireside-protos-1.2.3.tar.gz" for age in (0, 1_000_000_000)]
    assert one.read_bytes() == other.read_bytes()
    with tarfile.open(one) as archive:
        names = set(archive.getnames())
    root = "fireside-protos-1.2.3"
    assert {f"{root}/fireside/match/v1/match.proto", f"{root}/google/api/http.proto", f"{root}/google/LICENSE"} <= names


def test_files_that_differ_or_are_missing_are_named(tmp_path: Path) -> None:
    for name, files in (("one", {"a": "1", "b": "2"}), ("other", {"a": "1", "b": "3", "c": "4"})):
        (tmp_path / name).mkdir()
        for file, text in files.items():
            (tmp_path / name / file).write_text(text)
        write_checksums(tmp_path / name)
    assert differing(tmp_path / "one", tmp_path / "other") == ["b", "c"]
    assert differing(tmp_path / "one", tmp_path / "one") == []
    assert CHECKSUMS not in read_checksums(tmp_path / "one")


@pytest.mark.parametrize("package", ["python", "typescript"])
def test_each_client_has_the_licence_of_the_project(package: str) -> None:
    assert (ROOT / f"clients/{package}/LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


@pytest.mark.parametrize("path", PACKAGES)
def test_packages_of_python_state_what_a_registry_shows(path: str) -> None:
    project = tomllib.loads((ROOT / path).read_text())["project"]
    assert {"description", "readme", "license", "license-files", "authors", "keywords", "classifiers"} <= set(project)
    assert not any("License ::" in each for each in project["classifiers"])  # deprecated next to `license`


def test_the_package_of_npm_states_what_a_registry_shows() -> None:
    package = json.loads((ROOT / "clients/typescript/package.json").read_text())
    assert {"description", "license", "author", "keywords", "exports", "files", "engines"} <= set(package)


def test_packages_are_built_by_the_same_setuptools() -> None:
    required = [tomllib.loads((ROOT / path).read_text())["build-system"]["requires"] for path in PACKAGES]
    tools = (ROOT / "release/requirements.txt").read_text().split()
    assert required[1] == [each for each in required[0] if each.startswith("setuptools")]
    assert set(required[1]) <= set(tools)


def test_bills_of_materials_are_those_of_the_images() -> None:
    page = (ROOT / "docs/kubernetes.md").read_text()
    assert f"--build-arg EXTRAS={IMAGE_EXTRAS['fireside']} " in page
    assert f"ARG EXTRAS={IMAGE_EXTRAS['fireside-tournaments']}\n" in (ROOT / "Dockerfile").read_text()
