"""Source of matches from the store of a service in Redis: the listed ones that are finished, or all finished ones."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any, Final, Generic

from fireside.match.v1.match_record_pb2 import MatchHeader
from google.protobuf.message import DecodeError, Message

from cli.records.source import Source, SourceMatch
from services.engine.codec import Codec, M, O, S, V
from services.engine.codecs import CODECS_BY_VERSION
from services.engine.matches.finished import FinishedRecords
from services.engine.matches.log import MatchLog
from services.engine.matches.repository import MatchRepository
from services.grpc_server.errors import LogContradictsSnapshot, UnknownRules
from services.store.matches.steps import Snapshot
from services.store.matches.store import Store
from services.store.open import open_store

MATCHES_PER_READ: Final = 100
SCAN_START: Final = "0"
DAMAGED: Final = (RuntimeError, DecodeError)
"""What reading a damaged match raises. It must not end the export, so its record has a `ServiceError` instead."""
NO_EXPIRY: Final = 0
"""Nothing is written, so nothing gets a time to expire."""


def store_matches(redis_url: str, with_unlisted: bool) -> Source:
    """The finished matches of a store, in no order; those that are not listed, private ones too, only if wanted.

    Reads one Redis, not a cluster. Raises a `ServiceError` if it cannot be reached.
    """
    with asyncio.Runner() as runner:
        reader = StoreReader(open_store(redis_url, NO_EXPIRY), with_unlisted)
        cursor = SCAN_START
        try:
            while True:
                cursor, found = runner.run(reader.page(cursor))
                for match_id, header in found:
                    yield SourceMatch(
                        match_id, header.game, partial(record_of, runner, reader, match_id, header), header.begun_ms
                    )
                if cursor == SCAN_START:
                    return
        finally:
            runner.run(reader.close())


def record_of(runner: asyncio.Runner, reader: StoreReader, match_id: str, header: MatchHeader) -> Message:
    """The record of a match of a store. Raises a `ServiceError`."""
    return runner.run(reader.record(match_id, header))


def header_of(snapshot: Snapshot) -> MatchHeader:
    """The header of a match. A damaged one is of a listed match without rules, so that the match is named."""
    try:
        return MatchHeader.FromString(snapshot.header)
    except DecodeError:
        return MatchHeader(listed=True)


class _VersionReader(Generic[S, M, O, V]):
    """Reads matches of one version of a game."""

    def __init__(self, codec: Codec[S, M, O, V], store: Store) -> None:
        self._codec: Final = codec
        self._matches: Final = MatchRepository(codec, store)
        self._log: Final = MatchLog(codec, self._matches)
        self._records: Final = FinishedRecords(codec)

    def is_over(self, match_id: str, snapshot: Snapshot) -> bool:
        return self._matches.decode(match_id, snapshot).match.is_over()

    async def record(self, match_id: str) -> Message:
        stored, lines = await self._log.lines_after(match_id, 0)
        return await self._records.build(
            stored, [self._codec.messages.event.FromString(line.event) for line, _ in lines]
        )


class StoreReader:
    """Reads the finished matches of a store."""

    def __init__(self, store: Store, with_unlisted: bool) -> None:
        self._store: Final = store
        self._with_unlisted: Final = with_unlisted
        self._versions: Final[dict[str, _VersionReader[Any, Any, Any, Any]]] = {
            version: _VersionReader(codec, store) for version, codec in CODECS_BY_VERSION.items()
        }

    async def page(self, cursor: str) -> tuple[str, list[tuple[str, MatchHeader]]]:
        """The next cursor of the scan, and some finished matches; with them those that cannot be read."""
        following, match_ids = await self._store.match_ids(cursor, MATCHES_PER_READ)
        snapshots = await self._store.snapshots(match_ids)
        found = []
        for match_id, snapshot in zip(match_ids, snapshots, strict=True):
            if snapshot is not None:
                header = header_of(snapshot)
                if (header.listed or self._with_unlisted) and self._may_be_over(match_id, header, snapshot):
                    found.append((match_id, header))
        return following, found

    def _may_be_over(self, match_id: str, header: MatchHeader, snapshot: Snapshot) -> bool:
        version = self._versions.get(header.rules_version)
        try:
            return version is None or version.is_over(match_id, snapshot)
        except DAMAGED:
            return True

    async def record(self, match_id: str, header: MatchHeader) -> Message:
        """The record of a match. Raises a `ServiceError`."""
        if not header.rules_version:
            raise LogContradictsSnapshot(match_id)
        version = self._versions.get(header.rules_version)
        if version is None:
            raise UnknownRules(match_id, header.rules_version)
        try:
            return await version.record(match_id)
        except DAMAGED:
            raise LogContradictsSnapshot(match_id) from None

    async def close(self) -> None:
        await self._store.close()
