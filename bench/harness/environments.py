"""Python interpreters of the two environments that `make bench` prepares: rules compiled, and rules interpreted."""

from __future__ import annotations

import sys
from pathlib import Path

SOURCE = Path(sys.executable)
"""Python with the sources, interpreted."""

COMPILED = Path("build/compiled/.venv/bin/python")
"""Python with the installed wheel, its rules compiled."""
