"""gRPC servicer of the PlatformService: matches and events of the holders of API keys, of all games."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import grpc
from fireside.match.v1.match_record_pb2 import MatchHeader, SeatHolding
from fireside.platform.v1 import platform_service_pb2
from fireside.platform.v1.platform_pb2 import PlatformEvent, PlatformMatch, PlatformPlayer, PlatformStart
from fireside.platform.v1.platform_service_pb2 import (
    ListPlatformMatchesRequest,
    ListPlatformMatchesResponse,
    WatchPlatformEventsRequest,
    WatchPlatformEventsResponse,
)

from runtime.api_keys import ApiKeys
from services.engine.codecs import AnyCodec
from services.engine.matches.listing import MatchPages
from services.engine.matches.stored_match import StoredMatch
from services.engine.requests.checks import MAX_PLAYER_ID_LENGTH, check_text
from services.engine.requests.messages import ListMatchesRequest
from services.engine.tables.seating import Seating
from services.grpc_server.admission.callers import caller_digest
from services.grpc_server.admission.long_work import LongWork
from services.grpc_server.auth import check_api_key
from services.grpc_server.calls import AnyBehaviour, ResponseStream, service_handler
from services.grpc_server.errors import API_KEY, EventsDeleted, InvalidRequest, StoreUnavailable, Unauthenticated
from services.store.events.streams import EventId, EventStreams
from services.store.matches.store import Store
from services.watch.feed import Feed
from services.watch.platform_feed import PlatformFeed
from services.watch.watched_match import RETRY_SECONDS

SERVICE: Final = platform_service_pb2.DESCRIPTOR.services_by_name["PlatformService"]
API_KEY_METHODS: Final = ("ListPlatformMatches", "WatchPlatformEvents")


class PlatformServicer:
    """The methods of the PlatformService."""

    def __init__(
        self, codecs: Sequence[AnyCodec], store: Store, keys: ApiKeys, feed: Feed, long_work: LongWork
    ) -> None:
        """`codecs`: of the games whose matches can be read; `feed` counts the streams of this process."""
        self._games: Final = sorted({codec.game.name for codec in codecs})
        self._pages: Final = MatchPages(codecs, store, long_work)
        self._store: Final = store
        self._keys: Final = keys
        self._feed: Final = feed
        self._events: Final[EventStreams] = store.event_streams()
        self._platforms: Final = PlatformFeed(self._events)

    def handler(self) -> grpc.GenericRpcHandler:
        """The gRPC handler of the service."""
        behaviours: Mapping[str, object] = {"ListPlatformMatches": self.matches, "WatchPlatformEvents": self.watch}
        return service_handler(SERVICE, cast(dict[str, AnyBehaviour], behaviours), API_KEY_METHODS)

    async def matches(self, request: ListPlatformMatchesRequest, api_key: str) -> ListPlatformMatchesResponse:
        """A page of the platform's matches, of those of a player, or of the public lists of all games."""
        check_text(request.player_id, MAX_PLAYER_ID_LENGTH, "playerId")
        if request.game and request.game not in self._games:
            raise InvalidRequest("game", f"no game is named {request.game!r}")
        if request.listed and request.player_id:
            raise InvalidRequest("playerId", "not allowed with listed")
        if request.listed:
            lists = [self._store.match_list(game) for game in self._games if request.game in ("", game)]
            platform = ""
        else:
            platform = self._platform(api_key)
            lists = [self._store.platform_matches(platform, request.player_id)]

        def is_shown(header: MatchHeader, seating: Seating) -> bool:
            if request.game not in ("", header.game):
                return False
            if request.listed:
                return header.listed
            players = {holding.player_id for holding in _own_holdings(platform, seating).values()}
            return request.player_id in players if request.player_id else platform in seating.platforms

        found, token = await self._pages.page(lists, cast(ListMatchesRequest, request), is_shown)
        matches = [PlatformMatch(match=each.summary, players=_own_players(platform, each.stored)) for each in found]
        return ListPlatformMatchesResponse(matches=matches, next_page_token=token)

    async def watch(self, request: WatchPlatformEventsRequest, api_key: str, responses: ResponseStream) -> None:
        """Send the events after an id, then each new one, until the client ends the stream."""
        platform = self._platform(api_key)
        end = await self._events.end(platform)
        position = _event_id(request.from_event_id, end) if request.from_event_id else end
        with self._feed.stream_slot():
            async with self._platforms.follow(platform, end) as followed:
                wakes = followed.wakes
                events = await self._events.after(platform, position)
                await responses.begin()
                start = WatchPlatformEventsResponse(start=PlatformStart(event_id=str(position)))
                await responses.send(start.SerializeToString())
                while True:
                    for position, event in events:
                        await responses.send(_response(position, event))
                    if not events:
                        await followed.wait(wakes)
                    wakes = followed.wakes
                    events = await self._next_events(platform, position)

    async def _next_events(self, platform: str, position: EventId) -> list[tuple[EventId, bytes]]:
        """The next events after an id, with retries until the store responds."""
        while True:
            try:
                return await self._events.after(platform, position)
            except StoreUnavailable:
                await asyncio.sleep(RETRY_SECONDS)

    async def close(self) -> None:
        """End all streams, so that their clients continue at another engine."""
        await self._platforms.close()

    def _platform(self, api_key: str) -> str:
        """Digest of the holder of an API key. Raises `Unauthenticated`."""
        if not self._keys:
            raise Unauthenticated("this service has no API keys, and so no platforms", API_KEY)
        check_api_key(self._keys, api_key, "events and matches of a platform require its API key")
        return caller_digest(self._keys.holder(api_key))


def _own_holdings(platform: str, seating: Seating) -> dict[int, SeatHolding]:
    """The seats of the players for whom a platform vouches."""
    return {seat: holding for seat, holding in enumerate(seating.holdings) if platform and holding.platform == platform}


def _own_players(platform: str, stored: StoredMatch[Any, Any, Any, Any]) -> list[PlatformPlayer]:
    """The players for whom a platform vouches."""
    seats = stored.facts.seats
    return [
        PlatformPlayer(seat=seat, name=seats[seat].name, player_id=holding.player_id)
        for seat, holding in _own_holdings(platform, stored.seating).items()
    ]


def _response(event_id: EventId, stored: bytes) -> bytes:
    event = PlatformEvent.FromString(stored)
    event.event_id = str(event_id)
    event.event_time.FromMilliseconds(event_id.time_ms)
    return WatchPlatformEventsResponse(event=event).SerializeToString()


def _event_id(text: str, end: EventId) -> EventId:
    """The id in a request. Raises `InvalidRequest`, or `EventsDeleted` for one later than the end of the stream."""
    try:
        event_id = EventId.parse(text)
    except ValueError:
        raise InvalidRequest("fromEventId", "not the id of an event") from None
    if event_id > end:
        raise EventsDeleted(text)  # the store has lost it
    return event_id
