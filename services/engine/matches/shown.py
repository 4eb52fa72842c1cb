"""Positions of stored matches as observers are shown them: of now, of an earlier revision, or late for spectators."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final, Generic, NamedTuple
from weakref import WeakValueDictionary

from engine_core.errors import StaleRevision
from engine_core.match import Match
from services.engine.codec import Codec, M, O, S, V
from services.engine.matches.past import MatchKey, PastPositions, Position, copy_of, match_key
from services.engine.matches.repository import MatchRepository
from services.engine.matches.stored_match import StoredMatch
from services.engine.responses import StoredFacts
from services.grpc_server.admission.long_work import LongWork
from services.store.matches.store import Store

MAX_LATE_POSITIONS: Final = 256
"""Number of cached positions that spectators see late; one takes 10 KiB at most."""


class Shown(NamedTuple, Generic[S, M, O, V]):
    """A position to be read only, and the facts of the match then; those of the past have no deadlines."""

    match: Match[S, M, O, V]
    facts: StoredFacts


class ShownPositions(Generic[S, M, O, V]):
    """Positions of the matches of one version of a game, as observers are shown them."""

    def __init__(
        self, codec: Codec[S, M, O, V], store: Store, matches: MatchRepository[S, M, O, V], long_work: LongWork
    ) -> None:
        self._past: Final = PastPositions(codec, store, matches, long_work)
        self._late: Final[OrderedDict[tuple[MatchKey, int], Position[S, M, O, V]]] = OrderedDict()
        """LRU cache, for the spectators of a match: all of them see it equally late."""
        self._locks: Final[WeakValueDictionary[str, asyncio.Lock]] = WeakValueDictionary()

    async def at(
        self, stored: StoredMatch[S, M, O, V], observer: int, revision: int | None = None
    ) -> Shown[S, M, O, V]:
        """The position at a revision, or the latest one that the observer is shown.

        Raises `StaleRevision` for a revision that the observer is not shown yet, as for one that the match has not
        reached, and `LogContradictsSnapshot` if the log is damaged.
        """
        latest = stored.shown_revision(observer)
        wanted = latest if revision is None else revision
        if wanted > latest:
            raise StaleRevision(wanted, latest)
        is_late = stored.is_late(observer)
        if wanted == stored.match.revision and not is_late:
            return Shown(stored.match, stored.facts)
        try:
            position = await (self._late_position if is_late else self._past.position)(stored, wanted)
        except StaleRevision:  # the store has lost steps; the error has the revision of the match
            raise StaleRevision(wanted, latest) from None
        return Shown(position.match, stored.past_facts(position.heads))

    async def copy_at(self, stored: StoredMatch[S, M, O, V], revision: int) -> Match[S, M, O, V]:
        """A copy of the position at a revision that the match has reached, from which its log can be played on.

        Raises `LogContradictsSnapshot` if the log is damaged, and `StaleRevision` if the store has lost steps.
        """
        return copy_of((await self._past.position(stored, revision)).match)

    async def _late_position(self, stored: StoredMatch[S, M, O, V], revision: int) -> Position[S, M, O, V]:
        """The position at a revision, computed once for all spectators who wait for it."""
        key = match_key(stored), revision
        async with self._locks.setdefault(stored.match_id, asyncio.Lock()):
            position = self._late.get(key)
            if position is None:
                position = self._late[key] = await self._past.position(stored, revision)
            self._late.move_to_end(key)
            if len(self._late) > MAX_LATE_POSITIONS:
                self._late.popitem(last=False)
        return position
