"""List of matches: an index in Redis, newest first; of the listed matches of a game, or of a platform's or player's.

Two sorted sets for each list: of matches in play, and of finished ones. All scores are 0, so Redis orders the members
as bytes: a member is the creation time and the id of a match, and so is a position in the list, too. Each operation is
one command on one key, never a script over a list and a match, since a match lies on any node of a cluster.

So an entry is added before its match is created, and moved after its end: a crash in between leaves an entry without a
match, or in the wrong set, but no match without an entry. Callers that find such entries remove or move them.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import Final, NamedTuple, cast

from services.grpc_server.call_metrics import timed
from services.store.keys import match_keys
from services.store.turns.queue import Execute

PENDING_MS: Final = 60_000
"""Age until which an entry is not removed, since its match may be about to be created."""
SAMPLES: Final = 4
"""Entries of each set that are checked when an entry is added.

If nine of ten matches have expired, 1 entry in 10 is of an expired match: 220 entries for 200 matches that are stored.
"""
ENTRY: Final = re.compile("([0-9]{13})-([A-Za-z0-9_-]{1,64})")


class ListEntry(NamedTuple):
    """A match in the list: its creation time in milliseconds since 1970, its id, and the set that has it."""

    created_ms: int
    match_id: str
    is_finished: bool = False

    def text(self) -> str:
        """The member of the sorted set, which is the position in the list, too."""
        return f"{self.created_ms:013}-{self.match_id}"

    @staticmethod
    def parse(text: str, is_finished: bool = False) -> ListEntry:
        """The entry of a member. Raises `ValueError`."""
        parts = ENTRY.fullmatch(text)
        if parts is None:
            raise ValueError("not an entry of a list of matches")
        return ListEntry(int(parts[1]), parts[2], is_finished)


class MatchList:
    """A list of matches. Operations raise `StoreUnavailable` or `StoreFull`."""

    def __init__(self, keys: tuple[str, str], execute: Execute, seconds: int = 0) -> None:
        """`keys` of the two sets, which expire `seconds` after the last change; never for 0."""
        self._execute: Final = execute
        self._keys: Final = keys
        self._seconds: Final = seconds

    @timed
    async def add(self, entry: ListEntry) -> None:
        """Enter a match that is about to be created, and remove some entries of matches that have expired.

        Redis removes an expired match, but not its entry: without this, a list that nobody reads would grow for ever.
        """
        in_play, _ = self._keys
        await self._execute("ZADD", in_play, 0, entry.text())
        await self._expire(in_play)
        sampled = await asyncio.gather(*[self._execute("ZRANDMEMBER", key, SAMPLES) for key in self._keys])
        entries = [*_entries(sampled[0], False), *_entries(sampled[1], True)]
        found = await asyncio.gather(*[self._execute("EXISTS", match_keys(each.match_id)[0]) for each in entries])
        await self._remove([each for each, exists in zip(entries, found, strict=True) if not exists])

    @timed
    async def page(self, state: bool | None, after: ListEntry | None, most: int) -> list[ListEntry]:
        """At most `most` entries after a position, newest first; `state`: only finished ones, only others, or all."""
        before = f"({after.text()}" if after else "+"
        states = (False, True) if state is None else (state,)
        # In this order: an entry that moves meanwhile is found twice, while in the other order it could be missed.
        replies = await asyncio.gather(
            *[
                self._execute("ZREVRANGEBYLEX", self._keys[finished], before, "-", "LIMIT", 0, most)
                for finished in states
            ]
        )
        found = {
            entry.text(): entry
            for reply, finished in zip(replies, states, strict=True)
            for entry in _entries(reply, finished)
        }
        return [found[position] for position in sorted(found, reverse=True)[:most]]

    @timed
    async def move(self, entry: ListEntry, is_finished: bool) -> None:
        """Move an entry to the set of finished matches, or back."""
        await self._execute("ZADD", self._keys[is_finished], 0, entry.text())
        await self._expire(self._keys[is_finished])
        await self._execute("ZREM", self._keys[not is_finished], entry.text())

    async def _expire(self, key: str) -> None:
        if self._seconds:
            await self._execute("EXPIRE", key, self._seconds)

    @timed
    async def remove(self, entries: Sequence[ListEntry]) -> None:
        """Remove entries without a match, unless they are so young that their match may be about to be created."""
        await self._remove(entries)

    async def _remove(self, entries: Sequence[ListEntry]) -> None:
        if not entries:
            return
        seconds, _ = cast(list[bytes], await self._execute("TIME"))
        oldest_pending_ms = int(seconds) * 1000 - PENDING_MS
        await asyncio.gather(
            *[
                self._execute("ZREM", self._keys[entry.is_finished], entry.text())
                for entry in entries
                if entry.created_ms < oldest_pending_ms
            ]
        )


def _entries(reply: object, is_finished: bool) -> list[ListEntry]:
    return [ListEntry.parse(member.decode(), is_finished) for member in cast(list[bytes], reply)]
