"""Server-sent events of a match or tournament: `data` is a message as JSON, `id` its revision, `event` its type.

Log entries, and the reports of a tournament, have no type, so that `onmessage` of browsers gets them.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Final, TypeAlias

import grpc
from google.protobuf.message import Message
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from gateway import problems, protojson
from gateway.protojson import InvalidFields, Violation
from gateway.routing import entity_tags, routes, transcoder
from gateway.routing.bindings import Binding
from gateway.upstream import rpc_errors
from gateway.upstream.engines import Engines, StreamCall, retry_unknown_rules
from runtime.telemetry import metrics
from runtime.until_first import until_first

MEDIA_TYPE: Final = "text/event-stream"
LAST_EVENT_ID_HEADER: Final = "Last-Event-ID"
STREAM_ACCEPTED_KEY: Final = "fireside-streaming"
"""Initial metadata of an engine that has accepted a stream, sent before the first event."""
HEARTBEAT_SECONDS: Final = 5.0
"""Also detects a lost client: after a pipelined request the server reports a disconnect only at a failed write."""
RESUME_SECONDS: Final = 0.5
"""Pause before a stream is resumed at another engine."""
MAX_RESUME_SECONDS: Final = 30.0
"""How long resuming is tried before the stream ends and the client has to reconnect."""
RESUMABLE: Final = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED})
"""Errors after which resuming is tried again: the remaining engines may have reached their stream limit."""
RETRY_MILLISECONDS: Final = 500
"""Reconnection time for clients when this gateway stops."""
HEADERS: Final = {**problems.NO_STORE, "X-Accel-Buffering": "no"}

StartStream: TypeAlias = "Callable[[int], Awaitable[StreamCall | None]]"
"""Starts a stream after a revision; None when there are no more events."""


def endpoint(binding: Binding) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of a server-streaming route."""

    async def serve(request: Request) -> Response:
        parts = await routes.read_request(binding, request)
        message = transcoder.request_message(binding, parts)
        last = _last_event_id(parts.headers)
        after: int = getattr(message, "from_revision") if last is None else last  # noqa: B009 # every game's request has it
        engines: Engines = request.app.state.engines
        routes.check_served(binding, engines)
        metadata = routes.call_metadata(request.scope, parts.headers)

        async def start(after: int) -> StreamCall | None:
            message.from_revision = after  # type: ignore[attr-defined]
            call = await engines.stream(binding.game, binding.method, message, metadata)
            return await _wait_until_accepted(call, engines.deadline)

        # One task for the whole request: granian takes a cancelled `receive` for the end of the request.
        disconnect = asyncio.ensure_future(routes.until_disconnect(request.receive))
        call = None
        try:
            call = await routes.unless_disconnected(
                disconnect, retry_unknown_rules(lambda _: start(after), engines.deadline)
            )
        except TimeoutError:
            raise problems.engine_timeout() from None
        finally:
            if call is None:
                disconnect.cancel()
        if call is None:
            return Response(status_code=204, headers=HEADERS)
        return EventStream(binding, start, call, after, disconnect)

    return serve


def _last_event_id(headers: Mapping[str, str]) -> int | None:
    text = headers.get(LAST_EVENT_ID_HEADER.lower(), "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit()) or len(text) > 10 or int(text) > entity_tags.MAX_REVISION:
        raise InvalidFields([Violation(LAST_EVENT_ID_HEADER, "expected a revision, as in 12")])
    return int(text)


async def _wait_until_accepted(call: StreamCall, seconds: float) -> StreamCall | None:
    """Wait until the engine accepts the call; None if there are no more events. Raises the engine's error."""
    try:
        async with asyncio.timeout(seconds):
            metadata = await call.initial_metadata()
            if STREAM_ACCEPTED_KEY in dict(metadata or ()):
                return call
            await call.read()
            return None
    except BaseException:
        call.cancel()
        raise


class EventStream(Response):
    """Streams events until the match is over, the client disconnects, or the gateway stops."""

    media_type = MEDIA_TYPE

    def __init__(
        self, binding: Binding, start: StartStream, call: StreamCall, after: int, disconnect: asyncio.Future[None]
    ) -> None:
        super().__init__(headers=HEADERS)
        del self.headers["content-length"]  # Starlette sets it to 0 for a response without a body
        self._binding: Final = binding
        self._start_call: Final = start
        self._call: StreamCall | None = call
        self._last_revision = after
        self._disconnect: Final = disconnect
        self._path = ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        stopping: asyncio.Event = scope.get("end_streams") or asyncio.Event()
        self._path = scope["path"]
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        # A HEAD has the headers of the GET, whose call must have been accepted for them.
        if scope["method"] == "HEAD":
            self._cancel()
            await send({"type": "http.response.body"})
            return
        lock = asyncio.Lock()  # events and heartbeats are written by two tasks

        async def write(text: bytes) -> None:
            async with lock:
                await send({"type": "http.response.body", "body": text, "more_body": True})

        try:
            with metrics.HTTP_EVENT_STREAMS.track_inprogress():
                await until_first(self._send_events(write), _send_heartbeats(write), self._disconnect, stopping.wait())
        except problems.Problem:
            pass  # the client sent a body that is too large; the response has started, so it can only end
        finally:
            self._cancel()
        with suppress(OSError):
            await send({"type": "http.response.body", "body": self._reconnect_hint() if stopping.is_set() else b""})

    def _cancel(self) -> None:
        self._disconnect.cancel()
        if self._call:
            self._call.cancel()

    def _reconnect_hint(self) -> bytes:
        """Fields `retry` and `id`: reconnect soon, to another gateway, and continue after the last event, if any."""
        return b"retry: %d\nid: %d\n\n" % (RETRY_MILLISECONDS, self._last_revision)

    async def _send_events(self, write: Callable[[bytes], Awaitable[None]]) -> None:
        """Write the events. If the engine becomes unavailable, the stream is resumed at another one."""
        while self._call is not None:
            try:
                async for response in self._call:
                    await write(self._event(response))
                return
            except grpc.aio.AioRpcError as error:
                if error.code() is grpc.StatusCode.ABORTED:
                    await write(self._problem_event(error))
                if error.code() is not grpc.StatusCode.UNAVAILABLE:
                    return
                self._call = await self._resume()

    def _problem_event(self, error: grpc.aio.AioRpcError) -> bytes:
        """An event that voids all earlier ones. The empty `id` makes a client that reconnects start anew."""
        problem = problems.content(rpc_errors.problem(error), self._path)
        return b"event: problem\nid\ndata: %b\n\n" % json.dumps(problem, ensure_ascii=False).encode()

    def _event(self, response: Message) -> bytes:
        [(field, event)] = response.ListFields()
        self._last_revision = event.revision
        kind = b"" if field == self._binding.response_field else b"event: %b\n" % field.name.encode()
        return b"%bid: %d\ndata: %b\n\n" % (kind, event.revision, protojson.format(event))

    async def _resume(self) -> StreamCall | None:
        with suppress(TimeoutError):
            async with asyncio.timeout(MAX_RESUME_SECONDS):
                while True:
                    await asyncio.sleep(RESUME_SECONDS)
                    try:
                        call = await self._start_call(self._last_revision)
                        metrics.HTTP_EVENT_STREAMS_RESUMED.inc()
                        return call
                    except grpc.aio.AioRpcError as error:
                        if error.code() not in RESUMABLE:
                            return None
        return None


async def _send_heartbeats(write: Callable[[bytes], Awaitable[None]]) -> None:
    """Write comment lines, so that proxies do not close an idle connection. The first one opens it for clients."""
    while True:
        await write(b":\n\n")
        await asyncio.sleep(HEARTBEAT_SECONDS)
