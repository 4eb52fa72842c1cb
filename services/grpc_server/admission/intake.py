"""Admission of gRPC calls: limits on the wait for the first message, and on bytes of messages in flight."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from time import monotonic
from typing import Final, TypeAlias, TypeVar, cast
from weakref import WeakSet

import grpc
from google.protobuf.message import DecodeError

from runtime.service_settings import SMALL_BYTES
from runtime.telemetry import metrics
from runtime.tracebacks import clear_tracebacks
from services.grpc_server.aborting import Context, abort, clear_tracebacks_soon
from services.grpc_server.errors import Busy, InvalidRequest, MessageTimeout, ServiceError
from services.grpc_server.unimplemented import unimplemented_handler

T = TypeVar("T")
Handler: TypeAlias = "grpc.RpcMethodHandler[bytes, bytes]"
Parse: TypeAlias = "Callable[[bytes], object]"
Behaviour: TypeAlias = "Callable[[object, Context], Awaitable[object]]"

EOF: Final[object] = grpc.aio.EOF
FIRST_MESSAGE_SECONDS: Final = 20.0
"""Timeout of the first message of a call."""
MAX_LARGE_CALLS: Final = 2
"""Number of unary calls with large messages served at once: 1 MiB of empty parts is 40 MiB once parsed.

32 such batches at once took an engine to 1,250 MiB, 2 at a time 186; they use one core either way.
"""
SLOW_CALL_SECONDS: Final = 2.0
"""Wait for the message after which a call is slow, and may be refused in favour of others."""
SLOW_CALLS_ALLOWED: Final = 16
"""Slow calls that are always allowed."""
MAX_WAITING_CALLS: Final = 2048
"""Number of calls that may wait for their message, slow or not."""
MAX_CONCURRENT_READS: Final = 32
"""Number of messages read at a time while few calls wait, and twice as many while more do.

gRPC buffers all of a message that is read, and else 64 KiB of it.
600 calls of 1 MiB at once took an engine from 72 to 633 MiB while 512 were read at a time.
"""
SWEEP_SECONDS: Final = 0.25


class Intake(grpc.GenericRpcHandler):
    """All handlers of a server, with limits on time and bytes in front.

    Messages in flight share `bytes_most` bytes. Small ones may use all of it; larger ones only half, so that small
    calls are served even then.

    gRPC itself waits without limit for the message of a unary call, and buffers what has arrived. So all methods are
    served as if their requests streamed: only such handlers are called when the headers arrive. It costs 1 to 2 us a
    call.
    """

    _running: Final[WeakSet[Intake]] = WeakSet()
    """All of this process: its gauge is their sum."""

    def __init__(self, bytes_most: int, message_limit: int, seconds: float = FIRST_MESSAGE_SECONDS) -> None:
        """`bytes_most`: bytes for messages of running calls, and as many for messages that arrive slowly."""
        self.call_count = 0
        """Number of calls that have arrived."""
        self._bytes_most: Final = bytes_most
        self.inflight = 0
        """Bytes of the messages of running calls."""
        self._running.add(self)
        metrics.INFLIGHT_BYTES.labels("grpc").set_function(lambda: sum(each.inflight for each in Intake._running))
        self._large: Final = asyncio.Semaphore(MAX_LARGE_CALLS)
        self._slow_most: Final = max(min(bytes_most // message_limit, MAX_CONCURRENT_READS), SLOW_CALLS_ALLOWED)
        self._seconds: Final = seconds
        self._waiting: Final[dict[Context, float]] = {}
        """Calls whose message has not arrived, with the times of their arrival, the earliest first."""
        self._reading: Final = asyncio.Semaphore(MAX_CONCURRENT_READS)
        self._timer: asyncio.TimerHandle | None = None
        self._aborts: Final[set[asyncio.Task[None]]] = set()
        self._handlers: Final[list[grpc.GenericRpcHandler]] = []
        self._methods: Final[dict[str, Handler]] = {}

    def add(self, *handlers: grpc.GenericRpcHandler) -> None:
        """Serve the methods of these handlers."""
        self._handlers.extend(handlers)

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Handler:
        """The handler of a call."""
        self.call_count += 1
        method = handler_call_details.method
        return self._methods.get(method) or self._lookup(handler_call_details) or unimplemented_handler(method)

    def _lookup(self, details: grpc.HandlerCallDetails) -> Handler | None:
        for each in self._handlers:
            handler = each.service(details)
            if handler is not None:
                return self._methods.setdefault(details.method, self._with_admission(handler))
        return None

    async def wait_until_quiet(self, seconds: float, within: float) -> None:
        """Wait until no call has arrived for `seconds`, but at most `within` seconds."""
        deadline = monotonic() + within
        seen = -1
        while self.call_count != seen and monotonic() < deadline:
            seen = self.call_count
            await asyncio.sleep(seconds)

    def _with_admission(self, handler: Handler) -> Handler:
        parse = cast("Parse | None", handler.request_deserializer)
        if handler.request_streaming:
            served = self._with_limits(self._streaming(cast(Callable[..., object], handler.stream_stream), parse))
        else:
            behaviour = cast(Behaviour, handler.unary_stream or handler.unary_unary)
            behaviour = behaviour if parse is None else _with_parsing(parse, behaviour)
            served = self._with_limits(behaviour if handler.response_streaming else self._limit_large_calls(behaviour))
        make = (
            grpc.stream_stream_rpc_method_handler
            if handler.response_streaming
            else grpc.stream_unary_rpc_method_handler
        )
        return make(served, None, handler.response_serializer)

    def _with_limits(self, behaviour: Behaviour) -> Behaviour:
        """Wrap a behaviour, which gets the first message; in one function, since every move passes here."""
        waiting, reading = self._waiting, self._reading

        async def serve(_: object, context: Context) -> object:
            try:
                waiting[context] = monotonic()
                if self._timer is None or len(waiting) > MAX_WAITING_CALLS:
                    self._start_sweep()
                try:
                    if len(waiting) <= MAX_CONCURRENT_READS:
                        data = await context.read()
                    else:
                        async with reading:
                            data = await context.read()
                finally:
                    waiting.pop(context, None)
                if data is EOF:
                    raise InvalidRequest("", "the call ended without a message")
                size = len(data)
                self._check_room(size)
                self.inflight += size
                try:
                    return await behaviour(data, context)
                finally:
                    self.inflight -= size
            except grpc.aio.AbortError as aborted:
                clear_tracebacks_soon(aborted)
                raise
            except grpc.aio.BaseError:  # mostly a failed write, since the client is gone
                raise asyncio.CancelledError from None
            except ServiceError as error:
                failure = error
            clear_tracebacks(failure)
            return await abort(context, failure)

        return serve

    def _limit_large_calls(self, behaviour: Behaviour) -> Behaviour:
        """Wrap a behaviour: few large messages at a time, and no `await` before a message is parsed."""

        async def behave_in_turn(data: object, context: Context) -> object:
            async with self._large:
                return await behaviour(data, context)

        return lambda data, context: (behaviour if len(cast(bytes, data)) <= SMALL_BYTES else behave_in_turn)(
            data, context
        )

    def _streaming(self, behaviour: Callable[..., object], parse: Parse | None) -> Behaviour:
        """Wrap a streaming behaviour, which gets all messages; the first one is admitted already."""

        async def messages(data: object, context: Context) -> AsyncIterator[object]:
            while data is not EOF:
                yield data if parse is None else parse_message(parse, cast(bytes, data))
                data = await context.read()
                if data is not EOF:
                    self._check_room(len(data))

        if inspect.isasyncgenfunction(behaviour):

            async def send_all(first: object, context: Context) -> None:
                async for response in behaviour(messages(first, context), context):
                    await context.write(response)

            return send_all
        return lambda first, context: cast(Awaitable[object], behaviour(messages(first, context), context))

    def _check_room(self, size: int) -> None:
        if self.inflight + size > (self._bytes_most if size <= SMALL_BYTES else self._bytes_most // 2):
            metrics.REFUSED_REQUESTS.labels("bytes").inc()
            raise Busy

    def _start_sweep(self) -> None:
        """Start the sweep of waiting calls; if there are too many, refuse the one that has waited longest."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(SWEEP_SECONDS, self._sweep)
        if len(self._waiting) > MAX_WAITING_CALLS:
            self._refuse(next(iter(self._waiting)), Busy(), "waiting")

    def _sweep(self) -> None:
        """Refuse calls whose message is late, and slow ones beyond the limit: gRPC buffers their partial messages."""
        waits = len(self._waiting)
        metrics.CALLS_WITHOUT_MESSAGE.set(waits)
        now = monotonic()
        slow = [context for context, since in self._waiting.items() if now - since >= SLOW_CALL_SECONDS]
        for number, context in enumerate(slow):
            if now - self._waiting[context] >= self._seconds:
                self._refuse(context, MessageTimeout(self._seconds), "late")
            elif number < len(slow) - self._slow_most:
                self._refuse(context, Busy(), "waiting")
        self._timer = asyncio.get_running_loop().call_later(SWEEP_SECONDS, self._sweep) if waits else None

    def _refuse(self, context: Context, error: ServiceError, reason: str) -> None:
        """Refuse a call whose message has not arrived."""
        del self._waiting[context]
        metrics.REFUSED_REQUESTS.labels(reason).inc()
        task = asyncio.ensure_future(_abort_quietly(context, error))
        self._aborts.add(task)
        task.add_done_callback(self._aborts.discard)


async def _abort_quietly(context: Context, error: ServiceError) -> None:
    with suppress(grpc.aio.AbortError, asyncio.CancelledError):
        await abort(context, error)


def _with_parsing(parse: Parse, behaviour: Behaviour) -> Behaviour:
    return lambda data, context: behaviour(parse_message(parse, cast(bytes, data)), context)


def parse_message(parse: Callable[[bytes], T], data: bytes) -> T:
    """The message of encoded bytes. Raises `InvalidRequest`."""
    try:
        return parse(data)
    except DecodeError:
        raise InvalidRequest("", "the message cannot be parsed") from None
