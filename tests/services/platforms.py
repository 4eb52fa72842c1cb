"""Client of the PlatformService: events and matches of a platform."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeAlias

import grpc
from fireside.platform.v1.platform_pb2 import PlatformEvent
from fireside.platform.v1.platform_service_pb2 import WatchPlatformEventsRequest, WatchPlatformEventsResponse

from tests.services.client import refusal

SERVICE = "fireside.platform.v1.PlatformService"
EventCall: TypeAlias = "grpc.aio.UnaryStreamCall[WatchPlatformEventsRequest, WatchPlatformEventsResponse]"


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
