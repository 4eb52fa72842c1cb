"""Serves `ListMatches`, the public list of one game's matches, and reads pages of other lists."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from fireside.match.v1.match_pb2 import MatchState, MatchSummary
from fireside.match.v1.match_record_pb2 import MatchHeader
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp

from engine_core.game import SPECTATOR
from services.engine.codec import Codec, MessageClass
from services.engine.matches.repository import MatchRepository
from services.engine.matches.stored_match import StoredMatch
from services.engine.requests import checks
from services.engine.requests.messages import ListMatchesRequest
from services.engine.tables.seating import Seating
from services.grpc_server.admission.long_work import LongWork
from services.grpc_server.errors import InvalidRequest, ServiceError, UnknownMatch, UnknownRules
from services.store.matches.list import ListEntry, MatchList
from services.store.matches.steps import Snapshot
from services.store.matches.store import Store

logger = logging.getLogger(__name__)

FINISHED: Final[Mapping[int, bool | None]] = {
    MatchState.MATCH_STATE_UNSPECIFIED: None,
    MatchState.MATCH_STATE_IN_PLAY: False,
    MatchState.MATCH_STATE_FINISHED: True,
    MatchState.MATCH_STATE_WAITING: False,
}
"""Whether the matches in a state are finished; None for any."""
ANY: Final = MatchState.MATCH_STATE_UNSPECIFIED


class ListedMatch(NamedTuple):
    """A match on a page of a list."""

    stored: StoredMatch[Any, Any, Any, Any]
    """The match, to be read only until the next `await`."""
    summary: MatchSummary


class MatchPages:
    """Reads pages of lists of matches, and corrects entries that a crash or the expiry of a match has left."""

    def __init__(self, codecs: Sequence[Codec[Any, Any, Any, Any]], store: Store, long_work: LongWork) -> None:
        """`codecs`: of all versions of the rules of the matches."""
        self._store: Final = store
        self._matches: Final = {codec.rules_version: MatchRepository(codec, store) for codec in codecs}
        self._long_work: Final = long_work

    async def page(
        self, lists: Sequence[MatchList], request: ListMatchesRequest, is_shown: Callable[[MatchHeader, Seating], bool]
    ) -> tuple[list[ListedMatch], str]:
        """The matches on a page of lists that are merged, and the token of the next page.

        Those that are not shown are left out, and those of unknown rules.
        """
        size = checks.list_page_size(request)
        if request.state not in FINISHED:
            raise InvalidRequest("state", "unknown enum value")
        is_finished = FINISHED[request.state]
        after = _position(request.page_token)
        pages = await asyncio.gather(*[each.page(is_finished, after, size + 1) for each in lists])
        entries = {entry: match_list for match_list, page in zip(lists, pages, strict=True) for entry in page}
        newest = sorted(entries, key=ListEntry.text, reverse=True)
        page = newest[:size]
        found, gone = await self._read(page, is_shown)
        with suppress(ServiceError):  # a full or read-only store still lists matches
            for entry in gone:
                await entries[entry].remove([entry])
            for entry, listed in found.items():
                if listed.summary.over is not entry.is_finished:
                    await entries[entry].move(entry, not entry.is_finished)
        matches = [listed for listed in found.values() if request.state in (ANY, _state(listed.summary))]
        return matches, page[-1].text() if len(newest) > size else ""

    async def _read(
        self, page: Sequence[ListEntry], is_shown: Callable[[MatchHeader, Seating], bool]
    ) -> tuple[dict[ListEntry, ListedMatch], list[ListEntry]]:
        """The matches of the entries that can be read, in their order; and the entries without a match."""
        found: dict[ListEntry, ListedMatch] = {}
        gone: list[ListEntry] = []
        snapshots = await self._store.snapshots([entry.match_id for entry in page])
        async with self._long_work.share() as share:
            for entry, snapshot in zip(page, snapshots, strict=True):
                try:
                    if listed := self._listed(entry, snapshot, is_shown):
                        found[entry] = listed
                except UnknownMatch:
                    gone.append(entry)
                except UnknownRules:  # a newer engine lists it
                    pass
                except (RuntimeError, DecodeError) as error:  # one damaged match must not hide all others
                    logger.error("match %s is left out of the list: %s", entry.match_id, error)
                await share.pause()
        return found, gone

    def _listed(
        self, entry: ListEntry, snapshot: Snapshot | None, is_shown: Callable[[MatchHeader, Seating], bool]
    ) -> ListedMatch | None:
        """A match, if it is shown. Raises `UnknownMatch`, `UnknownRules`, or errors of a damaged match.

        The match is another if a request that would have entered one found its id taken.
        """
        header = MatchHeader() if snapshot is None else MatchHeader.FromString(snapshot.header)
        if snapshot is None or header.begun_ms != entry.created_ms:
            raise UnknownMatch(entry.match_id)
        if not is_shown(header, Seating(header, snapshot.seating)):
            return None
        if header.rules_version not in self._matches:
            raise UnknownRules(entry.match_id, header.rules_version)
        stored = self._matches[header.rules_version].decode(entry.match_id, snapshot)
        return ListedMatch(stored, _summary(stored))


class MatchListing:
    """Lists the listed matches of one game."""

    def __init__(self, codecs: Sequence[Codec[Any, Any, Any, Any]], store: Store, long_work: LongWork) -> None:
        """`codecs`: of all versions of the game's rules, at least one."""
        newest = codecs[-1]
        self._game: Final = newest.game.name
        self._list: Final = store.match_list(self._game)
        self._pages: Final = MatchPages(codecs, store, long_work)
        self._response: Final[MessageClass] = GetMessageClass(newest.service.methods_by_name["ListMatches"].output_type)

    async def list_matches(self, request: ListMatchesRequest, authorization: str) -> Message:
        """A page of the list, without matches of unknown rules."""
        matches, token = await self._pages.page([self._list], request, self._is_shown)
        return self._response(matches=[each.summary for each in matches], next_page_token=token)

    def _is_shown(self, header: MatchHeader, seating: Seating) -> bool:
        return header.listed and header.game == self._game


def _summary(stored: StoredMatch[Any, Any, Any, Any]) -> MatchSummary:
    """What lists show of a match."""
    header, match = stored.header, stored.match
    create_time = Timestamp()
    create_time.FromMilliseconds(header.begun_ms)
    return MatchSummary(
        match_id=stored.match_id,
        game=header.game,
        rules_version=header.rules_version,
        seats=stored.facts.seats,
        revision=stored.shown_revision(SPECTATOR),
        # Of an earlier position it would take the replay of a log for each match of the page.
        to_move=() if stored.is_late(SPECTATOR) else match.to_move(),
        over=match.is_over(),
        create_time=create_time,
        preset=header.preset,
        waiting=stored.seating.waiting,
        spectator_delay=header.spectator_delay,
    )


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
