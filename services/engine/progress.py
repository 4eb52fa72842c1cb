"""How far a stored match has come, as the store keeps it: a `MatchProgress`, as bytes."""

from __future__ import annotations

from contextlib import suppress

from fireside.match.v1.match_record_pb2 import MatchProgress

from services.engine.wire import Reader, Writer


class Progress:
    """All that is kept of a match beside its header and its state; where it begins, at first."""

    def __init__(self) -> None:
        self.revision = 0
        self.phase_start = 0
        """The revision at which the seats that are to move were asked."""
        self.last_moved: list[int] = []
        """For each seat the revision of its own last move."""
        self.drawn: dict[str, int] = {}
        self.taken: dict[str, dict[str, int]] = {}
        """As in `Luck`, like `drawn`."""
        self.deadline_ms = 0
        self.match_deadline_ms = 0
        """In milliseconds since 1970, like `deadline_ms`; 0 for none."""
        self.bot_failures: dict[int, int] = {}
        """How often the bot of a seat has failed."""


def write_progress(progress: Progress) -> bytes:
    """Equal ones are equal bytes."""
    out = Writer()
    out.number(1, progress.revision)
    out.number(2, progress.phase_start)
    out.numbers(3, progress.last_moved)
    for purpose in sorted(progress.drawn):
        out.data(4, _count(purpose, progress.drawn[purpose]))
    for pool in sorted(progress.taken):
        out.data(5, _taken_written(pool, progress.taken[pool]))
    out.number(6, progress.deadline_ms)
    out.number(7, progress.match_deadline_ms)
    for seat in sorted(progress.bot_failures):
        failed = Writer()
        failed.given(1, seat)
        failed.given(2, progress.bot_failures[seat])
        out.data(8, failed.done())
    return out.done()


def read_progress(data: bytes) -> Progress:
    """Likewise. Raises `DecodeError`."""
    with suppress(UnicodeDecodeError):
        fields = Reader(data)
        progress = _read(fields)
        if fields.is_done:
            return progress
    return _read(Reader(MatchProgress.FromString(data).SerializeToString(deterministic=True)))


def _count(name: str, count: int) -> bytes:
    """An entry of a map."""
    out = Writer()
    out.text(1, name)
    out.given(2, count)
    return out.done()


def _taken_written(pool: str, copies: dict[str, int]) -> bytes:
    taken = Writer()
    for item in sorted(copies):
        taken.data(1, _count(item, copies[item]))
    out = Writer()
    out.text(1, pool)
    out.data(2, taken.done())
    return out.done()


def _read(fields: Reader) -> Progress:
    progress = Progress()
    progress.revision = fields.number(1)
    progress.phase_start = fields.number(2)
    progress.last_moved = fields.numbers(3)
    progress.drawn = _read_counts(fields, 4)
    while fields.enter(5):
        pool = fields.text(1)
        if fields.enter(2):
            progress.taken[pool] = _read_counts(fields, 1)
            fields.leave()
        fields.leave()
    progress.deadline_ms = fields.long(6)
    progress.match_deadline_ms = fields.long(7)
    while fields.enter(8):
        seat = fields.number(1)
        progress.bot_failures[seat] = fields.number(2)
        fields.leave()
    return progress


def _read_counts(fields: Reader, field: int) -> dict[str, int]:
    counts: dict[str, int] = {}
    while fields.enter(field):
        name = fields.text(1)
        counts[name] = fields.number(2)
        fields.leave()
    return counts
