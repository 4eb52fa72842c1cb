"""gRPC handler of unknown methods, which refuses the call with a reason in its status."""

from __future__ import annotations

from collections.abc import AsyncIterator

import grpc

from services.grpc_server.aborting import Context, abort
from services.grpc_server.errors import UnknownMethod


def unimplemented_handler(method: str) -> grpc.RpcMethodHandler[bytes, bytes]:
    """A handler that refuses a call unread; not cached, since callers can invent any number of names."""

    async def refuse(requests: AsyncIterator[bytes], context: Context) -> None:
        await abort(context, UnknownMethod(method))

    return grpc.stream_stream_rpc_method_handler(refuse)
