"""The protos as an archive, for those who generate clients from them."""

from __future__ import annotations

from pathlib import Path

from release.tag import Release
from release.tarball import write_tarball


def pack_protos(source: Path, release: Release, target: Path) -> None:
    """Write our protos, and those of Google that they import."""
    folder = source / "proto"
    files = [*folder.glob("fireside/**/*.proto"), *(path for path in folder.glob("google/**/*") if path.is_file())]
    name = f"fireside-protos-{release.version}"
    write_tarball(target / f"{name}.tar.gz", folder, files, name, release.epoch)
