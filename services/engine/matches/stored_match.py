"""A stored match in memory: its position, header, clocks, hash chain heads, and the snapshot that was read."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Generic, NamedTuple

from fireside.match.v1 import field_numbers as fields
from fireside.match.v1.match_record_pb2 import Attestation, MatchHeader, MatchProgress

from engine_core.chance import Luck
from engine_core.game import SPECTATOR
from engine_core.match import Entry, Match
from services.engine.clocks.seat_times import SeatTime, full_banks, has_banks
from services.engine.codec import Codec, LogLine, M, O, S, V, with_head
from services.engine.matches.progress import decode_heads, write_counts, write_taken
from services.engine.records.heads import head_index, next_heads
from services.engine.responses import StoredFacts
from services.engine.tables.seating import Seating
from services.engine.wire import Writer
from services.grpc_server.errors import UnknownMatch, UnknownRules
from services.store.matches.steps import Snapshot
from services.store.turns.queue import HostedTurn

NO_SNAPSHOT: Final = Snapshot(b"", b"", b"", -1, None)


class AddedLine(NamedTuple):
    """A line of a log, and all heads after it."""

    line: LogLine
    heads: list[bytes]

    def event(self, observer: int) -> bytes:
        """The event that the observer is sent."""
        return with_head(self.line.seen_by(observer), self.heads[head_index(observer)])


class StoredMatch(Generic[S, M, O, V]):
    """A decoded stored match: its position, its constant header, and the progress that each step changes."""

    def __init__(
        self,
        match_id: str,
        header: MatchHeader,
        match: Match[S, M, O, V],
        match_progress: MatchProgress,
        stored_snapshot: Snapshot | None = None,
        seating: Seating | None = None,
    ) -> None:
        """`match_progress` has deadlines and failures; `stored_snapshot` is what it was read from, if it is stored."""
        self.stored_snapshot: Snapshot = stored_snapshot or NO_SNAPSHOT
        """The match as it was last read from or written to the store, without later changes."""
        self.seating: Final = seating or Seating(header, self.stored_snapshot.seating)
        deadlines = match_progress.deadline_ms, match_progress.match_deadline_ms
        self._has_banks: Final = has_banks(header.clock)
        times = [*map(SeatTime, match_progress.banks_ms, match_progress.seat_deadlines_ms)] if self._has_banks else ()
        self.heads: Final = decode_heads(match_progress)
        """Heads of the hash chains, which `add_to_log` updates."""
        self.facts = StoredFacts(
            match_id,
            self.seating.seats,
            header.commitment.hex(),
            *deadlines,
            self.heads,
            self.seating.waiting,
            self.seating.expire_ms,
            header.hints,
            times,
            header.spectator_delay,
            header.open_after,
        )
        self.epochs: Final = list(match_progress.epochs)
        """Ids of its epochs: an epoch begins at a step that finds another Redis process than the previous step."""
        self.attestation = Attestation()
        """The service's signature of its record; empty before the end."""
        self.attestation.CopyFrom(match_progress.attestation)
        self._step: list[Entry] = []  # the step whose lines are `_added`
        self._added: list[AddedLine] = []
        self.header: Final = header
        self.match: Final = match
        self.clock: Final = header.clock
        self.bot_failures: Final = dict(match_progress.bot_failures)
        """Number of failures of the bot, by seat."""
        self.hinted: Final = dict(match_progress.hinted)
        """Revision of the last log entry of a hint, by seat."""
        self.is_timed: Final = bool(header.clock.move_seconds or header.clock.bank_seconds)
        """Whether a turn has a deadline."""
        self._timed_phase = match.phase_start
        self._timed_turns = self._turns() if self._has_banks else {}
        self.match_id: Final = match_id
        self.run_id = self.stored_snapshot.run_id
        """Run id of the Redis process for which its next step is made."""
        self.guess_was_right = False
        """Whether the cached match was still that of the store when it was last checked out, or was just created."""

    def mark_stored(self, snapshot: Snapshot) -> None:
        """Record that the match is stored as in this snapshot."""
        self.stored_snapshot, self.run_id = snapshot, snapshot.run_id

    @property
    def luck(self) -> Luck:
        """The draws of the match."""
        assert self.match.luck is not None
        return self.match.luck

    @property
    def is_stored(self) -> bool:
        """Whether all its steps are stored."""
        return self.stored_snapshot.revision == self.match.revision

    def is_late(self, observer: int) -> bool:
        """Whether the observer is shown the match late: a spectator while it is in play, if it has a delay."""
        is_delayed = observer == SPECTATOR and self.header.spectator_delay > 0
        return is_delayed and not self.seating.waiting and not self.match.is_over()

    def shown_revision(self, observer: int) -> int:
        """The latest revision that the observer is shown."""
        delay = self.header.spectator_delay if self.is_late(observer) else 0
        return max(0, self.match.revision - delay)

    def past_facts(self, heads: list[bytes]) -> StoredFacts:
        """Its facts at an earlier revision, with the heads of then."""
        return replace(self.facts, heads=heads, deadline_ms=0, match_deadline_ms=0, times=())

    def add_to_log(self, codec: Codec[S, M, O, V], entries: list[Entry]) -> list[AddedLine]:
        """The log lines of a step, whose heads become the match's; a second call returns the same lines."""
        if self._step is not entries:  # called first for the response, then for the commit
            self._step, self._added = entries, []
            for line in map(codec.log_line, entries):
                heads = next_heads(self._added[-1].heads if self._added else self.heads, line)
                self._added.append(AddedLine(line, heads))
            if self._added:
                self.heads[:] = self._added[-1].heads
        return self._added

    def ask_hint(self, seat: int) -> list[Entry]:
        """Log that a seat asks for a hint; nothing if the log says so of its present turn already.

        Raises what `Match.ask_hint` raises.
        """
        if self.hinted.get(seat, 0) > self.match.turn_began_at(seat):
            return []
        entries = self.match.ask_hint(seat)
        self.hinted[seat] = self.match.revision
        return entries

    def needs_deadline(self) -> bool:
        """Whether a turn of a timed match has begun or ended since the deadlines were set."""
        if self._has_banks:
            return self._turns() != self._timed_turns
        return self.is_timed and self.match.phase_start != self._timed_phase

    def _turns(self) -> dict[int, int]:
        """The seats that are to move, and the revisions at which their turns began."""
        return {seat: self.match.turn_began_at(seat) for seat in self.match.to_move()}

    @property
    def clock_seconds(self) -> int:
        """The longest time until its next deadline; 0 without a clock."""
        clock, bank_seconds = self.clock, 0
        if self._has_banks:  # at least the first bank, so that it is not 0 at the end
            fullest_ms = max([time.bank_ms for time in self.facts.times], default=0)
            bank_seconds = max(clock.bank_seconds, fullest_ms // 1000 + 1)
        return max(clock.move_seconds + bank_seconds, clock.match_seconds)

    def start_clock(self, now_ms: int) -> None:
        """Start the clock of the seats that are to move; with banks, only of those whose turns begin."""
        if self._has_banks:
            self._update_times(now_ms)
        elif self.clock.move_seconds:
            self.facts = replace(self.facts, deadline_ms=now_ms + 1000 * self.clock.move_seconds)
        self._timed_phase = self.match.phase_start

    def _update_times(self, now_ms: int) -> None:
        """Update the time of the seats whose turns have ended or begun since the last call."""
        clock, match, turns = self.clock, self.match, self._turns()
        times = list(self.facts.times) or full_banks(clock, len(match.last_moved))
        for seat, began in self._timed_turns.items():
            if times[seat].deadline_ms and turns.get(seat) != began:
                has_chosen = match.last_moved[seat] > began
                times[seat] = times[seat].end_turn(clock, now_ms, has_chosen=has_chosen)
        for seat in turns:
            if not times[seat].deadline_ms:
                times[seat] = times[seat].begin_turn(clock, now_ms)
        first_ms = min([time.deadline_ms for time in times if time.deadline_ms], default=0)
        self.facts = replace(self.facts, times=times, deadline_ms=first_ms)
        self._timed_turns = turns

    def start_clocks(self, now_ms: int) -> None:
        """Start the clock of the seats that are to move, and that of the whole match."""
        self.start_clock(now_ms)
        if self.clock.match_seconds:
            self.facts = replace(self.facts, match_deadline_ms=now_ms + 1000 * self.clock.match_seconds)

    def stop_match_clock(self) -> None:
        """Stop the clock of the whole match."""
        self.facts = replace(self.facts, match_deadline_ms=0)

    def stop_clocks(self) -> None:
        """Stop all clocks."""
        self.facts = replace(self.facts, deadline_ms=0, match_deadline_ms=0, times=())

    def encode_progress(self) -> bytes:
        """Its progress as a `MatchProgress`, in canonical bytes."""
        match, luck, facts = self.match, self.luck, self.facts
        out = Writer()  # compiled 3 us; a message takes 21, most of it for the maps
        out.number(fields.MatchProgress.REVISION, match.revision)
        out.number(fields.MatchProgress.PHASE_START, match.phase_start)
        out.numbers(fields.MatchProgress.LAST_MOVED, match.last_moved)
        write_counts(out, fields.MatchProgress.DRAWN, luck.draw_counts)
        write_taken(out, luck.taken_copies)
        out.number(fields.MatchProgress.DEADLINE_MS, facts.deadline_ms)
        out.number(fields.MatchProgress.MATCH_DEADLINE_MS, facts.match_deadline_ms)
        if self.bot_failures:  # rare; protobuf has an order of its own for these
            out.raw(MatchProgress(bot_failures=self.bot_failures).SerializeToString(deterministic=True))
        if self.heads:
            out.data(fields.MatchProgress.HEADS, b"".join(self.heads))
        for epoch in self.epochs:
            out.data(fields.MatchProgress.EPOCHS, epoch.encode())
        if self.attestation.signature:
            out.data(fields.MatchProgress.ATTESTATION, self.attestation.SerializeToString(deterministic=True))
        if facts.times:
            out.numbers(fields.MatchProgress.BANKS_MS, [time.bank_ms for time in facts.times])
            out.numbers(fields.MatchProgress.SEAT_DEADLINES_MS, [time.deadline_ms for time in facts.times])
        if self.hinted:
            out.raw(MatchProgress(hinted=self.hinted).SerializeToString(deterministic=True))
        return out.to_bytes()

    def hosted_turns(self) -> list[HostedTurn]:
        """The turns that hosted bots owe now."""
        if self.seating.waiting:
            return []
        version, seats, caller = self.header.rules_version, self.facts.seats, self.header.caller
        return [
            HostedTurn(version, self.match_id, seat, self.match.turn_began_at(seat), seats[seat].bot, caller)
            for seat in self.match.to_move()
            if seats[seat].bot
        ]


def check_rules(codec: Codec[S, M, O, V], match_id: str, header: MatchHeader) -> None:
    """Raise `UnknownMatch` for a match of another game, `UnknownRules` for another version of this game."""
    if header.game != codec.game.name:
        raise UnknownMatch(match_id)
    if header.rules_version != codec.rules_version:
        raise UnknownRules(match_id, header.rules_version)
