"""WebSocket `/v1/<game>/matches/{match_id}/play`: the messages of `Play` as JSON, one in each text frame.

The subprotocol is `fireside.play.v1`. The first message joins: a `PlayRequest` with `join`, and the seat's token in a
further member `token`, unless it came as a second subprotocol, `fireside.token.TOKEN`, or in the header
`Authorization`, which pages cannot set. The service sends `PlayResponse` messages; an empty one, `{}`, is a heartbeat.
It sends an error that ends the connection as `{"problem": …}`, and closes it with the code 4000 + HTTP status.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Final, Protocol, cast

import grpc
import orjson
from fireside.match.v1 import error_reason_pb2
from fireside.match.v1.match_pb2 import Problem as Refusal
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from starlette.websockets import WebSocket, WebSocketDisconnect

from gateway import problems, protojson
from gateway.middleware import error_handlers
from gateway.middleware.rates import CallerRates
from gateway.openapi.schema import Json
from gateway.problems import Problem
from gateway.protojson import InvalidFields, MalformedJson, Violation
from gateway.routing import languages, routes
from gateway.routing.events import HEARTBEAT_SECONDS, unbatched
from gateway.upstream.engines import DuplexCall, Engines
from gateway.upstream.resumed_stream import ResumedStream
from runtime.until_first import until_first

logger = logging.getLogger(__name__)

SUBPROTOCOL: Final = "fireside.play.v1"
TOKEN_PREFIX: Final = "fireside.token."
JOIN_SECONDS: Final = 10.0
"""Longest wait for the first message."""
JOIN_BYTES: Final = 16 << 10
CHOICE_BYTES: Final = 4 << 10
"""Longest messages; they are parsed on the event loop."""
HEARTBEAT: Final = "{}"
"""Keeps proxies from closing the connection, and finds lost clients by `TCP_USER_TIMEOUT`.

granian sends no pings (emmett-framework/granian#613), but answers those of clients.
"""
CLOSED_BY_PROBLEM: Final = 4000
"""Close codes are this plus the HTTP status of the problem."""
NORMAL_CLOSURE: Final = 1000
POLICY_VIOLATION: Final = 1008
"""Close code of a client that does not join in time, which is the only problem with this status:"""
REQUEST_TIMEOUT: Final = 408
SERVICE_RESTART: Final = 1012
"""Close code when the gateway stops: a client reconnects, to another one."""


class _Join(Protocol):
    match_id: str
    from_revision: int
    locale: str


class _PlayRequest(Protocol):
    join: _Join

    def WhichOneof(self, oneof_group: str, /) -> str | None: ...


class PlaySocket:
    """Serves the WebSockets of one game."""

    def __init__(self, game: str, method: MethodDescriptor) -> None:
        self._game: Final = game
        self._method: Final = method

    async def serve(self, websocket: WebSocket) -> None:
        """Serve one connection to its end."""
        offered = websocket.scope.get("subprotocols", ())
        await websocket.accept(SUBPROTOCOL if SUBPROTOCOL in offered else None)
        end_streams: asyncio.Event = websocket.scope.get("end_streams") or asyncio.Event()
        session = _Session(self._game, self._method, websocket)
        try:
            await until_first(session.play(), end_streams.wait())
            await websocket.close(SERVICE_RESTART if end_streams.is_set() else NORMAL_CLOSURE)
        except WebSocketDisconnect:
            pass
        except Exception as error:
            if not isinstance(error, error_handlers.EXPECTED_ERRORS):
                logger.error("a WebSocket failed", exc_info=error)
            await session.close_with(error_handlers.problem_of(error))
        finally:
            session.cancel()


class _Session:
    """One connection: its client, and the stream of an engine."""

    def __init__(self, game: str, method: MethodDescriptor, websocket: WebSocket) -> None:
        self._game: Final = game
        self._method: Final = method
        self._websocket: Final = websocket
        self._engines: Final[Engines] = websocket.app.state.engines
        self._rates: Final[CallerRates | None] = websocket.app.state.rates
        self._stream: ResumedStream[DuplexCall, int] | None = None

    async def play(self) -> None:
        """Join the match, and play until it is over. Raises `Problem`, `WebSocketDisconnect` or the engine's error."""
        stream = await self._join()
        await until_first(self._send_choices(stream), self._send_responses(stream), self._send_heartbeats())

    async def _join(self) -> ResumedStream[DuplexCall, int]:
        if not self._engines.serves(self._game):
            raise problems.unknown_game(game=self._game)
        try:
            async with asyncio.timeout(JOIN_SECONDS):
                text = await self._receive(JOIN_BYTES)
        except TimeoutError:
            raise problems.join_timeout(seconds=f"{JOIN_SECONDS:g}") from None
        value = protojson.parse_json(text)
        token = self._offered_token()
        if isinstance(value, dict):
            token = value.pop("token", token)
            if not isinstance(token, str):
                raise InvalidFields([Violation("token", "expected a string")])
        message = self._join_request(value)
        join = cast(_PlayRequest, message).join
        authorization = {"authorization": f"Bearer {token}"} if token else {}
        metadata = routes.call_metadata(self._websocket.scope, authorization)

        async def start(after: int) -> DuplexCall:
            if after:  # 0 before the first event: the request stays as the client sent it
                join.from_revision = after
            call = await self._engines.duplex(self._game, self._method, metadata)
            await call.write(message)
            return call

        self._stream = ResumedStream(start, join.from_revision, self._engines.deadline)
        try:
            await self._stream.open()
        except TimeoutError:
            raise problems.engine_timeout() from None
        return self._stream

    def _offered_token(self) -> Json:
        """The token of the subprotocols or the header; empty without one."""
        for offered in self._websocket.scope.get("subprotocols", ()):
            if offered.startswith(TOKEN_PREFIX):
                return str(offered.removeprefix(TOKEN_PREFIX))
        scheme, _, token = self._websocket.headers.get("authorization", "").partition(" ")
        return token.strip() if scheme.lower() == "bearer" else ""

    def _join_request(self, value: Json) -> Message:
        """The first request, for the match of the path and in the language of the client."""
        match_id: str = self._websocket.path_params["match_id"]
        given = value.get("join") if isinstance(value, dict) else None
        if not isinstance(given, dict):
            raise InvalidFields([Violation("join", "is required in the first message")])
        if not {"matchId", "match_id"} & given.keys():
            given["matchId"] = match_id
        message = protojson.parse(value, self._method.input_type)
        join = cast(_PlayRequest, message).join
        if join.match_id != match_id:
            raise InvalidFields([Violation("join.matchId", "cannot differ from what the path sets")])
        if accept_language := self._websocket.headers.get(languages.HEADER):
            languages.set_locale(cast(Message, join), accept_language)
        return message

    async def _receive(self, limit: int) -> bytes:
        """The next text message. Raises `WebSocketDisconnect`, or `Problem` for one that is binary or too long."""
        message = await self._websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", NORMAL_CLOSURE))
        text: str | None = message.get("text")
        if text is None:
            raise problems.unsupported_media_type(given="a binary frame")
        encoded = text.encode()
        if len(encoded) > limit:
            raise problems.too_large(limit=limit)
        return encoded

    async def _send_choices(self, stream: ResumedStream[DuplexCall, int]) -> None:
        """Send the client's choices to the engine; one that is malformed or above a rate limit changes nothing."""
        while True:
            text = await self._receive(CHOICE_BYTES)
            try:
                if self._rates is not None:
                    await self._rates.check(self._websocket.scope)
                request = protojson.parse(protojson.parse_json(text), self._method.input_type)
            except (InvalidFields, MalformedJson, Problem) as error:
                await self._refuse(error_handlers.problem_of(error))
                continue
            # Without a call the stream has ended: it is being resumed, and then the turn comes again.
            with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
                if stream.call is not None:
                    await stream.call.write(request)

    async def _refuse(self, problem: Problem) -> None:
        fields = "; ".join(f"{each.field}: {each.description}" for each in problem.violations)
        metadata = dict(problem.metadata)
        if seconds := problem.headers.get("Retry-After"):
            metadata["retryAfter"] = seconds
        reason = error_reason_pb2.ErrorReason.Value(f"ERROR_REASON_{problem.reason}")
        refusal = Refusal(reason=reason, detail=fields or problem.detail, metadata=metadata)
        await self._send(GetMessageClass(self._method.output_type)(refusal=refusal))

    async def _send(self, response: Message) -> None:
        await self._websocket.send_text(protojson.format(response).decode())

    async def _send_responses(self, stream: ResumedStream[DuplexCall, int]) -> None:
        """Send what the engine sends, until the match is over."""
        async for response in stream.responses():
            for each in unbatched(response):
                if each.HasField("event"):
                    stream.after = each.event.revision  # type: ignore[attr-defined]
            await self._send(response)

    async def _send_heartbeats(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            await self._websocket.send_text(HEARTBEAT)

    async def close_with(self, problem: Problem) -> None:
        """Send a problem and close the connection."""
        scope = self._websocket.scope
        body = {**problems.content(problem, scope["path"]), "requestId": scope["request_id"]}
        code = POLICY_VIOLATION if problem.status == REQUEST_TIMEOUT else CLOSED_BY_PROBLEM + problem.status
        with suppress(WebSocketDisconnect, RuntimeError):  # the client may be gone
            await self._websocket.send_text(orjson.dumps({"problem": body}).decode())
            await self._websocket.close(code, problem.reason)

    def cancel(self) -> None:
        """Cancel the stream of the engine."""
        if self._stream is not None:
            self._stream.cancel()
