"""Cancellable chunks of blocks with remote bots: cancelling one also ends the wait for a bot's answer."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from threading import Lock
from typing import Final, TypeVar

from services.tournaments.play.chunks import Chunk, ChunkResult

T = TypeVar("T")


class Cancelled(BaseException):
    """The chunk was cancelled. A `BaseException`, so that it is not taken for a bot's failure, which forfeits."""


class RemoteChunk:
    """A chunk that is played in one thread and may be cancelled from any other."""

    def __init__(self, chunk: Chunk) -> None:
        self.chunk: Final = chunk
        self._lock: Final = Lock()
        self._cancel: Callable[[], object] | None = None
        self._is_cancelled = False

    def check(self) -> None:
        """Raise `Cancelled` if the chunk has been cancelled."""
        if self._is_cancelled:
            raise Cancelled

    def wait_for(self, begin: Callable[[], Future[T]]) -> T:
        """Start a call with `begin` and wait for its result. Raises `Cancelled` if the chunk is cancelled meanwhile."""
        with self._lock:  # `cancel` must see every call that has begun, and no call may begin after it
            self.check()
            answer = begin()
            self._cancel = answer.cancel
        try:
            return answer.result()
        except CancelledError:
            raise Cancelled from None

    def cancel(self) -> None:
        """Cancel the chunk and the call that it waits for."""
        with self._lock:
            self._is_cancelled = True
            if self._cancel is not None:
                self._cancel()


PlayRemoteChunk = Callable[[RemoteChunk], ChunkResult]
