"""What scripts of the match store are given, and what their replies mean."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import cast

from services.grpc_server.errors import LogContradictsSnapshot, UnknownMatch
from services.store.matches.steps import LostRace, Snapshot, StreamEvent
from services.store.redis import Argument, Reply
from services.store.turns.queue import HostedTurn

logger = logging.getLogger(__name__)


def effect_arguments(turns: Sequence[HostedTurn], events: Sequence[StreamEvent]) -> list[Argument]:
    """Arguments of a script that are effects of a step: the turns as lines; the number of effects, and all of them."""
    texts = [turn.text() for turn in turns]
    arguments: list[Argument] = ["\n".join(texts), len(turns) + len(events)]
    for turn, text in zip(turns, texts, strict=True):
        arguments += [turn.queue, text]
    for event in events:
        arguments += event
    return arguments


def check_seating_outcome(match_id: str, revision: int, outcome: list[Reply]) -> None:
    """Raise what the reply of a script that changes seats means."""
    if outcome[0] == b"missing":
        raise UnknownMatch(match_id)
    if outcome[0] == b"contradicted":
        logger.error("match %s has a log before it has begun", match_id)
        raise LogContradictsSnapshot(match_id)
    if outcome[0] == b"stale":
        raise LostRace(revision, snapshot_of(match_id, [*cast(list[bytes], outcome[1:]), None]))


def snapshot_of(match_id: str, found: list[bytes | None]) -> Snapshot:
    """The snapshot in the fields of a match, and a stored response. Raises `UnknownMatch`."""
    header, state, match_progress, revision, run_id, seating, response = found
    if header is None or state is None or match_progress is None or revision is None:
        raise UnknownMatch(match_id)
    return Snapshot(header, state, match_progress, int(revision), response, (run_id or b"").decode(), seating or b"")
