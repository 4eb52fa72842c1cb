"""Forged match records, made from a genuine record and its seeds: they follow the rules, but were never played."""

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
from tests.conformance.game_setups import random_choice
from tests.conformance.records import chains

Step = Callable[[AnyMatch], list[Entry]]
OTHER_KEY = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"a key of a forger").digest())


@dataclass
class Forger:
    """Has a genuine record, and replays its match with other moves."""

    codec: AnyCodec
    genuine: Record

    def forge(self, lines: int, *steps: Step, seeds: list[str] | None = None, clock: Clock | None = None) -> Message:
        """A record of at least `lines` genuine lines, then the steps, then random legal moves to the end."""
        genuine, codec = self.genuine, self.codec
        seeds = list(genuine.client_seeds) if seeds is None else seeds
        luck = Luck(bytes.fromhex(genuine.secret_seed), seeds)
        game, random = codec.game, Random("forged")
        match: AnyMatch = Match(game, game.start(len(genuine.seats), codec.decode_options(genuine.options)), luck)
        entries = match.begin()
        while len(entries) < lines:
            entries += self._genuine_step(match, len(entries))
        for step in steps:
            entries += step(match)
        while not match.is_over():
            entries += match.play(*random_choice(match, random))
        return self.record(match, entries, seeds, clock)

    def _genuine_step(self, match: AnyMatch, index: int) -> list[Entry]:
        event = self.genuine.events[index]
        if not event.HasField("move"):
            return match.leave(event.seat)
        return match.play(event.seat, self.codec.decode_move(event.move))

    def record(self, match: AnyMatch, entries: list[Entry], seeds: list[str], clock: Clock | None) -> Message:
        """A record of what was played, with the commitment and the signature of the genuine record."""
        genuine = self.genuine
        header = MatchHeader(
            game=genuine.game,
            rules_version=genuine.rules_version,
            seats=[SeatSpec(name=f"seat {seat}") for seat in range(len(genuine.seats))],
            secret_seed=bytes.fromhex(genuine.secret_seed),
            client_seeds=seeds,
            commitment=bytes.fromhex(genuine.commitment),
            clock=clock,
        )
        events = [self.codec.encode_full_event(entry) for entry in entries]
        record = RecordBuilder(self.codec).build(genuine.match_id, header, match, events)
        return set_signature(record, genuine.signature, genuine.key_id, genuine.public_key)

    def with_changed_fields(self, **fields: object) -> Message:
        """The genuine record with some fields replaced."""
        record = cast(Message, self.genuine)
        copy = type(record)()
        copy.CopyFrom(record)
        for name in fields:
            copy.ClearField(name)
        copy.MergeFrom(type(record)(**fields))
        return copy


def set_signature(record: Message, signature: str, key_id: str, public_key: str) -> Message:
    record.MergeFrom(type(record)(signature=signature, key_id=key_id, public_key=public_key))
    return record


def sign_with_other_key(record: Message) -> Message:
    """The record with a valid signature by the forger's own key, under the genuine key's id."""
    public = OTHER_KEY.public_key().public_bytes_raw().hex()
    record.MergeFrom(type(record)(public_key=public))
    signature = OTHER_KEY.sign(chains.signed_message(record)).hex()
    record.MergeFrom(type(record)(signature=signature))
    return record


def keep_signature(record: Message) -> Message:
    return record


def remove_signature(record: Message) -> Message:
    for name in ("signature", "key_id", "public_key"):
        record.ClearField(name)
    return record


def leave_step(seat: int) -> Step:
    return lambda match: match.leave(seat)


def epoch_step(match: AnyMatch) -> list[Entry]:
    return match.begin_epoch("0123456789abcdef" * 2)


def all_leave(match: AnyMatch) -> list[Entry]:
    """Let all seats leave, so that the match is over at once."""
    entries = []
    for seat in range(match.game.seat_count(match.state)):
        if not match.is_over() and not match.game.has_left(match.state, seat):
            entries += match.leave(seat)
    return entries


def record_json(record: Message) -> str:
    return MessageToJson(record)
