"""Parameters of an SPRT: the hypotheses in Elo, and the error rates."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Final

MAX_ELO: Final = 1000.0
ERROR_RATES: Final = (0.0001, 0.4)
"""The least and the greatest `alpha` and `beta`."""


@dataclass(frozen=True)
class Sprt:
    """A test of H0, the first entrant is `elo0` stronger than the second, against H1, it is `elo1` stronger."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """Rate of accepting H1 where H0 holds."""
    beta: float = 0.05
    """Rate of accepting H0 where H1 holds."""

    def __str__(self) -> str:
        """As on the command line."""
        return ",".join([f"{name}={value:g}" for name, value in asdict(self).items()])


FIELDS: Final = tuple([field.name for field in fields(Sprt)])


def parse_sprt(text: str) -> Sprt:
    """Parse `elo0=0,elo1=20,alpha=0.05,beta=0.05`; the error rates may be left out. Raises `ValueError`."""
    given = dict([part.split("=", 1) for part in text.split(",") if "=" in part])
    if len(given) != text.count(",") + 1 or not {"elo0", "elo1"} <= given.keys() <= {*FIELDS}:
        raise ValueError(f"not of the form elo0=0,elo1=20,alpha=0.05,beta=0.05: {text!r}")
    return Sprt(**{name: float(value) for name, value in given.items()})
