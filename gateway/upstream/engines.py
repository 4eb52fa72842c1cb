"""Client of the engines and the tournament service: channels to each address, deadlines, and retries."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, TypeAlias, TypeVar

import grpc
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from gateway.routing import registry
from gateway.routing.bindings import PLATFORMS, TOURNAMENTS
from gateway.routing.retries import EngineRequest
from gateway.upstream import channels, rpc_errors
from runtime.telemetry import tracing

T = TypeVar("T")
Metadata: TypeAlias = Sequence[tuple[str, str]]
UnaryCall: TypeAlias = "grpc.aio.UnaryUnaryCall[bytes, bytes]"
StreamCall: TypeAlias = "grpc.aio.UnaryStreamCall[Message, Message]"
DuplexCall: TypeAlias = "grpc.aio.StreamStreamCall[Message, Message]"
Stub: TypeAlias = "grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]"

C = TypeVar("C", bound="UnaryCall | StreamCall | DuplexCall")

HEALTH_SECONDS: Final = 1.0
CONNECT_SECONDS: Final = 2.0
"""How long a call waits for a connection. Waiting is safe for every call, since nothing has been sent."""
UNREACHABLE: Final = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED})
"""Statuses of a call whose engine is unreachable or hangs."""
READY: Final = grpc.ChannelConnectivity.READY
BACKOFF_SECONDS: Final = (0, 0.01, 0.02, 0.04, 0.08, 0.16, *[0.25] * 10)
"""Pauses before another engine is called when one lacks the rules of a match."""
MIN_ATTEMPT_SECONDS: Final = 1.0
"""The least time for a further attempt: with less the client would get a timeout instead of the error."""


async def retry_unknown_rules(attempt: Callable[[float], Awaitable[T]], seconds: float) -> T:
    """Retry `attempt` until an engine has the rules version of the match. `attempt` gets the seconds that are left.

    During a rolling upgrade some engines lack the newest rules. They refuse before they change anything, so the attempt
    may be repeated until the load balancer chooses an engine that has them.
    """
    end = time.monotonic() + seconds
    for pause in BACKOFF_SECONDS:
        try:
            return await attempt(end - time.monotonic())
        except grpc.aio.AioRpcError as error:
            if not rpc_errors.lacks_rules(error) or time.monotonic() + pause + MIN_ATTEMPT_SECONDS >= end:
                raise
        await asyncio.sleep(pause)
    return await attempt(end - time.monotonic())


async def _retry_timeouts(attempt: Callable[[float], Awaitable[T]], seconds: float) -> T:
    """Repeat an idempotent attempt that times out. Each gets half of the time that is left, in case an engine hangs."""
    end = time.monotonic() + seconds
    while (half := (end - time.monotonic()) / 2) > MIN_ATTEMPT_SECONDS:
        try:
            return await attempt(half)
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.DEADLINE_EXCEEDED:
                raise
    return await attempt(end - time.monotonic())


class Engines:
    """Client of the engines: open channels and calls. Create and close it inside the event loop that uses it."""

    def __init__(self, addresses: Mapping[str, str], deadline: float, tournaments: str = "") -> None:
        """`addresses` by game, `deadline` of a call in seconds, address of the tournament service (empty for none)."""
        self.addresses: Final = addresses
        self.deadline: Final = deadline
        self._engines: Final = sorted(set(addresses.values()))
        self._addresses_by_service: Final = {
            **addresses,
            **({TOURNAMENTS: tournaments} if tournaments else {}),
            **({PLATFORMS: self._engines[0]} if self._engines else {}),
        }
        services = {tournaments: registry.TOURNAMENTS.full_name} if tournaments else {}
        services.update(dict.fromkeys(self._engines, registry.CATALOG.full_name))
        self._without_retries: Final = {
            address: channels.without_retries(address, service) for address, service in services.items()
        }
        self._with_retries: Final = {
            address: channels.with_retries(address, service) for address, service in services.items()
        }
        self._with_affinity: Final = {
            address: channels.with_match_affinity(address, registry.CATALOG.full_name) for address in self._engines
        }
        self._connecting: Final[dict[grpc.aio.Channel, asyncio.Task[None]]] = {}
        self._stubs: Final[dict[tuple[grpc.aio.Channel, MethodDescriptor], Stub]] = {}

    def serves(self, game: str) -> bool:
        """Whether there is an address for a game, for the tournaments or for platforms."""
        return game in self._addresses_by_service

    async def call(self, request: EngineRequest, metadata: Metadata, match_id: str = "") -> bytes:
        """The encoded response of an engine of the game. Cancelling this cancels the call.

        A call that may be repeated is retried when it reaches no server or loses the connection. All calls of a match
        go to one engine, which has it cached, and to another one only when that one cannot serve them.
        """
        address = self._addresses_by_service[request.game]
        channel = (self._with_retries if request.is_idempotent else self._without_retries)[address]
        end = time.monotonic() + self.deadline
        if match_id and self._is_connected(self._with_affinity[address]):
            seconds = (
                self.deadline / 2 if request.is_idempotent else self.deadline
            )  # the other half is for a second engine
            try:
                return await self._call(
                    self._with_affinity[address], request, [*metadata, (channels.MATCH_ID_KEY, match_id)], seconds
                )
            except grpc.aio.AioRpcError as error:
                if not _can_fail_over(error, request.is_idempotent, end - time.monotonic()):
                    raise
        attempt = partial(self._call_when_connected, channel, request, metadata)
        if request.is_idempotent and match_id:
            attempt = partial(_retry_timeouts, attempt)
        return await retry_unknown_rules(attempt, end - time.monotonic())

    def _is_connected(self, channel: grpc.aio.Channel) -> bool:
        """Whether a channel with match affinity is connected; if not, it starts to connect in the background."""
        if _is_ready(channel):
            return True
        if channel not in self._connecting:
            self._connecting[channel] = task = asyncio.ensure_future(_connect(channel))
            task.add_done_callback(lambda _: self._connecting.pop(channel))
        return False

    async def stream(self, game: str, method: MethodDescriptor, request: Message, metadata: Metadata) -> StreamCall:
        """Start a server-streaming call, which has no deadline."""
        channel = self._with_retries[self._addresses_by_service[game]]
        await _wait_until_ready(channel, self.deadline)
        stub: grpc.aio.UnaryStreamMultiCallable[Message, Message] = channel.unary_stream(
            f"/{method.containing_service.full_name}/{method.name}",
            request_serializer=GetMessageClass(method.input_type).SerializeToString,
            response_deserializer=GetMessageClass(method.output_type).FromString,
        )
        return _traced(method, lambda trace: stub(request, metadata=[*metadata, *trace]))

    async def duplex(self, game: str, method: MethodDescriptor, metadata: Metadata) -> DuplexCall:
        """Start a call that streams both ways, which has no deadline."""
        channel = self._with_retries[self._addresses_by_service[game]]
        await _wait_until_ready(channel, self.deadline)
        stub: grpc.aio.StreamStreamMultiCallable[Message, Message] = channel.stream_stream(
            f"/{method.containing_service.full_name}/{method.name}",
            request_serializer=GetMessageClass(method.input_type).SerializeToString,
            response_deserializer=GetMessageClass(method.output_type).FromString,
        )
        return _traced(method, lambda trace: stub(metadata=[*metadata, *trace]))

    def call_all(self, request: EngineRequest, metadata: Metadata) -> list[Coroutine[object, object, bytes]]:
        """Coroutines that send the same request to every engine."""
        channel = self._with_retries if request.is_idempotent else self._without_retries
        return [self._call_when_connected(channel[each], request, metadata, self.deadline) for each in self._engines]

    async def _call_when_connected(
        self, channel: grpc.aio.Channel, request: EngineRequest, metadata: Metadata, seconds: float
    ) -> bytes:
        """The response to a call that first waits for a connection; `seconds` limits both together."""
        left = seconds
        if not _is_ready(channel):
            end = time.monotonic() + seconds
            await _wait_until_ready(channel, seconds)
            left = end - time.monotonic()
        return await self._call(channel, request, metadata, left)

    def _call(self, channel: grpc.aio.Channel, request: EngineRequest, metadata: Metadata, seconds: float) -> UnaryCall:
        stub = self._stub(channel, request.method)
        return _traced(request.method, lambda trace: stub(request.data, timeout=seconds, metadata=[*metadata, *trace]))

    def _stub(self, channel: grpc.aio.Channel, method: MethodDescriptor) -> Stub:
        stub = self._stubs.get((channel, method))
        if stub is None:
            stub = channel.unary_unary(f"/{method.containing_service.full_name}/{method.name}")
            self._stubs[channel, method] = stub
        return stub

    async def unready_games(self) -> list[str]:
        """The games without a serving engine, by gRPC health checks."""
        addresses = self._engines
        serving = await asyncio.gather(*(self._is_serving(address) for address in addresses))
        down = {address for address, is_serving in zip(addresses, serving, strict=True) if not is_serving}
        return sorted(game for game, address in self.addresses.items() if address in down)

    async def _is_serving(self, address: str) -> bool:
        try:
            response = await _check_health(self._without_retries[address])
        except grpc.aio.AioRpcError:
            return False
        return response.status == HealthCheckResponse.SERVING

    async def close(self) -> None:
        """Close the channels; running calls are cancelled."""
        for task in self._connecting.values():
            task.cancel()
        for kind in (self._without_retries, self._with_retries, self._with_affinity):
            for channel in kind.values():
                await channel.close()


def _can_fail_over(error: grpc.aio.AioRpcError, is_idempotent: bool, seconds: float) -> bool:
    """Whether a failed call to the engine with the match in its cache may be sent to any engine within `seconds`."""
    if rpc_errors.lacks_rules(error):
        return seconds > MIN_ATTEMPT_SECONDS
    return is_idempotent and error.code() in UNREACHABLE and not rpc_errors.has_pushback(error)


async def _connect(channel: grpc.aio.Channel) -> None:
    """Make a channel connect, by a health check."""
    with suppress(grpc.aio.AioRpcError):
        await _check_health(channel)


async def _check_health(channel: grpc.aio.Channel) -> HealthCheckResponse:
    """The health of a server. Raises `grpc.aio.AioRpcError`."""
    check: grpc.aio.UnaryUnaryMultiCallable[HealthCheckRequest, HealthCheckResponse] = channel.unary_unary(
        "/grpc.health.v1.Health/Check",
        request_serializer=HealthCheckRequest.SerializeToString,
        response_deserializer=HealthCheckResponse.FromString,
    )
    return await check(HealthCheckRequest(service=registry.CATALOG.full_name), timeout=HEALTH_SECONDS)


def _is_ready(channel: grpc.aio.Channel) -> bool:
    """Whether a channel is connected; if not, it starts to connect."""
    return channel.get_state(try_to_connect=True) is READY


async def _wait_until_ready(channel: grpc.aio.Channel, seconds: float) -> None:
    """Wait for a connection, but only for half of the time and at most `CONNECT_SECONDS`."""
    state = channel.get_state(try_to_connect=True)
    with suppress(TimeoutError):
        async with asyncio.timeout(min(seconds / 2, CONNECT_SECONDS)):
            while state is not READY:
                await channel.wait_for_state_change(state)
                state = channel.get_state(try_to_connect=True)


def _traced(method: MethodDescriptor, start: Callable[[Metadata], C]) -> C:
    """The call that `start` makes with trace headers, in a span that ends with the call."""
    span = tracing.start_client_span(method.full_name, {"rpc.system": "grpc"})
    call = start(tracing.trace_headers(span))
    if span.is_recording():
        call.add_done_callback(lambda _: span.end())
    return call
