"""Time banks of stored matches: whose clock runs when, and what a time-out does."""

from __future__ import annotations

from random import Random

import pytest
from fireside.match.v1.match_pb2 import Clock
from fireside.match.v1.match_record_pb2 import MatchHeader, MatchProgress

from engine_core.game import Options, Turn, View
from engine_core.match import AnyMatch, Entry, Match
from services.engine.clocks.poller import AnyRepository, time_out_seats
from services.engine.clocks.seat_times import SeatTime
from services.engine.codecs import AnyCodec
from services.engine.matches.stored_match import StoredMatch
from services.store.keys import match_keys
from tests.services.engine.clocks.test_poller import (
    DAY_SECONDS,
    EVERY_GAME,
    OWED_MOVE,
    START_MS,
    Engines,
    OwedMove,
    OwedMoves,
    SimultaneousGame,
    engines,
    moves_after,
    play_default,
)

__all__ = ["engines"]

FISCHER = Clock(bank_seconds=300, increment_seconds=10)
DELAY = Clock(move_seconds=5, bank_seconds=60)
BOTH = Clock(move_seconds=20, bank_seconds=60, increment_seconds=7)

OwedMatch = StoredMatch[OwedMoves, OwedMove, Options, View]


class Relay(SimultaneousGame):
    """Two seats owe moves at once; once the first of them has moved, the other and a third do."""

    def phase(self, state: OwedMoves) -> Turn:
        return Turn((0, 1)) if state.owed_moves[0] else Turn((1, 2))


def owed_match(clock: Clock, *owed_moves: int, game: SimultaneousGame | None = None) -> OwedMatch:
    """A match, in memory only, that begins at the start."""
    match = Match(game or SimultaneousGame(), OwedMoves(list(owed_moves)), None)
    stored = StoredMatch("m", MatchHeader(clock=clock), match, MatchProgress())
    stored.start_clocks(START_MS)
    return stored


def step(stored: OwedMatch, seconds: int, *seats: int) -> list[SeatTime]:
    """What the clocks show after moves of these seats at a time after the start, as times after the start."""
    for seat in seats:
        stored.match.play(seat, OWED_MOVE)
    assert stored.needs_deadline()
    stored.start_clock(START_MS + 1000 * seconds)
    assert not stored.needs_deadline()
    return [SeatTime(bank, end and end - START_MS) for bank, end in stored.facts.times]


def seat_time(bank_seconds: int, end_seconds: int = 0) -> SeatTime:
    return SeatTime(1000 * bank_seconds, 1000 * end_seconds)


def test_seats_that_are_to_move_together_have_deadlines_of_their_own() -> None:
    stored = owed_match(FISCHER, 1, 1, 1)
    assert stored.facts.next_deadline_ms == START_MS + 300_000
    # Seat 1 stops its clock and earns the increment; those of the others run on.
    assert step(stored, 100, 1) == [seat_time(300, 300), seat_time(210), seat_time(300, 300)]


def test_the_next_deadline_is_the_first_of_the_seats() -> None:
    stored = owed_match(FISCHER, 2, 2)
    assert step(stored, 100, 0) == [seat_time(210, 310), seat_time(300, 300)]
    assert (stored.facts.deadline_ms, stored.facts.next_deadline_ms) == (START_MS + 300_000, START_MS + 300_000)
    assert [stored.facts.deadline_of(seat) for seat in (0, 1)] == [START_MS + 310_000, START_MS + 300_000]
    assert step(stored, 200, 1) == [seat_time(210, 310), seat_time(110, 310)]


def test_a_seat_that_chooses_several_times_in_a_phase_has_a_new_turn_each_time() -> None:
    stored = owed_match(BOTH, 3, 1)
    assert step(stored, 30, 0) == [seat_time(57, 30 + 77), seat_time(60, 80)]
    assert step(stored, 40, 0) == [seat_time(64, 40 + 84), seat_time(60, 80)]


def test_a_phase_that_another_seat_ends_costs_time_and_earns_nothing() -> None:
    stored = owed_match(BOTH, 1, 1, 1, game=Relay())
    # Seat 1 has used 10 seconds of its bank, and has its whole time for the new choice.
    assert step(stored, 30, 0) == [seat_time(57), seat_time(50, 30 + 70), seat_time(60, 30 + 80)]


def test_an_epoch_changes_no_clock() -> None:
    stored = owed_match(FISCHER, 2, 2)
    stored.match.begin_epoch("e")
    assert not stored.needs_deadline()
    assert step(stored, 100, 0) == [seat_time(210, 310), seat_time(300, 300)]


def test_a_move_that_comes_late_but_first_counts_and_empties_the_bank() -> None:
    stored = owed_match(FISCHER, 2, 2)
    assert step(stored, 301, 0)[0] == seat_time(10, 311)


def test_a_time_out_empties_the_bank_and_earns_the_increment() -> None:
    stored = owed_match(BOTH, 2, 2)
    step(stored, 15, 1)
    due = [seat for seat in stored.match.to_move() if stored.facts.deadline_of(seat) <= START_MS + 80_000]
    assert [entry.seat for entry in time_out_seats(stored.match, due)] == [0]
    assert step(stored, 80) == [seat_time(7, 80 + 27), seat_time(67, 15 + 87)]


def test_a_seat_whose_turn_ended_by_a_default_move_is_not_due() -> None:
    stored = owed_match(BOTH, 1, 1, 1, game=Relay())
    assert [entry.seat for entry in time_out_seats(stored.match, [0, 1])] == [0]


class Countdown:
    """What displays of the seats' clocks show that run down from step to step: first the delay, then the bank."""

    def __init__(self, clock: Clock, match: AnyMatch) -> None:
        self.clock = clock
        self.banks = [1000 * clock.bank_seconds] * len(match.last_moved)
        self.delays = [1000 * clock.move_seconds] * len(match.last_moved)
        self.began = self.turns(match)

    @staticmethod
    def turns(match: AnyMatch) -> dict[int, int]:
        return {seat: match.turn_began_at(seat) for seat in match.to_move()}

    def run(self, milliseconds: int) -> None:
        """Let the clocks of the seats to move run."""
        for seat in self.began:
            in_delay = min(self.delays[seat], milliseconds)
            self.delays[seat] -= in_delay
            self.banks[seat] -= min(self.banks[seat], milliseconds - in_delay)

    def step(self, match: AnyMatch, entries: list[Entry]) -> None:
        """Press the clocks of the seats that have moved, and start those of the turns that have begun."""
        movers = {entry.seat for entry in entries if entry.move is not None}
        turns = self.turns(match)
        for seat, began in self.began.items():
            self.banks[seat] += 1000 * self.clock.increment_seconds * (seat in movers)
            if turns.get(seat) != began:
                self.delays[seat] = 1000 * self.clock.move_seconds
        self.began = turns


async def random_step(matches: AnyRepository, match_id: str, random: Random) -> tuple[AnyMatch, list[Entry]]:
    """A random move of a random seat, or now and then a seat that leaves."""
    stored, _ = await matches.checkout(match_id)
    match: AnyMatch = stored.match
    seat = random.choice(match.to_move())
    is_leaving = random.random() < 0.01
    entries = match.leave(seat) if is_leaving else match.play(seat, random.choice(match.legal_moves(seat)))
    await matches.commit(stored, entries, None)
    return match, entries


@EVERY_GAME
@pytest.mark.parametrize("clock", [FISCHER, DELAY, BOTH], ids=["fischer", "delay", "both"])
async def test_stored_clocks_show_what_a_countdown_shows(engines: Engines, codec: AnyCodec, clock: Clock) -> None:
    random, now_ms = Random(11), 0
    match_id = await engines.begin(codec, clock)
    match = await engines.match(codec, match_id)
    countdown = Countdown(clock, match)
    for number in range(60):
        facts = (await engines.matches(codec).peek(match_id)).facts
        spent = random.randrange(min(15_000, facts.deadline_ms - START_MS - now_ms))
        now_ms += spent
        engines.set_time(now_ms)
        countdown.run(spent)
        match, entries = await random_step(engines.matches(codec, number % 3), match_id, random)
        countdown.step(match, entries)
        times = (await engines.matches(codec).peek(match_id)).facts.times
        if match.is_over():
            assert not times
            break
        deadlines = [now_ms + countdown.delays[seat] + countdown.banks[seat] for seat in match.to_move()]
        assert [times[seat].deadline_ms - START_MS for seat in match.to_move()] == deadlines
        assert [left_ms(time, START_MS + now_ms) for time in times] == countdown.banks


def left_ms(time: SeatTime, now_ms: int) -> int:
    """What is left in a seat's bank, as a client computes it."""
    return min(time.bank_ms, time.deadline_ms - now_ms) if time.deadline_ms else time.bank_ms


@EVERY_GAME
async def test_of_three_engines_one_times_out_the_seats_that_are_due(engines: Engines, codec: AnyCodec) -> None:
    match_id = await engines.begin(codec, BOTH)
    before = await engines.match(codec, match_id)
    engines.set_time(79_999)
    await engines.look()
    assert (await engines.match(codec, match_id)).revision == before.revision
    engines.set_time(80_000)
    await engines.look()
    seats = before.to_move()
    expected = [entry for entry in time_out_seats(before, seats) if entry.seat in seats]
    assert await moves_after(engines, codec, match_id, expected[0].revision - 1) == [
        (entry.seat, before.game.notation(entry.move)) for entry in expected
    ]
    stored = await engines.matches(codec).peek(match_id)
    assert [time.bank_ms for seat, time in enumerate(stored.facts.times) if seat in seats] == [7000] * len(seats)
    assert await engines.hints(codec) == {match_id: stored.facts.deadline_ms - START_MS}


@EVERY_GAME
@pytest.mark.parametrize("clock", [BOTH, Clock(bank_seconds=30)], ids=["increment", "bank-alone"])
async def test_an_abandoned_match_is_played_to_its_end(engines: Engines, codec: AnyCodec, clock: Clock) -> None:
    match_id = await engines.begin(codec, clock)
    while not (await engines.match(codec, match_id)).is_over():
        before = await engines.match(codec, match_id)
        engines.set_time(await engines.deadline_ms(codec, match_id))
        await engines.look()
        assert (await engines.match(codec, match_id)).revision > before.revision
    stored, _ = await engines.matches(codec).checkout(match_id)
    assert stored.facts.deadline_ms == 0
    assert not stored.facts.times
    assert await engines.hints(codec) == {}


@EVERY_GAME
async def test_clocks_run_on_while_the_store_is_away(engines: Engines, codec: AnyCodec) -> None:
    match_id = await engines.begin(codec, BOTH)
    matches = engines.matches(codec)
    stored, _ = await matches.checkout(match_id)
    match: AnyMatch = stored.match
    seat = match.to_move()[0]
    engines.set_time(50_000)
    stored.run_id = "another process"
    entries = [*matches.begin_epoch_if_store_restarted(stored), *match.play(seat, match.legal_moves(seat)[0])]
    await matches.deadlines.update(stored)
    assert entries[0].epoch
    assert left_ms(stored.facts.times[seat], START_MS + 50_000) == 60_000 - 30_000 + 7000


@EVERY_GAME
async def test_a_match_is_stored_longer_than_its_move_and_its_bank_last(engines: Engines, codec: AnyCodec) -> None:
    clock = Clock(move_seconds=3 * DAY_SECONDS, bank_seconds=30 * DAY_SECONDS)
    match_id = await engines.begin(codec, clock)
    for _ in range(2):
        for key in match_keys(match_id):
            assert await engines.redis.ttl(key) > 33 * DAY_SECONDS + 60
        await play_default(engines.matches(codec), match_id)
