"""Earlier positions of stored matches: replays their logs, from the nearest cached checkpoint."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final, Generic, NamedTuple

from google.protobuf.message import DecodeError

from engine_core.errors import GameError, StaleRevision
from engine_core.match import Match
from services.engine.codec import Codec, M, O, S, V, read_log_line
from services.engine.matches.repository import MatchRepository
from services.engine.matches.stored_match import StoredMatch
from services.engine.records.heads import next_heads
from services.engine.records.records import RecordBuilder
from services.engine.records.replaying import Replays
from services.grpc_server.admission.long_work import LongWork
from services.grpc_server.errors import LogContradictsSnapshot, ServiceError
from services.store.matches.store import Store

logger = logging.getLogger(__name__)

INTERVAL: Final = 64
"""Lines between checkpoints, which are read and replayed in 1 ms."""
MAX_CHECKPOINTS: Final = 512
"""Number of cached checkpoints; one takes 10 KiB at most."""
MatchKey = tuple[str, tuple[str, ...]]
"""A match, with its epochs: after the store lost steps, the same revision may be another position."""


class Position(NamedTuple, Generic[S, M, O, V]):
    """An earlier position of a match, which must not be changed, and all heads of its hash chains then."""

    match: Match[S, M, O, V]
    heads: list[bytes]


class PastPositions(Generic[S, M, O, V]):
    """Earlier positions of the matches of one version of a game.

    The first call for a match verifies and replays its whole log, and caches a checkpoint every `INTERVAL` lines. A
    later call, for any revision and any observer, only reads the lines between two checkpoints.
    """

    def __init__(
        self, codec: Codec[S, M, O, V], store: Store, matches: MatchRepository[S, M, O, V], long_work: LongWork
    ) -> None:
        self._codec: Final = codec
        self._store: Final = store
        self._matches: Final = matches
        self._long_work: Final = long_work
        self._records: Final = RecordBuilder(codec)
        self._replays: Final = Replays(codec, long_work)
        self._checkpoints: Final[OrderedDict[tuple[MatchKey, int], Position[S, M, O, V]]] = OrderedDict()
        """LRU cache; a checkpoint is secret, but the same for all observers."""

    async def position(self, stored: StoredMatch[S, M, O, V], revision: int) -> Position[S, M, O, V]:
        """The position at a revision that the match has reached.

        Raises `LogContradictsSnapshot` if the log is damaged.
        """
        match_id, key = stored.match_id, match_key(stored)
        checkpoint = self._nearest(stored, key, revision)
        if checkpoint.match.revision == revision:
            return checkpoint
        after = checkpoint.match.revision
        following = self._checkpoints.get((key, after + INTERVAL))
        if following and following.match.revision <= stored.match.revision:  # else the store has lost steps
            lines = await self._store.lines(match_id, after, INTERVAL)
            return await self._replay(match_id, key, checkpoint, lines, revision, following.heads)
        current, lines = await self._matches.peek_log(match_id, after)
        if match_key(current) != key:  # the store may have lost steps after the match was read
            return await self.position(current, revision)
        if revision > current.match.revision:  # it lost steps, and none has been made since
            raise StaleRevision(revision, current.match.revision)
        return await self._replay(match_id, key, checkpoint, lines, revision, list(current.heads))

    def _nearest(self, stored: StoredMatch[S, M, O, V], key: MatchKey, revision: int) -> Position[S, M, O, V]:
        """The last cached checkpoint at or before a revision, or the beginning of the match."""
        for number in range(revision - revision % INTERVAL, 0, -INTERVAL):
            if found := self._checkpoints.get((key, number)):
                self._checkpoints.move_to_end((key, number))
                return found
        heads = self._records.first_heads(stored.match_id, stored.header, stored.match.state)
        match = self._replays.start(len(stored.header.seats), self._records.options(stored.match.state))
        return Position(match, heads)

    async def _replay(
        self,
        match_id: str,
        key: MatchKey,
        start: Position[S, M, O, V],
        lines: Sequence[bytes],
        revision: int,
        end_heads: list[bytes],
    ) -> Position[S, M, O, V]:
        """The position at a revision on the way from another one; at the end of the lines are these heads."""
        match, heads = copy_of(start.match), start.heads
        found: dict[int, Position[S, M, O, V]] = {}
        parse = self._codec.messages.event.FromString
        try:
            async with self._long_work.share() as share:
                for line in map(read_log_line, lines):
                    heads = next_heads(heads, line)
                    self._replays.play(match, parse(line.event))
                    if match.revision == revision or match.revision % INTERVAL == 0:
                        found[match.revision] = Position(copy_of(match), heads)
                    await share.pause()
        except (DecodeError, GameError, ServiceError):
            logger.exception("line %d of the log of match %s cannot be replayed", match.revision + 1, match_id)
            raise LogContradictsSnapshot(match_id) from None
        if heads != end_heads or revision not in found:
            logger.error("the log of match %s does not lead to the heads of its hash chains", match_id)
            raise LogContradictsSnapshot(match_id)
        for number, position in found.items():
            if number % INTERVAL == 0:
                self._cache((key, number), position)
        return found[revision]

    def _cache(self, key: tuple[MatchKey, int], position: Position[S, M, O, V]) -> None:
        self._checkpoints[key] = position
        if len(self._checkpoints) > MAX_CHECKPOINTS:
            self._checkpoints.popitem(last=False)


def match_key(stored: StoredMatch[S, M, O, V]) -> MatchKey:
    """The key of a match in caches of its positions."""
    return stored.match_id, tuple(stored.epochs)


def copy_of(match: Match[S, M, O, V]) -> Match[S, M, O, V]:
    """A copy of a match, without its luck."""
    return Match(match.game, match.game.copy(match.state), None, match.revision)
