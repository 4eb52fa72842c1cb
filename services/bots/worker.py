"""A worker of the bots service: takes turns out of their lines, as many as it can play at once, and plays them."""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Final

from services.bots.playing import Hosted, UnknownRules
from services.bots.settings import BotSettings
from services.engine.codecs import VERSIONS
from services.errors import ServiceError
from services.store import Store
from services.turns import KEEP_SECONDS, REMOTE, TAKEOVER_MS, THINKING, Line, Taken, Turn
from telemetry import metrics

log = logging.getLogger(__name__)

REMOTE_TURNS: Final = 64
"""How many turns of remote bots a worker waits for at once."""
PATIENCE_SECONDS: Final = 2.0
"""How long a worker waits that the store has failed."""

TELL_SECONDS: Final = 3600.0
"""How often it is told that there are turns of certain rules that are not known here."""

Play = Callable[[Turn], Awaitable[None]]


class Hand:
    """The turns that a worker has of one line. A turn is let go only when it has been played."""

    def __init__(self, line: Line, most: int, play: Play) -> None:
        self._line: Final = line
        self._most: Final = most
        self._play: Final = play
        self._turns: Final[dict[asyncio.Task[None], Taken]] = {}
        self._stopping: Final = asyncio.Event()
        self._looked = 0.0
        self._told: Final[dict[str, float]] = {}
        """When it was told of rules that are not known here."""

    async def run(self) -> None:
        """Take and play turns until it is told to stop; a store that fails is waited for."""
        begun = False
        while not self._stopping.is_set():
            try:
                if not begun:
                    await self._line.begin()
                    begun = True
                await self._take()
                continue
            except ServiceError as error:
                log.warning("the bots wait for the store: %s", error)
            except Exception:
                log.exception("the bots failed")
            await asyncio.sleep(PATIENCE_SECONDS * random.uniform(0.5, 1.5))

    async def _take(self) -> None:
        room = self._most - len(self._turns)
        if not room:
            await asyncio.wait(self._turns, timeout=KEEP_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            return
        for taken in [*await self._left_over(room)] or await self._line.take(room):
            task = asyncio.ensure_future(self._serve(taken))
            self._turns[task] = taken
            task.add_done_callback(self._turns.pop)

    async def _left_over(self, room: int) -> list[Taken]:
        """What others let fall; looked for now and then."""
        now = time.monotonic()
        if now - self._looked < TAKEOVER_MS / 4000:
            return []
        self._looked = now
        return await self._line.take_over(room)

    async def _serve(self, taken: Taken) -> None:
        """Play a turn and let it go; when that fails, it stays in the line and is taken over some time later."""
        try:
            with metrics.BOT_TURNS_IN_HAND.labels().while_within():
                await self._play(taken.turn)
            await self._line.done(taken)
        except UnknownRules:
            self._tell(taken.turn)
        except ServiceError as error:
            log.warning("a turn waits for the store: %s", error)
        except Exception:
            log.exception("a turn failed")

    def _tell(self, turn: Turn) -> None:
        """Warn of rules that are not known here, though not whenever a turn of theirs comes round again."""
        now = time.monotonic()
        if now - self._told.get(turn.rules_version, -TELL_SECONDS) >= TELL_SECONDS:
            self._told[turn.rules_version] = now
            log.warning("turns of rules that are not known here are left to other workers: %s", turn.rules_version)

    async def keep(self) -> None:
        """Say, now and then, that the turns are in good hands."""
        while True:
            await asyncio.sleep(KEEP_SECONDS)
            try:
                await self._line.keep([*self._turns.values()])
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
        if not unfinished:
            await self._line.leave()


class Worker:
    """Plays hosted seats of the matches in a store, beside any number of other workers."""

    def __init__(self, settings: BotSettings, store: Store) -> None:
        name = secrets.token_urlsafe(9)
        self._settings: Final = settings
        self._hosted: Final = Hosted(VERSIONS.values(), store, settings)
        self._hands: Final = [
            Hand(store.turns(THINKING, name), settings.processes, self._hosted.play),
            Hand(store.turns(REMOTE, name), REMOTE_TURNS, self._hosted.play),
        ]
        self._taking: Final[list[asyncio.Task[None]]] = []
        self._keeping: Final[list[asyncio.Task[None]]] = []

    def start(self) -> None:
        """Play from now on."""
        self._taking.extend([asyncio.create_task(hand.run()) for hand in self._hands])
        self._keeping.extend([asyncio.create_task(hand.keep()) for hand in self._hands])

    async def stop(self) -> None:
        """Take no more turns, and play those in hand if there is the time; the store must be there until then.

        A read that is on its way is awaited: what it brings would be nobody's for a while.
        """
        for hand in self._hands:
            hand.stop()
        await asyncio.wait(self._taking, timeout=self._settings.grace_seconds)
        left = [hand.leave(self._settings.grace_seconds) for hand in self._hands]
        for failure in await asyncio.gather(*left, return_exceptions=True):
            if isinstance(failure, Exception):
                log.warning("a worker could not say that it leaves: %s", type(failure).__name__)
        for task in [*self._taking, *self._keeping]:
            task.cancel()
        await asyncio.gather(*self._taking, *self._keeping, return_exceptions=True)
        await self._hosted.close()
