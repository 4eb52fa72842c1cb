"""Server-sent events: `data` is a message as JSON, `id` its revision or the id of a platform's event, `event` its type.

Log entries, and the reports of a tournament, have no type, so that `onmessage` of browsers gets them. The `id` of
`over` ends with `-over`: a browser that reconnects with it has the result and gets 204, which stops it; one that lost
the connection just before `over` is sent it.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final

import grpc
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from gateway import problems, protojson
from gateway.protojson import InvalidFields, Violation
from gateway.routing import entity_tags, routes, transcoder
from gateway.routing.bindings import BATCH_FIELD, EVENT_ID_FIELD, Binding
from gateway.upstream import rpc_errors
from gateway.upstream.engines import Engines, StreamCall
from gateway.upstream.resumed_stream import ResumedStream
from runtime.telemetry import metrics
from runtime.until_first import until_first

MEDIA_TYPE: Final = "text/event-stream"
LAST_EVENT_ID_HEADER: Final = "Last-Event-ID"
HEARTBEAT_SECONDS: Final = 5.0
"""Also detects a lost client: after a pipelined request the server reports a disconnect only at a failed write."""
RETRY_MILLISECONDS: Final = 500
"""Reconnection time for clients when this gateway stops."""
HEADERS: Final = {**problems.NO_STORE, "X-Accel-Buffering": "no"}

OVER: Final = "over"
"""The kind of the event after which a match has no more events."""
OVER_SUFFIX: Final = "-over"
_EVENT_ID: Final = re.compile(rf"([0-9]{{1,10}})({OVER_SUFFIX})?")


def endpoint(binding: Binding) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of a server-streaming route."""

    async def serve(request: Request) -> Response:
        parts = await routes.read_request(binding, request)
        message = transcoder.request_message(binding, parts)
        field = binding.position_field
        last, has_over = _last_event_id(parts.headers, field)
        after = str(getattr(message, field.name)) if last is None else last
        engines: Engines = request.app.state.engines
        routes.check_served(binding, engines)
        if binding.batched_field:
            message.batched = True  # type: ignore[attr-defined] # events are written together, not one by one
        metadata = routes.call_metadata(request.scope, parts.headers)
        takes_key, _ = binding.credentials
        if takes_key:
            metadata = [*metadata, *routes.api_key_metadata(parts.headers)]
        if has_over:
            return Response(status_code=204, headers=HEADERS)

        async def start(after: str) -> StreamCall:
            setattr(message, field.name, after if field.name == EVENT_ID_FIELD else int(after))
            return await engines.stream(binding.game, binding.method, message, metadata)

        # One task for the whole request: granian takes a cancelled `receive` for the end of the request.
        disconnect = asyncio.ensure_future(routes.until_disconnect(request.receive))
        stream = ResumedStream(start, after, engines.deadline)
        is_open = False
        try:
            is_open = await routes.unless_disconnected(disconnect, stream.open())
        except TimeoutError:
            raise problems.engine_timeout() from None
        finally:
            if not is_open:
                disconnect.cancel()
        return EventStream(binding, stream, disconnect) if is_open else Response(status_code=204, headers=HEADERS)

    return serve


def _last_event_id(headers: Mapping[str, str], field: FieldDescriptor) -> tuple[str | None, bool]:
    """The position of the last event that the client has, None for none, and whether that was the end of the match."""
    text = headers.get(LAST_EVENT_ID_HEADER.lower(), "").strip()
    if not text or field.name == EVENT_ID_FIELD:  # the engine knows which ids are valid
        return text or None, False
    found = _EVENT_ID.fullmatch(text)
    if not found or int(found[1]) > entity_tags.MAX_REVISION:
        raise InvalidFields([Violation(LAST_EVENT_ID_HEADER, "expected a revision, as in 12")])
    return found[1], bool(found[2])


class EventStream(Response):
    """Streams events until the match is over, the client disconnects, or the gateway stops."""

    media_type = MEDIA_TYPE

    def __init__(
        self, binding: Binding, stream: ResumedStream[StreamCall, str], disconnect: asyncio.Future[None]
    ) -> None:
        super().__init__(headers=HEADERS)
        del self.headers["content-length"]  # Starlette sets it to 0 for a response without a body
        self._binding: Final = binding
        self._stream: Final = stream
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
        self._stream.cancel()

    def _reconnect_hint(self) -> bytes:
        """Fields `retry` and `id`: reconnect soon, to another gateway, and continue after the last event, if any."""
        return b"retry: %d\nid: %b\n\n" % (RETRY_MILLISECONDS, self._stream.after.encode())

    async def _send_events(self, write: Callable[[bytes], Awaitable[None]]) -> None:
        """Write the events until the match is over, or no engine can resume the stream: the client then reconnects."""
        try:
            async for response in self._stream.responses():
                await write(b"".join([self._event(each) for each in unbatched(response)]))
        except grpc.aio.AioRpcError as error:
            if error.code() is grpc.StatusCode.ABORTED:
                await write(self._problem_event(error))

    def _problem_event(self, error: grpc.aio.AioRpcError) -> bytes:
        """An event that voids all earlier ones. The empty `id` makes a client that reconnects start anew."""
        problem = problems.content(rpc_errors.problem(error), self._path)
        return b"event: problem\nid\ndata: %b\n\n" % json.dumps(problem, ensure_ascii=False).encode()

    def _event(self, response: Message) -> bytes:
        [(field, event)] = response.ListFields()
        self._stream.after = str(getattr(event, self._binding.position_field.name.removeprefix("from_")))
        kind = b"" if field == self._binding.response_field else b"event: %b\n" % field.name.encode()
        suffix = OVER_SUFFIX.encode() if field.name == OVER else b""
        event_id = self._stream.after.encode() + suffix
        return b"%bid: %b\ndata: %b\n\n" % (kind, event_id, protojson.format(event))


def unbatched(response: Message) -> Sequence[Message]:
    """The responses of a batch; any other response alone."""
    [(field, value)] = response.ListFields()
    responses: Sequence[Message] = value.responses if field.name == BATCH_FIELD else [response]
    return responses


async def _send_heartbeats(write: Callable[[bytes], Awaitable[None]]) -> None:
    """Write comment lines, so that proxies do not close an idle connection. The first one opens it for clients."""
    while True:
        await write(b":\n\n")
        await asyncio.sleep(HEARTBEAT_SECONDS)
