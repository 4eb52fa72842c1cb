"""Watched tournaments: one polling task a tournament, shared by all its watchers in this process."""

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
    """The last polled state of a tournament: its numbers of results and of suspects, and whether it has ended."""

    def __init__(self) -> None:
        self.watchers = 0
        self.done = 0
        self.set_aside = 0
        self.ended = False
        self.failure: Exception | None = None
        self.changed = asyncio.Event()

    def notify(self) -> None:
        """Wake all watchers that wait for a change."""
        self.changed.set()
        self.changed = asyncio.Event()


class TournamentWatch:
    """All watched tournaments of this process, and the tasks that poll the ledger."""

    def __init__(self, ledger: AsyncLedger) -> None:
        self._ledger: Final = ledger
        self._watched: Final[dict[str, WatchedTournament]] = {}
        self._polling: Final[dict[str, asyncio.Task[None]]] = {}
        self._closed = False

    @asynccontextmanager
    async def follow(self, tournament_id: str) -> AsyncIterator[WatchedTournament]:
        """The state of a tournament, polled from the ledger within the block. Raises `EngineStopping`."""
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
                    tournament = await self._ledger.tournament(tournament_id)
                    watched.done, watched.set_aside = tournament.done, tournament.set_aside
                    watched.ended = tournament.status is not Status.RUNNING
            except Exception as error:  # raised to the watchers, who would otherwise wait for ever
                watched.failure = error
            watched.notify()
            await asyncio.sleep(POLL_SECONDS)

    async def close(self) -> None:
        """End all polling; watchers get `EngineStopping`."""
        self._closed = True
        for task in self._polling.values():
            task.cancel()
        for watched in self._watched.values():
            watched.failure = EngineStopping()
            watched.notify()
