"""Handlers of gRPC calls: parse the request, call the method, and turn every exception into a status."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from functools import partial
from typing import Final, NoReturn, TypeAlias, cast

import grpc
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from opentelemetry.trace import Span

from runtime.telemetry import call_context, tracing
from runtime.tracebacks import clear_tracebacks
from services.grpc_server.aborting import Context, abort
from services.grpc_server.admission import callers
from services.grpc_server.admission.field_limit import check_field_count
from services.grpc_server.admission.intake import parse_message
from services.grpc_server.call_metrics import MethodMetrics
from services.grpc_server.fast_path import FastPath, FastPathBehaviour
from services.grpc_server.status import INTERNAL, error_mapping

logger = logging.getLogger(__name__)

Behaviour = Callable[[Message, str], Awaitable[Message | bytes]]
"""A unary method: takes the request and the credential, and returns the response, serialized or not."""

NextRequest = Callable[[], Awaitable[Message | None]]
"""Waits for the next request of a stream; None when the client has ended it."""


class ResponseStream:
    """Writer of a stream's responses, in order; they are already encoded, since several streams may share one."""

    def __init__(self, context: Context) -> None:
        self._context: Final = context
        self._lock: Final = asyncio.Lock()

    async def begin(self) -> None:
        """Send the initial metadata, from which the client learns that the stream is accepted."""
        await self._context.send_initial_metadata(((STREAM_ACCEPTED, "1"),))

    async def send(self, response: bytes) -> None:
        """Send a response, when the client's flow control allows it."""
        async with self._lock:  # gRPC forbids two writes at once
            await self._context.write(response)


StreamBehaviour = Callable[[Message, str, ResponseStream], Awaitable[None]]
"""A server-streaming method; the call ends when it returns."""
BidiBehaviour = Callable[[NextRequest, str, ResponseStream], Awaitable[None]]
"""A bidirectional streaming method; the call ends when it returns."""
AnyBehaviour: TypeAlias = Behaviour | StreamBehaviour | BidiBehaviour
UnaryHandler: TypeAlias = Callable[[bytes, Context], Awaitable[bytes]]
Handler: TypeAlias = "grpc.RpcMethodHandler[bytes, bytes]"

STREAM_ACCEPTED: Final = "fireside-streaming"
"""Initial metadata key by which a client knows that its stream was accepted."""
AUTHORIZATION: Final = "authorization"
API_KEY: Final = "x-api-key"
HOST: Final = "host"
"""Kind of credential of calls that a token or an API key allows."""
API_KEY_SCHEME: Final = "X-Api-Key "
"""Prefix of an API key where an `authorization` value is expected."""
REQUEST_ID: Final = "x-request-id"
LOGGED_FIELDS: Final = {"match_id": "match_id", "tournament_id": "tournament"}
"""Fields of requests that go into log lines, with their names there."""
RPC_SPAN_ATTRIBUTES: Final = {"rpc.system": "grpc"}
HTTP_BODY: Final = "google.api.HttpBody"
"""Type of responses that are files, some of which take long to make."""
QUIET_SECONDS: Final = 0.1
"""A stopping server that has received no call for this time will receive no more."""
SERVICE_FAULTS: Final = frozenset(
    {
        INTERNAL.code,
        grpc.StatusCode.DATA_LOSS,
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
    }
)
"""Status codes of errors of the service, not of the caller."""


def service_handler(
    service: ServiceDescriptor,
    behaviours: Mapping[str, AnyBehaviour],
    api_key_methods: Collection[str] = (),
    host_methods: Collection[str] = (),
    fast_path: Mapping[str, FastPathBehaviour] | None = None,
) -> grpc.GenericRpcHandler:
    """The gRPC handler of a service, from a table of behaviours by method name; methods stream as the proto says.

    The credential of a call is its `authorization` metadata; for the unary and server-streaming methods in
    `api_key_methods` it is `x-api-key`; for those in `host_methods` it is the former, or else `API_KEY_SCHEME` and the
    latter. A method with a `fast_path` tries that first.
    """
    handlers = {
        name: _handler(
            service.methods_by_name[name],
            behaviour,
            API_KEY if name in api_key_methods else HOST if name in host_methods else AUTHORIZATION,
            (fast_path or {}).get(name),
        )
        for name, behaviour in behaviours.items()
    }
    return grpc.method_handlers_generic_handler(service.full_name, handlers)


def _handler(
    method: MethodDescriptor, behaviour: AnyBehaviour, credential: str, fast_path: FastPathBehaviour | None
) -> Handler:
    if method.client_streaming:
        return grpc.stream_stream_rpc_method_handler(_bidi_streaming(method, cast(BidiBehaviour, behaviour)))
    if method.server_streaming:
        return grpc.unary_stream_rpc_method_handler(
            _server_streaming(method, cast(StreamBehaviour, behaviour), credential)
        )
    answer = _unary(method, cast(Behaviour, behaviour), credential)
    return grpc.unary_unary_rpc_method_handler(
        answer if fast_path is None else _with_fast_path(method, fast_path, answer)
    )


def _with_fast_path(method: MethodDescriptor, behaviour: FastPathBehaviour, fallback: UnaryHandler) -> UnaryHandler:
    """Try the fast path first, unless calls are traced or logged, which needs their context."""
    fast_path = FastPath(behaviour, partial(MethodMetrics(method).count_end, grpc.StatusCode.OK))

    async def answer(data: bytes, context: Context) -> bytes:
        # A scope costs 7 us in a hot loop, and several times as much after gRPC's own code: 0.80 to 0.86 of an echo.
        if not (tracing.is_on() or logger.isEnabledFor(logging.DEBUG)):
            response = fast_path.respond(data)
            if response is not None:
                return response
        return await fallback(data, context)

    return answer


def _unary(method: MethodDescriptor, behaviour: Behaviour, credential: str) -> UnaryHandler:
    method_metrics = MethodMetrics(method)
    read = _request_parser(method)
    is_limited = credential != AUTHORIZATION or method.output_type.full_name == HTTP_BODY  # by caller

    async def behave(data: bytes, metadata: Mapping[str, str]) -> bytes:
        response = await behaviour(read(data), _credential(credential, metadata))
        return response if isinstance(response, bytes) else response.SerializeToString()

    async def answer(data: bytes, context: Context) -> bytes:
        scope = CallScope(method_metrics, method, context)
        with scope as metadata:
            if is_limited:
                callers.set_call_origin(context.peer(), metadata)
            return await behave(data, metadata)
        return await scope.abort()

    return answer


def _credential(kind: str, metadata: Mapping[str, str]) -> str:
    if kind != HOST:
        return metadata.get(kind, "")
    key = metadata.get(API_KEY, "")
    return metadata.get(AUTHORIZATION, "") or (key and API_KEY_SCHEME + key)


def _server_streaming(
    method: MethodDescriptor, behaviour: StreamBehaviour, credential: str
) -> Callable[[bytes, Context], Awaitable[None]]:
    method_metrics = MethodMetrics(method)
    read = _request_parser(method)

    async def serve(data: bytes, context: Context) -> None:
        scope = CallScope(method_metrics, method, context)
        with scope as metadata:
            await behaviour(read(data), _credential(credential, metadata), ResponseStream(context))
            return
        await scope.abort()

    return serve


def _bidi_streaming(
    method: MethodDescriptor, behaviour: BidiBehaviour
) -> Callable[[AsyncIterator[bytes], Context], Awaitable[None]]:
    method_metrics = MethodMetrics(method)
    read = _request_parser(method)

    async def serve(requests: AsyncIterator[bytes], context: Context) -> None:
        async def next_request() -> Message | None:
            data = await anext(requests, None)
            return None if data is None else read(data)

        scope = CallScope(method_metrics, method, context)
        with scope as metadata:
            await behaviour(next_request, metadata.get(AUTHORIZATION, ""), ResponseStream(context))
            return
        await scope.abort()

    return serve


class CallScope:
    """One call with its metrics, span and log line; an exception within becomes its status.

    `abort` is called after the scope, not in its exit: there the exception would hold the frames of the call, and with
    them a request of perhaps a MiB, until the client has read the status.
    """

    def __init__(self, method_metrics: MethodMetrics, method: MethodDescriptor, context: Context) -> None:
        self._method_metrics: Final = method_metrics
        self._method: Final = method.full_name
        self._context: Final = context
        self._failure: Exception | None = None

    def __enter__(self) -> dict[str, str]:
        """Begin the call; its metadata."""
        metadata = _metadata(self._context)
        call_context.begin(method=self._method, request_id=metadata.get(REQUEST_ID, ""))
        self._start_seconds = time.perf_counter()
        self._method_metrics.count_start()
        self._span_scope = tracing.server_span(self._method, RPC_SPAN_ATTRIBUTES, metadata)
        self._span = self._span_scope.__enter__()
        return metadata

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> bool:
        code = grpc.StatusCode.OK if error is None else grpc.StatusCode.CANCELLED
        if isinstance(error, Exception) and not isinstance(error, grpc.aio.BaseError):
            self._failure = error
            code = error_mapping(error).code
            _set_span_status(self._span, code)
        seconds = time.perf_counter() - self._start_seconds
        self._method_metrics.count_end(code, seconds)
        _log_call(code, seconds)
        if code is INTERNAL.code:
            logger.error("a call failed", exc_info=error, extra=call_context.facts())
        self._span_scope.__exit__(None, None, None)
        if self._failure is not None:
            clear_tracebacks(self._failure)
        return self._failure is not None

    async def abort(self) -> NoReturn:
        """End the call with the status of its exception."""
        assert self._failure is not None
        await abort(self._context, self._failure)


def _set_span_status(span: Span, code: grpc.StatusCode) -> None:
    """Set the status code on the span; it is an error only if it is the service's fault."""
    span.set_attribute("rpc.grpc.status", code.name)
    if code in SERVICE_FAULTS:
        tracing.mark_failed(span, code.name)


def _metadata(context: Context) -> dict[str, str]:
    return {key: value for key, value in context.invocation_metadata() or () if isinstance(value, str)}


def _request_parser(method: MethodDescriptor) -> Callable[[bytes], Message]:
    """Parser of a method's requests, which adds their subject to the log context. It raises `InvalidRequest`.

    The caller keeps no reference to a request, so that a large one is freed before the client reads its refusal.
    """
    parse = GetMessageClass(method.input_type).FromString
    names = [name for name in LOGGED_FIELDS if name in method.input_type.fields_by_name]

    def read(data: bytes) -> Message:
        check_field_count(data, method.input_type)
        request = parse_message(parse, data)
        for name in names:
            call_context.add(**{LOGGED_FIELDS[name]: getattr(request, name)})
        return request

    return read


def _log_call(code: grpc.StatusCode, seconds: float) -> None:
    """Log one line for the call, without the contents of its messages."""
    if logger.isEnabledFor(logging.DEBUG):
        logger.debug(
            "call", extra={**call_context.facts(), "code": code.name, "milliseconds": round(1000 * seconds, 1)}
        )
