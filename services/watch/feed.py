"""Feed of new log lines: one pub/sub connection a process, and one read a line for all watchers of a match.

Storing a step publishes its revision on the channel of its match. On such a message, and when a subscription is
confirmed, the lines after the last known one are read: so messages lost with a connection do not matter.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from contextvars import Context
from typing import Final

from engine_core.errors import StaleRevision
from runtime.telemetry import metrics
from runtime.telemetry.log_throttle import LogThrottle
from services.grpc_server.errors import EngineStopping, LinesLost, StoreUnavailable, TooManyStreams
from services.store.keys import channel, match_id_of
from services.store.matches.store import Store
from services.store.redis import RedisFailure, Subscription
from services.watch.watched_match import RETRY_SECONDS, IsOver, WatchedMatch, Watcher

logger = logging.getLogger(__name__)

MAX_CONCURRENT_READS: Final = 16
"""Number of matches that are read from the store concurrently."""
SWEEP_SECONDS: Final = 30.0
"""Interval at which watched matches are read although no message arrived: they may have expired."""
SEATING_CHANGED: Final = b"seating"
"""Message on the channel of a match, instead of a revision, when others have its seats."""
CONTROL_CHANNEL: Final = "fireside:feed"
"""A channel whose subscription holds the pub/sub connection open while no match is watched."""


class FollowContext:
    """Context in which a watcher follows a match; at the end of the last one the match is dropped from the feed."""

    def __init__(self, feed: Feed, watched: WatchedMatch, watcher: Watcher) -> None:
        self._feed: Final = feed
        self._watched: Final = watched
        self._watcher: Final = watcher

    async def __aenter__(self) -> Watcher:
        self._watched.watchers += 1
        metrics.MATCH_WATCHERS.inc()
        return self._watcher

    async def __aexit__(self, *_: object) -> None:
        self._watched.watchers -= 1
        metrics.MATCH_WATCHERS.dec()
        if not self._watched.watchers:
            self._feed.drop(self._watched)


class LocalStep:
    """Context in which this process stores a step; messages about its revision cause no read meanwhile.

    Such a message comes with the store's reply, often before it, and the read would find nothing new.
    """

    def __init__(self, feed: Feed | None, match_id: str, revision: int) -> None:
        """`revision` is that after the step; without a feed the context does nothing."""
        self._feed: Final = feed
        self._match_id: Final = match_id
        self._revision: Final = revision
        self._watched: Final = None if feed is None else feed.find(match_id)

    def __enter__(self) -> LocalStep:
        if self._watched is not None:
            self._watched.in_progress.append(self._revision)
        return self

    def __exit__(self, *_: object) -> None:
        if self._feed is not None and self._watched is not None:
            self._watched.in_progress.remove(self._revision)
            self._feed.read_published(self._watched)

    def stored(self, base_revision: int, lines: list[bytes], *, over: bool) -> None:
        """Pass the lines of the stored step to the watchers."""
        if self._feed is not None:
            self._feed.add(self._match_id, base_revision, lines, over=over)


class Feed:
    """The watched matches of this process, with at most `limit` streams."""

    def __init__(self, store: Store, limit: int = 10_000) -> None:
        self._store: Final = store
        self._limit: Final = limit
        self._streams = 0
        self._matches: Final[dict[str, WatchedMatch]] = {}
        self._subscribed: Final[set[str]] = set()
        self._changed: Final = asyncio.Event()
        self._reading: Final = asyncio.Semaphore(MAX_CONCURRENT_READS)
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._outage: Final = LogThrottle()
        self._started = False
        self._closed = False

    @contextmanager
    def stream_slot(self) -> Iterator[None]:
        """Context that counts as one stream. Raises `TooManyStreams` at the limit."""
        if self._streams >= self._limit:
            raise TooManyStreams(self._limit)
        self._streams += 1
        try:
            yield
        finally:
            self._streams -= 1

    def follow(
        self, match_id: str, after: int, revision: int, is_over: IsOver, seating: bytes = b"", delay: int = 0
    ) -> FollowContext:
        """Follow a match, which was loaded at `revision` and with `seating`, from the line after `after`.

        With a `delay`, lines come once so many others follow them, or the match is over. Raises `StaleRevision` if
        `after` is a later line than that, or none yet, and `EngineStopping` if the feed is closed.
        """
        if self._closed:
            raise EngineStopping
        if after > (end := max(0, revision - delay)):
            raise StaleRevision(after, end)
        if not self._started:
            self._started = True
            self._start_task(self._listen())
            self._start_task(self._sweep())
        watched = self._watch(match_id, revision, is_over, seating)
        return FollowContext(self, watched, Watcher(watched, self._store, after, seating, delay))

    def _watch(self, match_id: str, revision: int, is_over: IsOver, seating: bytes) -> WatchedMatch:
        watched = self._matches.get(match_id)
        if watched is None:
            metrics.WATCHED_MATCHES.inc()
        if watched is None or watched.failure is not None:
            watched = self._matches[match_id] = WatchedMatch(match_id, revision, is_over, seating)
            self._changed.set()
            self._read_soon(watched)  # if the channel is still subscribed, no confirmation will arrive
        elif watched.end < revision:
            self._read_soon(watched)  # its message may still be on the way
        return watched

    def drop(self, watched: WatchedMatch) -> None:
        """Forget a match that has no watchers."""
        if self._matches.get(watched.match_id) is watched:
            del self._matches[watched.match_id]
            metrics.WATCHED_MATCHES.dec()
            self._changed.set()
        if watched.reading:
            watched.reading.cancel()
            watched.reading = None  # the cancelled task holds a frame that holds the match

    def find(self, match_id: str) -> WatchedMatch | None:
        """The watched match of that id; None if it is not watched."""
        return self._matches.get(match_id)

    def add(self, match_id: str, base_revision: int, lines: list[bytes], *, over: bool) -> None:
        """Add the lines of a step that this process stored, so that they need not be read.

        Nothing is added if they were read already, or if lines before them are missing: the published revision causes a
        read.
        """
        watched = self._matches.get(match_id)
        if watched is None or watched.failure is not None:
            return
        if watched.end == base_revision:
            watched.add(lines, over=over)
        elif watched.contradicts(base_revision, lines):
            watched.fail(LinesLost(watched.end, base_revision + len(lines)))

    @property
    def watched(self) -> int:
        """Number of watched matches."""
        return len(self._matches)

    async def close(self) -> None:
        """End all streams and close the connection."""
        self._closed = True
        for watched in [*self._matches.values()]:
            watched.fail(EngineStopping())
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _start_task(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(
            work, context=Context()
        )  # an empty context: else logs and spans would belong to the call that started it
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _listen(self) -> None:
        """Receive messages, and reconnect whenever the connection is lost."""
        while True:
            try:
                subscription = await self._store.subscription(self._on_message)
                if self._closed:  # redis-py connects under `asyncio.wait_for`, which can swallow the cancellation
                    await subscription.close()
                    return
                self._outage.clear()
                await self._receive(subscription)
            except RedisFailure as error:
                if self._outage.should_log(error.kind):
                    logger.warning("the store's messages about new moves are lost: %s", error.kind)
            finally:
                self._subscribed.clear()
            await asyncio.sleep(RETRY_SECONDS)

    async def _receive(self, subscription: Subscription) -> None:
        tasks = [asyncio.ensure_future(subscription.run()), asyncio.ensure_future(self._subscribe(subscription))]
        try:
            await subscription.subscribe([CONTROL_CHANNEL])
            self._changed.set()
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                if task.done():
                    task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await subscription.close()

    async def _subscribe(self, subscription: Subscription) -> None:
        """Keep exactly the channels of watched matches subscribed."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            added, dropped = self._matches.keys() - self._subscribed, self._subscribed - self._matches.keys()
            self._subscribed.update(added)
            self._subscribed.difference_update(dropped)
            if dropped:
                await subscription.unsubscribe([*map(channel, dropped)])
            if added:
                await subscription.subscribe([*map(channel, added)])

    def _on_message(self, kind: str, name: bytes, data: bytes) -> None:
        """Read the match of a newly published revision, or of a newly subscribed channel."""
        watched = self._matches.get(match_id_of(name.decode())) if kind in ("message", "subscribe") else None
        if watched is None:
            return
        if kind == "subscribe" or data == SEATING_CHANGED:
            self._read_soon(watched)
            return
        revision = int(data)
        if revision < watched.published:  # revisions only grow, unless the store has lost lines
            self._read_soon(watched)
            return
        watched.published = revision
        if watched.published > max(watched.in_progress, default=0):
            self.read_published(watched)

    def read_published(self, watched: WatchedMatch) -> None:
        """Read a match if a revision was published that is not read yet."""
        if watched.published > watched.end and self._matches.get(watched.match_id) is watched:
            self._read_soon(watched)

    def _read_soon(self, watched: WatchedMatch) -> None:
        """Read the new lines of a match; once more if a read is in progress."""
        watched.read_again = True
        if watched.reading is None or watched.reading.done():
            watched.reading = self._start_task(self._read(watched))

    async def _read(self, watched: WatchedMatch) -> None:
        while watched.read_again and watched.failure is None:
            watched.read_again = False
            try:
                async with self._reading:
                    last = watched.last
                    after = watched.end if last is None else last.revision - 1
                    snapshot, lines = await self._store.read_log(watched.match_id, after)
                    watched.update(after, last, snapshot, lines)
            except StoreUnavailable:
                watched.read_again = True
                await asyncio.sleep(RETRY_SECONDS)
            except Exception as error:  # an unknown match or an internal error, with which its streams end
                watched.fail(error)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            for watched in [*self._matches.values()]:
                self._read_soon(watched)
