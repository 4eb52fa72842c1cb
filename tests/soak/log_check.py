"""Checks stored logs: they hold every acknowledged move once, and replaying them gives the stored snapshot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, cast

from fireside.match.v1.match_record_pb2 import MatchProgress
from google.protobuf.message import Message

from engine_core.game import EVERYBODY, NATURE
from engine_core.match import EPOCH, AnyMatch, Entry, replay
from services.engine.codecs import AnyCodec
from services.store.matches.steps import Snapshot
from services.store.matches.store import Store
from tests.soak.random_matches import AcknowledgedMove, AcknowledgedMoves


class EventMessage(Protocol):
    """What the `Event` messages of all games have in common."""

    revision: int
    seat: int
    move: Message
    notation: str

    def HasField(self, field_name: str, /) -> bool: ...


class LogEntryMessage(Protocol):
    """What the `LogEntry` messages of all games have in common."""

    event: EventMessage


@dataclass
class Findings:
    """Counts over all logs: matches and moves, moves that are lost or duplicated, gaps, and snapshots that differ."""

    matches: int = 0
    stored: int = 0
    lost: int = 0
    duplicated: int = 0
    gaps: int = 0
    differing_snapshots: int = 0

    @property
    def is_correct(self) -> bool:
        """Whether nothing is wrong."""
        return not (self.lost or self.duplicated or self.gaps or self.differing_snapshots)


async def check_logs(store: Store, acknowledged: AcknowledgedMoves) -> Findings:
    """Compare the acknowledged moves of every match with its log."""
    found = Findings()
    for match_id, by_match in acknowledged.by_match.items():
        codec, seats = acknowledged.games[match_id]
        snapshot, lines = await store.read_log(match_id, 0)
        _compare_log(found, [_parse_event(codec, line) for line in lines], by_match, snapshot.revision)
        found.differing_snapshots += not replays_to(codec, seats, lines, snapshot)
        found.matches += 1
    return found


def _compare_log(found: Findings, events: list[EventMessage], by_match: list[AcknowledgedMove], revision: int) -> None:
    found.gaps += [event.revision for event in events] != list(range(1, revision + 1))
    stored_moves = [
        AcknowledgedMove(event.revision, event.seat, event.notation) for event in events if event.HasField("seat")
    ]
    found.stored += len(stored_moves)
    found.lost += len(set(by_match) - set(stored_moves))
    found.duplicated += len(stored_moves) - len(set(by_match) & set(stored_moves)) + len(by_match) - len(set(by_match))


def _parse_event(codec: AnyCodec, line: bytes) -> EventMessage:
    entry = codec.messages.log_entry()
    entry.ParseFromString(line)
    return cast(LogEntryMessage, entry).event


def replays_to(codec: AnyCodec, seat_count: int, lines: list[bytes], snapshot: Snapshot) -> bool:
    """Whether replaying a log, with default options, gives the snapshot."""
    options = next(iter(codec.game.presets().values()))
    match = replay(codec.game, seat_count, options, [_entry_of(codec, _parse_event(codec, line)) for line in lines])
    return _progress_of(match) == _stored_progress(snapshot) and _encoded_state(codec, match) == snapshot.state


def _entry_of(codec: AnyCodec, event: EventMessage) -> Entry:
    seat = event.seat if event.HasField("seat") else NATURE
    move = codec.decode_move(event.move) if event.HasField("move") else None
    epoch = event.notation.removeprefix(EPOCH) if event.notation.startswith(EPOCH) else ""
    return Entry(event.revision, seat, move, EVERYBODY, None, [], epoch)


def _progress_of(match: AnyMatch) -> tuple[int, list[int]]:
    return match.revision, match.last_moved


def _stored_progress(snapshot: Snapshot) -> tuple[int, list[int]]:
    match_progress = MatchProgress.FromString(snapshot.match_progress)
    return match_progress.revision, list(match_progress.last_moved)


def _encoded_state(codec: AnyCodec, match: AnyMatch) -> bytes:
    return codec.encode_state(match.state).SerializeToString()
