"""Chunks played by remote bots, which can be cancelled while a bot is awaited."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from threading import Lock
from typing import Final, TypeVar

from services.tournaments.play.chunks import Chunk, ChunkResult

T = TypeVar("T")


class Cancelled(BaseException):
    """Nobody wants the chunk any more. It is no fault of a bot, so that nothing forfeits by it."""


class RemoteChunk:
    """A chunk that is played in one thread, and may be cancelled from any other."""

    def __init__(self, chunk: Chunk) -> None:
        self.chunk: Final = chunk
        self._lock: Final = Lock()
        self._cancel: Callable[[], object] | None = None
        self._is_cancelled = False

    def check(self) -> None:
        """Raise `Cancelled` once it is."""
        if self._is_cancelled:
            raise Cancelled

    def wait_for(self, begin: Callable[[], Future[T]]) -> T:
        """Begin something and wait for what comes of it. Raises `Cancelled` if it is cancelled."""
        with self._lock:  # what is begun is cancelled when the chunk is cancelled, and nothing is begun behind that
            self.check()
            answer = begin()
            self._cancel = answer.cancel
        try:
            return answer.result()
        except CancelledError:
            raise Cancelled from None

    def cancel(self) -> None:
        """Let whoever plays it stop, and wait no longer."""
        with self._lock:
            self._is_cancelled = True
            if self._cancel is not None:
                self._cancel()


PlayRemoteChunk = Callable[[RemoteChunk], ChunkResult]
