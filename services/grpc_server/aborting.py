"""How a call of gRPC is refused so that nothing is left of it."""

from __future__ import annotations

import asyncio
from typing import NoReturn, TypeAlias

import grpc

from runtime.tracebacks import forget
from services.grpc_server.status import rich_status, trailing_metadata

Context: TypeAlias = "grpc.aio.ServicerContext[bytes, bytes]"


async def abort(context: Context, error: Exception) -> NoReturn:
    """End a call with the status of an exception. Raises `AbortError`, or `CancelledError` when the client is gone."""
    code, status = rich_status(error)
    try:
        await context.abort(code, status.message, trailing_metadata(error, status))
    except grpc.aio.AbortError as aborted:
        forget_soon(aborted)
        raise
    except grpc.aio.BaseError:
        raise asyncio.CancelledError from None
    raise AssertionError("abort always raises")


def forget_soon(aborted: grpc.aio.AbortError) -> None:
    """Forget the frames of an exception once it has gone up to gRPC, which holds it for as long as the call."""
    asyncio.get_running_loop().call_soon(forget, aborted)
