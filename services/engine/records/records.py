"""Builds the record of a finished match: all that is needed to verify it, secrets included."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Generic, Protocol, cast

from fireside.match.v1.match_record_pb2 import Attestation, MatchHeader
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from engine_core.chance import length_prefixed
from engine_core.match import Match
from services.engine.codec import Codec, M, O, S, V
from services.engine.records.heads import first_heads
from services.engine.responses import Responses
from services.engine.scores import score_of
from services.grpc_server.errors import MatchNotOver

RECORD_LABEL: Final = b"fireside/record/1"
FIELDS_UNKNOWN_AT_START: Final = ("secret_seed", "events", "result", "signature", "key_id", "public_key")
"""Fields of a record that are secret or empty when its match begins."""


class _StateMessage(Protocol):
    """What the `State` messages of all games have in common."""

    options: Message


NO_ATTESTATION: Final = Attestation()
"""Attestation of an unsigned record."""


class RecordBuilder(Generic[S, M, O, V]):
    """Builds the match records of one game."""

    def __init__(self, codec: Codec[S, M, O, V]) -> None:
        self._codec: Final = codec
        self._responses: Final = Responses(codec)
        self.kind: Final = record_class(codec)

    def build(
        self,
        match_id: str,
        header: MatchHeader,
        match: Match[S, M, O, V],
        events: Sequence[Message],
        attestation: Attestation = NO_ATTESTATION,
    ) -> Message:
        """The record of a match with its whole log, all moves in full. Raises `MatchNotOver`."""
        if not match.is_over():
            raise MatchNotOver(match_id)
        record = self._start(match_id, header, match.state)  # the same fields that the hash chains begin with
        rest = self.kind(
            secret_seed=header.secret_seed.hex(),
            events=events,
            result=score_of(match, self._responses.score),
            signature=attestation.signature.hex(),
            key_id=attestation.key_id,
            public_key=attestation.public_key.hex(),
        )
        record.MergeFrom(rest)
        return record

    def first_heads(self, match_id: str, header: MatchHeader, state: S) -> list[bytes]:
        """The heads of the hash chains before the first line of a match."""
        return first_heads(start_bytes(self._start(match_id, header, state)), len(header.seats))

    def _start(self, match_id: str, header: MatchHeader, state: S) -> Message:
        return self.kind(
            match_id=match_id,
            game=header.game,
            rules_version=header.rules_version,
            seats=header.seats,
            options=self.options(state),
            client_seeds=header.client_seeds,
            commitment=header.commitment.hex(),
            clock=header.clock if header.HasField("clock") else None,
            hints=header.hints,
            spectator_delay=header.spectator_delay,
            open_after=header.open_after,
        )

    def options(self, state: S) -> Message:
        """The options of a match, which are part of every state."""
        return cast(_StateMessage, self._codec.encode_state(state)).options


def start_bytes(record: Message) -> bytes:
    """The canonical bytes of what is public when a match begins, which hash chains start with."""
    start = type(record)()
    start.CopyFrom(record)
    for name in FIELDS_UNKNOWN_AT_START:
        start.ClearField(name)
    return start.SerializeToString(deterministic=True)


def signed_bytes(record: Message, head: bytes) -> bytes:
    """The bytes of a record that are signed: all but the events, and the head of the full log, which covers them."""
    rest = type(record)()
    rest.CopyFrom(record)
    rest.ClearField("events")  # the head covers them, so that signing need not read the log
    rest.ClearField("signature")
    return length_prefixed([RECORD_LABEL, rest.SerializeToString(deterministic=True), head])


def record_class(codec: Codec[S, M, O, V]) -> type[Message]:
    """The message class of a game's records."""
    record = codec.service.methods_by_name["GetRecord"].output_type.fields_by_name["record"].message_type
    if record is None:
        raise TypeError("a record is a message")
    return GetMessageClass(record)
