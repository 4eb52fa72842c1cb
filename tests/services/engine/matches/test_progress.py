"""How far a match has come survives the store, in whatever form it was written."""

from __future__ import annotations

import pytest
from fireside.match.v1.match_record_pb2 import Attestation as AttestationMessage
from fireside.match.v1.match_record_pb2 import MatchProgress
from google.protobuf.message import DecodeError

from services.engine.matches.progress import Attestation, Progress, no_progress, read_progress, write_progress

FAR = 1_900_000_000_000


def far() -> Progress:
    return Progress(
        revision=300,
        phase_start=299,
        last_moved=[300, 0, 298],
        drawn={"first": 1, "deck": 200},
        taken={"deck-2": {"red": 5, "blue": 0}, "deck-1": {"warrior": 1 << 30}},
        deadline_ms=FAR,
        match_deadline_ms=FAR + 1,
        bot_failures={2: 1, 0: 3},
        heads=[bytes([number]) * 32 for number in range(4)],
        epochs=["a1", "b2"],
        attestation=Attestation(b"s" * 64, "key", b"p" * 32),
    )


def as_message(progress: Progress) -> MatchProgress:
    message = MatchProgress(
        revision=progress.revision,
        phase_start=progress.phase_start,
        last_moved=progress.last_moved,
        drawn=progress.drawn,
        deadline_ms=progress.deadline_ms,
        match_deadline_ms=progress.match_deadline_ms,
        bot_failures=progress.bot_failures,
        heads=b"".join(progress.heads),
        epochs=progress.epochs,
    )
    if progress.attestation.signature:
        message.attestation.MergeFrom(AttestationMessage(**progress.attestation._asdict()))
    for pool, copies in progress.taken.items():
        message.taken[pool].copies.update(copies)
    return message


@pytest.mark.parametrize("progress", [no_progress(), far()], ids=["first", "far"])
def test_what_is_written_is_its_message(progress: Progress) -> None:
    assert MatchProgress.FromString(write_progress(progress)) == as_message(progress)


@pytest.mark.parametrize("progress", [no_progress(), far()], ids=["first", "far"])
def test_what_is_written_is_read(progress: Progress) -> None:
    assert as_message(read_progress(write_progress(progress))) == as_message(progress)


def test_another_form_is_read_as_well() -> None:
    later = MatchProgress(match_deadline_ms=FAR + 1).SerializeToString()
    earlier = as_message(far())
    earlier.match_deadline_ms = 0
    assert as_message(read_progress(later + earlier.SerializeToString())) == as_message(far())


def test_bytes_that_are_no_message_are_refused() -> None:
    with pytest.raises(DecodeError):
        read_progress(write_progress(far())[:-1])
