"""Deadlines of stored matches, and the store's index of them by which clocks find matches whose time is up."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from services.engine.codec import M, O, S, V
from services.engine.matches.stored_match import StoredMatch
from services.grpc_server.errors import ServiceError
from services.store.matches.store import Store


class Deadlines:
    """The deadlines of the matches of one version of a game, and the store's index of them."""

    def __init__(self, store: Store, rules_version: str) -> None:
        self._store: Final = store
        self._rules_version: Final = rules_version

    async def update(self, stored: StoredMatch[S, M, O, V]) -> None:
        """Set the deadlines if turns have begun or ended, or stop the clocks if the match is over.

        Called before a response is built, since the response shows the deadline.
        """
        if stored.match.is_over():
            stored.stop_clocks()
        elif stored.needs_deadline():
            stored.start_clock(await self._store.now_ms())
            await self.index_next(stored)

    async def index_next(self, stored: StoredMatch[S, M, O, V]) -> None:
        """Enter the next deadline into the index before the step that sets it, so that a crash does not lose it."""
        facts = stored.facts
        if facts.next_deadline_ms:
            await self._store.hint_deadline(self._rules_version, facts.match_id, facts.next_deadline_ms)

    async def remove(self, stored: StoredMatch[S, M, O, V]) -> None:
        """Remove a finished match from the index; if that fails, the clocks remove it when it is due."""
        with suppress(ServiceError):
            await self._store.correct_deadline(self._rules_version, stored.facts.match_id, 0)
