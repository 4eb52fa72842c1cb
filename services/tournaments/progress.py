"""Progress of a tournament: its current round, the missing blocks of it, and the standings so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

from services.tournaments.ledger.ledger import Ledger, Tournament
from services.tournaments.plan.formats import Round, StartedTables, next_tables, planned_blocks, tables_per_round
from services.tournaments.plan.plan import Block, Plan, Table, table_of_seats
from services.tournaments.play.blocks import never_cancel
from services.tournaments.results.results import BlockResult
from services.tournaments.results.standings import Standings
from services.tournaments.results.tally import Tally

RESULTS_PER_READ: Final = 500
"""How many results are read from the ledger at once."""


class TournamentProgress:
    """Reads a tournament's results from the ledger once, in the order of the plan; stores sums, not the results."""

    def __init__(self, ledger: Ledger, tournament: Tournament, check: Callable[[], None] = never_cancel) -> None:
        """`check` is called before each read of missing blocks; an exception that it raises ends the reading."""
        self._check: Final = check
        self.plan: Final[Plan] = tournament.plan
        self.standings: Final = Standings(tournament.plan)
        self.planned: Final = planned_blocks(tournament.plan)
        self.round = 0
        """Number of the current round, from 1."""
        self.results = 0
        """Number of results read or added so far."""
        self._early_results: Final[dict[int, BlockResult]] = {}
        """Results that a test does not count yet, by index: an earlier block has none."""
        self._ledger: Final = ledger
        self._id: Final = tournament.id
        self._done: Final = tournament.done
        self._rounds: Final[list[Round]] = []
        self._tables: Sequence[Table] = ()
        self._tally = self._empty_tally()
        self._round_start = 0
        self._next_index = 0

    def next_round(self) -> bool:
        """Go to the next round, once every block of the current one has its result; False if that was the last."""
        if self.round:
            self._rounds.append(Round(self._tables, self._tally))
            self._round_start += len(self._tables) * self.plan.blocks
        self._tables = next_tables(self.plan, self._rounds, self._started_tables())
        self._tally = self._empty_tally()
        self.round += 1 if self._tables else 0
        return bool(self._tables)

    def _started_tables(self) -> StartedTables:
        """Tables of the next Swiss round that already have results: another version may have paired it otherwise."""
        started: dict[int, Table] = {}
        if self.plan.format != "swiss":
            return started
        count = tables_per_round(self.plan)
        last = min(self._round_start + count * self.plan.blocks, self.planned)
        for start in range(self._round_start, last, RESULTS_PER_READ):
            if len(started) == count or self.results >= self._done:
                break
            for index, result in enumerate(
                self._ledger.results(self._id, start, min(RESULTS_PER_READ, last - start)), start
            ):
                number = (index - self._round_start) % count
                if result is not None and number not in started:
                    seats = BlockResult.decode(index, result).matches[0].entrants
                    started[number] = table_of_seats(self.plan, index, seats)
        return started

    def missing(self) -> Iterator[Block]:
        """Yield the blocks of the current round that have no result; add the results of the others to the standings.

        To be called once a round. The blocks alternate between tables: the first block of every table comes before
        the second of any.
        """
        last = self.round_end
        for start in range(self._round_start, last, RESULTS_PER_READ):
            self._check()
            results = self._ledger.results(self._id, start, min(RESULTS_PER_READ, last - start))
            for index, result in enumerate(results, start):
                self._next_index = index + 1
                if self.is_decided:
                    return
                if result is None:
                    yield self.block(index)
                else:
                    self.add(BlockResult.decode(index, result))

    def block(self, index: int) -> Block:
        """A block of the current round."""
        return Block(index, self._tables[(index - self._round_start) % len(self._tables)])

    def end_of_round(self, index: int) -> int:
        """The first block after the round of a block, which is the current round or an earlier one."""
        end = 0
        for round_ in self._rounds:
            end += len(round_.tables) * self.plan.blocks
            if index < end:
                return end
        return self.round_end

    @property
    def round_end(self) -> int:
        """The first block after the current round."""
        return self._round_start + len(self._tables) * self.plan.blocks

    @property
    def blocks_left(self) -> int:
        """Number of blocks of the current round that `missing` has not reached yet."""
        return self.round_end - max(self._next_index, self._round_start)

    def add(self, block: BlockResult) -> None:
        """Add the result of a block of the current round.

        A test counts the blocks in the order of the plan, so that it decides at the same block whatever the number of
        workers, and short blocks, which are played early, have no more weight than long ones.
        """
        self.results += 1
        if self.plan.sprt:
            self._early_results[block.index] = block
            while not self.is_decided and (following := self._early_results.pop(self.standings.pairs.blocks, None)):
                self._count(following)
        else:
            self._count(block)

    @property
    def is_decided(self) -> bool:
        """Whether the plan's test has decided, which ends the tournament."""
        return self.standings.test is not None and self.standings.test.accepted != ""

    def _count(self, block: BlockResult) -> None:
        lines = self._tally.lines_of(block)
        self._tally.add_lines(lines)
        self.standings.add_lines(block, lines)

    def _empty_tally(self) -> Tally:
        return Tally(len(self.plan.entrants))


def read_progress(ledger: Ledger, tournament: Tournament) -> TournamentProgress:
    """The progress of a tournament up to the last recorded result."""
    progress = TournamentProgress(ledger, tournament)
    while progress.next_round():
        is_incomplete = False
        for _ in progress.missing():
            is_incomplete = True
            if progress.results == tournament.done:
                break
        if is_incomplete:
            break
    return progress


def next_blocks(blocks: Iterator[Block], count: int) -> tuple[Block, ...]:
    """The next `count` blocks, or fewer at the end."""
    return tuple(islice(blocks, count))
