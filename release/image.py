"""The images of the Dockerfile, as archives in the format of OCI."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from release.sbom import IMAGE_EXTRAS
from release.tag import Release


def build_images(source: Path, release: Release, target: Path) -> bool:
    """Build both images with buildah, with the time of the commit on all files; False if there is no buildah."""
    if not shutil.which("buildah"):
        return False
    for image, extras in IMAGE_EXTRAS.items():
        name = f"{image}:{release.version}"
        arguments = {"EXTRAS": extras, "VERSION": release.version, "REVISION": release.commit}
        build = ["buildah", "build", "--timestamp", str(release.epoch), "--tag", name]
        options = [f"--build-arg={argument}={value}" for argument, value in arguments.items()]
        subprocess.run([*build, *options, str(source)], check=True)
        archive = target / f"{image}-image-{release.version}.tar"
        subprocess.run(["buildah", "push", name, f"oci-archive:{archive}:{name}"], check=True)
    return True
