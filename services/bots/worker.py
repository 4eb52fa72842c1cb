"""A worker of the bots service: takes turns out of their queues, as many as it can play at once, and plays them."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Final

from runtime.telemetry import metrics
from services.bots.costs import NO_SERVER, QUICK, REMOTE, THINKING
from services.bots.settings import BotSettings
from services.bots.turn import HostedSeats, UnknownRules
from services.engine.codecs import VERSIONS
from services.grpc_server.errors import ServiceError
from services.store.match_store import Store
from services.store.turn_queue import RENEW_SECONDS, HostedTurn, TurnQueue

log = logging.getLogger(__name__)

QUICK_TURNS: Final = 2
"""How many turns of quick bots a worker has for each process: while one chooses, another is read or stored."""
REMOTE_TURNS: Final = 128
"""How many turns of remote bots a worker waits for at once."""
SERVER_TURNS: Final = 32
"""How many of these on one server: one that is slow must leave room for the others."""
SWEEP_SECONDS: Final = 1.0
SWEEP_KEYS: Final = 500
"""About how many keys of the store are looked through in that time for matches whose turns were lost."""
PATIENCE_SECONDS: Final = 2.0
"""How long a worker waits that the store has failed."""

TELL_SECONDS: Final = 3600.0
"""How often it is told that there are turns of certain rules that are not known here."""

Play = Callable[[HostedTurn], Awaitable[None]]


class QueueConsumer:
    """Takes turns from one queue and plays them. A turn is removed from the queue only when it has been played."""

    def __init__(self, queue: TurnQueue, most: int, play: Play) -> None:
        self._queue: Final = queue
        self._most: Final = most
        self._play: Final = play
        self._turns: Final[dict[asyncio.Task[None], HostedTurn]] = {}
        self._waiting: asyncio.Task[bool] | None = None
        self._stopping: Final = asyncio.Event()
        self._warned_at: Final[dict[str, float]] = {}
        """When it was told of rules that are not known here."""

    async def run(self) -> None:
        """Take and play turns until it is told to stop; a store that fails is waited for."""
        while not self._stopping.is_set():
            try:
                await self._take()
                continue
            except ServiceError as error:
                log.warning("the bots wait for the store: %s", error)
            except Exception:
                log.exception("the bots failed")
            await asyncio.sleep(PATIENCE_SECONDS * random.uniform(0.5, 1.5))

    async def _take(self) -> None:
        """Begin to play what there is to take, or wait until that may be more."""
        room = self._most - len(self._turns)
        taken = await self._queue.take(room, self._full_servers()) if room else []
        for turn in taken:
            if turn not in self._turns.values():  # whose lease was lost is queued again
                task = asyncio.ensure_future(self._serve(turn))
                self._turns[task] = turn
                task.add_done_callback(self._turns.pop)
        if not taken:
            await self._wait(room)

    def _full_servers(self) -> list[str]:
        counts = Counter(turn.server for turn in self._turns.values())
        return [server for server, count in counts.items() if count >= SERVER_TURNS and server != NO_SERVER]

    async def _wait(self, room: int) -> None:
        """Until a turn was queued or one in hand is done, but not for long."""
        if room and self._waiting is None:
            self._waiting = asyncio.ensure_future(self._queue.wait())
        waited_for = [*self._turns] if self._waiting is None else [*self._turns, self._waiting]
        await asyncio.wait(waited_for, timeout=RENEW_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        if self._waiting is not None and self._waiting.done():
            waiting, self._waiting = self._waiting, None
            if waiting.result() and not room:
                await self._queue.wake_another()

    async def _serve(self, turn: HostedTurn) -> None:
        """Play a turn and let it go; when that fails, it is queued again some time later."""
        try:
            with metrics.BOT_TURNS_IN_HAND.track_inprogress():
                await self._play(turn)
            await self._queue.done(turn)
        except UnknownRules:
            self._warn(turn)
        except ServiceError as error:
            log.warning("a turn waits for the store: %s", error)
        except Exception:
            log.exception("a turn failed")

    def _warn(self, turn: HostedTurn) -> None:
        """Warn of rules that are not known here, though not whenever a turn of theirs comes round again."""
        now = time.monotonic()
        if now - self._warned_at.get(turn.rules_version, -TELL_SECONDS) >= TELL_SECONDS:
            self._warned_at[turn.rules_version] = now
            log.warning("turns of rules that are not known here are left to other workers: %s", turn.rules_version)

    async def keep(self) -> None:
        """Say, now and then, that the turns are in good hands."""
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            try:
                await self._queue.renew([*self._turns.values()])
            except ServiceError as error:
                log.warning("the bots wait for the store: %s", error)
            except Exception:
                log.exception("the bots failed")

    def stop(self) -> None:
        """Take nothing more."""
        self._stopping.set()

    async def leave(self, grace_seconds: float) -> None:
        """Play what is in hand, for so long; what is not played then is left to others."""
        if self._turns:
            await asyncio.wait(self._turns, timeout=grace_seconds)
        unfinished = [*self._turns]
        for task in unfinished:
            task.cancel()
        await asyncio.gather(*unfinished, return_exceptions=True)
        if self._waiting is not None:
            await asyncio.wait([self._waiting])  # nobody else would hear of the turn that it tells of
            if not self._waiting.cancelled() and self._waiting.exception() is None and self._waiting.result():
                await self._queue.wake_another()


class Worker:
    """Plays hosted seats of the matches in a store, beside any number of other workers."""

    def __init__(self, settings: BotSettings, store: Store) -> None:
        self._settings: Final = settings
        self._hosted: Final = HostedSeats(VERSIONS.values(), store, settings)
        self._consumers: Final = [
            QueueConsumer(store.turns(QUICK), QUICK_TURNS * settings.processes, self._hosted.play),
            QueueConsumer(store.turns(THINKING), settings.processes, self._hosted.play),
            QueueConsumer(store.turns(REMOTE), REMOTE_TURNS, self._hosted.play),
        ]
        self._store: Final = store
        self._taking: Final[list[asyncio.Task[None]]] = []
        self._keeping: Final[list[asyncio.Task[None]]] = []

    def start(self) -> None:
        """Play from now on."""
        self._taking.extend([asyncio.create_task(consumer.run()) for consumer in self._consumers])
        self._keeping.extend([asyncio.create_task(consumer.keep()) for consumer in self._consumers])
        self._keeping.append(asyncio.create_task(self._sweep()))

    async def _sweep(self) -> None:
        """Go through the matches, a few at a time and without end, and queue the turns again that were lost."""
        cursor = "0"
        while True:
            try:
                cursor = await self._store.restore_turns(cursor, SWEEP_KEYS)
            except ServiceError as error:
                log.warning("the bots wait for the store: %s", error)
            except Exception:
                log.exception("the bots failed")
            await asyncio.sleep(SWEEP_SECONDS)

    async def stop(self) -> None:
        """Take no more turns, and play those in hand if there is the time; the store must be there until then.

        A read that is on its way is awaited: what it brings would be nobody's for a while.
        """
        for consumer in self._consumers:
            consumer.stop()
        await asyncio.wait(self._taking, timeout=self._settings.grace_seconds)
        left = [consumer.leave(self._settings.grace_seconds) for consumer in self._consumers]
        for failure in await asyncio.gather(*left, return_exceptions=True):
            if isinstance(failure, Exception):
                log.warning("a worker could not say that it leaves: %s", type(failure).__name__)
        for task in [*self._taking, *self._keeping]:
            task.cancel()
        await asyncio.gather(*self._taking, *self._keeping, return_exceptions=True)
        await self._hosted.close()
