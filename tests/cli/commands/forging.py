"""Forged match records, made from the true record and its seeds: they follow the rules, but were never played."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import cast

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from fireside.match.v1.match_pb2 import Clock, SeatSpec
from fireside.match.v1.match_record_pb2 import MatchHeader
from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message

from engine_core.chance import Luck
from engine_core.match import AnyMatch, Entry, Match
from services.engine.codecs import AnyCodec
from services.engine.records.reading import Record
from services.engine.records.records import RecordBuilder
from tests.conformance import chains
from tests.conformance.tables import random_choice

Step = Callable[[AnyMatch], list[Entry]]
OTHER_KEY = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"a key of a forger").digest())


@dataclass
class Forger:
    """Has a true record, and replays its match with other moves."""

    codec: AnyCodec
    true: Record

    def forged(self, lines: int, *steps: Step, seeds: list[str] | None = None, clock: Clock | None = None) -> Message:
        """A record of at least `lines` true lines, then the steps, then random legal moves to the end."""
        true, codec = self.true, self.codec
        seeds = list(true.client_seeds) if seeds is None else seeds
        luck = Luck(bytes.fromhex(true.secret_seed), seeds)
        game, random = codec.game, Random("forged")
        match: AnyMatch = Match(game, game.start(len(true.seats), codec.decode_options(true.options)), luck)
        entries = match.begin()
        while len(entries) < lines:
            entries += self._true_step(match, len(entries))
        for step in steps:
            entries += step(match)
        while not match.is_over():
            entries += match.play(*random_choice(match, random))
        return self.record(match, entries, seeds, clock)

    def _true_step(self, match: AnyMatch, at: int) -> list[Entry]:
        event = self.true.events[at]
        if not event.HasField("move"):
            return match.leave(event.seat)
        return match.play(event.seat, self.codec.decode_move(event.move))

    def record(self, match: AnyMatch, entries: list[Entry], seeds: list[str], clock: Clock | None) -> Message:
        """A record of what was played, with the commitment and the signature of the true record."""
        true = self.true
        header = MatchHeader(
            game=true.game,
            rules_version=true.rules_version,
            seats=[SeatSpec(name=f"seat {seat}") for seat in range(len(true.seats))],
            secret_seed=bytes.fromhex(true.secret_seed),
            client_seeds=seeds,
            commitment=bytes.fromhex(true.commitment),
            clock=clock,
        )
        events = [self.codec.encode_full_event(entry) for entry in entries]
        record = RecordBuilder(self.codec).build(true.match_id, header, match, events)
        return with_signature(record, true.signature, true.key_id, true.public_key)

    def changed(self, **fields: object) -> Message:
        """The true record with some fields replaced."""
        record = cast(Message, self.true)
        copy = type(record)()
        copy.CopyFrom(record)
        for name in fields:
            copy.ClearField(name)
        copy.MergeFrom(type(record)(**fields))
        return copy


def with_signature(record: Message, signature: str, key_id: str, public_key: str) -> Message:
    record.MergeFrom(type(record)(signature=signature, key_id=key_id, public_key=public_key))
    return record


def signed_by_the_forger(record: Message) -> Message:
    """The record with a valid signature by the forger's own key, under the true key's id."""
    public = OTHER_KEY.public_key().public_bytes_raw().hex()
    record.MergeFrom(type(record)(public_key=public))
    signature = OTHER_KEY.sign(chains.signed_message(record)).hex()
    record.MergeFrom(type(record)(signature=signature))
    return record


def as_it_is(record: Message) -> Message:
    return record


def without_signature(record: Message) -> Message:
    for name in ("signature", "key_id", "public_key"):
        record.ClearField(name)
    return record


def leaving(seat: int) -> Step:
    return lambda match: match.leave(seat)


def epoch(match: AnyMatch) -> list[Entry]:
    return match.begin_epoch("0123456789abcdef" * 2)


def all_leave(match: AnyMatch) -> list[Entry]:
    """Let all seats leave, so that the match is over at once."""
    entries = []
    for seat in range(match.game.seats(match.state)):
        if not match.is_over() and not match.game.has_left(match.state, seat):
            entries += match.leave(seat)
    return entries


def text(record: Message) -> str:
    return MessageToJson(record)
