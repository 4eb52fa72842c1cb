"""The events of a match as server-sent events: `id` is the revision of a line, `data` the line as JSON."""

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
from gateway.upstream.engines import Engines, StreamCall, with_rules
from runtime.telemetry import metrics

MEDIA_TYPE: Final = "text/event-stream"
LAST_EVENT: Final = "Last-Event-ID"
STREAMING: Final = "fireside-streaming"
"""Metadata by which an engine says that a stream stands, before there is anything to tell."""
HEARTBEAT_SECONDS: Final = 5.0
"""A client that sent a further request on its connection, and went, is noticed at the second write at the latest."""
AGAIN_SECONDS: Final = 0.5
"""How long to wait before an engine that has gone is called again."""
PATIENCE_SECONDS: Final = 30.0
"""How long an engine may be away before the client is left to ask again by itself."""
PASSING: Final = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED})
"""Refusals after which another engine is asked: one that has gone leaves its streams to those that may be full."""
RETRY_MILLISECONDS: Final = 500
"""How long a client waits that is sent to another gateway."""
HEADERS: Final = {**problems.NOT_STORED, "X-Accel-Buffering": "no"}

Begin: TypeAlias = "Callable[[int], Awaitable[StreamCall | None]]"


def endpoint(binding: Binding) -> Callable[[Request], Awaitable[Response]]:
    """Serves a binding whose answers stream."""

    async def serve(request: Request) -> Response:
        given = await routes.read_request(binding, request)
        message = transcoder.request(binding, given)
        last = _last_event(given.headers)
        after: int = getattr(message, "from_revision") if last is None else last  # noqa: B009 # of any game's request
        engines: Engines = request.app.state.engines
        routes.check_served(binding, engines)
        words = routes.metadata(request.scope, given.headers)

        async def begin(after: int) -> StreamCall | None:
            message.from_revision = after  # type: ignore[attr-defined]
            call = await engines.stream(binding.game, binding.method, message, words)
            return await _begun(call, engines.deadline)

        # One wait for the end of the client: to granian, a `receive` that is cancelled is the end of the request.
        gone = asyncio.ensure_future(routes.gone(request.receive))
        call = None
        try:
            call = await routes.before(gone, with_rules(lambda _: begin(after), engines.deadline))
        except TimeoutError:
            raise problems.too_late() from None
        finally:
            if call is None:
                gone.cancel()
        return Response(status_code=204, headers=HEADERS) if call is None else Events(binding, begin, call, after, gone)

    return serve


def _last_event(headers: Mapping[str, str]) -> int | None:
    text = headers.get(LAST_EVENT.lower(), "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit()) or len(text) > 10 or int(text) > entity_tags.REVISION_MOST:
        raise InvalidFields([Violation(LAST_EVENT, "expected a revision, as in 12")])
    return int(text)


async def _begun(call: StreamCall, seconds: float) -> StreamCall | None:
    """The call, once the engine has accepted it; None when there is nothing to tell. Raises as the engine refuses."""
    try:
        async with asyncio.timeout(seconds):
            metadata = await call.initial_metadata()
            if STREAMING in dict(metadata or ()):
                return call
            await call.read()
            return None
    except BaseException:
        call.cancel()
        raise


class Events(Response):
    """Tells the events until the match is over, the client goes, or the server leaves."""

    media_type = MEDIA_TYPE

    def __init__(
        self, binding: Binding, begin: Begin, call: StreamCall, after: int, gone: asyncio.Future[None]
    ) -> None:
        super().__init__(headers=HEADERS)
        del self.headers["content-length"]
        self._binding: Final = binding
        self._begin: Final = begin
        self._call: StreamCall | None = call
        self._last = after
        self._gone: Final = gone
        self._path = ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        leaving: asyncio.Event = scope.get("leaving") or asyncio.Event()
        self._path = scope["path"]
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        if scope["method"] == "HEAD":
            self._cancel()
            await send({"type": "http.response.body"})
            return
        turn = asyncio.Lock()

        async def write(text: bytes) -> None:
            async with turn:
                await send({"type": "http.response.body", "body": text, "more_body": True})

        try:
            with metrics.HTTP_EVENTS.track_inprogress():
                await _first_of(self._tell(write), _beat(write), self._gone, leaving.wait())
        except problems.Problem:
            pass  # of a body, which nobody asked for: the answer has begun, so it can only end
        finally:
            self._cancel()
        with suppress(OSError):
            await send({"type": "http.response.body", "body": self._farewell() if leaving.is_set() else b""})

    def _cancel(self) -> None:
        self._gone.cancel()
        if self._call:
            self._call.cancel()

    def _farewell(self) -> bytes:
        """What lets the client go on elsewhere, even if it has heard no event: where it is, and to ask again soon."""
        return b"retry: %d\nid: %d\n\n" % (RETRY_MILLISECONDS, self._last)

    async def _tell(self, write: Callable[[bytes], Awaitable[None]]) -> None:
        """Write the events; when the engine goes, another one is asked for what follows."""
        while self._call is not None:
            try:
                async for response in self._call:
                    await write(self._written(response))
                return
            except grpc.aio.AioRpcError as error:
                if error.code() is grpc.StatusCode.ABORTED:
                    await write(self._broken(error))
                if error.code() is not grpc.StatusCode.UNAVAILABLE:
                    return
                self._call = await self._resumed()

    def _broken(self, error: grpc.aio.AioRpcError) -> bytes:
        """What was told is no longer so; a client that comes back by itself begins anew, since the `id` is empty."""
        problem = problems.content(problems.from_rpc(error), self._path)
        return b"event: problem\nid\ndata: %b\n\n" % json.dumps(problem, ensure_ascii=False).encode()

    def _written(self, response: Message) -> bytes:
        event = transcoder.answer(self._binding, response)
        self._last = event.revision  # type: ignore[attr-defined]
        return b"id: %d\ndata: %b\n\n" % (self._last, protojson.format(event))

    async def _resumed(self) -> StreamCall | None:
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_SECONDS):
                while True:
                    await asyncio.sleep(AGAIN_SECONDS)
                    try:
                        call = await self._begin(self._last)
                        metrics.HTTP_RESUMED.inc()
                        return call
                    except grpc.aio.AioRpcError as error:
                        if error.code() not in PASSING:
                            return None
        return None


async def _beat(write: Callable[[bytes], Awaitable[None]]) -> None:
    """Say something now and then, so that whoever lies between keeps the connection; a first word opens it."""
    while True:
        await write(b":\n\n")
        await asyncio.sleep(HEARTBEAT_SECONDS)


async def _first_of(*works: Awaitable[object]) -> None:
    """Do several things at once until one of them ends, and end the others."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
