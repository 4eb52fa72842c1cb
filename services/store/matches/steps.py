"""Values that the match store reads and writes: the snapshot of a match, and the steps that change it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from services.store.turns.queue import HostedTurn

STORED_REQUESTS: Final = 32
"""Number of recent requests of a match whose responses are stored."""
REQUEST_KEY_LENGTH: Final = 32


class Snapshot(NamedTuple):
    """A match as it is stored. `stored_response` is that of the request whose key was given, if it was executed."""

    header: bytes
    state: bytes
    match_progress: bytes
    revision: int
    stored_response: bytes | None
    run_id: str = ""
    """The run id of the Redis process in which its last step was made."""
    seating: bytes = b""
    """Who has the seats, as an encoded `Seating`; empty if nothing has changed since the header was written."""

    def is_of(self, other: Snapshot) -> bool:
        """Whether both snapshots have the same header, state, progress, revision and seating."""
        mine = self.revision, self.state, self.match_progress, self.header, self.seating
        return mine == (other.revision, other.state, other.match_progress, other.header, other.seating)


class IdempotentRequest(NamedTuple):
    """A request that may be repeated: its key, of `REQUEST_KEY_LENGTH` characters, and its response."""

    key: str
    response: bytes


class StreamEvent(NamedTuple):
    """An event for the stream of a platform."""

    key: str
    event: bytes


class Step(NamedTuple):
    """The change of a match from `base_revision` to `revision`, with one log line for each revision between."""

    base_revision: int
    revision: int
    state: bytes
    match_progress: bytes
    lines: list[bytes]
    seating: bytes = b""
    """Who has the seats: a change of it since, like another step, makes this one lose its race."""
    request: IdempotentRequest | None = None
    over: bool = False
    clock_seconds: int = 0
    """Time allowed for the next choice in seconds; 0 for no limit."""
    hosted_turns: Sequence[HostedTurn] = ()
    """The turns that hosted seats owe after the step."""
    events: Sequence[StreamEvent] = ()
    """The events of platforms that the step causes."""
    guess: Snapshot | None = None
    """The cached snapshot from which the step starts, if it was not just read. The store compares all of it, not only
    the revision: a Redis that took over without the latest steps may have another state of the same revision."""
    previous_run_id: str = ""
    """The run id of the store when the previous step was made."""
    expected_run_id: str = ""
    """The run id for which the step is made; a store with another one refuses it. Empty for any."""


class Beginning(NamedTuple):
    """What the beginning of a match that waited for players stores, with one log line for each revision from 1."""

    header: bytes
    state: bytes
    match_progress: bytes
    lines: list[bytes]
    clock_seconds: int = 0
    """The longest time until its next deadline in seconds; 0 without a clock."""


class SeatingChange(NamedTuple):
    """A change of who has the seats of a match at a revision; with a beginning, the match begins with it."""

    revision: int
    old: bytes
    new: bytes
    hosted_turns: Sequence[HostedTurn] = ()
    """The turns that hosted seats owe after it."""
    events: Sequence[StreamEvent] = ()
    """The events of platforms that it causes."""
    beginning: Beginning | None = None
    over: bool = False
    """Whether the match is over; then only a token is replaced."""


class LostRace(Exception):
    """A step from `base_revision` was not stored, since another one has moved the match on to `snapshot`."""

    def __init__(self, base_revision: int, snapshot: Snapshot) -> None:
        super().__init__(f"a step from revision {base_revision} of a match that is at {snapshot.revision}")
        self.base_revision = base_revision
        self.snapshot = snapshot
