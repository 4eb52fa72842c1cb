"""Feed of the events of platforms: one command that waits, for all streams of this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import Context
from typing import Final

from services.grpc_server.errors import EngineStopping, StoreUnavailable
from services.store.events.streams import EventId, EventStreams
from services.watch.watched_match import RETRY_SECONDS


class FollowedPlatform:
    """A platform whose events this process waits for, as far as it knows of them."""

    def __init__(self, end: EventId) -> None:
        self.streams = 0
        self.failure: Exception | None = None
        self.end = end
        self.wakes = 0
        """How often events were noticed: not compared by id, since a store that was restarted may have lost some."""
        self._changed: Final = asyncio.Event()

    async def wait(self, wakes: int) -> None:
        """Wait until events are noticed, if none were since `wakes` had that value. Raises `EngineStopping`."""
        while self.failure is None and self.wakes == wakes:
            await self._changed.wait()
        if self.failure is not None:
            raise self.failure

    def wake(self) -> None:
        """Wake all who wait."""
        self.wakes += 1
        self._changed.set()
        self._changed.clear()  # those who waited are woken all the same


class PlatformFeed:
    """The followed platforms of this process."""

    def __init__(self, events: EventStreams) -> None:
        self._events: Final = events
        self._followed: Final[dict[str, FollowedPlatform]] = {}
        self._waiting: asyncio.Task[None] | None = None
        self._closed = False

    @asynccontextmanager
    async def follow(self, platform: str, end: EventId) -> AsyncIterator[FollowedPlatform]:
        """Wait for events of a platform within the block; its stream ends at `end` now. Raises `EngineStopping`."""
        if self._closed:
            raise EngineStopping
        followed = self._followed.setdefault(platform, FollowedPlatform(end))
        followed.streams += 1
        if self._waiting is None or self._waiting.done():
            # An empty context: else logs and spans would belong to the call that started it.
            self._waiting = asyncio.create_task(self._wait(), context=Context())
        try:
            yield followed
        finally:
            followed.streams -= 1
            if not followed.streams:
                self._followed.pop(platform, None)

    async def _wait(self) -> None:
        """Wait for events as long as there are streams; one that starts meanwhile is waited for in the next command."""
        while self._followed:
            try:
                ends = await self._events.wait({platform: each.end for platform, each in self._followed.items()})
            except StoreUnavailable:
                await asyncio.sleep(RETRY_SECONDS)
                continue
            for platform, end in ends.items():
                if followed := self._followed.get(platform):
                    followed.end = max(followed.end, end)
                    followed.wake()

    async def close(self) -> None:
        """End all streams."""
        self._closed = True
        for followed in self._followed.values():
            followed.failure = EngineStopping()
            followed.wake()
        if self._waiting is not None:
            self._waiting.cancel()
            await asyncio.gather(self._waiting, return_exceptions=True)
