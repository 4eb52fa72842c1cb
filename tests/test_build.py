"""The packaging metadata is consistent: dependencies, extras, constraints and packages."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
CONSTRAINTS = (ROOT / "constraints.txt").read_text().split()
OPTIONAL = PROJECT["project"]["optional-dependencies"]
CORE_FILES = sorted((ROOT / "engine_core").rglob("*.py"))
REQUIREMENT_PATTERN = re.compile(r"([A-Za-z0-9._-]+)(?:\[[a-z,]+\])?(.*)")

TRANSITIVE_DEPENDENCIES = {"starlette", "distributed", "pydantic"}
"""By fastapi, dask[distributed] and mcp, which are required."""
EXTRAS = (
    "service",
    "tournaments",
    "telemetry",
    "mcp",
    "gymnasium",
    "pettingzoo",
    "openspiel",
    "pictures",
    "data",
    "archive-s3",
    "archive-gcs",
)
"""What users install; the others are for development."""
ROLES = ("runtime", "environments", "services", "gateway", "cli")


def normalized_name(requirement: str) -> str:
    """The project that is required, in its normal spelling."""
    found = REQUIREMENT_PATTERN.match(requirement)
    assert found
    return re.sub(r"[-_.]+", "-", found[1]).lower()


PINNED = {normalized_name(pin) for pin in CONSTRAINTS}


def _runtime_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """A tree of syntax, without what is there for the checker of types only."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING"):
            yield from _runtime_nodes(child)


def imported_packages(source: Path) -> set[str]:
    """Top-level packages that a module imports when it runs, wherever in it."""
    packages = set()
    for node in _runtime_nodes(ast.parse(source.read_text())):
        if isinstance(node, ast.Import):
            packages |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{source} imports relatively"
            packages.add((node.module or "").partition(".")[0])
    return packages


@pytest.mark.parametrize("source", CORE_FILES, ids=lambda source: str(source.relative_to(ROOT)))
def test_the_core_imports_only_the_standard_library_and_mypy_extensions(source: Path) -> None:
    assert imported_packages(source) <= sys.stdlib_module_names | {"engine_core", "mypy_extensions"}


def test_every_package_that_the_roles_import_is_required() -> None:
    declared = {normalized_name(each) for extra in EXTRAS for each in OPTIONAL[extra]} | TRANSITIVE_DEPENDENCIES
    sources = [source for package in ROLES for source in (ROOT / package).rglob("*.py")]
    packages = (
        set().union(*map(imported_packages, sources)) - sys.stdlib_module_names - {*ROLES, "engine_core", "fireside"}
    )
    found = packages_distributions()
    lacking = {
        package for package in packages if not {normalized_name(each) for each in found.get(package, ())} & declared
    }
    assert lacking == set()


def test_constraints_are_names_and_versions_only() -> None:
    for pin in CONSTRAINTS:
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.]*", pin), pin


def test_every_dependency_is_pinned() -> None:
    declared = {normalized_name(requirement) for extra in OPTIONAL.values() for requirement in extra}
    assert declared - {"fireside"} <= PINNED


def test_the_rules_and_bots_are_installed_without_any_dependency() -> None:
    assert PROJECT["project"]["dependencies"] == []


def test_the_build_system_is_pinned_as_the_environment_is() -> None:
    for requirement in PROJECT["build-system"]["requires"]:
        found = REQUIREMENT_PATTERN.match(requirement)
        assert found
        assert found[1] + found[2] in CONSTRAINTS


def test_the_grpcio_family_has_one_version() -> None:
    family = [pin for pin in CONSTRAINTS if pin.startswith("grpcio")]
    assert len(family) == 5
    assert len({pin.partition("==")[2] for pin in family}) == 1


def test_the_generated_code_is_a_namespace_package() -> None:
    assert not list((ROOT / "proto/gen").rglob("__init__.*"))


def test_every_variable_of_the_environment_is_on_the_page_of_settings() -> None:
    page = set(re.findall(r"`((?:FIRESIDE|REDIS)_[A-Z_]+)`", (ROOT / "docs" / "settings.md").read_text()))
    read: set[str] = set()
    places = (
        "*/settings.py",
        "*/*/settings.py",
        "runtime/*environment.py",
        "*/*/environment.py",
        "runtime/service_settings.py",
    )
    for module in (file for pattern in places for file in ROOT.glob(pattern)):
        read |= set(re.findall(r'"((?:FIRESIDE|REDIS)_[A-Z_]+)"', module.read_text()))
    assert page == read
