"""gRPC client for inline states of any game."""

from __future__ import annotations

from typing import Any

import grpc
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from services.engine.codecs import AnyCodec
from tests.services.client import refusal

Answer = Any
"""A response of a game of the registry: all have the same fields, and no class in common."""


class InlineClient:
    """Client of one game on a channel; calls raise `Refusal` for an error status."""

    def __init__(self, channel: grpc.aio.Channel, codec: AnyCodec) -> None:
        self.channel = channel
        self.codec = codec

    def request(self, method: str, **fields: object) -> Message:
        """A request of a method."""
        maker: Any = GetMessageClass(self.codec.service.methods_by_name[method].input_type)
        message: Message = maker(**fields)
        return message

    async def call(self, method: str, token: str = "", **fields: object) -> Answer:
        """Make a call; its response."""
        call: grpc.aio.UnaryUnaryMultiCallable[bytes, Message] = self.channel.unary_unary(
            f"/{self.codec.service.full_name}/{method}",
            None,
            GetMessageClass(self.codec.service.methods_by_name[method].output_type).FromString,
        )
        metadata = [("authorization", f"Bearer {token}")] if token else []
        try:
            return await call(self.request(method, **fields).SerializeToString(), metadata=metadata, timeout=60)
        except grpc.aio.AioRpcError as error:
            raise refusal(error) from None

    async def begin(self, seat_count: int, **fields: Any) -> Answer:
        """Begin a match that is not stored."""
        return await self.call("NewGame", seats=[{}] * seat_count, ephemeral=True, **fields)
