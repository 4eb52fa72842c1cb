"""Client of remote bots that serve their game's bot service over gRPC."""

from __future__ import annotations

from typing import Final, TypeVar

import grpc
from google.protobuf.message import DecodeError, Message

from engine_core.game import Move
from services.bots.remote.allowed import BotAddress
from services.bots.remote.bot import MAX_ANSWER_BYTES, MAX_CALLS, BotUnreachable, RemoteBot
from services.bots.remote.bot_call import BotCall
from services.bots.remote.failure import INVALID_ANSWER, BotFailed

M = TypeVar("M", bound=Move)

RETRIED_CODES: Final = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        grpc.StatusCode.ABORTED,
        grpc.StatusCode.DEADLINE_EXCEEDED,
    }
)
"""Statuses after which the call is retried."""

OPTIONS: Final = [
    ("grpc.max_receive_message_length", MAX_ANSWER_BYTES),
    ("grpc.enable_http_proxy", 0),
    ("grpc.enable_retries", 0),  # `RemoteBot` retries, and counts its retries in the metrics
    ("grpc.service_config_disable_resolution", 1),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1000),
]


class GrpcBot(RemoteBot):
    """Client of a bot at a gRPC address."""

    def __init__(self, where: BotAddress, calls: int = MAX_CALLS) -> None:
        super().__init__(calls)
        self._channel: Final = grpc.aio.insecure_channel(where.target, options=OPTIONS)

    async def call(self, bot_call: BotCall[M], request: Message) -> Message:
        """Call `Choose` once."""
        call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = self._channel.unary_unary(bot_call.method)
        try:
            return bot_call.response_class.FromString(await call(request.SerializeToString()))
        except DecodeError:
            raise BotFailed(INVALID_ANSWER, "the answer is no message of its kind") from None
        except grpc.aio.AioRpcError as error:
            reason = f"it ended the call with {error.code().name}"
            raise (
                BotUnreachable(reason) if error.code() in RETRIED_CODES else BotFailed(INVALID_ANSWER, reason)
            ) from None

    async def close(self) -> None:
        """Close the channel."""
        await self._channel.close()
