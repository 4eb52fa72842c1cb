"""Fair share of the workers: which waiting tournament is played next, and for how long.

The one that has been played for the shortest time comes first, so that a small tournament is soon over, however many
large ones wait.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Final

from services.tournaments.ledger.ledger import Ledger, UnknownTournament
from services.tournaments.plan.plan import UnknownPlan

SLICE_SECONDS: Final = 10.0
"""How long a tournament is played at least before it gives way."""
READING_SHARE: Final = 0.25
"""Of a slice, spent on reading what was played before, at most: long tournaments have longer slices."""
LOOK_SECONDS: Final = 1.0
"""How often to look for others that wait, once a slice is over."""
MOST_WAITING: Final = 1000
"""How many of the tournaments that wait are looked at."""
MOST_LOOKED_AT: Final = 8
"""Of those that come before: others may be played elsewhere."""


class FairShare:
    """The order of the tournaments of a ledger, for all who play here. Safe to use from any thread."""

    def __init__(self, ledger: Ledger, slice_seconds: float = SLICE_SECONDS) -> None:
        self._ledger: Final = ledger
        self._slice_seconds: Final = slice_seconds
        self._lock: Final = Lock()
        self._played: Final[dict[str, float]] = {}
        """Seconds that each of the waiting has been played here."""
        self._slices: Final[dict[str, float]] = {}
        """Those that are not usual."""
        self._here: Final[set[str]] = set()
        self._left_alone: Final[set[str]] = set()
        """Tournaments of rules or bots that are not here: another scheduler may have them."""
        self._put_off: Final[set[str]] = set()
        """Tournaments that something unforeseen befell: the others come first."""

    def waiting(self) -> list[str]:
        """Tournaments that may be taken up, in their order; some may be played elsewhere."""
        unfinished = self._ledger.unfinished(MOST_WAITING)
        with self._lock:
            for known in (self._played, self._slices):
                for gone in known.keys() - set(unfinished):
                    del known[gone]
            out = self._here | self._left_alone | self._put_off
            return sorted(
                [each for each in unfinished if each not in out], key=lambda each: self._played.get(each, 0.0)
            )

    def take(self, tournament_id: str) -> bool:
        """Say that it is played here, unless it is already."""
        with self._lock:
            is_free = tournament_id not in self._here
            self._here.add(tournament_id)
            return is_free

    def let_go(self, tournament_id: str) -> None:
        """Say that it is not played here any more."""
        with self._lock:
            self._here.discard(tournament_id)

    def leave_alone(self, tournament_id: str) -> None:
        """Never take it up again."""
        with self._lock:
            self._left_alone.add(tournament_id)

    def put_off(self, tournament_id: str) -> None:
        """Take it up again when nothing else waits."""
        with self._lock:
            self._put_off.add(tournament_id)

    def put_off_no_longer(self) -> None:
        """Say that nothing else waits."""
        with self._lock:
            self._put_off.clear()

    def time_slice(self, tournament_id: str) -> TimeSlice:
        """A time slice that begins now."""
        with self._lock:
            seconds = self._slices.get(tournament_id, self._slice_seconds)
        return TimeSlice(seconds, lambda played: self._others_wait(tournament_id, played))

    def note(self, tournament_id: str, time_slice: TimeSlice, results: int) -> None:
        """Learn from a time slice that is over. One without a result was too short: the next is twice as long."""
        with self._lock:
            self._played[tournament_id] = self._played.get(tournament_id, 0.0) + time_slice.seconds
            if results:
                self._slices.pop(tournament_id, None)
            else:
                self._slices[tournament_id] = 2 * max(time_slice.seconds, self._slice_seconds)

    def _others_wait(self, tournament_id: str, played: float) -> bool:
        """Whether one waits that has been played for a shorter time than this one by now."""
        waiting = self.waiting()
        with self._lock:
            mine = self._played.get(tournament_id, 0.0) + played
            before = [each for each in waiting if self._played.get(each, 0.0) < mine]
        return any(map(self._is_free, before[:MOST_LOOKED_AT]))

    def _is_free(self, tournament_id: str) -> bool:
        try:
            return not self._ledger.tournament(tournament_id).leased
        except (UnknownTournament, UnknownPlan):
            return False


class TimeSlice:
    """The time that a tournament has before it gives way to others."""

    def __init__(self, seconds: float = 0.0, others_wait: Callable[[float], bool] = lambda played: False) -> None:
        self._others_wait: Final = others_wait
        self._began: Final = monotonic()
        self._least: Final = seconds
        self._next_look = 0.0
        self._is_over = False

    @property
    def seconds(self) -> float:
        """How long it has lasted."""
        return monotonic() - self._began

    def read(self) -> None:
        """Say that what was played before has been read by now; the first time counts."""
        if not self._next_look:
            self._next_look = self._began + max(self._least, self.seconds / READING_SHARE)

    def is_over(self) -> bool:
        """Whether to give way now. Raises `LedgerUnavailable`."""
        if not self._is_over and self._next_look and monotonic() >= self._next_look:
            self._next_look = monotonic() + LOOK_SECONDS
            self._is_over = self._others_wait(self.seconds)
        return self._is_over
