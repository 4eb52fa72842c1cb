"""Match store with an archive, from which finished matches are read that Redis has forgotten."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from fireside.match.v1.archived_match_pb2 import ArchivedMatch
from redis.asyncio import Redis, RedisCluster

from services.grpc_server.errors import UnknownMatch
from services.store.archive.archived_match import Archive, snapshot_of
from services.store.archive.finished import FinishedMatches
from services.store.keys import match_keys
from services.store.matches.steps import SeatingChange, Snapshot
from services.store.matches.store import Store
from services.store.redis import Argument
from services.store.scripts import Script, script


class ArchivingStore(Store):
    """The stored matches in one Redis and an archive. A match is looked for in the archive once Redis does not have it.

    The archive has a match before Redis forgets it, so in this order none is missed. Lists have matches in Redis only.
    """

    has_archive = True

    def __init__(
        self,
        redis: Redis | RedisCluster,
        expiry: int,
        archive: Archive,
        finished_expiry: int = 0,
        replicas: int = 0,
    ) -> None:
        """Arguments are as in `Store`."""
        super().__init__(redis, expiry, finished_expiry, replicas=replicas)
        self._archive: Final = archive
        self._revive_script: Final = Script(script("archive/revive.lua"))

    def finished_matches(self) -> FinishedMatches:
        """The stream of finished matches that the archive has to take."""
        return FinishedMatches(self._connection.execute, self._connection.evaluate)

    async def load(self, match_id: str, request_key: str = "") -> Snapshot:
        """As in `Store`."""
        try:
            return await super().load(match_id, request_key)
        except UnknownMatch:
            return snapshot_of(await self._archived(match_id), request_key)

    async def header(self, match_id: str) -> bytes | None:
        """As in `Store`."""
        found = await super().header(match_id)
        if found is None and (archived := await self._archive.match(match_id)):
            return snapshot_of(archived).header
        return found

    async def read_log(self, match_id: str, after: int) -> tuple[Snapshot, list[bytes]]:
        """As in `Store`."""
        with suppress(UnknownMatch):
            snapshot, lines = await super().read_log(match_id, after)
            if len(lines) == snapshot.revision - after or await self._archive.match(match_id) is None:
                return snapshot, lines  # else it has expired between snapshot and log
        archived = await self._archived(match_id)
        return snapshot_of(archived), archived.lines[after:]

    async def lines(self, match_id: str, after: int, most: int) -> list[bytes]:
        """As in `Store`."""
        found = await super().lines(match_id, after, most)
        if not found and (archived := await self._archive.match(match_id)):
            return archived.lines[after : after + most]
        return found

    async def change_seating(self, match_id: str, change: SeatingChange) -> None:
        """As in `Store`. A match in the archive is stored in Redis again, so that it is archived with the change."""
        try:
            await super().change_seating(match_id, change)
        except UnknownMatch:
            await self._revive(await self._archived(match_id))
            await super().change_seating(match_id, change)

    async def _archived(self, match_id: str) -> ArchivedMatch:
        """A match in the archive. Raises `UnknownMatch`."""
        found = await self._archive.match(match_id)
        if found is None:
            raise UnknownMatch(match_id)
        return found

    async def _revive(self, archived: ArchivedMatch) -> None:
        fields: list[Argument] = [part for field in archived.fields.items() for part in field]
        arguments = [self._seconds(True, 0), len(fields), *fields, *archived.lines]
        await self._connection.evaluate(self._revive_script, match_keys(archived.match_id), arguments)
