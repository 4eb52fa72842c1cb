"""Which tags are released, and which are refused, in a small repository with the files that state a version."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from release.tag import Refused, export, git, tagged_release, versions

ROOT = Path(__file__).parents[2]
VERSION = versions(ROOT)["pyproject.toml"]
TAG = f"v{VERSION}"
AUTHOR = ("-c", "user.name=Ada", "-c", "user.email=ada@localhost", "-c", "commit.gpgSign=false")


def commit(root: Path) -> None:
    git(root, "add", "--all")
    git(root, *AUTHOR, "commit", "--quiet", "--message", "Change something")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository whose only commit has the tag."""
    root = tmp_path / "repository"
    for path in versions(ROOT):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, root / path)
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    commit(root)
    git(root, "tag", TAG)
    return root


def test_all_packages_have_one_version() -> None:
    assert set(versions(ROOT).values()) == {VERSION}


def test_a_tag_that_is_checked_out_is_released_with_the_time_of_its_commit(repository: Path) -> None:
    release = tagged_release(repository, TAG)
    assert (release.tag, release.version) == (TAG, VERSION)
    assert release.commit == git(repository, "rev-parse", "HEAD")
    assert release.epoch == int(git(repository, "show", "--no-patch", "--format=%ct"))


def test_an_annotated_tag_is_released_too(repository: Path) -> None:
    git(repository, "tag", "--delete", TAG)
    git(repository, *AUTHOR, "tag", "--annotate", "--message", "A release", TAG)
    assert tagged_release(repository, TAG).commit == git(repository, "rev-parse", "HEAD")


def test_the_files_of_the_tag_are_exported_and_no_others(repository: Path, tmp_path: Path) -> None:
    (repository / ".git/info/exclude").write_text("secrets.env\n")
    (repository / "secrets.env").write_text("password")
    release = tagged_release(repository, TAG)
    export(repository, release, tmp_path / "source")
    files = [path for path in (tmp_path / "source").rglob("*") if path.is_file()]
    assert {str(path.relative_to(tmp_path / "source")) for path in files} == set(versions(ROOT))
    assert {(path.stat().st_mtime, path.stat().st_mode & 0o777) for path in files} == {(release.epoch, 0o644)}


def change_a_file(root: Path) -> None:
    (root / "Dockerfile").write_text("FROM scratch\n")


def add_a_file(root: Path) -> None:
    (root / "new.py").touch()


def commit_more(root: Path) -> None:
    add_a_file(root)
    commit(root)


def tag_another_version(root: Path) -> None:
    text = (root / "clients/typescript/package.json").read_text()
    (root / "clients/typescript/package.json").write_text(text.replace(f'"{VERSION}"', '"0.0.7"', 1))
    commit(root)
    git(root, "tag", "--force", TAG)


def leave_all_as_it_is(root: Path) -> None:
    """Changes nothing."""


@pytest.mark.parametrize(
    ("change", "tag", "reason"),
    [
        (change_a_file, TAG, "files were changed"),
        (add_a_file, TAG, "files were changed or are not committed"),
        (commit_more, TAG, f"{TAG} is not checked out"),
        (tag_another_version, TAG, f"clients/typescript/package.json has version '0.0.7', and the tag is {TAG}"),
        (leave_all_as_it_is, "v9.9.9", "there is no tag v9.9.9"),
        (leave_all_as_it_is, VERSION, "is no tag of a release"),
        (leave_all_as_it_is, f"{TAG}-rc1", "is no tag of a release"),
        (leave_all_as_it_is, "main", "is no tag of a release"),
    ],
)
def test_whatever_else_is_refused(repository: Path, change: Callable[[Path], None], tag: str, reason: str) -> None:
    change(repository)
    with pytest.raises(Refused, match=reason.replace(".", r"\.")):
        tagged_release(repository, tag)


def test_a_tag_of_another_version_than_the_files_is_refused(repository: Path) -> None:
    git(repository, "tag", "v9.9.9")
    with pytest.raises(Refused, match=r"pyproject\.toml has version .* and the tag is v9\.9\.9"):
        tagged_release(repository, "v9.9.9")
