"""Index of the archive, by day and game, and by player: empty objects whose names say all.

A name follows from the match, so that archiving it again adds nothing: `{time}-{number}.{game}.{match id}`, with
the time of its end in milliseconds since 1970 by the clock of Redis, and a number that tells apart the ends of one
millisecond.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Final, NamedTuple

from fireside.match.v1.archived_match_pb2 import ArchivedMatch
from fireside.match.v1.match_record_pb2 import MatchHeader, Seating
from google.protobuf.message import DecodeError

from services.archive.objects import ObjectStore
from services.store.archive.archived_match import FINISHED_FIELD

DAYS: Final = "index/days"
PLAYERS: Final = "index/players"
NAME: Final = re.compile(r"([0-9]{13})-([0-9]{6,})\.([a-z0-9_]+)\.([A-Za-z0-9_-]{1,64})")
DAMAGED: Final = "damaged"
"""The game of a match whose header cannot be read."""


class IndexEntry(NamedTuple):
    """A match in the index: the time of its end in milliseconds since 1970, a number, its game and its id."""

    finished_ms: int
    number: int
    game: str
    match_id: str

    def name(self) -> str:
        """The name of its objects; sorted names are in the order of the ends."""
        return f"{self.finished_ms:013}-{self.number:06}.{self.game}.{self.match_id}"

    def day(self) -> date:
        """The day of the end, in UTC."""
        return datetime.fromtimestamp(self.finished_ms / 1000, UTC).date()

    @staticmethod
    def parse(name: str) -> IndexEntry | None:
        """The entry of a name; None for a name of another form."""
        parts = NAME.fullmatch(name)
        return parts and IndexEntry(int(parts[1]), int(parts[2]), parts[3], parts[4])


def entry_of(match: ArchivedMatch) -> IndexEntry:
    """The entry of an archived match."""
    time, _, number = match.fields[FINISHED_FIELD].decode().partition("-")
    try:
        game = MatchHeader.FromString(match.fields["header"]).game
    except DecodeError:
        game = ""
    return IndexEntry(int(time), int(number), game or DAMAGED, match.match_id)


def paths_of(match: ArchivedMatch) -> list[str]:
    """The paths of the objects that index a match."""
    entry = entry_of(match)
    folders = [_day_folder(entry.day(), entry.game), *[_player_folder(*player) for player in _players(match)]]
    return [f"{folder}/{entry.name()}" for folder in folders]


def days(objects: ObjectStore) -> list[date]:
    """The days with matches that ended then, in order."""
    return [date.fromisoformat(name) for name in objects.names(DAYS)]


def entries_of_day(objects: ObjectStore, day: date, game: str | None = None) -> Iterator[IndexEntry]:
    """The matches that ended on a day, of one game or of all, in order of their ends by game."""
    for each in [game] if game else objects.names(f"{DAYS}/{day}"):
        yield from _entries(objects, _day_folder(day, each))


def entries_of_player(objects: ObjectStore, platform: str, player_id: str) -> Iterator[IndexEntry]:
    """The matches of a player for whom a platform vouches, in order of their ends; `platform` is its digest."""
    return _entries(objects, _player_folder(platform, player_id))


def _entries(objects: ObjectStore, folder: str) -> Iterator[IndexEntry]:
    for name in objects.names(folder):
        if entry := IndexEntry.parse(name):
            yield entry


def _players(match: ArchivedMatch) -> list[tuple[str, str]]:
    """The players for whom a platform vouches, as its digest and the player's id."""
    try:
        seating = Seating.FromString(match.fields.get("seating", b""))
    except DecodeError:
        return []
    return sorted({(seat.platform, seat.player_id) for seat in seating.seats if seat.platform and seat.player_id})


def _day_folder(day: date, game: str) -> str:
    return f"{DAYS}/{day}/{game}"


def _player_folder(platform: str, player_id: str) -> str:
    digest = hashlib.sha256(f"{platform}/{player_id}".encode()).hexdigest()
    return f"{PLAYERS}/{digest[:3]}/{digest}"
