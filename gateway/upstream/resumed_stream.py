"""A stream of an engine that is resumed at another engine when its own becomes unavailable."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final, Generic, TypeVar

import grpc
from google.protobuf.message import Message

from gateway.upstream.engines import DuplexCall, StreamCall, retry_unknown_rules
from runtime.telemetry import metrics

C = TypeVar("C", bound="StreamCall | DuplexCall")
P = TypeVar("P")

STREAM_ACCEPTED_KEY: Final = "fireside-streaming"
"""Initial metadata of an engine that has accepted a stream, sent before the first response."""
RESUME_SECONDS: Final = 0.5
"""Pause before a stream is resumed at another engine."""
MAX_RESUME_SECONDS: Final = 30.0
"""How long resuming is tried before the stream ends and the client has to reconnect."""
RESUMABLE: Final = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED})
"""Errors after which resuming is tried again: the remaining engines may have reached their stream limit."""


class ResumedStream(Generic[C, P]):
    """Iterates over the responses of one call after the other. Set `after` to the position of each event."""

    def __init__(self, start: Callable[[P], Awaitable[C]], after: P, seconds: float) -> None:
        """`start` starts a call after a position; an engine may take `seconds` to accept it."""
        self._start: Final = start
        self._seconds: Final = seconds
        self.after = after
        self.call: C | None = None
        """The current call; None before it is accepted, and when there are no more responses."""

    async def open(self) -> bool:
        """Start the first call; False if there are no responses. Raises the engine's error or `TimeoutError`."""
        self.call = await retry_unknown_rules(lambda _: self._accepted_call(), self._seconds)
        return self.call is not None

    async def responses(self) -> AsyncIterator[Message]:
        """The responses to the end of the stream. Raises the engine's error if resuming does not help."""
        while self.call is not None:
            try:
                async for response in self.call:
                    yield response
                return
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE:
                    raise
                self.call = await self._resume(error)

    async def _resume(self, error: grpc.aio.AioRpcError) -> C | None:
        end = time.monotonic() + MAX_RESUME_SECONDS
        while time.monotonic() < end:
            await asyncio.sleep(RESUME_SECONDS)
            try:
                call = await self._accepted_call()
            except TimeoutError:
                continue
            except grpc.aio.AioRpcError as refused:
                if refused.code() not in RESUMABLE:
                    raise
            else:
                metrics.HTTP_EVENT_STREAMS_RESUMED.inc()
                return call
        raise error

    async def _accepted_call(self) -> C | None:
        """A call that an engine has accepted; None if there are no more responses. Raises the engine's error."""
        call: C | None = None
        try:
            async with asyncio.timeout(self._seconds):
                call = await self._start(self.after)
                metadata = await call.initial_metadata()
                if STREAM_ACCEPTED_KEY in dict(metadata or ()):
                    return call
                await call.read()
                return None
        except BaseException:
            if call is not None:
                call.cancel()
            raise

    def cancel(self) -> None:
        """Cancel the call."""
        if self.call is not None:
            self.call.cancel()
