"""Async ledger: calls a ledger from asyncio, in threads, and maps its errors to those of the service."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

from services.grpc_server.errors import StoreUnavailable, UnknownRules, UnknownTournament
from services.tournaments.ledger import ledger as ledgers
from services.tournaments.ledger.ledger import Ledger, ListPosition, StoredResult, Tournament
from services.tournaments.plan.plan import Spec, UnknownPlan

T = TypeVar("T")

ANSWER_SECONDS: Final = 5.0
"""Timeout of a call. The ledger retries for longer, for coordinators: a gateway would time out first."""


class AsyncLedger:
    """A ledger whose methods are coroutines. All raise `StoreUnavailable`, and `UnknownTournament`.

    Methods that read a plan raise `UnknownRules` if this version cannot read it.
    """

    def __init__(self, ledger: Ledger, seconds: float = ANSWER_SECONDS) -> None:
        self._ledger: Final = ledger
        self._seconds: Final = seconds

    async def create(self, tournament_id: str, spec: Spec, now_ms: int) -> bool:
        """Store a new tournament; False if the id is taken."""
        return await self._call(lambda: self._ledger.create(tournament_id, spec, now_ms))

    async def tournament(self, tournament_id: str) -> Tournament:
        """Read a tournament."""
        return await self._call(lambda: self._ledger.tournament(tournament_id))

    async def newest(self, most: int, after: ListPosition) -> list[ListPosition]:
        """The positions of the newest tournaments after another one, the newest first."""
        return await self._call(lambda: self._ledger.positions(most, after))

    async def lines(self, tournament_id: str, first: int, count: int) -> list[StoredResult]:
        """Results in the order in which they were recorded, from number `first` on."""
        return await self._call(lambda: self._ledger.lines(tournament_id, first, count))

    async def block(self, tournament_id: str, index: int) -> tuple[bytes, bytes] | None:
        """The result of a block and the moves of its matches; None if either is not stored."""
        result, moves = await self._call(
            lambda: (self._ledger.results(tournament_id, index, 1)[0], self._ledger.moves(tournament_id, index))
        )
        return None if result is None or moves is None else (result, moves)

    async def cancel(self, tournament_id: str) -> None:
        """Cancel a tournament."""
        await self._call(lambda: self._ledger.cancel(tournament_id))

    async def _call(self, step: Callable[[], T]) -> T:
        call = asyncio.ensure_future(asyncio.to_thread(step))
        call.add_done_callback(_retrieve)
        try:
            async with asyncio.timeout(self._seconds):
                return await asyncio.shield(call)
        except TimeoutError:
            raise StoreUnavailable from None
        except ledgers.UnknownTournament as error:
            raise UnknownTournament(error.tournament_id) from None
        except UnknownPlan as error:
            raise UnknownRules("", error.rules_version) from None
        except ledgers.LedgerUnavailable as error:
            raise StoreUnavailable from error


def _retrieve(call: asyncio.Future[T]) -> None:
    """Retrieve the exception of a call that timed out or was cancelled; asyncio would log it otherwise."""
    if not call.cancelled():
        call.exception()
