"""The CPythons of this machine; `python -m release.interpreters` prints the newest."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

MINORS: Final = range(11, 15)
"""Minor versions of CPython 3 that get a compiled wheel."""
PYENV: Final = Path("~/.pyenv/versions").expanduser()
WITH_HEADERS: Final = """\
import pathlib, sys, sysconfig
print(sys.implementation.name, *sys.version_info[:2], pathlib.Path(sysconfig.get_path("include"), "Python.h").is_file())
"""


def interpreters() -> dict[int, str]:
    """The CPythons of this machine that can compile extensions, by minor version."""
    found = {}
    for minor in MINORS:
        for program in _candidates(minor):
            command = [program, "-c", WITH_HEADERS]
            printed = subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()
            if printed == ["cpython", "3", str(minor), "True"]:
                found[minor] = program
                break
    return found


def _candidates(minor: int) -> Iterator[str]:
    """Programs that may be CPython 3.`minor`: those of pyenv, newest first, and that on the PATH."""
    folders = PYENV.glob(f"3.{minor}.*")
    patches = {int(folder.name.rpartition(".")[2]): folder for folder in folders if folder.name.count(".") == 2}
    yield from (str(patches[patch] / "bin/python") for patch in sorted(patches, reverse=True))
    on_path = shutil.which(f"python3.{minor}")
    if on_path:
        yield on_path


def newest_interpreter() -> str:
    """The program of the newest CPython. Raises `LookupError` if there is none with headers."""
    found = interpreters()
    if not found:
        raise LookupError(f"no CPython from 3.{MINORS.start} to 3.{MINORS.stop - 1} with its headers is here")
    return found[max(found)]


if __name__ == "__main__":
    print(newest_interpreter())
