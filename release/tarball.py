"""Tar archives whose bytes depend on nothing but the names, contents and executable bits of their files."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory


def write_tarball(target: Path, folder: Path, files: Iterable[Path], prefix: str, epoch: int) -> None:
    """Write files of a folder below `prefix` into a `.tar.gz`, all with the time `epoch` in seconds since 1970."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for file in sorted(files):
            data = file.read_bytes()
            member = tarfile.TarInfo(f"{prefix}/{file.relative_to(folder).as_posix()}")
            member.size = len(data)
            member.mtime = epoch
            member.mode = 0o755 if file.stat().st_mode & 0o100 else 0o644
            archive.addfile(member, io.BytesIO(data))
    with target.open("wb") as file_object, gzip.GzipFile("", "wb", fileobj=file_object, mtime=epoch) as compressed:
        compressed.write(content.getvalue())


def rewrite_tarball(path: Path, epoch: int) -> None:
    """Replace a `.tar.gz`, whose files all lie in one folder, by one with the same files that can be built again."""
    with TemporaryDirectory() as temporary:
        with tarfile.open(path) as archive:
            archive.extractall(temporary, filter="data")
        [folder] = Path(temporary).iterdir()
        files = [file for file in folder.rglob("*") if file.is_file()]
        write_tarball(path, folder, files, folder.name, epoch)
