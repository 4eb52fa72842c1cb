"""Watched tournaments: one poll of the ledger for all watchers of the same one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from services.grpc_server.errors import EngineStopping, StoreUnavailable
from services.tournaments.ledger.async_ledger import AsyncLedger
from services.tournaments.ledger.ledger import Status

POLL_SECONDS: Final = 0.25


class WatchedTournament:
    """A watched tournament: how many results it has, and whether more may come."""

    def __init__(self) -> None:
        self.watchers = 0
        self.done = 0
        self.ended = False
        self.failure: Exception | None = None
        self.changed = asyncio.Event()

    def tell(self) -> None:
        """Wake all that wait."""
        self.changed.set()
        self.changed = asyncio.Event()


class TournamentWatch:
    """All that is watched in this process."""

    def __init__(self, reading: AsyncLedger) -> None:
        self._reading: Final = reading
        self._watched: Final[dict[str, WatchedTournament]] = {}
        self._polling: Final[dict[str, asyncio.Task[None]]] = {}
        self._closed = False

    @asynccontextmanager
    async def follow(self, tournament_id: str) -> AsyncIterator[WatchedTournament]:
        """The topic of a tournament, which is kept up to date meanwhile. Raises `EngineStopping`."""
        if self._closed:
            raise EngineStopping
        watched = self._watched.get(tournament_id)
        if watched is None:
            watched = self._watched[tournament_id] = WatchedTournament()
            self._polling[tournament_id] = asyncio.create_task(self._poll(tournament_id, watched))
        watched.watchers += 1
        try:
            yield watched
        finally:
            watched.watchers -= 1
            if not watched.watchers:
                self._watched.pop(tournament_id)
                self._polling.pop(tournament_id).cancel()

    async def _poll(self, tournament_id: str, watched: WatchedTournament) -> None:
        while not watched.ended and watched.failure is None:
            try:
                with suppress(StoreUnavailable):
                    tournament = await self._reading.tournament(tournament_id)
                    watched.done, watched.ended = tournament.done, tournament.status is not Status.RUNNING
            except Exception as error:  # whatever it is, those who watch are not to wait for ever
                watched.failure = error
            watched.tell()
            await asyncio.sleep(POLL_SECONDS)

    async def close(self) -> None:
        """End everything that is watched."""
        self._closed = True
        for task in self._polling.values():
            task.cancel()
        for watched in self._watched.values():
            watched.failure = EngineStopping()
            watched.tell()
