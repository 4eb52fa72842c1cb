"""Records of finished stored matches, each checked against the signature that its match got at its end."""

from __future__ import annotations

import logging
from asyncio import to_thread
from collections.abc import Sequence
from typing import Final, Generic

from google.protobuf.message import Message

from services.engine.codec import Codec, M, O, S, V
from services.engine.matches.stored_match import StoredMatch
from services.engine.records.heads import FULL_LOG
from services.engine.records.records import RecordBuilder, signed_bytes
from services.engine.records.signing import is_valid_signature
from services.grpc_server.errors import LogContradictsSnapshot

logger = logging.getLogger(__name__)


class FinishedRecords(Generic[S, M, O, V]):
    """Builds the records of the finished matches of one version of a game."""

    def __init__(self, codec: Codec[S, M, O, V]) -> None:
        self._records: Final = RecordBuilder(codec)

    async def build(self, stored: StoredMatch[S, M, O, V], events: Sequence[Message]) -> Message:
        """The signed record of a match with its whole log.

        Raises `MatchNotOver`, or `LogContradictsSnapshot` if the record is not the one that was signed.
        """
        record = self._records.build(stored.match_id, stored.header, stored.match, events, stored.attestation)
        signed = signed_bytes(record, stored.heads[FULL_LOG])
        if not await to_thread(is_valid_signature, stored.attestation.public_key, stored.attestation.signature, signed):
            logger.error("the record of match %s is not the one that was signed at its end", stored.match_id)
            raise LogContradictsSnapshot(stored.match_id)
        return record
