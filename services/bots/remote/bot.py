"""Client of a remote bot: calls it within a time limit, with retries, and checks its answer."""

from __future__ import annotations

import asyncio
import random
import time
from abc import ABC, abstractmethod
from typing import Final, TypeVar

from google.protobuf.message import Message

from engine_core.game import Move
from runtime.telemetry import metrics
from services.bots.remote.bot_call import BotCall
from services.bots.remote.failure import TIMED_OUT, UNREACHABLE, BotFailed

M = TypeVar("M", bound=Move)

MAX_CALLS: Final = 16
"""Concurrent calls of one bot; further ones wait, and their time limit starts after that."""
MAX_ANSWER_BYTES: Final = 64 * 1024
"""Greatest size of an answer in bytes."""
RETRY_PAUSE_SECONDS: Final = 0.1
"""Pause before the first retry; doubled before each further one, up to `MAX_RETRY_PAUSE`."""
MAX_RETRY_PAUSE: Final = 2.0


class BotUnreachable(Exception):
    """A call of a bot failed in a way that a retry may cure."""


class RemoteBot(ABC):
    """Client of one remote bot; `close` or `retire` it after use."""

    def __init__(self, calls: int = MAX_CALLS) -> None:
        self._most: Final = calls
        self._calls: Final = asyncio.Semaphore(calls)

    async def choose(self, bot_call: BotCall[M], seconds: float) -> M:
        """The bot's move, which is legal; `seconds` is the time limit, retries included. Raises `BotFailed`."""
        async with self._calls:
            answer = await self._answer(bot_call, seconds)
        return bot_call.move(answer)

    async def _answer(self, bot_call: BotCall[M], seconds: float) -> Message:
        request = bot_call.request(round(1000 * (time.time() + seconds)))
        reason: BotUnreachable | None = None
        try:
            async with asyncio.timeout(seconds):
                pause = RETRY_PAUSE_SECONDS
                while True:
                    try:
                        return await self.call(bot_call, request)
                    except BotUnreachable as error:
                        reason = error
                    metrics.BOT_RETRIES.inc()
                    await asyncio.sleep(pause * random.uniform(0.5, 1.5))
                    pause = min(2 * pause, MAX_RETRY_PAUSE)
        except TimeoutError:
            if reason is None:
                raise BotFailed(TIMED_OUT, f"no answer within {seconds:g} seconds") from None
            raise BotFailed(UNREACHABLE, f"for {seconds:g} seconds: {reason}") from None

    @abstractmethod
    async def call(self, bot_call: BotCall[M], request: Message) -> Message:
        """Call the bot once; `choose` limits the time. Raises `BotUnreachable` if a retry may help, or `BotFailed`."""

    async def retire(self) -> None:
        """Close the connections once all calls in flight have ended; no call may begin afterwards.

        If this is cancelled, the connections are closed at once.
        """
        try:
            for _ in range(self._most):
                await self._calls.acquire()
        finally:
            await self.close()

    @abstractmethod
    async def close(self) -> None:
        """Close the connections; calls in flight fail."""
