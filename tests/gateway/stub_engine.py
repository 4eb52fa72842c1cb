"""Stub engine: a real gRPC server with prepared responses.

It serves every method of every service of the gateway, with the response in `answers`, the error in `errors`, or an
empty message.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

import grpc
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from grpc_health.v1 import health_pb2

from gateway.routing import registry

Context: TypeAlias = "grpc.aio.ServicerContext[Message, Message]"
Handler: TypeAlias = "grpc.RpcMethodHandler[Message, Message]"


MAX_MESSAGE_BYTES = 2_000_000


def _health_service() -> ServiceDescriptor:
    health = health_pb2.DESCRIPTOR.services_by_name["Health"]
    assert isinstance(health, ServiceDescriptor)
    return health


@dataclass(frozen=True)
class Failure:
    """An error to respond with; `details` go into its rich status."""

    code: grpc.StatusCode
    text: str
    details: tuple[Message, ...] = ()

    def metadata(self) -> tuple[tuple[str, bytes], ...]:
        """The trailing metadata of the rich status, if there are details."""
        if not self.details:
            return ()
        status = Status(code=self.code.value[0], message=self.text, details=[_pack_any(each) for each in self.details])
        return (("grpc-status-details-bin", status.SerializeToString()),)


def _pack_any(message: Message) -> Packed:
    packed = Packed()
    packed.Pack(message)
    return packed


@dataclass
class StubEngine:
    """Prepared responses and errors by method name, and the requests received."""

    address: str = ""
    answers: dict[str, Message] = field(default_factory=dict)
    errors: dict[str, Failure] = field(default_factory=dict)
    delay: float = 0.0
    requests: list[Message] = field(default_factory=list)
    metadata: list[dict[str, str | bytes]] = field(default_factory=list)
    cancelled: int = 0
    finished: int = 0
    garbage: bool = False

    def set_error(self, method: str, code: grpc.StatusCode, text: str, *details: Message) -> None:
        self.errors[method] = Failure(code, text, details)

    async def answer(self, method: MethodDescriptor, request: Message, context: Context) -> Message:
        """Record the request and return its prepared response, or fail with its prepared error."""
        if isinstance(request, health_pb2.HealthCheckRequest):
            return self.answers.get(method.name) or health_pb2.HealthCheckResponse()
        self.requests.append(request)
        self.metadata.append(dict(context.invocation_metadata() or ()))
        try:
            await asyncio.sleep(self.delay)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        self.finished += 1
        failure = self.errors.get(method.name)
        if failure is not None:
            rich = (("grpc-status-details-bin", b"\xff\xff"),) if self.garbage else failure.metadata()
            await context.abort(failure.code, failure.text, rich)
        return self.answers.get(method.name) or GetMessageClass(method.output_type)()


def _unary_handler(engine: StubEngine, method: MethodDescriptor) -> Handler:
    async def answer_call(request: Message, context: Context) -> Message:
        return await engine.answer(method, request, context)

    return grpc.unary_unary_rpc_method_handler(
        answer_call,
        GetMessageClass(method.input_type).FromString,
        GetMessageClass(method.output_type).SerializeToString,
    )


def _service_handler(engine: StubEngine, service: ServiceDescriptor) -> grpc.GenericRpcHandler:
    handlers = {
        method.name: _unary_handler(engine, method) for method in service.methods if not method.server_streaming
    }
    return grpc.method_handlers_generic_handler(service.full_name, handlers)


def error_info(reason: str, **metadata: str) -> ErrorInfo:
    """The error detail with the reason."""
    return ErrorInfo(reason=reason, domain="fireside", metadata=metadata)


@asynccontextmanager
async def run_stub_engine(engine: StubEngine, address: str = "127.0.0.1:0") -> AsyncIterator[StubEngine]:
    """Serve a stub engine on a free port, or at the given address."""
    server = grpc.aio.server(options=[("grpc.max_receive_message_length", MAX_MESSAGE_BYTES)])
    offered = [registry.CATALOG, registry.TOURNAMENTS, *registry.GAMES.values(), _health_service()]
    server.add_generic_rpc_handlers([_service_handler(engine, service) for service in offered])
    port = server.add_insecure_port(address)
    engine.address = f"127.0.0.1:{port}"
    await server.start()
    try:
        yield engine
    finally:
        await server.stop(None)
