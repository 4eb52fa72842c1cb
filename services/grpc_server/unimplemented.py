"""Calls of methods that a server does not have: refused in our words, with a reason, as any other wrong call."""

from __future__ import annotations

from collections.abc import AsyncIterator

import grpc

from services.grpc_server.aborting import Context, abort
from services.grpc_server.errors import UnknownMethod


def unrouted(method: str) -> grpc.RpcMethodHandler[bytes, bytes]:
    """A handler that refuses a call before it reads anything. Cached by nobody: callers make up the names."""

    async def refuse(requests: AsyncIterator[bytes], context: Context) -> None:
        await abort(context, UnknownMethod(method))

    return grpc.stream_stream_rpc_method_handler(refuse)
