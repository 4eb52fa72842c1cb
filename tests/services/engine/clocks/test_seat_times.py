"""The arithmetic of time banks, compared with a clock that counts down millisecond by millisecond."""

from __future__ import annotations

from fireside.match.v1.match_pb2 import Clock
from hypothesis import given
from hypothesis import strategies as st

from services.engine.clocks.seat_times import MAX_CLOCK_SECONDS, SeatTime, full_banks, has_banks

START_MS = 1_800_000_000_000
MAX_BANK_MS = 1000 * MAX_CLOCK_SECONDS
CLOCKS = st.builds(
    Clock,
    move_seconds=st.integers(0, 5),
    bank_seconds=st.integers(1, 10),
    increment_seconds=st.integers(0, 5),
)


class CountdownClock:
    """A clock with delay and increment as the display of a chess clock: first the delay runs down, then the bank."""

    def __init__(self, clock: Clock) -> None:
        self.clock, self.bank_ms, self.delay_ms = clock, 1000 * clock.bank_seconds, 0

    def begin_turn(self) -> None:
        self.delay_ms = 1000 * self.clock.move_seconds

    def run(self, milliseconds: int) -> None:
        in_delay = min(self.delay_ms, milliseconds)
        self.delay_ms -= in_delay
        self.bank_ms -= min(self.bank_ms, milliseconds - in_delay)

    def end_turn(self, *, has_chosen: bool) -> None:
        self.bank_ms += 1000 * self.clock.increment_seconds * has_chosen


@given(CLOCKS, st.lists(st.tuples(st.integers(0, 20_000), st.booleans()), max_size=20))
def test_turns_leave_what_a_countdown_leaves(clock: Clock, turns: list[tuple[int, bool]]) -> None:
    time, countdown, now_ms = full_banks(clock, 1)[0], CountdownClock(clock), START_MS
    for milliseconds, has_chosen in turns:
        time = time.begin_turn(clock, now_ms)
        countdown.begin_turn()
        assert time.deadline_ms == now_ms + countdown.delay_ms + countdown.bank_ms
        now_ms += milliseconds
        countdown.run(milliseconds)
        assert min(time.bank_ms, max(0, time.deadline_ms - now_ms)) == countdown.bank_ms
        time = time.end_turn(clock, now_ms, has_chosen=has_chosen)
        countdown.end_turn(has_chosen=has_chosen)
        assert time == (countdown.bank_ms, 0)


@given(CLOCKS, st.integers(0, MAX_BANK_MS), st.integers(-10 * MAX_BANK_MS, 10 * MAX_BANK_MS), st.booleans())
def test_a_bank_stays_in_its_bounds_however_the_time_jumps(
    clock: Clock, bank_ms: int, jump_ms: int, has_chosen: bool
) -> None:
    began = SeatTime(bank_ms).begin_turn(clock, START_MS)
    ended = began.end_turn(clock, START_MS + jump_ms, has_chosen=has_chosen)
    earned = 1000 * clock.increment_seconds * has_chosen
    assert 0 <= ended.bank_ms <= min(MAX_BANK_MS, bank_ms + earned)
    assert ended.bank_ms >= min(MAX_BANK_MS, earned)


def test_a_choice_before_the_delay_is_over_costs_nothing() -> None:
    clock = Clock(move_seconds=5, bank_seconds=60)
    time = full_banks(clock, 1)[0].begin_turn(clock, START_MS)
    assert time == (60_000, START_MS + 65_000)
    assert time.end_turn(clock, START_MS + 5000, has_chosen=True) == (60_000, 0)
    assert time.end_turn(clock, START_MS + 5001, has_chosen=True) == (59_999, 0)


def test_the_increment_is_earned_after_a_time_out_too() -> None:
    clock = Clock(bank_seconds=60, increment_seconds=10)
    time = full_banks(clock, 1)[0].begin_turn(clock, START_MS)
    ended = time.end_turn(clock, time.deadline_ms + 250, has_chosen=True)
    assert ended.begin_turn(clock, START_MS) == (10_000, START_MS + 10_000)


def test_a_clock_has_banks_if_it_fills_them_at_the_start_or_later() -> None:
    assert [has_banks(clock) for clock in (Clock(move_seconds=1), Clock(bank_seconds=1))] == [False, True]
    assert has_banks(Clock(move_seconds=1, increment_seconds=1))
