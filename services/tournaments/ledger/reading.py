"""A ledger, asked from asyncio: what it raises becomes what callers are told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

from services.grpc_server.errors import StoreUnavailable, UnknownRules, UnknownTournament
from services.tournaments.ledger import ledger as ledgers
from services.tournaments.ledger.ledger import Ledger, Line, Place, Tournament
from services.tournaments.plan.plan import Spec, UnknownPlan

T = TypeVar("T")

ANSWER_SECONDS: Final = 5.0
"""How long a caller waits. The ledger tries for longer, for those who play: a gateway would give up first."""


class Reading:
    """Everything here raises `StoreUnavailable`, and `UnknownTournament` of a tournament that there is not.

    What reads a plan raises `UnknownRules` where another version of the service wrote it.
    """

    def __init__(self, ledger: Ledger, seconds: float = ANSWER_SECONDS) -> None:
        self._ledger: Final = ledger
        self._seconds: Final = seconds

    async def create(self, tournament_id: str, spec: Spec, now_ms: int) -> bool:
        """Begin a tournament; False where the id is taken."""
        return await self._ask(lambda: self._ledger.create(tournament_id, spec, now_ms))

    async def tournament(self, tournament_id: str) -> Tournament:
        """A tournament."""
        return await self._ask(lambda: self._ledger.tournament(tournament_id))

    async def newest(self, most: int, behind: Place) -> list[Place]:
        """The newest tournaments behind a place, the newest first."""
        return await self._ask(lambda: self._ledger.places(most, behind))

    async def lines(self, tournament_id: str, first: int, count: int) -> list[Line]:
        """Results in the order in which they were recorded, from a place on."""
        return await self._ask(lambda: self._ledger.lines(tournament_id, first, count))

    async def cancel(self, tournament_id: str) -> None:
        """Call a tournament off."""
        await self._ask(lambda: self._ledger.cancel(tournament_id))

    async def _ask(self, step: Callable[[], T]) -> T:
        asking = asyncio.ensure_future(asyncio.to_thread(step))
        asking.add_done_callback(_heard)
        try:
            async with asyncio.timeout(self._seconds):
                return await asyncio.shield(asking)
        except TimeoutError:
            raise StoreUnavailable from None
        except ledgers.UnknownTournament as error:
            raise UnknownTournament(error.tournament_id) from None
        except UnknownPlan as error:
            raise UnknownRules("", error.rules_version) from None
        except ledgers.LedgerUnavailable as error:
            raise StoreUnavailable from error


def _heard(asking: asyncio.Future[T]) -> None:
    """What a step raises when its caller has gone is nothing for the log."""
    if not asking.cancelled():
        asking.exception()
