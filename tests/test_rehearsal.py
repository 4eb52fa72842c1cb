"""The build can hold its rehearsal wherever it can build."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
REQUIRED = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
PACKAGES = {"googleapis-common-protos": "google", "protobuf": "google", "grpcio": "grpc"}
"""What projects are imported as, where that is another name."""
HELD = """
import sys

class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in allowed:
            raise ModuleNotFoundError(name)

allowed = sys.stdlib_module_names | set(sys.argv[2:])
sys.meta_path.insert(0, Nothing())
import runpy
runpy.run_path(sys.argv[1], run_name="__main__")
"""


def test_the_rehearsal_needs_nothing_but_what_the_build_system_requires() -> None:
    names = [re.split(r"[=\\[]", requirement)[0] for requirement in REQUIRED]
    required = {PACKAGES.get(name, name) for name in names} | {"typing_extensions"}  # which grpcio requires
    own = {path.name for path in ROOT.iterdir() if path.is_dir()} | {"fireside"}
    command = [sys.executable, "-c", HELD, str(ROOT / "rehearsal.py"), *sorted(required | own)]
    held = subprocess.run(command, capture_output=True, text=True, check=False)
    assert held.returncode == 0, held.stderr
