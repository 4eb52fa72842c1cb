"""gRPC streams of any game of the registry, and sockets that are closed by a TCP reset."""

from __future__ import annotations

import socket
import struct
from collections.abc import AsyncIterator, Mapping
from typing import Protocol, TypeAlias, cast

import grpc
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from services.engine.codecs import AnyCodec

WatchCall: TypeAlias = "grpc.aio.UnaryStreamCall[Message, Message]"
PlayCall: TypeAlias = "grpc.aio.StreamStreamCall[Message, Message]"

RESET_ON_CLOSE = struct.pack("ii", 1, 0)
"""Value of SO_LINGER with which closing a socket resets its connection."""


class EventMessage(Protocol):
    """What the `Event` messages of all games have in common."""

    revision: int
    notation: str


class WatchResponseMessage(Protocol):
    """What the `WatchResponse` messages of all games have in common."""

    event: EventMessage

    def WhichOneof(self, name: str, /) -> str | None: ...


def bearer_metadata(token: str) -> list[tuple[str, str]]:
    return [("authorization", f"Bearer {token}")] if token else []


def watch_events(
    channel: grpc.aio.Channel, codec: AnyCodec, match_id: str, after: int = 0, token: str = ""
) -> WatchCall:
    """Watch the events after a revision."""
    method = codec.service.methods_by_name["Watch"]
    stub: grpc.aio.UnaryStreamMultiCallable[Message, Message] = channel.unary_stream(
        f"/{codec.service.full_name}/Watch",
        request_serializer=GetMessageClass(method.input_type).SerializeToString,
        response_deserializer=GetMessageClass(method.output_type).FromString,
    )
    request = GetMessageClass(method.input_type)(match_id=match_id, from_revision=after)
    return stub(request, metadata=bearer_metadata(token))


async def log_entries_of(call: WatchCall) -> AsyncIterator[EventMessage]:
    """The log entries that a watch receives."""
    async for answer in call:
        response = cast(WatchResponseMessage, answer)
        if response.WhichOneof("kind") == "event":
            yield response.event


async def revisions_of(call: WatchCall) -> AsyncIterator[int]:
    """The revisions of the log entries of a watch."""
    async for event in log_entries_of(call):
        yield event.revision


def open_play(channel: grpc.aio.Channel, codec: AnyCodec, token: str) -> PlayCall:
    """Open a `Play` stream for a seat: `write` sends requests, `read` receives responses."""
    method = codec.service.methods_by_name["Play"]
    stub: grpc.aio.StreamStreamMultiCallable[Message, Message] = channel.stream_stream(
        f"/{codec.service.full_name}/Play",
        request_serializer=GetMessageClass(method.input_type).SerializeToString,
        response_deserializer=GetMessageClass(method.output_type).FromString,
    )
    return stub(metadata=bearer_metadata(token))


def play_request(codec: AnyCodec, **message: Mapping[str, object]) -> Message:
    """A message to `Play`: `join` or `choice`."""
    return GetMessageClass(codec.service.methods_by_name["Play"].input_type)(**message)


def matches_path(codec: AnyCodec, match_id: str = "") -> str:
    """The REST path of a game's matches, or of one match."""
    matches = f"/v1/{codec.game.name.replace('_', '-')}/matches"
    return f"{matches}/{match_id}" if match_id else matches


def resetting_connection(port: int) -> socket.socket:
    """A connection that is reset when it is closed."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=10)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
    return connection
