"""Ledger: the interface to the durable storage of tournaments and the results of their blocks.

Each block's result is written once, with the worker that played it. A second one that is equal changes nothing; one
that differs is an alarm, because matches are deterministic. Results of a worker that plays wrongly are set aside:
stored as suspects, and no longer counted. Only the holder of the lease writes: its fencing token is checked in the same
step.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final, NamedTuple

from services.tournaments.plan.plan import Plan, Spec

StoredResult = tuple[int, bytes]
"""Index of a block, and its result as bytes."""
NO_MOVES: Final[Mapping[int, bytes]] = MappingProxyType({})


class Status(Enum):
    """Status of a tournament."""

    RUNNING = "running"
    """It is being played, or waits for a coordinator."""
    OVER = "over"
    CANCELLED = "cancelled"
    FAILED = "failed"
    """It cannot be continued."""


class LedgerError(Exception):
    """Base of the errors of a ledger: it refused an operation, or could not carry it out."""


class LedgerUnavailable(LedgerError):
    """The ledger does not respond, or takes no writes; whether the last operation was carried out is unknown."""


class UnknownTournament(LedgerError):
    """No tournament has that id."""

    def __init__(self, tournament_id: str) -> None:
        super().__init__(f"there is no tournament {tournament_id[:64]!r} in this ledger")
        self.tournament_id = tournament_id[:64]


class LeaseLost(LedgerError):
    """The lease has expired, or another coordinator holds it: nothing was written."""

    def __init__(self, tournament_id: str) -> None:
        super().__init__(f"the lease of tournament {tournament_id} is lost: another coordinator may hold it")
        self.tournament_id = tournament_id


class TournamentLeased(LedgerError):
    """A coordinator holds the lease of the tournament: nothing was deleted."""

    def __init__(self, tournament_id: str) -> None:
        super().__init__(f"tournament {tournament_id} is being played: stop that, or cancel it, before it is deleted")
        self.tournament_id = tournament_id


class TournamentEnded(LedgerError):
    """The tournament is over, was cancelled or has failed: nothing was written."""

    def __init__(self, tournament_id: str) -> None:
        super().__init__(f"tournament {tournament_id} is not played on: it is over, was cancelled or has failed")
        self.tournament_id = tournament_id


class ResultDiffers(LedgerError):
    """Blocks were played twice with different results: the first results stay, the others are stored as alarms."""

    def __init__(self, tournament_id: str, blocks: Sequence[int]) -> None:
        super().__init__(
            f"tournament {tournament_id}: another result than the one that stands, of block "
            f"{', '.join(map(str, blocks))}"
        )
        self.tournament_id = tournament_id
        self.blocks = tuple(blocks)


@dataclass(frozen=True)
class WrongWorker:
    """A worker whose result of a block differed from those of two others."""

    name: str
    """Its address, as Dask has it, and the end of its id: `tcp://10.0.0.5:8788#5c1b2d3e`."""
    tournament_id: str
    block: int
    """Index in that tournament: workers are shared by tournaments."""


@dataclass(frozen=True)
class Tournament:
    """A stored tournament without its results."""

    id: str
    plan: Plan
    """A `Spec` if this version can play it."""
    status: Status
    created_ms: int
    done: int
    """Blocks that have a result."""
    alarms: tuple[StoredResult, ...]
    """Results that differ from the stored ones."""
    summary: bytes = b""
    """The standings that were published last, as a serialized message."""
    detail: str = ""
    """Why it failed."""
    leased: bool = False
    """Whether a coordinator holds its lease now."""
    wrong_workers: tuple[WrongWorker, ...] = ()
    """Workers whose results were set aside, by name."""
    set_aside: int = 0
    """Number of results that were set aside."""


class ListPosition(NamedTuple):
    """A position in the list of all tournaments, which begins with the newest."""

    created_ms: int
    id: str


LIST_START: Final = ListPosition(1 << 53, "")
"""Before the newest tournament."""


class Ledger(ABC):
    """Storage of tournaments. All methods may be called from any thread."""

    @abstractmethod
    def create(self, tournament_id: str, spec: Spec, now_ms: int) -> bool:
        """Store a new tournament; False if the id is taken."""

    @abstractmethod
    def tournament(self, tournament_id: str) -> Tournament:
        """Read a tournament. Raises `UnknownTournament`, and `UnknownPlan` if this version cannot read its plan."""

    @abstractmethod
    def positions(self, most: int, after: ListPosition = LIST_START) -> list[ListPosition]:
        """At most `most` list positions after `after`, newest first; the tournament at `after` may be deleted."""

    def ids(self, most: int) -> list[str]:
        """The ids of the newest tournaments, the newest first."""
        return [position.id for position in self.positions(most)]

    @abstractmethod
    def unfinished(self, most: int) -> list[str]:
        """The ids of running tournaments, the oldest first."""

    @abstractmethod
    def results(self, tournament_id: str, first: int, count: int) -> list[bytes | None]:
        """The results of `count` blocks from index `first` on; None for a block without a result."""

    @abstractmethod
    def moves(self, tournament_id: str, block: int) -> bytes | None:
        """The moves of a block's matches that were recorded with its result; None without any."""

    @abstractmethod
    def record(
        self,
        tournament_id: str,
        token: int,
        lines: Sequence[StoredResult],
        moves: Mapping[int, bytes] = NO_MOVES,
        worker: str = "",
    ) -> list[int]:
        """Write results of a worker atomically, with the moves of their blocks, if any. Returns the new indices.

        The moves are written with the first result of a block, and not compared.

        Raises `LeaseLost` when the token is not that of the lease, `TournamentEnded` when it is not running, and
        `ResultDiffers` after the others have been written.
        """

    @abstractmethod
    def blocks_played_by(self, tournament_id: str, worker: str) -> list[int]:
        """The blocks whose results a worker has computed, ascending."""

    @abstractmethod
    def set_aside(
        self, tournament_id: str, token: int, worker: WrongWorker, blocks: Sequence[int], later_from: int | None = None
    ) -> None:
        """Store a wrong worker, and turn the results of blocks into suspects: the blocks then have no result or moves.

        All blocks from `later_from` on are set aside too, if it is given. Blocks without a result are skipped.
        Raises `LeaseLost` and `TournamentEnded` as `record` does.
        """

    @abstractmethod
    def suspect_results(self, tournament_id: str) -> list[tuple[int, str, bytes]]:
        """The results that were set aside: block, worker and result, ascending."""

    @abstractmethod
    def finish(self, tournament_id: str, token: int) -> None:
        """Set the status to over, unless the tournament was cancelled. Raises `LeaseLost`."""

    @abstractmethod
    def cancel(self, tournament_id: str) -> None:
        """Set the status to cancelled, unless the tournament has ended. Raises `UnknownTournament`."""

    @abstractmethod
    def delete(self, tournament_id: str) -> None:
        """Delete a tournament with all its results. Raises `UnknownTournament`, and `TournamentLeased`."""

    @abstractmethod
    def lines(self, tournament_id: str, first: int, count: int) -> list[StoredResult]:
        """`count` results in the order in which they were recorded, from number `first` on, counted from 0."""

    @abstractmethod
    def publish(self, tournament_id: str, token: int, summary: bytes) -> None:
        """Store a summary of the results so far. Raises `LeaseLost`."""

    @abstractmethod
    def fail(self, tournament_id: str, token: int, detail: str) -> None:
        """Set the status to failed, with the reason. Raises `LeaseLost`."""

    @abstractmethod
    def acquire(self, tournament_id: str, milliseconds: int) -> int | None:
        """Acquire the lease of a tournament. Returns its fencing token, higher than all earlier ones of this id.

        None if it is held, or there is no such tournament.
        """

    @abstractmethod
    def renew(self, tournament_id: str, token: int, milliseconds: int) -> bool:
        """Let the lease expire `milliseconds` from now; False if it is lost, or the tournament has ended."""

    @abstractmethod
    def release(self, tournament_id: str, token: int) -> None:
        """Release the lease, if it is still held."""

    @abstractmethod
    def close(self) -> None:
        """Close connections and files."""
