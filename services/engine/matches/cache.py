"""Stored matches that were used lately, decoded: found again as long as they are what the store has."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, Generic, Protocol, TypeVar

from services.store.match_store import Snapshot

MATCHES_MOST: Final = 1024
"""How many are kept."""
BYTES_MOST: Final = 2 << 20
"""What the kept ones have in the store together; decoded, a match is several times as large."""


class Held(Protocol):
    """What can be kept."""

    stored_snapshot: Snapshot
    """As it is in the store."""

    @property
    def match_id(self) -> str: ...


H = TypeVar("H", bound=Held)


class MatchCache(Generic[H]):
    """Matches by their ids, the latest ones.

    One that is kept belongs to nobody: who changes a match takes it out first, and puts it back only once the store
    has what has become of it. So whatever fails in between, no position is left behind that was never stored.
    """

    def __init__(self, most: int = MATCHES_MOST, bytes_most: int = BYTES_MOST) -> None:
        self._most: Final = most
        self._bytes_most: Final = bytes_most
        self._bytes = 0
        self._matches: Final[OrderedDict[str, H]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._matches)

    @property
    def size(self) -> int:
        """The bytes that the kept ones have in the store together."""
        return self._bytes

    def put(self, match: H) -> None:
        """Keep a match, which nobody may change any more; old ones give way."""
        self.checkout(match.match_id)
        self._matches[match.match_id] = match
        self._bytes += _size(match)
        while len(self._matches) > self._most or self._bytes > self._bytes_most:
            self._bytes -= _size(self._matches.popitem(last=False)[1])

    def checkout(self, match_id: str) -> H | None:
        """A match, for its taker alone; it may no longer be as the store has it."""
        match = self._matches.pop(match_id, None)
        if match is not None:
            self._bytes -= _size(match)
        return match

    def peek(self, match_id: str) -> H | None:
        """Likewise, to be looked at, and not beyond the next `await`."""
        return self._matches.get(match_id)


def _size(match: Held) -> int:
    snapshot = match.stored_snapshot
    return len(snapshot.header) + len(snapshot.state) + len(snapshot.progress)
