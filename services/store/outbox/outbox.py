"""Outboxes: carry out what steps of matches cause elsewhere, each effect once and in order, whatever stops meanwhile.

The script that stores a step adds its effects to the outbox of the match's bucket (`outbox/add.lua`): turns for queues,
and events for streams of platforms, which lie in other hash slots. The process that stored the step carries them out at
once and deletes the entry; what a stopped process has left is found by a sweep of any engine. Each pass begins at the
oldest entry, so passes may overlap: a stream knows the last entry that it has of an outbox, and a queue its turns.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Sequence
from contextlib import suppress
from itertools import groupby
from typing import Final, NamedTuple, cast

from services.grpc_server.errors import ServiceError
from services.store.keys import BUCKETS, EVENTS_PREFIX, outbox_key, reached_key
from services.store.redis import Argument, Reply
from services.store.scripts import EVENT_SECONDS, MAX_EVENTS, Script, script, turn_script
from services.store.turns.queue import Evaluate, Execute

logger = logging.getLogger(__name__)

ENTRIES_PER_READ: Final = 16
"""As many entries are replied by `outbox/add.lua`."""
DELIVERY_SECONDS: Final = 0.5
"""How long the call that made a step waits for its effects; a sweep carries out what is left."""
SWEEP_SECONDS: Final = 1.0
"""Interval of sweeps. An entry that one sweep has seen already is left over."""


class Effect(NamedTuple):
    """What a step causes at a key: an event for a stream of a platform, or a turn for a queue."""

    key: str
    value: bytes


class Entry(NamedTuple):
    """What one step causes; with the run id of the Redis process that stored it."""

    entry_id: str
    run_id: str
    effects: list[Effect]

    @staticmethod
    def parse_all(reply: Reply) -> list[Entry]:
        """The entries in a reply of Redis."""
        entries = cast("list[tuple[bytes, list[bytes]]]", reply)
        return [
            Entry(
                entry_id.decode(),
                parts[1].decode(),
                [Effect(key.decode(), value) for key, value in zip(parts[2::2], parts[3::2], strict=True)],
            )
            for entry_id, parts in entries
        ]


class Outbox:
    """The outboxes of all buckets."""

    def __init__(self, execute: Execute, evaluate_write: Evaluate) -> None:
        """`evaluate_write` returns once the replicas that are asked for have what a script writes."""
        self._execute: Final = execute
        self._evaluate_write: Final = evaluate_write
        self._put_events: Final = Script(script("events/put.lua"))
        self._put_turns: Final = Script(turn_script("turns/queue.lua"))

    async def deliver_soon(self, bucket: int, first: Reply) -> None:
        """Carry out what a step has caused, which has been stored: failures are left to a sweep.

        `first`: the first entries of the outbox, as its script replies them.
        """
        with suppress(ServiceError, TimeoutError):
            async with asyncio.timeout(DELIVERY_SECONDS):
                await self._deliver(bucket, Entry.parse_all(first))

    async def sweep(self, seen: dict[int, str]) -> None:
        """Carry out what is left since the last sweep: in buckets whose first entry is in `seen`, which is updated."""
        replies = await asyncio.gather(*[self._read(bucket, "-", 1) for bucket in range(BUCKETS)])
        for bucket, entries in enumerate(replies):
            first = entries[0].entry_id if entries else ""
            if first and seen.get(bucket) == first:
                await self._deliver(bucket, await self._read(bucket, "-"))
            seen[bucket] = first

    async def _read(self, bucket: int, start: str, most: int = ENTRIES_PER_READ) -> list[Entry]:
        return Entry.parse_all(await self._execute("XRANGE", outbox_key(bucket), start, "+", "COUNT", most))

    async def _deliver(self, bucket: int, entries: list[Entry]) -> None:
        """Carry out the first entries and all after them. What fails at one key holds up nothing at others."""
        failed: set[str] = set()
        while entries:
            keys = dict.fromkeys([effect.key for entry in entries for effect in entry.effects])
            tried = [key for key in keys if key not in failed]
            outcomes = await asyncio.gather(*[self._put(bucket, key, entries) for key in tried], return_exceptions=True)
            for key, outcome in zip(tried, outcomes, strict=True):
                if isinstance(outcome, Exception):
                    failed.add(key)
                    if not isinstance(outcome, ServiceError):
                        logger.error("what a match has caused could not be stored", exc_info=outcome)
            done = [entry.entry_id for entry in entries if failed.isdisjoint([effect.key for effect in entry.effects])]
            if done:
                await self._execute("XDEL", outbox_key(bucket), *done)
            if len(entries) < ENTRIES_PER_READ:
                return
            entries = await self._read(bucket, f"({entries[-1].entry_id}")

    async def _put(self, bucket: int, key: str, entries: Sequence[Entry]) -> None:
        """Carry out the effects of entries at one key."""
        found = [
            (entry.run_id, entry.entry_id, effect.value)
            for entry in entries
            for effect in entry.effects
            if effect.key == key
        ]
        if not key.startswith(EVENTS_PREFIX):
            await self._evaluate_write(self._put_turns, [key], [value for _, _, value in found])
            return
        for run_id, events in groupby(found, lambda event: event[0]):
            arguments: list[Argument] = [MAX_EVENTS, EVENT_SECONDS, f"{bucket}:{run_id}"]
            for _, entry_id, event in events:
                arguments += [entry_id, event]
            await self._evaluate_write(self._put_events, [key, reached_key(key)], arguments)


class OutboxSweeper:
    """Carries out, in a task of its own, what stopped processes have left in outboxes."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox: Final = outbox
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start to sweep."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Stop sweeping; what was begun may be carried out again without harm."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        seen: dict[int, str] = {}
        while True:
            try:
                await self._outbox.sweep(seen)
            except ServiceError as error:
                logger.warning("the store is unavailable to the outboxes: %s", error)
            except Exception:
                logger.exception("the outboxes failed")
            await asyncio.sleep(SWEEP_SECONDS * random.uniform(0.5, 1.5))  # so that engines spread out
