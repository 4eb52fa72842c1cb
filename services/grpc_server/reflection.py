"""Reflection: clients without our protos ask a server for them. What answers is imported with the first question."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Final, cast

import grpc

NAMES: Final = ("grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection")
"""Clients ask by either name; the messages are the same on the wire, and the library has those of v1alpha only."""


class Reflection(grpc.GenericRpcHandler):
    """Tells of the named services, and of itself."""

    def __init__(self, services: Iterable[str]) -> None:
        self._names: Final = [*services, *NAMES]

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[bytes, bytes] | None:
        """What answers a call, if it asks for reflection."""
        name, _, method = handler_call_details.method.removeprefix("/").partition("/")
        return self._handler if name in NAMES and method == "ServerReflectionInfo" else None

    @cached_property
    def _handler(self) -> grpc.RpcMethodHandler[bytes, bytes]:
        from grpc_reflection.v1alpha import reflection, reflection_pb2

        handler = grpc.stream_stream_rpc_method_handler(
            reflection.aio.ReflectionServicer(self._names).ServerReflectionInfo,
            reflection_pb2.ServerReflectionRequest.FromString,
            reflection_pb2.ServerReflectionResponse.SerializeToString,
        )
        return cast("grpc.RpcMethodHandler[bytes, bytes]", handler)
