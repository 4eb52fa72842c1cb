"""Progress of a tournament: its current round, the missing blocks of it, and the standings so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

from services.tournaments.ledger.ledger import Ledger, Tournament
from services.tournaments.plan.formats import Begun, Round, next_tables, planned_blocks, tables_a_round
from services.tournaments.plan.plan import Block, Plan, Table, table_of
from services.tournaments.play.blocks import always
from services.tournaments.results.results import BlockResult
from services.tournaments.results.standings import Standings
from services.tournaments.results.tally import Tally

WINDOW: Final = 500
"""How many results are read from the ledger at once."""


class TournamentProgress:
    """Reads a tournament's results from the ledger once, in the order of the plan; stores sums, not the results."""

    def __init__(self, ledger: Ledger, tournament: Tournament, check: Callable[[], None] = always) -> None:
        """`check` is called before each read of missing blocks; an exception that it raises ends the reading."""
        self._check: Final = check
        self.plan: Final[Plan] = tournament.plan
        self.standings: Final = Standings(tournament.plan)
        self.planned: Final = planned_blocks(tournament.plan)
        self.round = 0
        """Number of the current round, from 1."""
        self._ledger: Final = ledger
        self._id: Final = tournament.id
        self._done: Final = tournament.done
        self._rounds: Final[list[Round]] = []
        self._tables: Sequence[Table] = ()
        self._tally = self._no_tally()
        self._first = 0
        self._looked_at = 0

    def next_round(self) -> bool:
        """Go to the next round, once every block of the current one has its result; False if that was the last."""
        if self.round:
            self._rounds.append(Round(self._tables, self._tally))
            self._first += len(self._tables) * self.plan.blocks
        self._tables = next_tables(self.plan, self._rounds, self._begun())
        self._tally = self._no_tally()
        self.round += 1 if self._tables else 0
        return bool(self._tables)

    def _begun(self) -> Begun:
        """Tables of the next Swiss round that already have results: another version may have paired it otherwise."""
        begun: dict[int, Table] = {}
        if self.plan.format != "swiss":
            return begun
        count = tables_a_round(self.plan)
        last = min(self._first + count * self.plan.blocks, self.planned)
        for start in range(self._first, last, WINDOW):
            if len(begun) == count or self.standings.pairs.blocks >= self._done:
                break
            for index, result in enumerate(self._ledger.results(self._id, start, min(WINDOW, last - start)), start):
                number = (index - self._first) % count
                if result is not None and number not in begun:
                    seats = BlockResult.decode(index, result).matches[0].entrants
                    begun[number] = table_of(self.plan, index, seats)
        return begun

    def missing(self) -> Iterator[Block]:
        """Yield the blocks of the current round that have no result; add the results of the others to the standings.

        To be called once a round. The blocks alternate between tables: the first block of every table comes before
        the second of any.
        """
        last = self._last()
        for start in range(self._first, last, WINDOW):
            self._check()
            results = self._ledger.results(self._id, start, min(WINDOW, last - start))
            for index, result in enumerate(results, start):
                self._looked_at = index + 1
                if result is None:
                    yield Block(index, self._tables[(index - self._first) % len(self._tables)])
                else:
                    self.add(index, result)

    @property
    def left(self) -> int:
        """Number of blocks of the current round that `missing` has not reached yet."""
        return self._last() - max(self._looked_at, self._first)

    def add(self, index: int, result: bytes) -> int:
        """Add the result of a block of the current round; returns its number of matches."""
        block = BlockResult.decode(index, result)
        lines = self._tally.lines_of(block)
        self._tally.add_lines(lines)
        self.standings.add_lines(block, lines)
        return len(block.matches)

    def _last(self) -> int:
        return self._first + len(self._tables) * self.plan.blocks

    def _no_tally(self) -> Tally:
        return Tally(len(self.plan.entrants))


def read(ledger: Ledger, tournament: Tournament) -> TournamentProgress:
    """The progress of a tournament up to the last recorded result."""
    progress = TournamentProgress(ledger, tournament)
    while progress.next_round():
        lacks = False
        for _ in progress.missing():
            lacks = True
            if progress.standings.pairs.blocks == tournament.done:
                break
        if lacks:
            break
    return progress


def take(blocks: Iterator[Block], count: int) -> tuple[Block, ...]:
    """The next `count` blocks, or fewer at the end."""
    return tuple(islice(blocks, count))
