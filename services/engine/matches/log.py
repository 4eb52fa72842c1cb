"""Logs of stored matches, verified against the heads of their hash chains."""

from __future__ import annotations

import logging
from collections import OrderedDict
from typing import Final, Generic

from engine_core.errors import StaleRevision
from services.engine.codec import Codec, M, O, S, V, read_log_line
from services.engine.matches.repository import MatchRepository
from services.engine.matches.stored_match import AddedLine, StoredMatch
from services.engine.records.heads import next_heads
from services.engine.records.records import RecordBuilder
from services.grpc_server.errors import LogContradictsSnapshot

logger = logging.getLogger(__name__)

MAX_HEADS: Final = 1024
"""Number of cached heads."""
RevisionKey = tuple[str, int, tuple[str, ...]]
"""A revision of a match, with its epochs: after the store lost steps, the same revision may be another line."""


class MatchLog(Generic[S, M, O, V]):
    """The logs of the matches of one version of a game."""

    def __init__(self, codec: Codec[S, M, O, V], matches: MatchRepository[S, M, O, V]) -> None:
        self._matches: Final = matches
        self._records: Final = RecordBuilder(codec)
        self._heads: Final[OrderedDict[RevisionKey, list[bytes]]] = OrderedDict()
        """FIFO cache of heads, for callers that poll or watch from that revision."""

    async def lines_after(self, match_id: str, revision: int) -> tuple[StoredMatch[S, M, O, V], list[AddedLine]]:
        """The match, to be read only until the next `await`, and the lines of its log after a revision.

        Raises `LogContradictsSnapshot` if the hash chains over the lines do not end in the heads of the match.
        """
        stored, lines = await self._matches.peek_log(match_id, revision)
        if revision >= stored.match.revision:
            return stored, []
        if revision and (heads := self._heads.get(_revision_key(stored, revision))):
            return stored, self._verify_chain(stored, heads, lines)
        if revision:  # without cached heads the chain has to be computed from the first line
            stored, lines = await self._matches.peek_log(match_id, 0)
        added = self._verify_chain(stored, self._first_heads(stored), lines)
        if 0 < revision <= len(added):
            self._cache_heads(stored, revision, added[revision - 1].heads)
        return stored, added[revision:]

    async def heads_at(self, stored: StoredMatch[S, M, O, V], revision: int) -> list[bytes]:
        """The heads after a revision; for revision 0 the whole log is verified.

        Raises what `lines_after` raises, and `StaleRevision` if the match has not reached the revision.
        """
        if revision == stored.match.revision:
            return list(stored.heads)
        if revision and (heads := self._heads.get(_revision_key(stored, revision))):
            return heads
        stored, added = await self.lines_after(stored.match_id, 0)
        if revision > len(added):
            raise StaleRevision(revision, stored.match.revision)
        if not revision:
            return self._first_heads(stored)
        self._cache_heads(stored, revision, added[revision - 1].heads)
        return added[revision - 1].heads

    def _first_heads(self, stored: StoredMatch[S, M, O, V]) -> list[bytes]:
        return self._records.first_heads(stored.match_id, stored.header, stored.match.state)

    def _verify_chain(self, stored: StoredMatch[S, M, O, V], heads: list[bytes], lines: list[bytes]) -> list[AddedLine]:
        """The last lines of a log, with the heads after each; `heads` are those before the first of them."""
        added = []
        for line in map(read_log_line, lines):
            heads = next_heads(heads, line)
            added.append(AddedLine(line, heads))
        if heads != stored.heads:
            logger.error("the log of match %s does not lead to the heads of its hash chains", stored.match_id)
            raise LogContradictsSnapshot(stored.match_id)
        self._cache_heads(stored, stored.match.revision, heads)
        return added

    def _cache_heads(self, stored: StoredMatch[S, M, O, V], revision: int, heads: list[bytes]) -> None:
        self._heads[_revision_key(stored, revision)] = heads
        if len(self._heads) > MAX_HEADS:
            self._heads.popitem(last=False)


def _revision_key(stored: StoredMatch[S, M, O, V], revision: int) -> RevisionKey:
    return stored.match_id, revision, tuple(stored.epochs)
