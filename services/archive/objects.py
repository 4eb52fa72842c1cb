"""Objects at an fsspec address: a folder, a bucket of S3 or GCS, or any other place that fsspec knows."""

from __future__ import annotations

import os
import secrets
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import fsspec
from fsspec.implementations.local import LocalFileSystem

TEMPORARY_FOLDER: Final = ".tmp"
TEMPORARY_SECONDS: Final = 60 * 60
"""Age from which a temporary file is of a process that was killed."""
EXTRAS: Final = {"s3": "archive-s3", "s3a": "archive-s3", "gs": "archive-gcs", "gcs": "archive-gcs"}
"""The extra that has the driver, by protocol."""


class ObjectStore:
    """Objects by path. A put is atomic where the place has atomic ones, as folders, S3 and GCS have.

    Every operation blocks, and raises `OSError` or an error of the place's driver.
    """

    def __init__(self, url: str) -> None:
        """Raises `ValueError` for an address that fsspec does not know."""
        try:
            # Listings are not cached, since other processes add objects.
            self._fs, self._root = fsspec.url_to_fs(url, use_listings_cache=False)
        except ImportError as error:
            extra = EXTRAS.get(url.partition("://")[0])
            hint = f"pip install 'fireside[{extra}]'" if extra else str(error)
            raise ValueError(f"its driver is not installed: {hint}") from None
        self._is_local: Final = isinstance(self._fs, LocalFileSystem)

    def put(self, path: str, data: bytes) -> None:
        """Store an object, in place of an earlier one; it is durable when this returns."""
        if not self._is_local:
            self._fs.pipe_file(self._path(path), data)
            return
        target = Path(self._path(path))
        _make_folder(target.parent)
        if data:
            temporary = Path(self._path(TEMPORARY_FOLDER), secrets.token_hex(8))
            _make_folder(temporary.parent)
            _write_durably(temporary, data)
            os.replace(temporary, target)
        else:
            target.touch()
        _sync_folder(target.parent)

    def get(self, path: str) -> bytes | None:
        """The content of an object; None if there is none."""
        try:
            content: bytes = self._fs.cat_file(self._path(path))
        except FileNotFoundError:
            return None
        return content

    def names(self, folder: str) -> list[str]:
        """The names in a folder, sorted; none for a folder that does not exist."""
        try:
            paths: list[str] = self._fs.ls(self._path(folder), detail=False)
        except FileNotFoundError:
            return []
        return sorted(path.rstrip("/").rpartition("/")[2] for path in paths)

    def remove_abandoned(self) -> None:
        """Remove temporary files of processes that were killed."""
        if not self._is_local:
            return
        oldest = time.time() - TEMPORARY_SECONDS
        for path in Path(self._path(TEMPORARY_FOLDER)).glob("*"):
            with suppress(FileNotFoundError):  # another process removes it, too
                if path.stat().st_mtime < oldest:
                    path.unlink()

    def _path(self, path: str) -> str:
        return f"{self._root}/{path}"


def _make_folder(folder: Path) -> None:
    """Make a folder, durably, with those that it is in."""
    if not folder.is_dir():
        _make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        _sync_folder(folder.parent)


def _write_durably(path: Path, data: bytes) -> None:
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Make new names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
