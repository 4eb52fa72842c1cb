"""What is behind the gateway, engines and tournaments: one channel an address, a deadline on every call."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, TypeAlias, TypeVar

import grpc
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from gateway import problems
from gateway.bindings import TOURNAMENTS
from telemetry import tracing
from telemetry.tracing import Kind

T = TypeVar("T")
Metadata: TypeAlias = Sequence[tuple[str, str]]
Call: TypeAlias = "grpc.aio.UnaryUnaryCall[Message, Message]"
Stub: TypeAlias = "grpc.aio.UnaryUnaryMultiCallable[Message, Message]"

StreamCall: TypeAlias = "grpc.aio.UnaryStreamCall[Message, Message]"

C = TypeVar("C", bound="Call | StreamCall")

MESSAGE_LIMIT: Final = 16 << 20
"""Largest answer that is taken, in bytes."""

HEALTH_SECONDS: Final = 1.0
ELSEWHERE_SECONDS: Final = (0, 0.01, 0.02, 0.04, 0.08, 0.16, *[0.25] * 10)
"""How long to wait, each time that an engine lacks the rules of a match, before the next one is asked."""

_OPTIONS: Final = (
    ("grpc.max_receive_message_length", MESSAGE_LIMIT),
    ("grpc.max_send_message_length", MESSAGE_LIMIT),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2000),
    # Every address that a name leads to is used, not only the first.
    ("grpc.service_config", json.dumps({"loadBalancingConfig": [{"round_robin": {}}]})),
)


async def with_rules(attempt: Callable[[float], Awaitable[T]], seconds: float) -> T:
    """What an engine answers that has the rules of the match; `attempt` is told how many seconds are left.

    In a rolling upgrade some of them lack the newest rules, and say so before they change anything: the next is asked.
    """
    time = asyncio.get_running_loop().time
    end = time() + seconds
    for pause in ELSEWHERE_SECONDS:
        try:
            return await attempt(end - time())
        except grpc.aio.AioRpcError as error:
            if not problems.lacks_rules(error) or time() + pause >= end:
                raise
        await asyncio.sleep(pause)
    return await attempt(end - time())


class Engines:
    """Open channels to engines. Made and closed inside the event loop that uses it."""

    def __init__(self, addresses: Mapping[str, str], deadline: float, tournaments: str = "") -> None:
        """Addresses by game, seconds for each call, and the address of the tournaments, empty for none."""
        self.addresses: Final = addresses
        self.deadline: Final = deadline
        self._engines: Final = sorted(set(addresses.values()))
        self._served: Final = {**addresses, **({TOURNAMENTS: tournaments} if tournaments else {})}
        self._channels: Final = {
            address: grpc.aio.insecure_channel(address, options=_OPTIONS)
            for address in sorted(set(self._served.values()))
        }
        self._stubs: Final[dict[tuple[str, str], Stub]] = {}

    def serves(self, game: str) -> bool:
        """Whether there is an address for a game, or for the tournaments."""
        return game in self._served

    async def call(self, game: str, method: MethodDescriptor, request: Message, metadata: Metadata) -> Message:
        """The answer of an engine of a game to a call, which is cancelled with who waits for it."""
        address = self._served[game]

        async def attempt(seconds: float) -> Message:
            return await self._call(address, method, request, metadata, seconds)

        return await with_rules(attempt, self.deadline)

    def stream(self, game: str, method: MethodDescriptor, request: Message, metadata: Metadata) -> StreamCall:
        """Begin a call with many answers, which has no deadline."""
        stub: grpc.aio.UnaryStreamMultiCallable[Message, Message] = self._channels[self._served[game]].unary_stream(
            f"/{method.containing_service.full_name}/{method.name}",
            request_serializer=GetMessageClass(method.input_type).SerializeToString,
            response_deserializer=GetMessageClass(method.output_type).FromString,
        )
        return _traced(method, lambda carried: stub(request, metadata=[*metadata, *carried]))

    def call_all(self, method: MethodDescriptor, request: Message, metadata: Metadata) -> list[Call]:
        """Send the same call to every engine."""
        return [self._call(address, method, request, metadata, self.deadline) for address in self._engines]

    def _call(
        self, address: str, method: MethodDescriptor, request: Message, metadata: Metadata, seconds: float
    ) -> Call:
        key = (address, method.full_name)
        stub = self._stubs.get(key)
        if stub is None:
            stub = self._stubs[key] = _stub(self._channels[address], method)
        found = stub
        return _traced(method, lambda carried: found(request, timeout=seconds, metadata=[*metadata, *carried]))

    async def unready(self) -> list[str]:
        """The games whose engine does not say that it serves."""
        addresses = self._engines
        serving = await asyncio.gather(*(self._serves(address) for address in addresses))
        down = {address for address, serves in zip(addresses, serving, strict=True) if not serves}
        return sorted(game for game, address in self.addresses.items() if address in down)

    async def _serves(self, address: str) -> bool:
        check = self._channels[address].unary_unary(
            "/grpc.health.v1.Health/Check",
            request_serializer=HealthCheckRequest.SerializeToString,
            response_deserializer=HealthCheckResponse.FromString,
        )
        try:
            answer = await check(HealthCheckRequest(), timeout=HEALTH_SECONDS)
        except grpc.aio.AioRpcError:
            return False
        return answer.status == HealthCheckResponse.SERVING

    async def close(self) -> None:
        """Close the channels; calls that run are cancelled."""
        for channel in self._channels.values():
            await channel.close()


def _traced(method: MethodDescriptor, begin: Callable[[Metadata], C]) -> C:
    """The call that is begun, in a span that ends with it."""
    span = tracing.begin(method.full_name, Kind.CLIENT, {"rpc.system": "grpc"})
    call = begin(span.carried())
    if span is not tracing.UNTOLD:
        call.add_done_callback(lambda _: span.end())
    return call


def _stub(channel: grpc.aio.Channel, method: MethodDescriptor) -> Stub:
    return channel.unary_unary(
        f"/{method.containing_service.full_name}/{method.name}",
        request_serializer=GetMessageClass(method.input_type).SerializeToString,
        response_deserializer=GetMessageClass(method.output_type).FromString,
    )
