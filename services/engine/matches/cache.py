"""LRU cache of decoded stored matches; only the store knows whether one is current."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, Generic, Protocol, TypeVar

from services.store.matches.steps import Snapshot

MAX_MATCHES: Final = 1024
"""Number of cached matches."""
MAX_BYTES: Final = 2 << 20
"""Total size of the cached matches in the store; decoded, a match is several times as large."""


class Cacheable(Protocol):
    """What can be cached."""

    stored_snapshot: Snapshot
    """The match as it was last read from or written to the store."""

    @property
    def match_id(self) -> str: ...


H = TypeVar("H", bound=Cacheable)


class MatchCache(Generic[H]):
    """LRU cache of matches by id, limited in number and bytes.

    A caller that changes a match checks it out first, and puts it back only once the change is stored. So if anything
    fails in between, no position that was never stored is cached.
    """

    def __init__(self, most: int = MAX_MATCHES, bytes_most: int = MAX_BYTES) -> None:
        self._most: Final = most
        self._bytes_most: Final = bytes_most
        self._bytes = 0
        self._matches: Final[OrderedDict[str, H]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._matches)

    @property
    def size(self) -> int:
        """Total stored bytes of the cached matches."""
        return self._bytes

    def put(self, match: H) -> None:
        """Cache a match, which must not be changed any more, and evict the oldest ones beyond the limits."""
        self.checkout(match.match_id)  # moves it to the end, and subtracts the size of what it replaces
        self._matches[match.match_id] = match
        self._bytes += _size(match)
        while len(self._matches) > self._most or self._bytes > self._bytes_most:
            self._bytes -= _size(self._matches.popitem(last=False)[1])

    def checkout(self, match_id: str) -> H | None:
        """Remove a match and return it, for this caller alone; another process may have changed it in the store."""
        match = self._matches.pop(match_id, None)
        if match is not None:
            self._bytes -= _size(match)
        return match

    def peek(self, match_id: str) -> H | None:
        """A match, to be read only until the next `await`; another process may have changed it in the store."""
        return self._matches.get(match_id)


def _size(match: Cacheable) -> int:
    snapshot = match.stored_snapshot
    return len(snapshot.header) + len(snapshot.state) + len(snapshot.match_progress)
