"""MatchProgress: decoding and encoding return the same bytes."""

from __future__ import annotations

from fireside.match.v1.match_pb2 import Clock
from fireside.match.v1.match_record_pb2 import Attestation, MatchHeader, MatchProgress, PoolTaken

from engine_core.chance import Luck
from engine_core.match import AnyMatch, Match
from services.engine.codecs import CODECS
from services.engine.matches.progress import decode_heads, decode_taken
from services.engine.matches.stored_match import StoredMatch

FAR_MS = 1_900_000_000_000

FULL_PROGRESS = MatchProgress(
    revision=300,
    phase_start=299,
    last_moved=[300, 0, 298],
    drawn={"first": 1, "deck": 200},
    taken={"deck-2": PoolTaken(copies={"red": 5, "blue": 0}), "deck-1": PoolTaken(copies={"warrior": 1 << 30})},
    deadline_ms=FAR_MS,
    match_deadline_ms=FAR_MS + 1,
    bot_failures={2: 1, 0: 3},
    heads=b"".join([bytes([number]) * 32 for number in range(4)]),
    epochs=["a1", "b2"],
    attestation=Attestation(signature=b"s" * 64, key_id="key", public_key=b"p" * 32),
    banks_ms=[300_000, 0, 30 * 86400 * 1000],
    seat_deadlines_ms=[0, FAR_MS, FAR_MS + 2],
    hinted={2: 298, 0: 300},
)


def encoded_progress(match_progress: MatchProgress) -> bytes:
    """What a match that was read from a progress stores again."""
    game = CODECS["fire_bulls"].game
    luck = Luck(bytes(32), [], dict(match_progress.drawn), decode_taken(match_progress))
    state = game.start(3, next(iter(game.presets().values())))
    match: AnyMatch = Match(
        game, state, luck, match_progress.revision, match_progress.phase_start, list(match_progress.last_moved)
    )
    header = MatchHeader(clock=Clock(bank_seconds=300)) if match_progress.banks_ms else MatchHeader()
    return StoredMatch("m", header, match, match_progress).encode_progress()


def test_a_progress_with_every_field_round_trips() -> None:
    assert len(FULL_PROGRESS.ListFields()) == len(FULL_PROGRESS.DESCRIPTOR.fields)
    assert encoded_progress(FULL_PROGRESS) == FULL_PROGRESS.SerializeToString(deterministic=True)


def test_the_progress_of_a_new_match_is_empty() -> None:
    assert encoded_progress(MatchProgress()) == b""


def test_heads_have_32_bytes_each() -> None:
    assert decode_heads(FULL_PROGRESS) == [bytes([number]) * 32 for number in range(4)]
