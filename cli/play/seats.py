"""Seat assignment of a new match: to the person at this terminal, client-side bots, and guests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Final

from cli.strategies import STRATEGIES, player_name
from cli.translation import gettext

PERSON: Final = "person"
GUEST: Final = "guest"
DEFAULT_STRATEGY: Final = "random"
"""The strategy of bots for which none is given."""


@dataclass(frozen=True)
class SeatPlan:
    """The player of each seat: `PERSON` (always first), `GUEST`, or the strategy of a bot."""

    seats: tuple[str, ...]

    @property
    def bots(self) -> dict[int, str]:
        """The strategies by seat."""
        return {seat: player for seat, player in enumerate(self.seats) if player in STRATEGIES}

    @property
    def guests(self) -> list[int]:
        """The seats of other people."""
        return [seat for seat, player in enumerate(self.seats) if player == GUEST]

    def names(self, person: str) -> list[str]:
        """The names of all seats; `person` is that of the person at this terminal."""
        return [
            player_name(seat, player)
            if player in STRATEGIES
            else person
            if player == PERSON
            else gettext("Guest {seat}", seat=seat)
            for seat, player in enumerate(self.seats)
        ]


def parse_strategies(text: str) -> list[str]:
    """Parse a comma-separated list of strategies. Raises `ValueError` for an unknown one."""
    names = text.split(",")
    for name in names:
        if name not in STRATEGIES:
            strategies = gettext("the strategies are {names}", names=", ".join(STRATEGIES))
            raise ValueError(f"--against {name}: {strategies}")
    return names


def seat_plan(count: int | None, against: Sequence[str], invite: bool, min_seats: int) -> SeatPlan:
    """The person, then the bots of `against`; further seats are for guests with `invite`, else for the same bots again.

    `count` is the number of seats, by default as few as possible. Raises `ValueError` for more players than seats.
    """
    taken = 1 + len(against)
    free = (count or max(min_seats, taken + int(invite))) - taken
    if free < int(invite):
        if invite:
            raise ValueError(
                gettext("--seats {seats} is too few for {players} players and a guest", seats=count, players=taken)
            )
        raise ValueError(gettext("--seats {seats} is too few for {players} players", seats=count, players=taken))
    others = [GUEST] * free if invite else list(islice(cycle(against or [DEFAULT_STRATEGY]), free))
    return SeatPlan((PERSON, *against, *others))
