"""What is behind the gateway, engines and tournaments: channels to each address, a deadline on every call."""

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

from gateway import problems
from gateway.routing import registry
from gateway.routing.bindings import TOURNAMENTS
from gateway.routing.retries import EngineRequest
from gateway.upstream import channels
from runtime.telemetry import tracing

T = TypeVar("T")
Metadata: TypeAlias = Sequence[tuple[str, str]]
Call: TypeAlias = "grpc.aio.UnaryUnaryCall[bytes, bytes]"
Answer: TypeAlias = "Coroutine[object, object, bytes]"
Stub: TypeAlias = "grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]"

StreamCall: TypeAlias = "grpc.aio.UnaryStreamCall[Message, Message]"

C = TypeVar("C", bound="Call | StreamCall")

HEALTH_SECONDS: Final = 1.0
CONNECT_SECONDS: Final = 2.0
"""How long a call waits for a server to send it to. What was not sent is safe to wait with, whatever it does."""
AWAY: Final = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED})
"""How a call ends whose engine is gone, or hangs."""
READY: Final = grpc.ChannelConnectivity.READY
ELSEWHERE_SECONDS: Final = (0, 0.01, 0.02, 0.04, 0.08, 0.16, *[0.25] * 10)
"""How long to wait, each time that an engine lacks the rules of a match, before the next one is asked."""
ANSWER_SECONDS: Final = 1.0
"""With less time for it no other is asked: it would be too late to tell what is wrong."""


async def with_rules(attempt: Callable[[float], Awaitable[T]], seconds: float) -> T:
    """What an engine answers that has the rules of the match; `attempt` is told how many seconds are left.

    In a rolling upgrade some of them lack the newest rules, and say so before they change anything: the next is asked.
    """
    end = time.monotonic() + seconds
    for pause in ELSEWHERE_SECONDS:
        try:
            return await attempt(end - time.monotonic())
        except grpc.aio.AioRpcError as error:
            if not problems.lacks_rules(error) or time.monotonic() + pause + ANSWER_SECONDS >= end:
                raise
        await asyncio.sleep(pause)
    return await attempt(end - time.monotonic())


async def _despite_hanging(attempt: Callable[[float], Awaitable[T]], seconds: float) -> T:
    """What an attempt comes to that may be repeated: who says nothing has half of the time, then the next one."""
    end = time.monotonic() + seconds
    while (half := (end - time.monotonic()) / 2) > ANSWER_SECONDS:
        try:
            return await attempt(half)
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.DEADLINE_EXCEEDED:
                raise
    return await attempt(end - time.monotonic())


class Engines:
    """Open channels to engines. Made and closed inside the event loop that uses it."""

    def __init__(self, addresses: Mapping[str, str], deadline: float, tournaments: str = "") -> None:
        """Addresses by game, seconds for each call, and the address of the tournaments, empty for none."""
        self.addresses: Final = addresses
        self.deadline: Final = deadline
        self._engines: Final = sorted(set(addresses.values()))
        self._served: Final = {**addresses, **({TOURNAMENTS: tournaments} if tournaments else {})}
        behind = {tournaments: registry.TOURNAMENTS.full_name} if tournaments else {}
        behind.update(dict.fromkeys(self._engines, registry.CATALOG.full_name))
        self._once: Final = {address: channels.once(address, service) for address, service in behind.items()}
        self._repeating: Final = {address: channels.repeating(address, service) for address, service in behind.items()}
        self._led: Final = {address: channels.led(address, registry.CATALOG.full_name) for address in self._engines}
        self._waking: Final[dict[grpc.aio.Channel, asyncio.Task[None]]] = {}
        self._stubs: Final[dict[tuple[grpc.aio.Channel, MethodDescriptor], Stub]] = {}

    def serves(self, game: str) -> bool:
        """Whether there is an address for a game, or for the tournaments."""
        return game in self._served

    async def call(self, request: EngineRequest, metadata: Metadata, match_id: str = "") -> bytes:
        """The response of an engine of the game, encoded; cancelling this cancels the call.

        A call that may be repeated is retried when it reaches no server or loses the connection. All calls of a match
        go to one engine, which has it cached, and to another one only when that one cannot answer.
        """
        address = self._served[request.game]
        repeats = request.may_repeat
        channel = (self._repeating if repeats else self._once)[address]
        end = time.monotonic() + self.deadline
        if match_id and self._leads(self._led[address]):
            led = [*metadata, (channels.MATCH, match_id)]
            seconds = self.deadline / 2 if repeats else self.deadline  # what is left is for another one
            try:
                return await self._call(self._led[address], request, led, seconds)
            except grpc.aio.AioRpcError as error:
                if not _goes_on(error, repeats, end - time.monotonic()):
                    raise
        reached = partial(self._reached, channel, request, metadata)
        attempt = partial(_despite_hanging, reached) if repeats and match_id else reached
        return await with_rules(attempt, end - time.monotonic())

    def _leads(self, channel: grpc.aio.Channel) -> bool:
        """Whether a channel that leads calls has a server; if not, it looks for one from now on."""
        if _is_ready(channel):
            return True
        if channel not in self._waking:
            self._waking[channel] = task = asyncio.ensure_future(_wake(channel))
            task.add_done_callback(lambda _: self._waking.pop(channel))
        return False

    async def stream(self, game: str, method: MethodDescriptor, request: Message, metadata: Metadata) -> StreamCall:
        """Begin a call with many answers, which has no deadline."""
        channel = self._repeating[self._served[game]]
        await _connected(channel, self.deadline)
        stub: grpc.aio.UnaryStreamMultiCallable[Message, Message] = channel.unary_stream(
            f"/{method.containing_service.full_name}/{method.name}",
            request_serializer=GetMessageClass(method.input_type).SerializeToString,
            response_deserializer=GetMessageClass(method.output_type).FromString,
        )
        return _traced(method, lambda carried: stub(request, metadata=[*metadata, *carried]))

    def call_all(self, request: EngineRequest, metadata: Metadata) -> list[Answer]:
        """Send the same call to every engine."""
        channel = self._repeating if request.may_repeat else self._once
        return [self._reached(channel[each], request, metadata, self.deadline) for each in self._engines]

    async def _reached(
        self, channel: grpc.aio.Channel, request: EngineRequest, metadata: Metadata, seconds: float
    ) -> bytes:
        """The answer to a call that waits for a server to be sent to."""
        left = seconds
        if not _is_ready(channel):
            end = time.monotonic() + seconds
            await _connected(channel, seconds)
            left = end - time.monotonic()
        return await self._call(channel, request, metadata, left)

    def _call(self, channel: grpc.aio.Channel, request: EngineRequest, metadata: Metadata, seconds: float) -> Call:
        stub = self._stub(channel, request.method)
        return _traced(
            request.method, lambda carried: stub(request.data, timeout=seconds, metadata=[*metadata, *carried])
        )

    def _stub(self, channel: grpc.aio.Channel, method: MethodDescriptor) -> Stub:
        stub = self._stubs.get((channel, method))
        if stub is None:
            stub = self._stubs[channel, method] = _stub(channel, method)
        return stub

    async def unready(self) -> list[str]:
        """The games none of whose engines says that it takes calls."""
        addresses = self._engines
        serving = await asyncio.gather(*(self._serves(address) for address in addresses))
        down = {address for address, serves in zip(addresses, serving, strict=True) if not serves}
        return sorted(game for game, address in self.addresses.items() if address in down)

    async def _serves(self, address: str) -> bool:
        try:
            answer = await _health(self._once[address])
        except grpc.aio.AioRpcError:
            return False
        return answer.status == HealthCheckResponse.SERVING

    async def close(self) -> None:
        """Close the channels; calls that run are cancelled."""
        for task in self._waking.values():
            task.cancel()
        for channel in [*self._once.values(), *self._repeating.values(), *self._led.values()]:
            await channel.close()


def _goes_on(error: grpc.aio.AioRpcError, repeats: bool, seconds: float) -> bool:
    """Whether a call that was led is made elsewhere in the seconds that are left."""
    if problems.lacks_rules(error):
        return seconds > ANSWER_SECONDS
    return repeats and error.code() in AWAY and not problems.holds_back(error)


async def _wake(channel: grpc.aio.Channel) -> None:
    """Let a channel look for a server."""
    with suppress(grpc.aio.AioRpcError):
        await _health(channel)


async def _health(channel: grpc.aio.Channel) -> HealthCheckResponse:
    """What a server says of itself. Raises `grpc.aio.AioRpcError`."""
    check: grpc.aio.UnaryUnaryMultiCallable[HealthCheckRequest, HealthCheckResponse] = channel.unary_unary(
        "/grpc.health.v1.Health/Check",
        request_serializer=HealthCheckRequest.SerializeToString,
        response_deserializer=HealthCheckResponse.FromString,
    )
    return await check(HealthCheckRequest(service=registry.CATALOG.full_name), timeout=HEALTH_SECONDS)


def _is_ready(channel: grpc.aio.Channel) -> bool:
    """Whether there is a server to call; if not, it is looked for from now on."""
    return channel.get_state(try_to_connect=True) is READY


async def _connected(channel: grpc.aio.Channel, seconds: float) -> None:
    """Wait until there is a server to call, or it is clear that there is none for now."""
    state = channel.get_state(try_to_connect=True)
    with suppress(TimeoutError):
        async with asyncio.timeout(min(seconds / 2, CONNECT_SECONDS)):
            while state is not READY:
                await channel.wait_for_state_change(state)
                state = channel.get_state(try_to_connect=True)


def _traced(method: MethodDescriptor, begin: Callable[[Metadata], C]) -> C:
    """The call that is begun, in a span that ends with it."""
    span = tracing.begin(method.full_name, {"rpc.system": "grpc"})
    call = begin(tracing.headers(span))
    if span.is_recording():
        call.add_done_callback(lambda _: span.end())
    return call


def _stub(channel: grpc.aio.Channel, method: MethodDescriptor) -> Stub:
    return channel.unary_unary(f"/{method.containing_service.full_name}/{method.name}")
