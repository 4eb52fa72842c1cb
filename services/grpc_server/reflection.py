"""gRPC server reflection: clients can read our protos from the server."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2

NAMES: Final = ("grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection")
"""Clients use either name; the messages are the same on the wire, and the library has those of v1alpha only."""


def reflection_handlers(services: Iterable[str]) -> list[grpc.GenericRpcHandler]:
    """The handlers of reflection, which describe the named services and reflection itself."""
    handler = grpc.stream_stream_rpc_method_handler(
        reflection.aio.ReflectionServicer([*services, *NAMES]).ServerReflectionInfo,
        reflection_pb2.ServerReflectionRequest.FromString,
        reflection_pb2.ServerReflectionResponse.SerializeToString,
    )
    return [grpc.method_handlers_generic_handler(name, {"ServerReflectionInfo": handler}) for name in NAMES]
