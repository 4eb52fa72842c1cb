"""`python -m release.image_size FOLDER`: run what the Dockerfile installs in a folder, and measure what the image gets.

It needs no container engine. The base image, which it cannot have, counts with the size that is stated here.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from release.interpreters import newest_interpreter
from release.sbom import IMAGE_EXTRAS

ROOT: Final = Path(__file__).parents[1]
MEGABYTE: Final = 1_000_000
IMAGE_BUDGET: Final = 250 * MEGABYTE
BASE_SIZE: Final = 125 * MEGABYTE
"""`python:3.13-slim`, uncompressed."""


def instructions(dockerfile: str) -> list[tuple[str, str]]:
    """The instructions of a Dockerfile: each word, and what follows it."""
    lines = [line for line in dockerfile.splitlines() if line and not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", "")
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in joined.splitlines())]


def install_commands(dockerfile: str, folder: Path) -> str:
    """What the Dockerfile runs to install the packages, with its absolute paths below `folder`."""
    [command] = [rest for word, rest in instructions(dockerfile) if word == "RUN" and "pip" in rest]
    return re.sub(r"(?<![\w/])/(?=opt/fireside|wheels)", f"{folder}/", command)


def font_packages(dockerfile: str) -> list[str]:
    """Debian's packages of the fonts that the Dockerfile copies into the image."""
    return sorted(set(re.findall(r"\bfonts-[a-z-]+", dockerfile)))


def size(folder: Path) -> int:
    """Bytes in all files below a folder, without what symbolic links refer to."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_symlink() or path.is_file())


def packaged_tests(folder: Path) -> list[str]:
    """Folders below `folder` with tests of packages. Single modules named `test_…` may be part of a package's API."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("tests") if path.is_dir())


def _copy_sources(target: Path) -> None:
    """Copy the files that git knows and that `.dockerignore` lets into a build, as they are now."""
    sent = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    listed = subprocess.run(
        ["git", "ls-files", "-z", *sent], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)


def _install(dockerfile: str, folder: Path) -> None:
    """Install packages and fonts below the folder, with the newest Python here."""
    source, fonts = folder / "source", folder / "fonts"
    _copy_sources(source)
    programs = f"{Path(newest_interpreter()).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": programs, "EXTRAS": IMAGE_EXTRAS["fireside"]}
    command = ["bash", "-e", "-c", install_commands(dockerfile, folder)]
    subprocess.run(command, cwd=source, check=True, env=environment)
    fonts.mkdir()
    subprocess.run(["apt-get", "download", "--quiet", *font_packages(dockerfile)], cwd=fonts, check=True)
    for package in sorted(fonts.glob("*.deb")):
        subprocess.run(["dpkg-deb", "--extract", str(package), str(fonts / "extracted")], check=True)


def main(arguments: Sequence[str]) -> int:
    """Measure the image of engines and gateways, and print its parts; 1 if it is too large or has tests of packages."""
    folder = Path(arguments[0]).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    _install((ROOT / "Dockerfile").read_text(), folder)
    parts = {
        "packages": size(folder / "opt/fireside"),
        "fonts": size(folder / "fonts/extracted/usr/share/fonts/truetype"),
        "base, as stated": BASE_SIZE,
    }
    for name, part in parts.items():
        print(f"{part / MEGABYTE:6.1f} MB  {name}")
    total = sum(parts.values())
    print(f"{total / MEGABYTE:6.1f} MB  of {IMAGE_BUDGET // MEGABYTE} MB")
    tests = packaged_tests(folder / "opt/fireside")
    if tests:
        print(f"tests of packages: {', '.join(tests)}")
    return 1 if total > IMAGE_BUDGET or tests else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
