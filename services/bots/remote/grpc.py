"""Client of remote bots that serve their game's bot service over gRPC."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Final, TypeVar

import grpc
from google.protobuf.message import DecodeError, Message

from engine_core.game import Move
from runtime.addresses import address
from services.bots.remote.allowed import BotAddress
from services.bots.remote.bot import MAX_ANSWER_BYTES, MAX_CALLS, BotUnreachable, RemoteBot
from services.bots.remote.bot_call import BotCall
from services.bots.remote.failure import INVALID_ANSWER, UNREACHABLE, BotFailed
from services.bots.remote.guard import PrivateAddress, Resolve, resolve_public

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

CLOSE_SECONDS: Final = 60.0
"""How long calls in flight may go on at addresses that the bot's name no longer has."""
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

    def __init__(self, where: BotAddress, calls: int = MAX_CALLS, resolve: Resolve = resolve_public) -> None:
        super().__init__(calls)
        self._where: Final = where
        self._resolve: Final = resolve
        self._target = ""
        self._channel: grpc.aio.Channel | None = None
        self._closing: Final[set[asyncio.Task[None]]] = set()

    async def call(self, bot_call: BotCall[M], request: Message) -> Message:
        """Call `Choose` once."""
        try:
            channel = self._channel_to(await self._resolve(self._where.host, self._where.port))
        except PrivateAddress as error:
            raise BotFailed(UNREACHABLE, str(error)) from None
        except OSError:
            raise BotUnreachable("its name cannot be resolved") from None
        call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(bot_call.method)
        try:
            return bot_call.response_class.FromString(await call(request.SerializeToString()))
        except DecodeError:
            raise BotFailed(INVALID_ANSWER, "the answer is no message of its kind") from None
        except grpc.aio.AioRpcError as error:
            reason = f"it ended the call with {error.code().name}"
            raise (
                BotUnreachable(reason) if error.code() in RETRIED_CODES else BotFailed(INVALID_ANSWER, reason)
            ) from None

    def _channel_to(self, addresses: Sequence[str]) -> grpc.aio.Channel:
        """The channel, or a new one if the addresses have changed: gRPC would resolve a name again, unchecked."""
        target = _target(addresses, self._where.port)
        if self._channel is not None and target == self._target:
            return self._channel
        if self._channel is not None:
            task = asyncio.ensure_future(self._channel.close(CLOSE_SECONDS))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
        authority = address(self._where.host, self._where.port)
        self._target = target
        self._channel = grpc.aio.insecure_channel(target, options=[*OPTIONS, ("grpc.default_authority", authority)])
        return self._channel

    async def close(self) -> None:
        """Close the channels."""
        for task in self._closing:
            task.cancel()
        await asyncio.gather(*self._closing, return_exceptions=True)
        if self._channel is not None:
            await self._channel.close()


def _target(addresses: Sequence[str], port: int) -> str:
    """The gRPC target of the addresses of one family, since a target has one; sorted, so that it can be compared."""
    family = ip_address(addresses[0]).version
    same = sorted(address(each, port) for each in addresses if ip_address(each).version == family)
    return f"ipv{family}:{','.join(same)}"
