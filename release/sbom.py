"""Software bills of materials (CycloneDX) of the images: all packages, with versions, licences and dependencies."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

IMAGE_EXTRAS: Final = {"fireside": "service,telemetry", "fireside-tournaments": "service,tournaments,telemetry"}
"""The extras of each image, by its name, as in docs/kubernetes.md."""


def write_sbom(python: str, source: Path, wheel: Path, image: str, target: Path) -> None:
    """Install a wheel with the extras of an image into an environment, and write the bill of materials of it.

    The environment is made next to the wheel. The versions are those of `constraints.txt`.
    """
    version = wheel.name.split("-")[1]
    environment = wheel.parent / f"environment-{image}"
    subprocess.run([python, "-m", "venv", "--without-pip", str(environment)], check=True)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    install = [
        "install",
        "--no-compile",
        "--find-links",
        str(wheel.parent),
        "--constraint",
        str(source / "constraints.txt"),
    ]
    wanted = f"fireside[{IMAGE_EXTRAS[image]}]=={version}"  # by its version, since the path of a file would be recorded
    subprocess.run([*pip, "--python", str(environment / "bin/python"), *install, wanted], check=True)
    cyclonedx = [
        "-m",
        "cyclonedx_py",
        "environment",
        "--output-reproducible",
        "--pyproject",
        str(source / "pyproject.toml"),
    ]
    subprocess.run(
        [sys.executable, *cyclonedx, "--output-file", str(target / f"{image}-{version}.cdx.json"), str(environment)],
        check=True,
    )
