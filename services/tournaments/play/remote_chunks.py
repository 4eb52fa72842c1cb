"""Visits: chunks that guests play, which can be called off while somebody waits for a guest."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from threading import Lock
from typing import Final, TypeVar

from services.tournaments.play.chunks import Chunk, Played

T = TypeVar("T")


class CalledOff(BaseException):
    """Nobody wants the chunk any more. It is no fault of a bot, so that nothing forfeits by it."""


class Visit:
    """A chunk that is played in one thread, and may be called off from any other."""

    def __init__(self, chunk: Chunk) -> None:
        self.chunk: Final = chunk
        self._lock: Final = Lock()
        self._cancel: Callable[[], object] | None = None
        self._is_off = False

    def check(self) -> None:
        """Raise `CalledOff` once it is."""
        if self._is_off:
            raise CalledOff

    def wait_for(self, begin: Callable[[], Future[T]]) -> T:
        """Begin something and wait for what comes of it. Raises `CalledOff` if it is cancelled."""
        with self._lock:  # what is begun is cancelled when the visit is called off, and nothing is begun behind that
            self.check()
            answer = begin()
            self._cancel = answer.cancel
        try:
            return answer.result()
        except CancelledError:
            raise CalledOff from None

    def call_off(self) -> None:
        """Let whoever plays it stop, and wait no longer."""
        with self._lock:
            self._is_off = True
            if self._cancel is not None:
                self._cancel()


PlayVisit = Callable[[Visit], Played]
