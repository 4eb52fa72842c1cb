"""The ledger: the truth about a tournament, which outlives whoever plays it.

Each block's result is written once. A second one that is equal changes nothing; one that differs is an alarm, because
matches are deterministic. Only the holder of the lease writes: its fencing token is checked in the same step.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from services.tournaments.plan.plan import Plan, Spec

Line = tuple[int, bytes]
"""Index of a block, and its result as bytes."""


class Status(Enum):
    """What has become of a tournament."""

    RUNNING = "running"
    """It is played, or waits for somebody who plays on."""
    OVER = "over"
    CANCELLED = "cancelled"
    FAILED = "failed"
    """It cannot be played on."""


class LedgerError(Exception):
    """What a ledger refuses or cannot do."""


class LedgerUnavailable(LedgerError):
    """The ledger does not answer, or takes no writes; whether the last step was made is unknown."""


class UnknownTournament(LedgerError):
    """No tournament has that id."""

    def __init__(self, tournament_id: str) -> None:
        super().__init__(f"there is no tournament {tournament_id[:64]!r} in this ledger")
        self.tournament_id = tournament_id[:64]


class LeaseLost(LedgerError):
    """The lease has run out, or somebody else has it: nothing was written."""

    def __init__(self, tournament_id: str) -> None:
        super().__init__(f"the lease of tournament {tournament_id} is gone: somebody else may play on with it")
        self.tournament_id = tournament_id


class StillPlayed(LedgerError):
    """Somebody has the lease of the tournament: nothing was deleted."""

    def __init__(self, tournament_id: str) -> None:
        super().__init__(f"tournament {tournament_id} is being played: stop that, or cancel it, before it is deleted")
        self.tournament_id = tournament_id


class TournamentEnded(LedgerError):
    """The tournament is over, was cancelled or has failed: nothing was written."""

    def __init__(self, tournament_id: str) -> None:
        super().__init__(f"tournament {tournament_id} is not played on: it is over, was cancelled or has failed")
        self.tournament_id = tournament_id


class ResultDiffers(LedgerError):
    """Blocks were played twice and came out differently: the first results stand, the others are kept as alarms."""

    def __init__(self, tournament_id: str, blocks: Sequence[int]) -> None:
        super().__init__(
            f"tournament {tournament_id}: another result than the one that stands, of block "
            f"{', '.join(map(str, blocks))}"
        )
        self.tournament_id = tournament_id
        self.blocks = tuple(blocks)


@dataclass(frozen=True)
class Tournament:
    """What the ledger knows about a tournament as a whole."""

    id: str
    plan: Plan
    """A `Spec` where it can be played here."""
    status: Status
    created_ms: int
    done: int
    """Blocks that have a result."""
    alarms: tuple[Line, ...]
    """Results that differ from the ones that stand."""
    summary: bytes = b""
    """What was last published of it."""
    detail: str = ""
    """Why it failed."""
    leased: bool = False
    """Whether somebody plays it now."""


class Place(NamedTuple):
    """Where a tournament stands in the list of all: those that are created later stand before it."""

    created_ms: int
    id: str


FRONT: Final = Place(1 << 53, "")
"""Before all tournaments."""


class Ledger(ABC):
    """Where tournaments are kept. All of its functions may be called from any thread."""

    @abstractmethod
    def create(self, tournament_id: str, spec: Spec, now_ms: int) -> bool:
        """Begin a tournament, which can be played here; False where the id is taken."""

    @abstractmethod
    def tournament(self, tournament_id: str) -> Tournament:
        """A tournament. Raises `UnknownTournament`, and `UnknownPlan` of one whose plan cannot be read here."""

    @abstractmethod
    def places(self, most: int, behind: Place = FRONT) -> list[Place]:
        """The newest tournaments behind a place, the newest first, whether or not there still is one at that place."""

    def ids(self, most: int) -> list[str]:
        """The newest tournaments, the newest first."""
        return [place.id for place in self.places(most)]

    @abstractmethod
    def unfinished(self, most: int) -> list[str]:
        """Tournaments that are to be played, the oldest first."""

    @abstractmethod
    def results(self, tournament_id: str, first: int, count: int) -> list[bytes | None]:
        """The results of so many blocks from an index on, by index; None where there is none yet."""

    @abstractmethod
    def record(self, tournament_id: str, token: int, lines: Sequence[Line]) -> list[int]:
        """Write results, all in one step; the indices of those that were new.

        Raises `LeaseLost` when the token is not the lease's, `TournamentEnded` when it is not running, and
        `ResultDiffers`, once the others are written.
        """

    @abstractmethod
    def finish(self, tournament_id: str, token: int) -> None:
        """Say that it is over, unless it was cancelled. Raises `LeaseLost`."""

    @abstractmethod
    def cancel(self, tournament_id: str) -> None:
        """Say that it is not to be played on, unless it is over. Raises `UnknownTournament`."""

    @abstractmethod
    def delete(self, tournament_id: str) -> None:
        """Take a tournament away with all its results. Raises `UnknownTournament`, and `StillPlayed` under a lease."""

    @abstractmethod
    def lines(self, tournament_id: str, first: int, count: int) -> list[Line]:
        """Results in the order in which they were recorded: so many, from a place on, counted from 0."""

    @abstractmethod
    def publish(self, tournament_id: str, token: int, summary: bytes) -> None:
        """Keep what the results come to so far, for those who ask. Raises `LeaseLost`."""

    @abstractmethod
    def fail(self, tournament_id: str, token: int, detail: str) -> None:
        """Say that it cannot be played on, and why. Raises `LeaseLost`."""

    @abstractmethod
    def acquire(self, tournament_id: str, milliseconds: int) -> int | None:
        """Take the lease of a tournament for a while; its fencing token, higher than any before of this id.

        None where somebody has it, or there is no such tournament.
        """

    @abstractmethod
    def renew(self, tournament_id: str, token: int, milliseconds: int) -> bool:
        """Keep the lease of a running tournament for a while from now on; False when it is gone, or has ended."""

    @abstractmethod
    def release(self, tournament_id: str, token: int) -> None:
        """Give up the lease, if it is still there."""

    @abstractmethod
    def close(self) -> None:
        """Give up connections and files."""
