"""Checks stored logs: they hold every acknowledged move once, and replaying them gives the stored snapshot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, cast

from fireside.match.v1.match_record_pb2 import MatchProgress
from google.protobuf.message import Message

from engine_core.game import EVERYBODY, NATURE
from engine_core.match import AnyMatch, Entry, replay
from services.engine.codec import EPOCH
from services.engine.codecs import AnyCodec
from services.store.match_store import Store
from services.store.steps import Snapshot
from tests.soak.tables import Made, Promises


class Event(Protocol):
    """What the `Event` messages of all games have in common."""

    revision: int
    seat: int
    move: Message
    notation: str

    def HasField(self, field_name: str, /) -> bool: ...


class Line(Protocol):
    """What the `LogEntry` messages of all games have in common."""

    event: Event


@dataclass
class Findings:
    """Counts over all logs: matches and moves, and moves lost or doubled, gaps, and snapshots that differ."""

    matches: int = 0
    kept: int = 0
    lost: int = 0
    doubled: int = 0
    gaps: int = 0
    astray: int = 0

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not (self.lost or self.doubled or self.gaps or self.astray)


async def examine(store: Store, promises: Promises) -> Findings:
    """Compare the acknowledged moves of every match with its log."""
    found = Findings()
    for match_id, promised in promises.promised.items():
        codec, seats = promises.games[match_id]
        snapshot, lines = await store.log(match_id, 0)
        _compare(found, [_event(codec, line) for line in lines], promised, snapshot.revision)
        found.astray += not leads_to(codec, seats, lines, snapshot)
        found.matches += 1
    return found


def _compare(found: Findings, events: list[Event], promised: list[Made], revision: int) -> None:
    found.gaps += [event.revision for event in events] != list(range(1, revision + 1))
    made = [Made(event.revision, event.seat, event.notation) for event in events if event.HasField("seat")]
    found.kept += len(made)
    found.lost += len(set(promised) - set(made))
    found.doubled += len(made) - len(set(promised) & set(made)) + len(promised) - len(set(promised))


def _event(codec: AnyCodec, line: bytes) -> Event:
    entry = codec.messages.log_entry()
    entry.ParseFromString(line)
    return cast(Line, entry).event


def leads_to(codec: AnyCodec, seats: int, lines: list[bytes], snapshot: Snapshot) -> bool:
    """Whether replaying a log, with default options, gives the snapshot."""
    options = next(iter(codec.game.presets().values()))
    match = replay(codec.game, seats, options, [_entry(codec, _event(codec, line)) for line in lines])
    return _progress(match) == _kept_progress(snapshot) and _state(codec, match) == snapshot.state


def _entry(codec: AnyCodec, event: Event) -> Entry:
    seat = event.seat if event.HasField("seat") else NATURE
    move = codec.decode_move(event.move) if event.HasField("move") else None
    epoch = event.notation.removeprefix(EPOCH) if event.notation.startswith(EPOCH) else ""
    return Entry(event.revision, seat, move, EVERYBODY, None, [], epoch)


def _progress(match: AnyMatch) -> tuple[int, list[int]]:
    return match.revision, match.last_moved


def _kept_progress(snapshot: Snapshot) -> tuple[int, list[int]]:
    progress = MatchProgress.FromString(snapshot.progress)
    return progress.revision, list(progress.last_moved)


def _state(codec: AnyCodec, match: AnyMatch) -> bytes:
    return codec.encode_state(match.state).SerializeToString()
