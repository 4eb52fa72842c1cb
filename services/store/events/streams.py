"""Streams of the events of platforms in Redis: reading from an id, waiting for more, and noticing deleted events.

Events come from the outboxes of matches (`events/put.lua`). An id is the time in milliseconds since 1970, by the clock
of Redis, and a number.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, cast

from services.grpc_server.call_metrics import timed
from services.grpc_server.errors import EventsDeleted
from services.store.keys import events_key
from services.store.redis import Argument
from services.store.scripts import EVENT_SECONDS, MAX_EVENTS
from services.store.turns.queue import Execute

WAIT_MS: Final = 500
"""Time for which one command waits for events, well below the store's timeout."""
EVENTS_PER_READ: Final = 128
EVENT_ID: Final = re.compile("([0-9]{1,15})-([0-9]{1,15})")


class EventId(NamedTuple):
    """Id of an event."""

    time_ms: int
    number: int = 0

    def __str__(self) -> str:
        return f"{self.time_ms}-{self.number}"

    @staticmethod
    def parse(text: str) -> EventId:
        """The id in a text. Raises `ValueError`."""
        parts = EVENT_ID.fullmatch(text)
        if parts is None:
            raise ValueError("not the id of an event")
        return EventId(int(parts[1]), int(parts[2]))


BEGINNING: Final = EventId(0)
"""Before all events."""


class EventStreams:
    """The streams of all platforms. Operations raise `StoreUnavailable`."""

    def __init__(self, execute: Execute, new_connection: Callable[[], Execute], slot_of: Callable[[str], str]) -> None:
        """`new_connection` makes a connection for commands that block; keys of one `slot_of` may share a command."""
        self._execute: Final = execute
        self._new_connection: Final = new_connection
        self._slot_of: Final = slot_of
        self._connections: Final[dict[str, Execute]] = {}
        self._reads: Final[dict[str, asyncio.Task[dict[str, EventId]]]] = {}
        """Commands that wait for events, by slot: on a Redis that is no cluster there is one."""

    @timed
    async def end(self, platform: str) -> EventId:
        """The id of the last event, or of the present time if there is none."""
        last, now = await asyncio.gather(
            self._execute("XREVRANGE", events_key(platform), "+", "-", "COUNT", 1), self._execute("TIME")
        )
        found = _entries(last)
        return found[-1][0] if found else EventId(_milliseconds(now))

    @timed
    async def after(self, platform: str, event_id: EventId) -> list[tuple[EventId, bytes]]:
        """The next events after an id. Raises `EventsDeleted` if an event after the id has been deleted."""
        key = events_key(platform)
        # In this order: of events that are deleted meanwhile none is left out unnoticed.
        found, first, length, now = await asyncio.gather(
            self._execute("XRANGE", key, f"({event_id}", "+", "COUNT", EVENTS_PER_READ),
            self._execute("XRANGE", key, "-", "+", "COUNT", 1),
            self._execute("XLEN", key),
            self._execute("TIME"),
        )
        oldest = _entries(first)
        is_stored = bool(oldest) and oldest[0][0] <= event_id
        is_complete = cast(int, length) < MAX_EVENTS and event_id.time_ms > _milliseconds(now) - 1000 * EVENT_SECONDS
        if event_id != BEGINNING and not (is_stored or is_complete):
            raise EventsDeleted(str(event_id))
        return _entries(found)

    async def wait(self, ends: Mapping[str, EventId]) -> dict[str, EventId]:
        """Wait a short time for events after the ids of platforms; the id of the last one read, for each with any."""
        slots: dict[str, dict[str, EventId]] = {}
        for platform, end in ends.items():
            slots.setdefault(self._slot_of(events_key(platform)), {})[platform] = end
        for slot, its_ends in slots.items():
            if slot not in self._reads:
                self._reads[slot] = asyncio.create_task(self._read(slot, its_ends))
        try:
            await asyncio.wait(self._reads.values(), return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            for read in self._reads.values():
                read.cancel()
            raise
        news: dict[str, EventId] = {}
        for slot in [slot for slot, read in self._reads.items() if read.done()]:
            news |= self._reads.pop(slot).result()
        return news

    async def _read(self, slot: str, ends: Mapping[str, EventId]) -> dict[str, EventId]:
        if slot not in self._connections:
            self._connections[slot] = self._new_connection()
        arguments: list[Argument] = ["COUNT", EVENTS_PER_READ, "BLOCK", WAIT_MS, "STREAMS"]
        keys = {events_key(platform): platform for platform in ends}
        reply = await self._connections[slot]("XREAD", *arguments, *keys, *map(str, ends.values()))
        streams = cast("list[tuple[bytes, object]]", reply or [])
        return {keys[key.decode()]: _entries(entries)[-1][0] for key, entries in streams}


def _entries(reply: object) -> list[tuple[EventId, bytes]]:
    """The ids and events of entries, whose one field has the event."""
    entries = cast("list[tuple[bytes, list[bytes]]]", reply)
    return [(EventId.parse(event_id.decode()), fields[1]) for event_id, fields in entries]


def _milliseconds(time: object) -> int:
    seconds, microseconds = cast("list[bytes]", time)
    return int(seconds) * 1000 + int(microseconds) // 1000
