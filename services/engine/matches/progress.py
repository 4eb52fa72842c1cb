"""How far a stored match has come, as the store keeps it: a `MatchProgress`, as bytes."""

from __future__ import annotations

from contextlib import suppress
from typing import Final, NamedTuple

from fireside.match.v1.match_record_pb2 import MatchProgress

from engine_core.chain import HEAD_BYTES
from services.engine.wire import Reader, Writer

HEADS, EPOCHS, ATTESTATION = 9, 10, 11
"""Numbers of fields."""
SEATS_MOST: Final = 1000
"""More than any game has."""


class Attestation(NamedTuple):
    """What the service signed at the end of a match: nothing before it."""

    signature: bytes = b""
    key_id: str = ""
    public_key: bytes = b""


UNSIGNED: Final = Attestation()


class Progress:
    """All that is kept of a match beside its header and its state.

    `phase_start` is the revision at which the seats that are to move were asked, `last_moved` has for each seat that of
    its own last move. `drawn` and `taken` are as in `Luck`. Deadlines are in milliseconds since 1970, 0 for none.
    `bot_failures` counts for each seat how often its bot has failed. `heads` are those of the hash chains, as in
    `heads`; `epochs` the ids of the incarnations of the store after the first one.
    """

    def __init__(
        self,
        revision: int,
        phase_start: int,
        last_moved: list[int],
        drawn: dict[str, int],
        taken: dict[str, dict[str, int]],
        deadline_ms: int,
        match_deadline_ms: int,
        bot_failures: dict[int, int],
        heads: list[bytes],
        epochs: list[str],
        attestation: Attestation = UNSIGNED,
    ) -> None:
        self.revision: Final = revision
        self.phase_start: Final = phase_start
        self.last_moved: Final = last_moved
        self.drawn: Final = drawn
        self.taken: Final = taken
        self.deadline_ms: Final = deadline_ms
        self.match_deadline_ms: Final = match_deadline_ms
        self.bot_failures: Final = bot_failures
        self.heads: Final = heads
        self.epochs: Final = epochs
        self.attestation: Final = attestation


def no_progress() -> Progress:
    """That of a match that has not begun."""
    return Progress(0, 0, [], {}, {}, 0, 0, {}, [], [])


def write_progress(progress: Progress) -> bytes:
    """Its message; equal ones are equal bytes."""
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
    if progress.heads:
        out.data(HEADS, b"".join(progress.heads))
    for epoch in progress.epochs:
        out.data(EPOCHS, epoch.encode())
    if progress.attestation.signature:
        out.data(ATTESTATION, _attestation_written(progress.attestation))
    return out.done()


def read_progress(data: bytes) -> Progress:
    """What a message tells, in whatever form it was written. Raises `DecodeError`."""
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


def _attestation_written(attestation: Attestation) -> bytes:
    out = Writer()
    out.data(1, attestation.signature)
    out.text(2, attestation.key_id)
    out.data(3, attestation.public_key)
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
    return Progress(
        fields.number(1),
        fields.number(2),
        fields.numbers(3, SEATS_MOST),
        _read_counts(fields, 4),
        _read_taken(fields),
        fields.long(6),
        fields.long(7),
        _read_failures(fields),
        _read_heads(fields),
        _read_epochs(fields),
        _read_attestation(fields),
    )


def _read_heads(fields: Reader) -> list[bytes]:
    heads = fields.data(HEADS)
    return [heads[start : start + HEAD_BYTES] for start in range(0, len(heads), HEAD_BYTES)]


def _read_epochs(fields: Reader) -> list[str]:
    epochs: list[str] = []
    while epoch := fields.text(EPOCHS):
        epochs.append(epoch)
    return epochs


def _read_attestation(fields: Reader) -> Attestation:
    if not fields.enter(ATTESTATION):
        return UNSIGNED
    attestation = Attestation(fields.data(1), fields.text(2), fields.data(3))
    fields.leave()
    return attestation


def _read_taken(fields: Reader) -> dict[str, dict[str, int]]:
    taken: dict[str, dict[str, int]] = {}
    while fields.enter(5):
        pool = fields.text(1)
        if fields.enter(2):
            taken[pool] = _read_counts(fields, 1)
            fields.leave()
        fields.leave()
    return taken


def _read_failures(fields: Reader) -> dict[int, int]:
    failures: dict[int, int] = {}
    while fields.enter(8):
        seat = fields.number(1)
        failures[seat] = fields.number(2)
        fields.leave()
    return failures


def _read_counts(fields: Reader, field: int) -> dict[str, int]:
    counts: dict[str, int] = {}
    while fields.enter(field):
        name = fields.text(1)
        counts[name] = fields.number(2)
        fields.leave()
    return counts
