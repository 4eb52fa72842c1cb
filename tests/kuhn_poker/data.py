"""Golden files of Kuhn poker: `python -m tests.kuhn_poker.data` writes them, for review; records are only added."""

from __future__ import annotations

import tests.kuhn_poker.registration  # noqa: F401 # isort: split
from tests.conformance import playthrough
from tests.conformance.records import corpus

if __name__ == "__main__":
    playthrough.main()
    corpus.main()
