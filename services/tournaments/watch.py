"""The news of watched tournaments: the ledger is asked once for all who watch the same one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from services.grpc_server.errors import EngineStopping, StoreUnavailable
from services.tournaments.ledger.async_ledger import AsyncLedger
from services.tournaments.ledger.ledger import Status

POLL_SECONDS: Final = 0.25


class Topic:
    """A watched tournament: how many results it has, and whether more may come."""

    def __init__(self) -> None:
        self.watchers = 0
        self.done = 0
        self.ended = False
        self.failure: Exception | None = None
        self.news = asyncio.Event()

    def tell(self) -> None:
        """Wake all that wait."""
        self.news.set()
        self.news = asyncio.Event()


class News:
    """All that is watched in this process."""

    def __init__(self, reading: AsyncLedger) -> None:
        self._reading: Final = reading
        self._topics: Final[dict[str, Topic]] = {}
        self._polling: Final[dict[str, asyncio.Task[None]]] = {}
        self._closed = False

    @asynccontextmanager
    async def follow(self, tournament_id: str) -> AsyncIterator[Topic]:
        """The topic of a tournament, which is kept up to date meanwhile. Raises `EngineStopping`."""
        if self._closed:
            raise EngineStopping
        topic = self._topics.get(tournament_id)
        if topic is None:
            topic = self._topics[tournament_id] = Topic()
            self._polling[tournament_id] = asyncio.create_task(self._poll(tournament_id, topic))
        topic.watchers += 1
        try:
            yield topic
        finally:
            topic.watchers -= 1
            if not topic.watchers:
                self._topics.pop(tournament_id)
                self._polling.pop(tournament_id).cancel()

    async def _poll(self, tournament_id: str, topic: Topic) -> None:
        while not topic.ended and topic.failure is None:
            try:
                with suppress(StoreUnavailable):
                    tournament = await self._reading.tournament(tournament_id)
                    topic.done, topic.ended = tournament.done, tournament.status is not Status.RUNNING
            except Exception as error:  # whatever it is, those who watch are not to wait for ever
                topic.failure = error
            topic.tell()
            await asyncio.sleep(POLL_SECONDS)

    async def close(self) -> None:
        """End everything that is watched."""
        self._closed = True
        for task in self._polling.values():
            task.cancel()
        for topic in self._topics.values():
            topic.failure = EngineStopping()
            topic.tell()
