"""Time banks: the arithmetic of the time that each seat has left, as of a chess clock with delay and increment."""

from __future__ import annotations

from typing import Final, NamedTuple

from fireside.match.v1.match_pb2 import Clock

MAX_CLOCK_SECONDS: Final = 30 * 24 * 60 * 60
"""The most of each limit of a clock, and the most that a bank holds."""


class SeatTime(NamedTuple):
    """The time that one seat has left, in milliseconds by the clock of the store.

    The bank is that at the start of the seat's turn, or now if the seat is not to move. What is left of it during a
    turn is `min(bank, deadline - now)`, since the bank is used last: so no other time has to be stored.
    """

    bank_ms: int
    deadline_ms: int = 0
    """End of its time, in milliseconds since 1970; 0 if it is not to move."""

    def begin_turn(self, clock: Clock, now_ms: int) -> SeatTime:
        """The seat is to move from now on."""
        return SeatTime(self.bank_ms, now_ms + 1000 * clock.move_seconds + self.bank_ms)

    def end_turn(self, clock: Clock, now_ms: int, *, has_chosen: bool) -> SeatTime:
        """Its turn is over: by its own choice, which earns the increment, or since another phase has begun."""
        # At least 0 for a late choice, or a default move; at most the bank, also if the time of the store went back.
        left = min(self.bank_ms, max(0, self.deadline_ms - now_ms))
        earned = 1000 * clock.increment_seconds if has_chosen else 0
        return SeatTime(min(left + earned, 1000 * MAX_CLOCK_SECONDS))


def has_banks(clock: Clock) -> bool:
    """Whether a clock gives each seat a bank of time."""
    return bool(clock.bank_seconds or clock.increment_seconds)


def full_banks(clock: Clock, seat_count: int) -> list[SeatTime]:
    """The time of each seat at the start of a match, before any turn."""
    return [SeatTime(1000 * clock.bank_seconds)] * seat_count
