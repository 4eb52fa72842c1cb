"""Who sits where in a match that a person begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Final

from cli.strategies import STRATEGIES, player_name

PERSON: Final = "person"
GUEST: Final = "guest"
DEFAULT: Final = "random"
"""The strategy of seats for which none is named."""


@dataclass(frozen=True)
class Seating:
    """What sits on each seat: the person itself, always first, a guest, or the strategy of a bot."""

    seats: tuple[str, ...]

    @property
    def bots(self) -> dict[int, str]:
        """The strategies by seat."""
        return {seat: player for seat, player in enumerate(self.seats) if player in STRATEGIES}

    @property
    def guests(self) -> list[int]:
        """The seats of other persons."""
        return [seat for seat, player in enumerate(self.seats) if player == GUEST]

    def names(self, person: str) -> list[str]:
        """What everybody is called."""
        return [
            player_name(seat, player) if player in STRATEGIES else person if player == PERSON else f"Guest {seat}"
            for seat, player in enumerate(self.seats)
        ]


def strategies(text: str) -> list[str]:
    """Names of strategies, from a list with commas. Raises `ValueError`."""
    names = text.split(",")
    for name in names:
        if name not in STRATEGIES:
            raise ValueError(f"--against {name}: there are the strategies {', '.join(STRATEGIES)}")
    return names


def seating(count: int | None, against: Sequence[str], invite: bool, least: int) -> Seating:
    """The person, then bots; the other seats are for guests if there are invitations, else for bots in turn.

    Raises `ValueError` for what does not fit into so many seats.
    """
    taken = 1 + len(against)
    free = (count or max(least, taken + int(invite))) - taken
    if free < int(invite):
        raise ValueError(f"--seats {count} is too few for {taken} players" + (" and a guest" if invite else ""))
    others = [GUEST] * free if invite else list(islice(cycle(against or [DEFAULT]), free))
    return Seating((PERSON, *against, *others))
