"""Which release a tag is: its version, its commit, and the time that every file of it gets."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

TAG_PATTERN: Final = re.compile(r"v(\d+\.\d+\.\d+)")
PATTERNS: Final = {
    "Dockerfile": r"^ARG VERSION=(.*)$",
    "k8s/overlays/production/kustomization.yaml": r"^ *newName: fireside.*\n *newTag: (.*)$",
}
"""Where the version is in files that are neither TOML nor JSON."""


class Refused(Exception):
    """Why nothing is released, in one line."""


@dataclass(frozen=True)
class Release:
    """A tag whose version all packages have."""

    tag: str
    version: str
    commit: str
    """40 hexadecimal digits."""
    epoch: int
    """Time of the commit in seconds since 1970: `SOURCE_DATE_EPOCH` of all builds."""


def git(root: Path, *arguments: str) -> str:
    """What git prints. Raises `CalledProcessError` if it fails."""
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def versions(root: Path) -> dict[str, str]:
    """The version that each file under `root` states, by the file's path."""
    found = {
        path: str(tomllib.loads((root / path).read_text())["project"]["version"])
        for path in ("pyproject.toml", "clients/python/pyproject.toml")
    }
    package = "clients/typescript/package.json"
    found[package] = str(json.loads((root / package).read_text())["version"])
    for path, pattern in PATTERNS.items():
        found[path] = " ".join(sorted(set(re.findall(pattern, (root / path).read_text(), re.MULTILINE))))
    return found


def tagged_release(root: Path, tag: str) -> Release:
    """The release that a tag of the repository at `root` is, which is checked out there without any change.

    Raises `Refused` for a name that is no `vX.Y.Z`, a tag that does not exist or is not checked out, files that were
    changed or are not committed, and a file with another version.
    """
    found = TAG_PATTERN.fullmatch(tag)
    if not found:
        raise Refused(f"{tag!r} is no tag of a release: these are named vX.Y.Z")
    if git(root, "status", "--porcelain"):
        raise Refused("files were changed or are not committed: `git status` lists them")
    if tag not in git(root, "tag", "--list", tag).splitlines():
        raise Refused(f"there is no tag {tag}")
    commit = git(root, "rev-parse", f"refs/tags/{tag}^{{commit}}")
    if commit != git(root, "rev-parse", "HEAD"):
        raise Refused(f"{tag} is not checked out: `git switch --detach {tag}`")
    for path, version in versions(root).items():
        if version != found[1]:
            raise Refused(f"{path} has version {version!r}, and the tag is {tag}")
    return Release(tag, found[1], commit, int(git(root, "show", "--no-patch", "--format=%ct", commit)))


def export(root: Path, release: Release, folder: Path) -> None:
    """Write the files of the tag into a new folder, all of the commit's time and of the same modes on every machine."""
    folder.mkdir(parents=True)
    archive = subprocess.run(
        ["git", "-C", str(root), "-c", "tar.umask=0022", "archive", release.commit], check=True, stdout=subprocess.PIPE
    )
    subprocess.run(["tar", "--extract", "--directory", str(folder)], input=archive.stdout, check=True)
