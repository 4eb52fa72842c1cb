"""Builds all files of a release."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Final

from release.checksums import write_checksums
from release.image import build_images
from release.interpreters import MINORS, interpreters, newest_interpreter
from release.protos import pack_protos
from release.python_packages import (
    build_compiled_wheel,
    build_sdist,
    build_wheel,
    check_metadata,
    extract_sdist,
)
from release.sbom import IMAGE_EXTRAS, write_sbom
from release.tag import Release, export
from release.typescript import pack_client

UMASK: Final = 0o022
"""Modes of the files in wheels are those that they were written with."""


def build_release(root: Path, release: Release, modules: Path, out: Path) -> Path:
    """Build a release of the repository at `root` below `out`, anew; the folder of its files.

    `modules` is a folder `node_modules` with the TypeScript compiler.
    """
    os.umask(UMASK)
    out = out.resolve()
    shutil.rmtree(out, ignore_errors=True)
    source, work, target = out / "source", out / "work", out / release.tag
    export(root, release, source)
    for folder in (work, target):
        folder.mkdir()
    _python_packages(source, work, target, release)
    check_metadata(sorted(path for path in target.iterdir() if path.name.endswith((".whl", ".tar.gz"))))
    pack_client(source, modules, work, target)
    pack_protos(source, release, target)
    if not build_images(source, release, target):
        _report("no image: there is no buildah, and `docker build` makes one from the tag")
    write_checksums(target)
    return target


def _python_packages(source: Path, work: Path, target: Path, release: Release) -> None:
    """Build all packages of Python and their bills of materials; wheels are built from the source distribution."""
    found = interpreters()
    newest = newest_interpreter()
    client = build_sdist(source / "clients/python", target, release.epoch)
    build_wheel(newest, extract_sdist(client, work / "client"), target, release.epoch)
    sdist = build_sdist(source, target, release.epoch)
    pure = build_wheel(newest, extract_sdist(sdist, work / "pure"), work / "wheel", release.epoch, pure=True)
    for image in IMAGE_EXTRAS:
        write_sbom(newest, source, pure, image, target)
    shutil.copy(pure, target)
    for minor in MINORS:
        if minor in found:
            _report(f"compiling for CPython 3.{minor}")
            folder = work / f"3.{minor}"
            unpacked = extract_sdist(sdist, folder / "source")
            build_compiled_wheel(found[minor], unpacked, folder / "wheel", target, release.epoch)
        else:
            _report(f"no wheel for CPython 3.{minor}: it is not here, or has no headers")


def _report(line: str) -> None:
    print(f"release: {line}", file=sys.stderr, flush=True)
