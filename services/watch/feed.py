"""The news of watched matches: one connection a process hears of them, and each new line is read once for all.

A step publishes its revision on its match's channel. Whoever hears it, or is only just subscribed, reads what is
behind the last line that it knows: so a message that is lost with a connection is made up for when the next one stands.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from contextvars import Context
from typing import Final

from engine_core.errors import StaleRevision
from runtime.log_throttle import Outage
from runtime.telemetry import metrics
from services.grpc_server.errors import EngineStopping, LinesLost, StoreUnavailable, TooManyStreams
from services.store.match_store import Store, channel
from services.store.redis import RedisFailure, Subscription
from services.watch.watched_match import AGAIN_SECONDS, IsOver, Topic, Watcher

log = logging.getLogger(__name__)

READERS: Final = 16
"""How many matches are read at a time, of the store's connections."""
SWEEP_SECONDS: Final = 30.0
"""How often watched matches are looked at although nothing was heard of them: they may have expired."""
CONTROL: Final = "fireside:feed"
"""A channel that keeps the connection open while no match is watched."""


class Following:
    """The time for which a watcher follows a match: a context, at whose end what nobody else watches is let go."""

    def __init__(self, feed: Feed, topic: Topic, store: Store, after: int) -> None:
        self._feed: Final = feed
        self._topic: Final = topic
        self._watcher: Final = Watcher(topic, store, after)

    async def __aenter__(self) -> Watcher:
        self._topic.watchers += 1
        metrics.WATCHERS.inc()
        return self._watcher

    async def __aexit__(self, *_: object) -> None:
        self._topic.watchers -= 1
        metrics.WATCHERS.dec()
        if not self._topic.watchers:
            self._feed.drop(self._topic)


class Stepping:
    """The time in which a step is made here: a context, in which the news of it wait for it to be told.

    The store's news of it come with its answer, and are often read before: they would be asked about in vain.
    """

    def __init__(self, feed: Feed | None, match_id: str, revision: int) -> None:
        """The step comes to that revision; without a feed there is nobody to tell."""
        self._feed: Final = feed
        self._match_id: Final = match_id
        self._revision: Final = revision
        self._topic: Final = None if feed is None else feed.topic(match_id)

    def __enter__(self) -> Stepping:
        if self._topic is not None:
            self._topic.expected.append(self._revision)
        return self

    def __exit__(self, *_: object) -> None:
        if self._feed is not None and self._topic is not None:
            self._topic.expected.remove(self._revision)
            self._feed.settle(self._topic)

    def tell(self, answers: int, lines: list[bytes], *, over: bool) -> None:
        """The step has been made, from revision `answers`."""
        if self._feed is not None:
            self._feed.tell(self._match_id, answers, lines, over=over)


class Feed:
    """All that is watched in this process, by no more streams than `limit`."""

    def __init__(self, store: Store, limit: int = 10_000) -> None:
        self._store: Final = store
        self._limit: Final = limit
        self._streams = 0
        self._topics: Final[dict[str, Topic]] = {}
        self._asked: Final[set[str]] = set()
        self._changed: Final = asyncio.Event()
        self._reading: Final = asyncio.Semaphore(READERS)
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._outage: Final = Outage()
        self._started = False
        self._closed = False

    @contextmanager
    def place(self) -> Iterator[None]:
        """The place of one stream. Raises `TooManyStreams` when there is none."""
        if self._streams >= self._limit:
            raise TooManyStreams(self._limit)
        self._streams += 1
        try:
            yield
        finally:
            self._streams -= 1

    def follow(self, match_id: str, after: int, revision: int, is_over: IsOver) -> Following:
        """Follow a match, which was found at `revision`, from behind `after` on; `is_over` tells it of a snapshot.

        Raises `StaleRevision` for a revision that the match has not reached, `EngineStopping` when the feed is closed.
        """
        if self._closed:
            raise EngineStopping
        if after > revision:
            raise StaleRevision(after, revision)
        if not self._started:
            self._started = True
            self._spawn(self._listen())
            self._spawn(self._sweep())
        return Following(self, self._topic(match_id, revision, is_over), self._store, after)

    def _topic(self, match_id: str, revision: int, is_over: IsOver) -> Topic:
        topic = self._topics.get(match_id)
        if topic is None:
            metrics.WATCHED.inc()
        if topic is None or topic.failure is not None:
            topic = self._topics[match_id] = Topic(match_id, revision, is_over)
            self._changed.set()
            self._refresh(topic)  # where the channel is subscribed from before, no confirmation would come
        return topic

    def drop(self, topic: Topic) -> None:
        """Let go a match that nobody watches any more."""
        if self._topics.get(topic.match_id) is topic:
            del self._topics[topic.match_id]
            metrics.WATCHED.dec()
            self._changed.set()
        if topic.reading:
            topic.reading.cancel()
            topic.reading = None  # its cancellation holds the frame that holds the topic

    def topic(self, match_id: str) -> Topic | None:
        """A match, if it is watched."""
        return self._topics.get(match_id)

    def tell(self, match_id: str, answers: int, lines: list[bytes], *, over: bool) -> None:
        """A step has been made here, from revision `answers`: who watches need not read it in the store.

        Where the news of it have been quicker, or those before it have not come yet, it is left to them.
        """
        topic = self._topics.get(match_id)
        if topic is None or topic.failure is not None:
            return
        if topic.end == answers:
            topic.add(lines, over=over)
        elif topic.contradicts(answers, lines):
            topic.fail(LinesLost(topic.end, answers + len(lines)))

    @property
    def watched(self) -> int:
        """How many matches are watched."""
        return len(self._topics)

    async def close(self) -> None:
        """End every stream, and give up the connection."""
        self._closed = True
        for topic in [*self._topics.values()]:
            topic.fail(EngineStopping())
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work, context=Context())  # of no call, although one began it
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _listen(self) -> None:
        """Hear of news, on a new connection whenever one is lost."""
        while True:
            try:
                subscription = await self._store.subscription(self._note)
                self._outage.end()
                await self._receive(subscription)
            except RedisFailure as error:
                if self._outage.is_news(error.kind):
                    log.warning("the news of the store are lost: %s", self._outage.fault)
            finally:
                self._asked.clear()
            await asyncio.sleep(AGAIN_SECONDS)

    async def _receive(self, subscription: Subscription) -> None:
        tasks = [asyncio.ensure_future(subscription.run()), asyncio.ensure_future(self._align(subscription))]
        try:
            await subscription.subscribe([CONTROL])
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

    async def _align(self, subscription: Subscription) -> None:
        """Hear of the channels of what is watched, and of no others."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            added, dropped = self._topics.keys() - self._asked, self._asked - self._topics.keys()
            self._asked.update(added)
            self._asked.difference_update(dropped)
            if dropped:
                await subscription.unsubscribe([*map(channel, dropped)])
            if added:
                await subscription.subscribe([*map(channel, added)])

    def _note(self, kind: str, name: bytes, data: bytes) -> None:
        """A revision that is published is news; that a channel is heard is so, too, for what came before it."""
        topic = self._topics.get(_match_id(name)) if kind in ("message", "subscribe") else None
        if topic is None:
            return
        if kind == "subscribe":
            self._refresh(topic)
            return
        revision = int(data)
        if revision < topic.heard:  # no revision comes twice, unless the store has lost lines
            self._refresh(topic)
            return
        topic.heard = revision
        if topic.heard > max(topic.expected, default=0):
            self.settle(topic)

    def settle(self, topic: Topic) -> None:
        """Read what there were news of, if nobody has told it."""
        if topic.heard > topic.end and self._topics.get(topic.match_id) is topic:
            self._refresh(topic)

    def _refresh(self, topic: Topic) -> None:
        """Read what is new of a match; who reads it already looks once more."""
        topic.again = True
        if topic.reading is None or topic.reading.done():
            topic.reading = self._spawn(self._read(topic))

    async def _read(self, topic: Topic) -> None:
        while topic.again and topic.failure is None:
            topic.again = False
            try:
                async with self._reading:
                    last = topic.last
                    after = topic.end if last is None else last.revision - 1
                    snapshot, lines = await self._store.log(topic.match_id, after)
                    topic.take(after, last, snapshot, lines)
            except StoreUnavailable:
                topic.again = True
                await asyncio.sleep(AGAIN_SECONDS)
            except Exception as error:  # an unknown match, or a fault of ours: its streams tell it
                topic.fail(error)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            for topic in [*self._topics.values()]:
                self._refresh(topic)


def _match_id(name: bytes) -> str:
    return name.decode().partition("{")[2].removesuffix("}")
