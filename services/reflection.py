"""Reflection: clients without our protos ask a server for them. What answers is imported with the first question."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Final

import grpc

NAME: Final = "grpc.reflection.v1alpha.ServerReflection"


class Reflection(grpc.GenericRpcHandler):
    """Tells of the named services, and of itself."""

    def __init__(self, services: Iterable[str]) -> None:
        self._names: Final = [*services, NAME]

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[bytes, bytes] | None:
        """What answers a call, if it asks for reflection."""
        asked = handler_call_details.method.startswith(f"/{NAME}/")
        return self._handler.service(handler_call_details) if asked else None

    @cached_property
    def _handler(self) -> grpc.GenericRpcHandler:
        from grpc_reflection.v1alpha import reflection, reflection_pb2

        answer = grpc.stream_stream_rpc_method_handler(
            reflection.aio.ReflectionServicer(self._names).ServerReflectionInfo,
            reflection_pb2.ServerReflectionRequest.FromString,
            reflection_pb2.ServerReflectionResponse.SerializeToString,
        )
        return grpc.method_handlers_generic_handler(NAME, {"ServerReflectionInfo": answer})
