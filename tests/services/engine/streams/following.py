"""Clients that follow a match of any game by its stream alone, and record all that it sends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Protocol, cast

import grpc
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from tests.services.registry import MatchDriver, field

SECONDS = 20


class StreamResponse(Protocol):
    """What the responses of `Watch` and `Play` of all games have in common."""

    def WhichOneof(self, name: str, /) -> str | None: ...


Received = tuple[str, Message]
"""The kind of a response, and the message in it."""


class Follower:
    """Records the responses of a stream."""

    def __init__(self, responses: AsyncIterator[Message], oneof: str) -> None:
        self.received: list[Received] = []
        self._arrived = asyncio.Condition()
        self._task = asyncio.ensure_future(self._receive(responses, oneof))

    @classmethod
    def watch(cls, driver: MatchDriver, token: str = "", after: int = 0, *, views: bool = True) -> Follower:
        """Follow by `Watch`."""
        codec = driver.game_client.codec
        method = codec.service.methods_by_name["Watch"]
        stub: grpc.aio.UnaryStreamMultiCallable[Message, Message] = driver.game_client.channel.unary_stream(
            f"/{codec.service.full_name}/Watch",
            request_serializer=GetMessageClass(method.input_type).SerializeToString,
            response_deserializer=GetMessageClass(method.output_type).FromString,
        )
        request = GetMessageClass(method.input_type)(match_id=driver.match_id, from_revision=after, views=views)
        return cls(aiter(stub(request, metadata=_bearer_metadata(token))), "kind")

    @classmethod
    def play(cls, driver: MatchDriver, token: str) -> Follower:
        """Follow by `Play` with the events from the first, without making moves by it."""
        codec = driver.game_client.codec
        method = codec.service.methods_by_name["Play"]
        request_class = GetMessageClass(method.input_type)
        stub: grpc.aio.StreamStreamMultiCallable[Message, Message] = driver.game_client.channel.stream_stream(
            f"/{codec.service.full_name}/Play",
            request_serializer=request_class.SerializeToString,
            response_deserializer=GetMessageClass(method.output_type).FromString,
        )

        async def requests() -> AsyncIterator[Message]:
            yield request_class(join={"match_id": driver.match_id, "from_revision": 0})
            await asyncio.Event().wait()

        return cls(aiter(stub(requests(), metadata=_bearer_metadata(token))), "message")

    async def _receive(self, responses: AsyncIterator[Message], oneof: str) -> None:
        """Record every response of the stream, by the name of its oneof member."""
        async for response in responses:
            kind = cast(StreamResponse, response).WhichOneof(oneof)
            assert kind is not None
            async with self._arrived:
                self.received.append((kind, cast(Message, field(response, kind))))
                self._arrived.notify_all()

    async def until(self, condition: Callable[[Received], bool]) -> Received:
        """Wait for a response of which a condition holds."""
        async with asyncio.timeout(SECONDS), self._arrived:
            await self._arrived.wait_for(lambda: any(map(condition, self.received)))
        return next(filter(condition, self.received))

    async def until_turn(self, revision: int) -> Message:
        """Wait for the turn, or the end, at a revision."""
        _, message = await self.until(
            lambda each: each[0] in ("turn", "over") and field(each[1], "revision") == revision
        )
        return message

    async def until_end(self) -> None:
        """Wait for the end of the stream, which must not be an error."""
        await asyncio.wait_for(self._task, SECONDS)

    def of_kind(self, kind: str) -> list[Message]:
        """The messages of a kind."""
        return [message for each, message in self.received if each == kind]

    def cancel(self) -> None:
        """End the stream."""
        self._task.cancel()


def _bearer_metadata(token: str) -> list[tuple[str, str]]:
    return [("authorization", f"Bearer {token}")] if token else []
