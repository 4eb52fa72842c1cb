"""Plays blocks with remote bots, which are called over the network by the coordinator's process, not by workers.

A remote bot may answer differently when it is called again, so a tournament with remote bots cannot be reproduced. Each
block is played in a thread, so that a slow bot delays no other block; the number of concurrent calls of a bot is
limited.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from concurrent.futures import Future
from functools import partial
from threading import Lock, Thread
from time import perf_counter
from typing import Final, TypeVar

from engine_core.game import Move
from engine_core.match import AnyMatch
from services.bots.remote.allowed import BotAddress, is_remote
from services.bots.remote.bot_call import BotCall
from services.bots.remote.failure import UNREACHABLE, BotFailed
from services.bots.remote.remote_bots import RemoteBots
from services.engine.codecs import codec_of_version
from services.engine.responses import StoredFacts
from services.tournaments.plan.plan import Block, Spec
from services.tournaments.play.blocks import Chooser, local_chooser, play_block
from services.tournaments.play.chunks import ChunkResult
from services.tournaments.play.remote_chunks import Cancelled, RemoteChunk
from services.tournaments.settings import TournamentSettings

T = TypeVar("T")


class RemotePlayers:
    """Plays chunks with remote bots; the clients of the bots run in an event loop in a thread of their own."""

    def __init__(self, settings: TournamentSettings) -> None:
        self._seconds: Final = settings.bot_seconds
        self._failures: Final = settings.bot_failures
        self._submit_lock: Final = Lock()
        self._closed = False
        self._loop: Final = asyncio.new_event_loop()
        self._thread: Final = Thread(target=self._loop.run_forever, name="remote-bots", daemon=True)
        self._thread.start()
        self._bots: Final = self._submit(_new_clients(settings.bot_allow, settings.bot_secret)).result()

    def play(self, chunk: RemoteChunk) -> ChunkResult:
        """Play a chunk in the thread of the caller, which blocks. Raises `Cancelled`."""
        start = perf_counter()
        spec = Spec.from_json(chunk.chunk.spec)
        chooser = partial(self._chooser, chunk)
        results = [play_block(spec, block, chooser=chooser) for block in chunk.chunk.blocks]
        return ChunkResult.of_blocks(results, start, by_remote_bots=True)

    def close(self) -> None:
        """Cancel all calls of bots and close the connections; running calls of `play` raise `Cancelled`."""
        with self._submit_lock:
            self._closed = True
        self._submit(_end_calls(self._bots)).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _chooser(self, chunk: RemoteChunk, spec: Spec, block: Block, number: int, seat: int, entrant: int) -> Chooser:
        name = spec.bots[entrant]
        if not is_remote(name):
            return local_chooser(spec, block, number, seat, entrant, chunk.check)
        facts = StoredFacts(match_id=f"{spec.seed}-{block.index}-{number}")
        failed = 0

        def choose(match: AnyMatch, seat: int) -> Move:
            nonlocal failed
            bot_call: BotCall[Move] = BotCall(codec_of_version(spec.rules_version), match, seat, facts)
            try:
                return chunk.wait_for(lambda: self._call(name, bot_call))
            except BotFailed:
                failed += 1
                if failed >= self._failures:
                    raise
                move: Move = match.game.default_move(match.state, seat)
                return move

        return choose

    def _call(self, name: str, bot_call: BotCall[Move]) -> Future[Move]:
        with self._submit_lock:  # `close` cancels the calls begun before it, and no call may begin after it
            if self._closed:
                raise Cancelled
            return self._submit(_choose_move(self._bots, name, bot_call, self._seconds))

    def _submit(self, work: Coroutine[None, None, T]) -> Future[T]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)


async def _new_clients(allow: Sequence[BotAddress], secret: bytes) -> RemoteBots:
    return RemoteBots(allow, secret)


async def _end_calls(bots: RemoteBots) -> None:
    calls = asyncio.all_tasks() - {asyncio.current_task()}
    for task in calls:
        task.cancel()
    await asyncio.gather(*calls, return_exceptions=True)
    await bots.close()


async def _choose_move(bots: RemoteBots, name: str, bot_call: BotCall[Move], seconds: float) -> Move:
    """The move of a bot. Raises `BotFailed`, also for a bot that may not be called."""
    try:
        bot = bots.client_of(name)
    except ValueError as error:
        raise BotFailed(UNREACHABLE, str(error)) from None
    return await bot.choose(bot_call, seconds)
