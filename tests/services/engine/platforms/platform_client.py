"""Client of the PlatformService: events and matches of a platform."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import grpc
from fireside.platform.v1.platform_pb2 import PlatformEvent
from fireside.platform.v1.platform_service_pb2 import (
    ListPlatformMatchesRequest,
    ListPlatformMatchesResponse,
    WatchPlatformEventsRequest,
    WatchPlatformEventsResponse,
)

from services.engine.codecs import AnyCodec
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from tests.services.client import refusal
from tests.services.engine.tables.test_calls import KNOWN_KEYS, OUR_KEY
from tests.services.registry import GameClient

SERVICE = "fireside.platform.v1.PlatformService"
EventCall: TypeAlias = "grpc.aio.UnaryStreamCall[WatchPlatformEventsRequest, WatchPlatformEventsResponse]"


@asynccontextmanager
async def keyed_client(codec: AnyCodec, store_url: str) -> AsyncIterator[GameClient]:
    """A client of an engine that knows two API keys; it calls with ours."""
    engine = Engine(EngineSettings(port=0, redis_url=store_url, grace_seconds=1, api_keys=KNOWN_KEYS))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        client = GameClient(channel, codec)
        client.metadata = [("x-api-key", OUR_KEY)]
        yield client
    await engine.stop()


class EventReader:
    """A stream of events; its first response has been read."""

    def __init__(self, call: EventCall, start: str) -> None:
        self.call, self.start = call, start

    async def next(self, seconds: float = 10) -> PlatformEvent:
        """The next event."""
        try:
            response = await asyncio.wait_for(self.call.read(), seconds)
        except grpc.aio.AioRpcError as error:
            raise refusal(error) from None
        assert isinstance(response, WatchPlatformEventsResponse)
        return response.event

    async def until_over(self, match_id: str) -> list[PlatformEvent]:
        """The next events of a match, to its end."""
        found: list[PlatformEvent] = []
        while not found or found[-1].WhichOneof("kind") != "over":
            event = await self.next()
            if event.match_id == match_id:
                found.append(event)
        return found


async def list_matches(channel: grpc.aio.Channel, api_key: str = "", **fields: Any) -> ListPlatformMatchesResponse:
    """A page of matches. Raises `Refusal`."""
    stub: grpc.aio.UnaryUnaryMultiCallable[ListPlatformMatchesRequest, ListPlatformMatchesResponse]
    stub = channel.unary_unary(
        f"/{SERVICE}/ListPlatformMatches",
        request_serializer=ListPlatformMatchesRequest.SerializeToString,
        response_deserializer=ListPlatformMatchesResponse.FromString,
    )
    try:
        return await stub(ListPlatformMatchesRequest(**fields), metadata=[("x-api-key", api_key)] if api_key else [])
    except grpc.aio.AioRpcError as error:
        raise refusal(error) from None


@asynccontextmanager
async def reading_events(channel: grpc.aio.Channel, api_key: str, after: str = "") -> AsyncIterator[EventReader]:
    """Watch the events of a platform after an id. Raises `Refusal`."""
    stub: grpc.aio.UnaryStreamMultiCallable[WatchPlatformEventsRequest, WatchPlatformEventsResponse]
    stub = channel.unary_stream(
        f"/{SERVICE}/WatchPlatformEvents",
        request_serializer=WatchPlatformEventsRequest.SerializeToString,
        response_deserializer=WatchPlatformEventsResponse.FromString,
    )
    call = stub(WatchPlatformEventsRequest(from_event_id=after), metadata=[("x-api-key", api_key)] if api_key else [])
    try:
        first = await call.read()
        assert isinstance(first, WatchPlatformEventsResponse)
        assert first.HasField("start")
        yield EventReader(call, first.start.event_id)
    except grpc.aio.AioRpcError as error:
        raise refusal(error) from None
    finally:
        call.cancel()
