"""Quantities of Kubernetes: `500m`, `1Ki`."""

from __future__ import annotations

import re
from typing import Final

UNITS: Final = {"": 1.0, "m": 1e-3, "k": 1e3, "M": 1e6, "G": 1e9, "Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30}


def parse_quantity(text: str) -> float:
    """`500m` is 0.5, `1Ki` is 1024."""
    found = re.fullmatch(r"([0-9.]+)([A-Za-z]*)", text)
    assert found, f"{text} is not a quantity"
    return float(found[1]) * UNITS[found[2]]
