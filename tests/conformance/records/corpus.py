"""Corpus of match records: `python -m tests.conformance.records.corpus` writes the missing ones and changes none.

Records stay valid for ever: a change of the rules that would replay one differently is a new version of the rules.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from fireside.match.v1.match_pb2 import Clock, SeatSpec
from fireside.match.v1.match_record_pb2 import Attestation, MatchHeader
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from engine_core.chance import Luck, commitment
from engine_core.match import AnyMatch, Entry, Match
from services.engine.codecs import CODECS
from services.engine.records.records import RecordBuilder
from tests.conformance.game_setups import GAME_SETUPS, LAW_SETUPS, GameSetup, random_choice
from tests.conformance.records import chains

RECORDS = Path(__file__).parents[2] / "data" / "records"
SIGNING_KEY = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"the key of the corpus").digest())
PUBLIC_KEY = SIGNING_KEY.public_key().public_bytes_raw().hex()
LEAVE_AFTER = 40
"""With the most seats, seat 1 leaves after this many log entries."""

RECORDED_SETUPS = [setup for setup in GAME_SETUPS if setup.seat_count in (setup.game.min_seats, setup.game.max_seats)]
"""The setups that have a record of the current rules."""


def record_path(setup: GameSetup) -> Path:
    """The file of the record of a setup."""
    return RECORDS / f"{CODECS[setup.game.name].rules_version}-{setup.preset}-{setup.seat_count}.json"


LARGEST_LAW_SETUPS = [setup for setup in LAW_SETUPS if setup.seat_count == setup.game.max_seats]
LARGEST_LAW_RECORDS = [record_path(setup) for setup in LARGEST_LAW_SETUPS]
"""Records of matches with the most seats: of each game, and on the wheel of each preset."""


def random_match_record(setup: GameSetup) -> Message:
    """The record of a random match."""
    secret, seeds = hashlib.sha256(str(setup).encode()).digest(), ["Ada's seed", str(setup)]
    match = Match(setup.game, setup.start(), Luck(secret, seeds))
    entries = match.begin()
    random = Random(str(setup))
    leaving = setup.seat_count == setup.game.max_seats
    while not match.is_over():
        entries += match.play(*random_choice(match, random))
        if leaving and len(entries) > LEAVE_AFTER and not match.is_over():
            entries += match.leave(1)
            leaving = False
    return build_record(setup, match, entries)


def build_record(
    setup: GameSetup,
    match: AnyMatch,
    entries: list[Entry],
    clock: Clock | None = None,
    seeds: Sequence[str] | None = None,
    hints: bool = False,
) -> Message:
    """The signed record of a finished match; `seeds` are its client seeds, if epochs have added others."""
    codec, luck = CODECS[setup.game.name], match.luck
    assert luck is not None
    header = MatchHeader(
        game=setup.game.name,
        rules_version=codec.rules_version,
        seats=[SeatSpec(name=f"seat {seat}") for seat in range(setup.seat_count)],
        secret_seed=luck.secret,
        client_seeds=luck.client_seeds if seeds is None else seeds,
        commitment=commitment(luck.secret),
        clock=clock,
        hints=hints,
    )
    key = Attestation(key_id="test", public_key=SIGNING_KEY.public_key().public_bytes_raw())
    events = [codec.encode_full_event(entry) for entry in entries]
    return with_signature(RecordBuilder(codec).build(str(setup), header, match, events, key))


def with_signature(record: Message) -> Message:
    """The record with its signature by `KEY`, as docs/fairness.md defines it."""
    record.signature = SIGNING_KEY.sign(chains.signed_message(record)).hex()  # type: ignore[attr-defined]
    return record


def json_text(record: Message) -> str:
    """A record as JSON, with each event on a line."""
    fields = MessageToDict(record, always_print_fields_with_no_presence=True)
    events = ",\n".join(json.dumps(event, separators=(",", ":")) for event in fields.pop("events"))
    head = json.dumps(fields, indent=1)
    return f'{head[:-2]},\n "events": [\n{events}\n]\n}}\n'


def main() -> None:
    """Write the missing records."""
    RECORDS.mkdir(parents=True, exist_ok=True)
    for setup in RECORDED_SETUPS:
        if not record_path(setup).exists():
            record_path(setup).write_text(json_text(random_match_record(setup)))


if __name__ == "__main__":
    main()
