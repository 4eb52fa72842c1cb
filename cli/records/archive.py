"""Source of matches from an archive: by the day of their end, or of a player; the listed ones, or all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from itertools import chain
from typing import TypeAlias

from fakeredis import FakeAsyncRedis
from fireside.match.v1.match_record_pb2 import MatchHeader

from cli.records.source import Source, SourceMatch
from cli.records.store import NO_EXPIRY, StoreReader, header_of, record_of
from services.archive import index
from services.archive.archive import MatchArchive
from services.archive.index import IndexEntry
from services.archive.objects import ObjectStore
from services.grpc_server.admission.callers import caller_digest
from services.grpc_server.errors import LogContradictsSnapshot
from services.store.archive.archived_match import snapshot_of
from services.store.archive.store import ArchivingStore

Selection: TypeAlias = Callable[[ObjectStore], Iterator[IndexEntry]]
"""What a command reads of an index."""


def of_days(first: date, last: date, game: str | None) -> Selection:
    """The matches that ended on these days, both included, of one game or of all."""

    def entries(objects: ObjectStore) -> Iterator[IndexEntry]:
        days = [day for day in index.days(objects) if first <= day <= last]
        return chain.from_iterable(index.entries_of_day(objects, day, game) for day in days)

    return entries


def of_player(platform: str, player_id: str, first: date, last: date) -> Selection:
    """The matches of a player that ended on these days; `platform` is the name of an API key."""

    def entries(objects: ObjectStore) -> Iterator[IndexEntry]:
        found = index.entries_of_player(objects, caller_digest(platform), player_id)
        return (entry for entry in found if first <= entry.day() <= last)

    return entries


def archive_matches(archive: MatchArchive, selection: Selection, with_unlisted: bool) -> Source:
    """The selected matches; those that are not listed, private ones too, only if wanted.

    Raises a `ServiceError` if the archive cannot be read.
    """
    with asyncio.Runner() as runner:
        store = ArchivingStore(FakeAsyncRedis(protocol=2), NO_EXPIRY, archive)  # an empty Redis has forgotten all
        reader = StoreReader(store, with_unlisted)
        try:
            for entry in selection(archive.objects):
                header = runner.run(_header(archive, entry))
                if header.listed or with_unlisted:
                    read = partial(record_of, runner, reader, entry.match_id, header)
                    yield SourceMatch(entry.match_id, entry.game, read, header.begun_ms)
        finally:
            runner.run(reader.close())
            archive.close()


async def _header(archive: MatchArchive, entry: IndexEntry) -> MatchHeader:
    """The header of a match. A damaged match has that of a listed one without rules, so that the match is named."""
    try:
        archived = await archive.match(entry.match_id)
        return header_of(snapshot_of(archived)) if archived else MatchHeader(listed=True)
    except LogContradictsSnapshot:
        return MatchHeader(listed=True)
