"""Writes the lists of the matches of platforms, and of the players for whom they vouch."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Final

from services.engine.matches.stored_match import StoredMatch
from services.engine.tables.seating import Seating
from services.grpc_server.errors import ServiceError
from services.store.matches.list import ListEntry
from services.store.matches.store import Store


class PlatformLists:
    """The lists that have a match; a match is entered before it, or the seat, is stored, so that a crash loses none."""

    def __init__(self, store: Store) -> None:
        self._store: Final = store

    async def add(self, match_id: str, begun_ms: int, seating: Seating, before: Seating | None = None) -> None:
        """Enter a match into the lists that have it by a new seating, but did not by the one before."""
        names = _list_names(seating) - (_list_names(before) if before else set())
        entry = ListEntry(begun_ms, match_id)
        await asyncio.gather(*[self._store.platform_matches(*name).add(entry) for name in names])

    async def finish(self, stored: StoredMatch[Any, Any, Any, Any]) -> None:
        """Move a match to the finished ones; if that fails, the next call that lists it does so."""
        entry = ListEntry(stored.header.begun_ms, stored.match_id)
        with suppress(ServiceError):
            lists = [self._store.platform_matches(*name) for name in _list_names(stored.seating)]
            await asyncio.gather(*[each.move(entry, is_finished=True) for each in lists])


def _list_names(seating: Seating) -> set[tuple[str, str]]:
    """A platform and a player for each list that has a match; no player for all matches of the platform."""
    players = [(holding.platform, holding.player_id) for holding in seating.holdings if holding.platform]
    return {*[(platform, "") for platform in seating.platforms], *players}
