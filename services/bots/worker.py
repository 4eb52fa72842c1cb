"""Worker of the bots service: takes turns of hosted seats from the turn queues, and plays several at once."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Final

from runtime.telemetry import metrics
from services.bots.costs import NO_SERVER, QUICK_QUEUE, REMOTE_QUEUE, THINKING_QUEUE
from services.bots.settings import BotSettings
from services.bots.turn import HostedSeats, UnknownRules
from services.engine.codecs import CODECS_BY_VERSION
from services.grpc_server.errors import ServiceError
from services.store.matches.store import Store
from services.store.turns.queue import RENEW_SECONDS, HostedTurn, TurnQueue

logger = logging.getLogger(__name__)

QUICK_TURNS_A_PROCESS: Final = 2
"""Turns of quick bots in progress for each process: while one chooses, another match is read or stored."""
MAX_REMOTE_TURNS: Final = 128
"""Turns of remote bots that a worker plays at once."""
MAX_TURNS_A_SERVER: Final = 32
"""Limit of those on one server, so that a slow server leaves room for others."""
SWEEP_SECONDS: Final = 1.0
SWEEP_KEYS: Final = 500
"""About how many keys of the store each sweep scans for matches whose turns are missing from the queues."""
STORE_RETRY_SECONDS: Final = 2.0
"""Pause after an error of the store; with jitter, so that workers do not retry in step."""

UNKNOWN_RULES_WARNING_SECONDS: Final = 3600.0
"""Pause between two warnings about turns of the same unknown rules."""

PlayTurn = Callable[[HostedTurn], Awaitable[None]]


class QueueConsumer:
    """Claims turns from one queue and plays them; a turn is removed from the queue only when it has been played."""

    def __init__(self, queue: TurnQueue, most: int, play: PlayTurn) -> None:
        self._queue: Final = queue
        self._most: Final = most
        self._play: Final = play
        self._turns: Final[dict[asyncio.Task[None], HostedTurn]] = {}
        self._waiting: asyncio.Task[bool] | None = None
        self._stopping: Final = asyncio.Event()
        self._warned_at: Final[dict[str, float]] = {}
        """Monotonic time of the last warning by unknown rules version."""

    async def run(self) -> None:
        """Claim and play turns until `stop`; after an error of the store, pause and try again."""
        while not self._stopping.is_set():
            try:
                await self._claim_turns()
                continue
            except ServiceError as error:
                logger.warning("the store is unavailable to the bots: %s", error)
            except Exception:
                logger.exception("the bots failed")
            await asyncio.sleep(STORE_RETRY_SECONDS * random.uniform(0.5, 1.5))

    async def _claim_turns(self) -> None:
        """Claim turns and begin to play them; if there are none, wait."""
        room = self._most - len(self._turns)
        claimed = await self._queue.claim(room, self._full_servers()) if room else []
        for turn in claimed:
            if turn not in self._turns.values():  # a turn whose claim expired is queued again while it is played here
                task = asyncio.ensure_future(self._play_turn(turn))
                self._turns[task] = turn
                task.add_done_callback(self._turns.pop)
        if not claimed:
            await self._wait(room)

    def _full_servers(self) -> list[str]:
        counts = Counter(turn.server for turn in self._turns.values())
        return [server for server, count in counts.items() if count >= MAX_TURNS_A_SERVER and server != NO_SERVER]

    async def _wait(self, room: int) -> None:
        """Wait until a turn is queued or one in progress is done, at most `RENEW_SECONDS`."""
        if room and self._waiting is None:
            self._waiting = asyncio.ensure_future(self._queue.wait())
        waited_for = [*self._turns] if self._waiting is None else [*self._turns, self._waiting]
        await asyncio.wait(waited_for, timeout=RENEW_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        if self._waiting is not None and self._waiting.done():
            waiting, self._waiting = self._waiting, None
            if waiting.result() and not room:
                await self._queue.wake_another_worker()

    async def _play_turn(self, turn: HostedTurn) -> None:
        """Play a turn and remove it from the queue; if that fails, it is queued again when its claim expires."""
        try:
            with metrics.BOT_TURNS_IN_PROGRESS.track_inprogress():
                await self._play(turn)
            await self._queue.done(turn)
        except UnknownRules:
            self._warn_unknown_rules(turn)
        except ServiceError as error:
            logger.warning("a turn was not played, since the store is unavailable: %s", error)
        except Exception:
            logger.exception("a turn failed")

    def _warn_unknown_rules(self, turn: HostedTurn) -> None:
        """Log a warning about a turn of unknown rules, at most one an hour for each rules version."""
        now = time.monotonic()
        if (
            now - self._warned_at.get(turn.rules_version, -UNKNOWN_RULES_WARNING_SECONDS)
            >= UNKNOWN_RULES_WARNING_SECONDS
        ):
            self._warned_at[turn.rules_version] = now
            logger.warning(
                "other workers must play turns of rules that this worker does not know: %s", turn.rules_version
            )

    async def renew_claims(self) -> None:
        """Renew the claims on the turns in progress every `RENEW_SECONDS`, until cancelled."""
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            try:
                await self._queue.renew([*self._turns.values()])
            except ServiceError as error:
                logger.warning("the store is unavailable to the bots: %s", error)
            except Exception:
                logger.exception("the bots failed")

    def stop(self) -> None:
        """Claim no more turns."""
        self._stopping.set()

    async def finish_turns(self, grace_seconds: float) -> None:
        """Wait at most so long for the turns in progress, then cancel them; other workers play those later."""
        if self._turns:
            await asyncio.wait(self._turns, timeout=grace_seconds)
        unfinished = [*self._turns]
        for task in unfinished:
            task.cancel()
        await asyncio.gather(*unfinished, return_exceptions=True)
        if self._waiting is not None:
            await asyncio.wait([self._waiting])  # it may have received a wake-up, which must reach another worker
            if not self._waiting.cancelled() and self._waiting.exception() is None and self._waiting.result():
                await self._queue.wake_another_worker()


class Worker:
    """Plays hosted seats of the matches in a store, concurrently with any number of other workers."""

    def __init__(self, settings: BotSettings, store: Store) -> None:
        self._settings: Final = settings
        self._hosted: Final = HostedSeats(CODECS_BY_VERSION.values(), store, settings)
        self._consumers: Final = [
            QueueConsumer(store.turn_queue(QUICK_QUEUE), QUICK_TURNS_A_PROCESS * settings.processes, self._hosted.play),
            QueueConsumer(store.turn_queue(THINKING_QUEUE), settings.processes, self._hosted.play),
            QueueConsumer(store.turn_queue(REMOTE_QUEUE), MAX_REMOTE_TURNS, self._hosted.play),
        ]
        self._store: Final = store
        self._consumer_tasks: Final[list[asyncio.Task[None]]] = []
        self._background_tasks: Final[list[asyncio.Task[None]]] = []

    def start(self) -> None:
        """Start to claim turns, renew their claims, and sweep the store."""
        self._consumer_tasks.extend([asyncio.create_task(consumer.run()) for consumer in self._consumers])
        self._background_tasks.extend([asyncio.create_task(consumer.renew_claims()) for consumer in self._consumers])
        self._background_tasks.append(asyncio.create_task(self._sweep()))

    async def _sweep(self) -> None:
        """Scan the matches of the store, some keys a second until cancelled, and queue turns that were lost again."""
        cursor = "0"
        while True:
            try:
                cursor = await self._store.restore_turns(cursor, SWEEP_KEYS)
            except ServiceError as error:
                logger.warning("the store is unavailable to the bots: %s", error)
            except Exception:
                logger.exception("the bots failed")
            await asyncio.sleep(SWEEP_SECONDS)

    async def stop(self) -> None:
        """Claim no more turns, and finish those in progress within the grace period. Close the store only afterwards.

        A claim in flight is awaited: the turns that it returns would otherwise wait until their claims expire.
        """
        for consumer in self._consumers:
            consumer.stop()
        await asyncio.wait(self._consumer_tasks, timeout=self._settings.grace_seconds)
        finishing = [consumer.finish_turns(self._settings.grace_seconds) for consumer in self._consumers]
        for failure in await asyncio.gather(*finishing, return_exceptions=True):
            if isinstance(failure, Exception):
                logger.warning("a worker could not wake another one when it stopped: %s", type(failure).__name__)
        for task in [*self._consumer_tasks, *self._background_tasks]:
            task.cancel()
        await asyncio.gather(*self._consumer_tasks, *self._background_tasks, return_exceptions=True)
        await self._hosted.close()
