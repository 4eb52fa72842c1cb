"""Source distributions and wheels: a plain one for every machine, and a compiled one for each CPython that is here."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from release.tag import Refused
from release.tarball import rewrite_tarball

SDIST: Final = "import sys; from setuptools.build_meta import build_sdist; build_sdist(sys.argv[1])"


def build_sdist(source: Path, target: Path, epoch: int) -> Path:
    """Build the source distribution of a folder; its path."""
    before = set(target.glob("*.tar.gz"))
    command = [sys.executable, "-c", SDIST, str(target.resolve())]
    subprocess.run(command, cwd=source, check=True, stdout=subprocess.DEVNULL)
    [sdist] = set(target.glob("*.tar.gz")) - before
    rewrite_tarball(sdist, epoch)
    return sdist


def extract_sdist(sdist: Path, folder: Path) -> Path:
    """Extract a source distribution into a new folder; the folder of its files."""
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    [source] = folder.iterdir()
    return source


def build_wheel(python: str, source: Path, target: Path, epoch: int, *, pure: bool = False) -> Path:
    """Build the wheel of a folder with a Python; its path."""
    target.mkdir(parents=True, exist_ok=True)
    before = set(target.glob("*.whl"))
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--python", python]
    subprocess.run(
        [*pip, "wheel", "--no-deps", "--wheel-dir", str(target.resolve()), "."],
        cwd=source,
        check=True,
        env=_build_environment(source, epoch, pure=pure),
    )
    [wheel] = set(target.glob("*.whl")) - before
    return wheel


def _build_environment(source: Path, epoch: int, *, pure: bool) -> dict[str, str]:
    """Variables with which a build depends neither on its folder nor on the time and on random hashes."""
    return {
        **os.environ,
        "SOURCE_DATE_EPOCH": str(epoch),
        "PYTHONHASHSEED": "0",
        "CFLAGS": f"-g0 -ffile-prefix-map={source.resolve()}=.",
        "LDFLAGS": "-s -Wl,--build-id=none",
        "FIRESIDE_PURE": "1" if pure else "0",
    }


def build_compiled_wheel(python: str, source: Path, work: Path, target: Path, epoch: int) -> None:
    """Build a wheel with compiled rules, for every Linux that has the C library of this machine, or an older one.

    Raises `Refused` if nothing was compiled.
    """
    wheel = build_wheel(python, source, work, epoch)
    if wheel.name.endswith("-none-any.whl"):
        raise Refused(f"{python} compiled nothing: it needs a C compiler")
    repair = [sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", str(target), str(wheel)]
    subprocess.run(repair, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "SOURCE_DATE_EPOCH": str(epoch)})


def check_metadata(packages: Sequence[Path]) -> None:
    """Check that a registry would take the packages. Raises `CalledProcessError` if not."""
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *map(str, packages)], check=True)
