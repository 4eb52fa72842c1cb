"""Serves `ListMatches`: the public list of the matches of one game, of all versions of its rules."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from fireside.match.v1.match_pb2 import MatchState, MatchSummary
from fireside.match.v1.match_record_pb2 import MatchHeader
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp

from services.engine.codec import Codec, MessageClass
from services.engine.matches.repository import MatchRepository
from services.engine.requests import checks
from services.engine.requests.messages import ListMatchesRequest
from services.grpc_server.admission.long_work import LongWork
from services.grpc_server.errors import InvalidRequest, ServiceError, UnknownMatch, UnknownRules
from services.store.match_list import ListEntry
from services.store.match_store import Store
from services.store.steps import Snapshot

logger = logging.getLogger(__name__)

FINISHED: Final[Mapping[int, bool | None]] = {
    MatchState.MATCH_STATE_UNSPECIFIED: None,
    MatchState.MATCH_STATE_IN_PLAY: False,
    MatchState.MATCH_STATE_FINISHED: True,
    MatchState.MATCH_STATE_WAITING: False,
}
"""Whether the matches in a state are finished; None for any."""
ANY: Final = MatchState.MATCH_STATE_UNSPECIFIED


class MatchListing:
    """Lists the matches of one game, and corrects entries that a crash or the expiry of a match has left."""

    def __init__(self, codecs: Sequence[Codec[Any, Any, Any, Any]], store: Store, long_work: LongWork) -> None:
        """`codecs`: of all versions of the game's rules, at least one."""
        newest = codecs[-1]
        self._game: Final = newest.game.name
        self._store: Final = store
        self._list: Final = store.match_list(self._game)
        self._matches: Final = {codec.rules_version: MatchRepository(codec, store) for codec in codecs}
        self._long_work: Final = long_work
        self._response: Final[MessageClass] = GetMessageClass(newest.service.methods_by_name["ListMatches"].output_type)

    async def list_matches(self, request: ListMatchesRequest, authorization: str) -> Message:
        """A page of the list, without matches of unknown rules."""
        size = checks.list_page_size(request)
        if request.state not in FINISHED:
            raise InvalidRequest("state", "unknown enum value")
        is_finished = FINISHED[request.state]
        entries = await self._list.page(is_finished, _position(request.page_token), size + 1)
        page = entries[:size]
        found, gone = await self._summaries(page)
        moved = [entry for entry, summary in found.items() if summary.over is not entry.is_finished]
        with suppress(ServiceError):  # a full or read-only store still lists matches
            await self._correct(gone, moved)
        return self._response(
            matches=[summary for summary in found.values() if request.state in (ANY, _state(summary))],
            next_page_token=page[-1].text() if len(entries) > size else "",
        )

    async def _summaries(self, page: Sequence[ListEntry]) -> tuple[dict[ListEntry, MatchSummary], list[ListEntry]]:
        """The matches of the entries that can be read, in their order; and the entries without a match."""
        found: dict[ListEntry, MatchSummary] = {}
        gone: list[ListEntry] = []
        snapshots = await self._store.snapshots([entry.match_id for entry in page])
        async with self._long_work.share() as share:
            for entry, snapshot in zip(page, snapshots, strict=True):
                try:
                    found[entry] = self._summary(entry, snapshot)
                except UnknownMatch:
                    gone.append(entry)
                except UnknownRules:  # a newer engine lists it
                    pass
                except (RuntimeError, DecodeError) as error:  # one damaged match must not hide all others
                    logger.error("match %s is left out of the list: %s", entry.match_id, error)
                await share.pause()
        return found, gone

    def _is_of(self, entry: ListEntry, header: MatchHeader) -> bool:
        """Whether an entry is the one of this match.

        It is not if a request that would have listed the match found its id taken, perhaps by a private match.
        """
        return header.listed and header.game == self._game and header.begun_ms == entry.created_ms

    def _summary(self, entry: ListEntry, snapshot: Snapshot | None) -> MatchSummary:
        """What the list shows of a match. Raises `UnknownMatch`, `UnknownRules`, or errors of a damaged match."""
        header = MatchHeader() if snapshot is None else MatchHeader.FromString(snapshot.header)
        if snapshot is None or not self._is_of(entry, header):
            raise UnknownMatch(entry.match_id)
        if header.rules_version not in self._matches:
            raise UnknownRules(entry.match_id, header.rules_version)
        stored = self._matches[header.rules_version].decode(entry.match_id, snapshot)
        match = stored.match
        create_time = Timestamp()
        create_time.FromMilliseconds(header.begun_ms)
        return MatchSummary(
            match_id=entry.match_id,
            game=header.game,
            rules_version=header.rules_version,
            seats=stored.facts.seats,
            revision=match.revision,
            to_move=match.to_move(),
            over=match.is_over(),
            create_time=create_time,
            preset=header.preset,
            waiting=stored.seating.waiting,
        )

    async def _correct(self, gone: Sequence[ListEntry], moved: Sequence[ListEntry]) -> None:
        await self._list.remove(gone)
        for entry in moved:
            await self._list.move(entry, not entry.is_finished)


def _state(summary: MatchSummary) -> int:
    if summary.waiting:
        return MatchState.MATCH_STATE_WAITING
    return MatchState.MATCH_STATE_FINISHED if summary.over else MatchState.MATCH_STATE_IN_PLAY


def _position(page_token: str) -> ListEntry | None:
    if not page_token:
        return None
    try:
        return ListEntry.parse(page_token)
    except ValueError:
        raise InvalidRequest("pageToken", "not the nextPageToken of a page") from None
