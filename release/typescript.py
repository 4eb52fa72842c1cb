"""The TypeScript client as a package of npm."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path


def pack_client(source: Path, modules: Path, work: Path, target: Path) -> None:
    """Compile and pack the client below `source`, with the compiler in `modules`, a folder `node_modules`.

    npm gives all files in a package one fixed time.
    """
    folder = work / "typescript"
    shutil.copytree(source / "clients/typescript", folder)
    programs = {**os.environ, "PATH": f"{modules.resolve() / '.bin'}:{os.environ['PATH']}"}
    subprocess.run(["tsc", "--project", "."], cwd=folder, check=True, env=programs)
    command = ["npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", str(target.resolve())]
    subprocess.run(command, cwd=folder, check=True, env=programs, stdout=subprocess.DEVNULL)
