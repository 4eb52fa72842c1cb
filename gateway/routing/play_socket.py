"""WebSocket `/v1/<game>/matches/{match_id}/play`: the messages of `Play` as JSON, one in each text frame.

The subprotocol is `fireside.play.v1`. The first message joins: a `PlayRequest` with `join`, and the seat's token in a
further member `token`, unless it came as a second subprotocol, `fireside.token.TOKEN`, or in the header
`Authorization`, which pages cannot set. The service sends `PlayResponse` messages. It sends an error that ends the
connection as `{"problem": …}`, and closes it with the code 4000 + HTTP status.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import suppress
from os import urandom
from typing import Final, Protocol, cast

import grpc
import orjson
from fireside.match.v1.error_reason_pb2 import ERROR_REASON_INVALID_REQUEST
from fireside.match.v1.match_pb2 import Problem as Refusal
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from starlette.websockets import WebSocket, WebSocketDisconnect

from gateway import problems, protojson
from gateway.problems import Problem
from gateway.protojson import InvalidFields, MalformedJson, Violation
from gateway.routing import languages, routes
from gateway.upstream import rpc_errors
from gateway.upstream.engines import DuplexCall, Engines
from runtime.until_first import until_first

log = logging.getLogger(__name__)

SUBPROTOCOL: Final = "fireside.play.v1"
TOKEN_PREFIX: Final = "fireside.token."
JOIN_SECONDS: Final = 20.0
"""Longest wait for the first message."""
RESUME_SECONDS: Final = 0.5
"""Pause before the stream is resumed at another engine."""
RESUME_ATTEMPTS: Final = 60
"""So often in a row resuming is tried."""
CLOSED_BY_PROBLEM: Final = 4000
"""Close codes are this plus the HTTP status of the problem."""
NORMAL_CLOSURE: Final = 1000
SERVICE_RESTART: Final = 1012
"""Close code when the gateway stops: a client reconnects, to another one."""


class _Join(Protocol):
    match_id: str
    from_revision: int
    locale: str

    def HasField(self, field_name: str, /) -> bool: ...


class _PlayRequest(Protocol):
    join: _Join

    def WhichOneof(self, oneof_group: str, /) -> str | None: ...


class PlaySocket:
    """Serves the WebSockets of one game."""

    def __init__(self, game: str, method: MethodDescriptor, message_limit: int) -> None:
        """`message_limit`: characters of the longest message that a client may send."""
        self._game: Final = game
        self._method: Final = method
        self._message_limit: Final = message_limit

    async def serve(self, websocket: WebSocket) -> None:
        """Serve one connection to its end."""
        offered = websocket.scope.get("subprotocols", ())
        await websocket.accept(SUBPROTOCOL if SUBPROTOCOL in offered else None)
        end_streams: asyncio.Event = websocket.scope.get("end_streams") or asyncio.Event()
        session = _Session(self._game, self._method, self._message_limit, websocket)
        try:
            await session.join()
            await until_first(session.send_choices(), session.send_responses(), end_streams.wait())
            await websocket.close(SERVICE_RESTART if end_streams.is_set() else NORMAL_CLOSURE)
        except WebSocketDisconnect:
            pass
        except Exception as error:
            problem = _problem(error)
            body = problems.content(problem, websocket.scope["path"])
            with suppress(WebSocketDisconnect, RuntimeError):  # the client may be gone
                await websocket.send_text(orjson.dumps({"problem": body}).decode())
                await websocket.close(CLOSED_BY_PROBLEM + problem.status, problem.reason)
        finally:
            session.cancel()


class _Session:
    """One connection: its client, and the stream of an engine, which is replaced when that engine stops."""

    def __init__(self, game: str, method: MethodDescriptor, message_limit: int, websocket: WebSocket) -> None:
        self._game: Final = game
        self._method: Final = method
        self._message_limit: Final = message_limit
        self._websocket: Final = websocket
        self._engines: Final[Engines] = websocket.app.state.engines
        self._metadata: list[tuple[str, str]] = []
        self._first: Message | None = None
        self._call: DuplexCall | None = None

    async def join(self) -> None:
        """Read the first message and join the match. Raises `Problem`, `InvalidFields` or what the engine raises."""
        if not self._engines.serves(self._game):
            raise problems.unknown_game(game=self._game)
        try:
            async with asyncio.timeout(JOIN_SECONDS):
                text = await self._receive()
        except TimeoutError:
            raise problems.body_timeout(seconds=f"{JOIN_SECONDS:g}") from None
        value = protojson.parse_json(text.encode())
        token = self._offered_token()
        if isinstance(value, dict):
            token = value.pop("token", token)
            if not isinstance(token, str):
                raise InvalidFields([Violation("token", "expected a string")])
            if isinstance(join := value.get("join"), dict):
                join.setdefault("matchId", self._websocket.path_params["match_id"])
        self._first = self._joining(protojson.parse(value, self._method.input_type))
        authorization = {"authorization": f"Bearer {token}"} if token else {}
        self._metadata = [*routes.call_metadata({"request_id": urandom(16).hex()}, authorization)]
        self._call = await self._start()

    def _offered_token(self) -> str:
        """The token of the subprotocols or the header; empty without one."""
        for offered in self._websocket.scope.get("subprotocols", ()):
            if offered.startswith(TOKEN_PREFIX):
                return str(offered.removeprefix(TOKEN_PREFIX))
        scheme, _, token = self._websocket.headers.get("authorization", "").partition(" ")
        return token.strip() if scheme.lower() == "bearer" else ""

    def _joining(self, message: Message) -> Message:
        """The first request, for the match of the path and in the language of the client."""
        request, match_id = cast(_PlayRequest, message), self._websocket.path_params["match_id"]
        if request.WhichOneof("message") != "join":
            raise InvalidFields([Violation("join", "is required in the first message")])
        if request.join.match_id != match_id:
            raise InvalidFields([Violation("join.matchId", "cannot differ from what the path sets")])
        if accept_language := self._websocket.headers.get(languages.HEADER):
            languages.set_locale(cast(Message, request.join), accept_language)
        return message

    async def _start(self) -> DuplexCall:
        assert self._first is not None
        call = await self._engines.duplex(self._game, self._method, self._metadata)
        await call.write(self._first)
        return call

    async def _receive(self) -> str:
        """The next text message. Raises `WebSocketDisconnect` at the end, `Problem` for a long or a binary one."""
        message = await self._websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", NORMAL_CLOSURE))
        text: str | None = message.get("text")
        if text is None:
            raise problems.unsupported_media_type(given="a binary frame")
        if len(text) > self._message_limit:
            raise problems.too_large(limit=self._message_limit)
        return text

    async def send_choices(self) -> None:
        """Send the client's choices to the engine; a malformed one is refused and changes nothing."""
        while True:
            text = await self._receive()
            try:
                request = protojson.parse(protojson.parse_json(text.encode()), self._method.input_type)
            except (InvalidFields, MalformedJson) as error:
                await self._refuse(_problem(error))
                continue
            try:
                assert self._call is not None
                await self._call.write(request)
            except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
                pass  # the stream has ended: `send_responses` resumes it, and the turn comes again

    async def _refuse(self, problem: Problem) -> None:
        fields = "; ".join(f"{each.field}: {each.description}" for each in problem.violations)
        refusal = Refusal(reason=ERROR_REASON_INVALID_REQUEST, detail=fields or problem.detail)
        await self._send(GetMessageClass(self._method.output_type)(refusal=refusal))

    async def _send(self, response: Message) -> None:
        await self._websocket.send_text(protojson.format(response).decode())

    async def send_responses(self) -> None:
        """Send what the engine sends, until the match is over; resumed at another engine when this one stops."""
        async for response in self._responses():
            await self._send(response)

    async def _responses(self) -> AsyncIterator[Message]:
        attempts = 0
        while True:
            try:
                assert self._call is not None
                async for response in self._call:
                    attempts = 0
                    self._note_revision(response)
                    yield response
                return
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE or attempts == RESUME_ATTEMPTS:
                    raise
            attempts += 1
            await asyncio.sleep(RESUME_SECONDS)
            with suppress(grpc.aio.AioRpcError):  # the engine may be away for longer: the next read says so
                self._call = await self._start()

    def _note_revision(self, response: Message) -> None:
        """Remember the last event, after which a stream of events is resumed."""
        join = cast(_PlayRequest, self._first).join
        if join.HasField("from_revision") and response.HasField("event"):
            join.from_revision = response.event.revision  # type: ignore[attr-defined]

    def cancel(self) -> None:
        """Cancel the stream of the engine."""
        if self._call is not None:
            self._call.cancel()


def _problem(error: Exception) -> Problem:
    match error:
        case Problem():
            return error
        case grpc.aio.AioRpcError():
            return rpc_errors.problem(error)
        case InvalidFields():
            return problems.invalid_request(error.violations)
        case MalformedJson():
            return problems.malformed_json(description=error)
    log.error("a WebSocket failed", exc_info=error)
    return problems.internal()
