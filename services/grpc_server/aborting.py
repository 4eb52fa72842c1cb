"""Ends a gRPC call with the status of an exception, and frees the memory that the call held."""

from __future__ import annotations

import asyncio
from typing import NoReturn, TypeAlias

import grpc

from runtime.tracebacks import clear_tracebacks
from services.grpc_server.status import rich_status, trailing_metadata

Context: TypeAlias = "grpc.aio.ServicerContext[bytes, bytes]"


async def abort(context: Context, error: Exception) -> NoReturn:
    """End a call with the status of an exception. Raises `AbortError`, or `CancelledError` when the client is gone."""
    code, status = rich_status(error)
    try:
        await context.abort(code, status.message, trailing_metadata(error, status))
    except grpc.aio.AbortError as aborted:
        clear_tracebacks_soon(aborted)
        raise
    except grpc.aio.BaseError:  # the client is gone
        raise asyncio.CancelledError from None
    raise AssertionError("abort always raises")


def clear_tracebacks_soon(aborted: grpc.aio.AbortError) -> None:
    """Clear the frames of an exception once gRPC has it: gRPC holds the exception until the call ends."""
    asyncio.get_running_loop().call_soon(clear_tracebacks, aborted)
