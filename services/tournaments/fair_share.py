"""Fair scheduling of tournaments: which waiting tournament is played next, and for how long (its time slice).

The tournament with the least play time in this process comes first, so that a small one ends soon, however many large
ones wait.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Final

from services.tournaments.ledger.ledger import Ledger, UnknownTournament
from services.tournaments.plan.plan import UnknownPlan

SLICE_SECONDS: Final = 10.0
"""Shortest time that a tournament is played before it may be preempted."""
READING_SHARE: Final = 0.25
"""Greatest share of a slice spent on reading earlier results: tournaments with many results get longer slices."""
PREEMPTION_POLL_SECONDS: Final = 1.0
"""Pause between two checks for waiting tournaments, once the slice's shortest time is over."""
MAX_WAITING: Final = 1000
"""How many unfinished tournaments are considered, the oldest first."""
MAX_LEASES_READ: Final = 8
"""How many of the tournaments next in order have their lease read to find one that no other process plays."""


class FairShare:
    """Orders the tournaments of a ledger for all scheduler threads of this process. Thread-safe."""

    def __init__(self, ledger: Ledger, slice_seconds: float = SLICE_SECONDS) -> None:
        self._ledger: Final = ledger
        self._slice_seconds: Final = slice_seconds
        self._lock: Final = Lock()
        self._played: Final[dict[str, float]] = {}
        """Seconds that each unfinished tournament has been played in this process."""
        self._slices: Final[dict[str, float]] = {}
        """Lengths of slices in seconds, where they are not the default."""
        self._claimed: Final[set[str]] = set()
        self._excluded: Final[set[str]] = set()
        """Tournaments whose rules or bots are unknown or not allowed here: another scheduler may play them."""
        self._deferred: Final[set[str]] = set()
        """Tournaments that met an unexpected error: retried when no other waits."""

    def waiting(self) -> list[str]:
        """Ids of the tournaments that may be played next, in order; other processes may be playing some of them."""
        unfinished = self._ledger.unfinished(MAX_WAITING)
        with self._lock:
            for seconds_by_id in (self._played, self._slices):
                for ended_id in seconds_by_id.keys() - set(unfinished):
                    del seconds_by_id[ended_id]
            unavailable = self._claimed | self._excluded | self._deferred
            return sorted(
                [each for each in unfinished if each not in unavailable], key=lambda each: self._played.get(each, 0.0)
            )

    def claim(self, tournament_id: str) -> bool:
        """Claim a tournament for a thread of this process; False if another thread has claimed it."""
        with self._lock:
            is_free = tournament_id not in self._claimed
            self._claimed.add(tournament_id)
            return is_free

    def release_claim(self, tournament_id: str) -> None:
        """Release the claim on a tournament."""
        with self._lock:
            self._claimed.discard(tournament_id)

    def exclude(self, tournament_id: str) -> None:
        """Exclude a tournament from `waiting` for the lifetime of this process."""
        with self._lock:
            self._excluded.add(tournament_id)

    def defer(self, tournament_id: str) -> None:
        """Exclude a tournament from `waiting` until `retry_deferred`."""
        with self._lock:
            self._deferred.add(tournament_id)

    def retry_deferred(self) -> None:
        """Allow the deferred tournaments in `waiting` again, since no other waits."""
        with self._lock:
            self._deferred.clear()

    def time_slice(self, tournament_id: str) -> TimeSlice:
        """A time slice of a tournament, which begins now."""
        with self._lock:
            seconds = self._slices.get(tournament_id, self._slice_seconds)
        return TimeSlice(seconds, lambda played: self._others_wait(tournament_id, played))

    def add_slice(self, tournament_id: str, time_slice: TimeSlice, results: int) -> None:
        """Add the time of a finished slice. If it brought no result, the tournament's next slice is twice as long."""
        with self._lock:
            self._played[tournament_id] = self._played.get(tournament_id, 0.0) + time_slice.seconds
            if results:
                self._slices.pop(tournament_id, None)
            else:
                self._slices[tournament_id] = 2 * max(time_slice.seconds, self._slice_seconds)

    def _others_wait(self, tournament_id: str, played: float) -> bool:
        """Whether a tournament waits that has been played for less time than this one, `played` seconds included."""
        waiting = self.waiting()
        with self._lock:
            mine = self._played.get(tournament_id, 0.0) + played
            before = [each for each in waiting if self._played.get(each, 0.0) < mine]
        return any(map(self._is_free, before[:MAX_LEASES_READ]))

    def _is_free(self, tournament_id: str) -> bool:
        try:
            return not self._ledger.tournament(tournament_id).leased
        except (UnknownTournament, UnknownPlan):
            return False


class TimeSlice:
    """How long a tournament may be played before it is preempted; without arguments, without limit."""

    def __init__(self, seconds: float = 0.0, others_wait: Callable[[float], bool] = lambda played: False) -> None:
        self._others_wait: Final = others_wait
        self._began: Final = monotonic()
        self._least_seconds: Final = seconds
        self._next_check = 0.0
        self._is_over = False

    @property
    def seconds(self) -> float:
        """Seconds since it began."""
        return monotonic() - self._began

    def mark_results_read(self) -> None:
        """Note that the earlier results have been read: the slice's shortest time depends on how long that took."""
        if not self._next_check:
            self._next_check = self._began + max(self._least_seconds, self.seconds / READING_SHARE)

    def is_over(self) -> bool:
        """Whether to preempt the tournament now. Raises `LedgerUnavailable`."""
        if not self._is_over and self._next_check and monotonic() >= self._next_check:
            self._next_check = monotonic() + PREEMPTION_POLL_SECONDS
            self._is_over = self._others_wait(self.seconds)
        return self._is_over
