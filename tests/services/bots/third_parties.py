"""Third-party bots of the tests, on real sockets: webhooks and gRPC servers that respond well or badly."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import grpc

from engine_core.chance import Luck
from engine_core.game import Move
from engine_core.match import AnyMatch, Match
from services.bots.remote.bot_call import BotCall
from services.engine.codecs import CODECS, AnyCodec
from services.engine.responses import StoredFacts
from tests.tcp_server import tcp_server

Handler = Callable[[bytes, asyncio.StreamWriter], Awaitable[None]]
"""Answers an HTTP request, given its head and body."""
GrpcAnswer = Callable[[bytes], Awaitable[bytes]]


def new_match(codec: AnyCodec, seed: str = "seed") -> AnyMatch:
    """A match with the fewest seats."""
    options = next(iter(codec.game.presets().values()))
    match: AnyMatch = Match(codec.game, codec.game.start(codec.game.min_seats, options), Luck(bytes(32), [seed]))
    match.begin()
    return match


def bot_call(codec: AnyCodec = CODECS["fire_bulls"]) -> BotCall[Move]:
    """The first choice of a match, as sent to a bot."""
    match = new_match(codec)
    return BotCall(codec, match, match.to_move()[0], StoredFacts("match-id"))


def notation(bot_call: BotCall[Move], index: int = 0) -> str:
    """The notation of a legal move."""
    moves = bot_call.request(0).moves  # type: ignore[attr-defined] # every game's has them
    found: str = moves[index].notation
    return found


def http_response(status: str, body: bytes, *headers: str) -> bytes:
    """An encoded HTTP response."""
    lines = [f"HTTP/1.1 {status}", f"content-length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def choice_response(text: str) -> bytes:
    """The encoded HTTP response of a webhook that chooses a move."""
    return http_response("200 OK", json.dumps({"notation": text}).encode(), "content-type: application/json")


@asynccontextmanager
async def webhook(handler: Handler) -> AsyncIterator[str]:
    """Run a webhook; its URL."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
        await handler(head + await reader.readexactly(length), writer)
        await writer.drain()

    async with tcp_server(serve) as port:
        yield f"http://127.0.0.1:{port}/"


@asynccontextmanager
async def grpc_bot(answer: GrpcAnswer, codec: AnyCodec = CODECS["fire_bulls"]) -> AsyncIterator[str]:
    """Run a gRPC bot that responds with these bytes; its bot name."""

    async def choose(data: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
        try:
            return await answer(data)
        except grpc.RpcError as error:
            await context.abort(error.args[0], "a status of the test")
            raise AssertionError("abort always raises") from None

    server = grpc.aio.server()
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.unary_unary_rpc_method_handler(choose)
    service = codec.bot_service.full_name
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(service, {"Choose": handler})])
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"grpc:127.0.0.1:{port}"
    finally:
        await server.stop(None)
