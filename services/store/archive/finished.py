"""Streams of finished matches for the archive, one for each bucket, with a consumer group for its processes.

The script of the last step of a match adds the entry. It is removed once the archive has the match; those that one
process did not remove in time are taken by others.
"""

from __future__ import annotations

import asyncio
from typing import Final, NamedTuple, cast

from fireside.match.v1.archived_match_pb2 import ArchivedMatch

from services.grpc_server.call_metrics import timed
from services.store.archive.archived_match import NOT_ARCHIVED
from services.store.keys import BUCKETS, bucket, finished_key, match_id_of, match_keys
from services.store.redis import ResponseError
from services.store.scripts import Script, script
from services.store.turns.queue import Evaluate, Execute

GROUP: Final = "archive"
WAIT_SECONDS: Final = 0.5
"""Pause after which streams are looked into again, if there was no entry in any."""
FINISHED_KEYS: Final = tuple([finished_key(number) for number in range(BUCKETS)])
CONSUMER_IDLE_MS: Final = 60 * 60 * 1000
"""Time after which a process that takes nothing, and has no entry, is removed from the group, since it has ended."""


class FinishedEntry(NamedTuple):
    """An entry of the stream: its id, and the match."""

    entry_id: str
    match_id: str


class Lag(NamedTuple):
    """What the archive has yet to take: number of entries, and the age of the oldest in seconds."""

    entries: int
    seconds: float


class FinishedMatches:
    """The streams of finished matches in one Redis. Operations raise `StoreUnavailable` or `StoreFull`."""

    def __init__(self, execute: Execute, evaluate: Evaluate) -> None:
        self._execute: Final = execute
        self._evaluate: Final = evaluate
        self._forget: Final = Script(script("archive/forget.lua"))

    async def create(self) -> None:
        """Create the streams that are missing: from now on finished matches are stored until they are archived."""
        await asyncio.gather(*map(self._create, FINISHED_KEYS))

    async def _create(self, key: str) -> None:
        try:
            await self._execute("XGROUP", "CREATE", key, GROUP, "0", "MKSTREAM")
        except ResponseError as error:
            if error.kind != "BUSYGROUP":  # there is one
                raise

    async def take(self, consumer: str, most: int) -> list[FinishedEntry]:
        """Take entries that nobody has taken, `most` or one of each stream; if there are none, wait a little."""
        count = max(1, most // BUCKETS)
        found = await asyncio.gather(*[self._take(key, consumer, count) for key in FINISHED_KEYS])
        entries = [entry for those in found for entry in those]
        if not entries:
            await asyncio.sleep(WAIT_SECONDS)
        return entries

    async def _take(self, key: str, consumer: str, most: int) -> list[FinishedEntry]:
        try:
            streams = await self._execute("XREADGROUP", "GROUP", GROUP, consumer, "COUNT", most, "STREAMS", key, ">")
        except ResponseError as error:
            if error.kind != "NOGROUP":  # the Redis that has taken over may lack it
                raise
            await self._create(key)
            return []
        return _entries(cast("list[list[object]]", streams)[0][1]) if streams else []

    async def take_over(self, consumer: str, idle_ms: int, most: int) -> list[FinishedEntry]:
        """Take entries that another process took before `idle_ms` and has not removed, as many as by `take`."""
        count = max(1, most // BUCKETS)
        found = await asyncio.gather(*[self._take_over(key, consumer, idle_ms, count) for key in FINISHED_KEYS])
        return [entry for those in found for entry in those]

    async def _take_over(self, key: str, consumer: str, idle_ms: int, most: int) -> list[FinishedEntry]:
        try:
            reply = await self._execute("XAUTOCLAIM", key, GROUP, consumer, idle_ms, "0-0", "COUNT", most)
        except ResponseError as error:
            if error.kind != "NOGROUP":
                raise
            return []
        return _entries(cast("list[object]", reply)[1])

    @timed
    async def read(self, match_id: str) -> ArchivedMatch | None:
        """A match as the archive stores it; None if the store does not have it."""
        match_key, log_key = match_keys(match_id)
        found = cast("list[bytes]", await self._execute("HGETALL", match_key))
        if not found:
            return None
        fields = {name.decode(): value for name, value in zip(found[::2], found[1::2], strict=True)}
        lines = cast("list[tuple[bytes, list[bytes]]]", await self._execute("XRANGE", log_key, "-", "+"))
        if len(lines) != int(fields.get("revision", 0)) and not await self._execute("EXISTS", match_key):
            return None  # it has expired between hash and log
        return ArchivedMatch(
            match_id=match_id,
            fields={name: value for name, value in fields.items() if name not in NOT_ARCHIVED},
            lines=[entry[1] for _, entry in lines],
        )

    @timed
    async def forget(self, entry: FinishedEntry, archived: ArchivedMatch, tail_seconds: int) -> bool:
        """Remove the entry of an archived match, which expires after `tail_seconds`.

        Returns False, and changes nothing, if the match is no longer as it was archived.
        """
        fields = archived.fields
        compared = fields["state"], fields["revision"], fields.get("seating", b"")
        keys = [*match_keys(entry.match_id), _key(entry)]
        return await self._evaluate(self._forget, keys, [entry.entry_id, GROUP, tail_seconds, *compared]) == 1

    @timed
    async def drop(self, entry: FinishedEntry) -> None:
        """Remove the entry of a match that the store does not have."""
        await self._execute("XACK", _key(entry), GROUP, entry.entry_id)
        await self._execute("XDEL", _key(entry), entry.entry_id)

    @timed
    async def lag(self) -> Lag:
        """What the archive has yet to take."""
        lengths = await asyncio.gather(*[self._execute("XLEN", key) for key in FINISHED_KEYS])
        firsts = await asyncio.gather(
            *[self._execute("XRANGE", key, "-", "+", "COUNT", 1) for key in FINISHED_KEYS],
        )
        seconds, microseconds = cast("list[bytes]", await self._execute("TIME"))
        now_ms = 1000 * int(seconds) + int(microseconds) // 1000
        times = [int(first[0][0].split(b"-")[0]) for first in cast("list[list[tuple[bytes, object]]]", firsts) if first]
        return Lag(sum(cast("list[int]", lengths)), max(0, now_ms - min(times, default=now_ms)) / 1000)

    async def remove_ended_processes(self) -> None:
        """Remove processes from the groups that have ended, and whose entries others have taken."""
        for key in FINISHED_KEYS:
            for consumer in cast("list[list[object]]", await self._execute("XINFO", "CONSUMERS", key, GROUP)):
                facts = dict(zip(consumer[::2], consumer[1::2], strict=True))
                if not facts[b"pending"] and cast(int, facts[b"idle"]) > CONSUMER_IDLE_MS:
                    await self._execute("XGROUP", "DELCONSUMER", key, GROUP, cast(bytes, facts[b"name"]))


def _key(entry: FinishedEntry) -> str:
    return finished_key(bucket(entry.match_id))


def _entries(reply: object) -> list[FinishedEntry]:
    """The entries of a reply; those that another process has removed have no fields."""
    entries = cast("list[tuple[bytes, list[bytes] | None]]", reply)
    return [FinishedEntry(entry_id.decode(), match_id_of(fields[1].decode())) for entry_id, fields in entries if fields]
