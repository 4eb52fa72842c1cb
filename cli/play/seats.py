"""Seats of a new match: the person at this terminal, bots of the service, and open ones for guests."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, islice
from typing import Final

from cli.bots import player_name
from cli.translation import gettext
from fireside_client.types.any_game import SeatSpec

DEFAULT_BOT: Final = "greedy"
"""The opponent if none is named: a good player that needs a few milliseconds for a choice."""


def seat_specs(count: int | None, against: Sequence[str], invite: bool, min_seats: int, person: str) -> list[SeatSpec]:
    """The person, then the bots of `against`; further seats are open with `invite`, else for the same bots again.

    `count` is the number of seats, by default as few as possible; `person` is the person's name. Raises `ValueError`
    for more players than seats.
    """
    taken = 1 + len(against)
    free = (count or max(min_seats, taken + int(invite))) - taken
    if free < int(invite):
        if invite:
            raise ValueError(
                gettext("--seats {seats} is too few for {players} players and a guest", seats=count, players=taken)
            )
        raise ValueError(gettext("--seats {seats} is too few for {players} players", seats=count, players=taken))
    bots = [*against, *([] if invite else islice(cycle(against or [DEFAULT_BOT]), free))]
    specs: list[SeatSpec] = [{"name": person}]
    specs += [{"name": player_name(seat, bot), "bot": bot} for seat, bot in enumerate(bots, 1)]
    if invite:
        specs += [{"open": {}}] * free
    return specs
