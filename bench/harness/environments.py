"""Python interpreters of the environments that `make bench` prepares."""

from __future__ import annotations

import sys
from pathlib import Path

SOURCE = Path(sys.executable)
"""Python with the sources, interpreted."""

COMPILED = Path("build/compiled/.venv/bin/python")
"""Python with the installed wheel, its rules compiled."""

LEARNING = Path("build/learning/bin/python")
"""Python with the environments of other libraries for learning programs."""
