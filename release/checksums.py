"""SHA-256 of the files of a release, in the format of `sha256sum --check`."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final

CHECKSUMS: Final = "SHA256SUMS"


def write_checksums(folder: Path) -> None:
    """Write the checksums of all files of a folder into it."""
    files = sorted(path for path in folder.iterdir() if path.name != CHECKSUMS)
    lines = [f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (folder / CHECKSUMS).write_text("".join(lines))


def read_checksums(folder: Path) -> dict[str, str]:
    """The checksum of each file, by its name."""
    lines = (folder / CHECKSUMS).read_text().splitlines()
    return {name: checksum for checksum, _, name in (line.partition("  ") for line in lines)}


def differing(one: Path, other: Path) -> list[str]:
    """Names of files that two folders of releases do not have with the same bytes."""
    checksums, others = read_checksums(one), read_checksums(other)
    return sorted(name for name in checksums | others if checksums.get(name) != others.get(name))
