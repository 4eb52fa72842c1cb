"""Clients of remote bots on real sockets: retries, time limits, and errors for every invalid response."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import grpc
import pytest
from google.protobuf.json_format import MessageToDict

from services.bots.remote import remote_bots as module
from services.bots.remote.allowed import bot_address
from services.bots.remote.bot import MAX_ANSWER_BYTES, RemoteBot
from services.bots.remote.failure import ILLEGAL_MOVE, INVALID_ANSWER, TIMED_OUT, UNREACHABLE, BotFailed
from services.bots.remote.remote_bots import RemoteBots, remote_bot
from services.bots.remote.webhook import Webhook
from services.engine.codecs import CODECS, AnyCodec
from tests.redis_server import free_port
from tests.services.bots.third_parties import (
    Handler,
    bot_call,
    choice_response,
    grpc_bot,
    http_response,
    notation,
    webhook,
)
from tests.tcp_server import tcp_server

EVERY_GAME = pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))
BOT_CALL = bot_call()
LEGAL_MOVE = notation(BOT_CALL)
BOT_STEP = "step 1"
"""A move that is not among the first of a match."""
CALL_SECONDS = 1.0


@asynccontextmanager
async def remote_client(bot: str, secret: bytes = b"", calls: int = 16) -> AsyncIterator[RemoteBot]:
    remote = remote_bot(bot_address(bot), secret, calls)
    try:
        yield remote
    finally:
        await remote.close()


async def outcome_of(bot: str, seconds: float = CALL_SECONDS) -> str:
    """The notation of what the bot chooses, or how it fails; in no case does it take longer than it may."""
    began = time.monotonic()
    try:
        async with remote_client(bot) as remote:
            move = await remote.choose(BOT_CALL, seconds)
            return CODECS["fire_bulls"].game.notation(move)
    except BotFailed as failure:
        return failure.kind
    finally:
        assert time.monotonic() - began < seconds + 0.5


def replying(*answers: bytes) -> Handler:
    """Webhook handler that writes the responses one after the other, the last one again and again."""
    left = [*answers]

    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        """Write the next response."""
        writer.write(left.pop(0) if len(left) > 1 else left[0])

    return handler


async def never_answer(request: bytes, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(60)


async def answer_late(request: bytes, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(CALL_SECONDS + 0.3)
    writer.write(choice_response(LEGAL_MOVE))


async def respond_byte_by_byte(request: bytes, writer: asyncio.StreamWriter) -> None:
    for byte in choice_response(LEGAL_MOVE):
        writer.write(bytes([byte]))
        await asyncio.sleep(1)


async def respond_endlessly(request: bytes, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"400\r\n" + b" " * 1024 + b"\r\n")
        await writer.drain()


async def close_connection(request: bytes, writer: asyncio.StreamWriter) -> None:
    """Closes the connection."""


BUSY_RESPONSE = http_response("503 Service Unavailable", b"later")
RATE_LIMITED_RESPONSE = http_response("429 Too Many Requests", b"slow down", "retry-after: 3600")
TOO_LONG_BODY = json.dumps({"notation": "x" * MAX_ANSWER_BYTES}).encode()


@pytest.mark.parametrize(
    ("handler", "outcome"),
    [
        (replying(choice_response(LEGAL_MOVE)), LEGAL_MOVE),
        (replying(BUSY_RESPONSE, choice_response(LEGAL_MOVE)), LEGAL_MOVE),
        (replying(RATE_LIMITED_RESPONSE, RATE_LIMITED_RESPONSE, choice_response(LEGAL_MOVE)), LEGAL_MOVE),
        (replying(b"", choice_response(LEGAL_MOVE)), LEGAL_MOVE),
        (replying(BUSY_RESPONSE), UNREACHABLE),
        (replying(RATE_LIMITED_RESPONSE), UNREACHABLE),
        (close_connection, UNREACHABLE),
        (replying(b"SSH-2.0-OpenSSH\r\n"), UNREACHABLE),
        (never_answer, TIMED_OUT),
        (answer_late, TIMED_OUT),
        (respond_byte_by_byte, TIMED_OUT),
        (respond_endlessly, INVALID_ANSWER),
        (replying(http_response("200 OK", TOO_LONG_BODY)), INVALID_ANSWER),
        (replying(http_response("200 OK", b"")), INVALID_ANSWER),
        (replying(http_response("200 OK", b"{}")), INVALID_ANSWER),
        (replying(http_response("200 OK", b"\xff\xfe")), INVALID_ANSWER),
        (replying(http_response("200 OK", b"[" * 60000)), INVALID_ANSWER),
        (replying(http_response("200 OK", b'{"notation": ["pass"]}')), INVALID_ANSWER),
        (replying(http_response("200 OK", b'{"notation": "\\ud800"}')), INVALID_ANSWER),
        (replying(http_response("200 OK", b'{"notation": "no such move"}')), INVALID_ANSWER),
        (replying(http_response("200 OK", b'{"move": {}}')), INVALID_ANSWER),
        (replying(http_response("200 OK", b'{"notation": "a", "move": {}}')), INVALID_ANSWER),
        (replying(http_response("404 Not Found", b"")), INVALID_ANSWER),
        (replying(http_response("302 Found", b"", "location: http://127.0.0.1:1/")), INVALID_ANSWER),
        (replying(http_response("200 OK", choice_response(LEGAL_MOVE).partition(b"\r\n\r\n")[2] * 2)), INVALID_ANSWER),
    ],
)  # fmt: skip
async def test_every_webhook_response_has_its_outcome(handler: Handler, outcome: str) -> None:
    async with webhook(handler) as url:
        assert await outcome_of(url) == outcome


async def test_an_illegal_move_differs_from_a_move_that_does_not_exist() -> None:
    async with webhook(replying(choice_response(BOT_STEP))) as url:
        assert await outcome_of(url) == ILLEGAL_MOVE


async def test_a_second_response_is_not_taken_for_the_next_one() -> None:
    other = notation(BOT_CALL, 1)
    answers = [choice_response(LEGAL_MOVE) + choice_response(LEGAL_MOVE), choice_response(other)]
    async with webhook(replying(*answers)) as url, remote_client(url) as remote:
        moves = [await remote.choose(BOT_CALL, CALL_SECONDS) for _ in range(2)]
        assert [CODECS["fire_bulls"].game.notation(move) for move in moves] == [LEGAL_MOVE, other]


async def test_redirects_are_not_followed() -> None:
    called = []

    async def inside(request: bytes, writer: asyncio.StreamWriter) -> None:
        called.append(request)
        writer.write(choice_response(LEGAL_MOVE))

    async with (
        webhook(inside) as private,
        webhook(replying(http_response("307 Moved", b"", f"location: {private}"))) as url,
    ):
        assert await outcome_of(url) == INVALID_ANSWER
    assert called == []


@EVERY_GAME
async def test_a_webhook_is_called_with_the_messages_of_grpc_as_json(codec: AnyCodec) -> None:
    received: list[bytes] = []
    bot_call_of_game = bot_call(codec)

    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        received.append(request)
        writer.write(choice_response(notation(bot_call_of_game)))

    async with webhook(handler) as url, remote_client(url) as remote:
        began = time.time()
        await remote.choose(bot_call_of_game, 5)
    head, _, body = received[0].partition(b"\r\n\r\n")
    request_json = json.loads(body)
    request = bot_call_of_game.request(0)
    wanted = MessageToDict(request, always_print_fields_with_no_presence=True)
    assert {**request_json, "deadline": ""} == {**wanted, "deadline": ""}
    assert request_json["deadline"] > time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(began + 3))
    assert b"webhook-signature" not in head


async def test_requests_are_signed_and_retries_have_the_same_id() -> None:
    received: list[bytes] = []
    secret = b"0123456789abcdef0123456789abcdef"
    replies = [BUSY_RESPONSE, choice_response(LEGAL_MOVE)]

    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        received.append(request)
        writer.write(replies[len(received) - 1])

    async with webhook(handler) as url, remote_client(url, secret) as remote:
        await remote.choose(BOT_CALL, CALL_SECONDS)
    assert len(received) == 2
    for request in received:
        head, _, body = request.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:])
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        digest = base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
        assert headers["webhook-signature"] == f"v1,{digest}"
        assert headers["webhook-id"] == BOT_CALL.name
        assert abs(time.time() - int(headers["webhook-timestamp"])) < 30


def encode_response(**fields: str) -> bytes:
    data: bytes = BOT_CALL.response_class(**fields).SerializeToString()
    return data


class RefusingBot(grpc.RpcError):
    """A bot that refuses with a status."""


def replying_over_grpc(*answers: bytes | grpc.StatusCode) -> Callable[[bytes], Awaitable[bytes]]:
    left = [*answers]

    async def choose(data: bytes) -> bytes:
        reply = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(reply, grpc.StatusCode):
            raise RefusingBot(reply)
        return reply

    return choose


async def late_message(data: bytes) -> bytes:
    await asyncio.sleep(CALL_SECONDS + 0.3)
    return encode_response(notation=LEGAL_MOVE)


@pytest.mark.parametrize(
    ("bot", "outcome"),
    [
        (replying_over_grpc(encode_response(notation=LEGAL_MOVE)), LEGAL_MOVE),
        (replying_over_grpc(grpc.StatusCode.UNAVAILABLE, encode_response(notation=LEGAL_MOVE)), LEGAL_MOVE),
        (replying_over_grpc(grpc.StatusCode.RESOURCE_EXHAUSTED, encode_response(notation=LEGAL_MOVE)), LEGAL_MOVE),
        (replying_over_grpc(grpc.StatusCode.UNAVAILABLE), UNREACHABLE),
        (late_message, TIMED_OUT),
        (replying_over_grpc(b"\xff\xff\xff"), INVALID_ANSWER),
        (replying_over_grpc(b""), INVALID_ANSWER),
        (replying_over_grpc(encode_response(notation="no such move")), INVALID_ANSWER),
        (replying_over_grpc(encode_response(notation=BOT_STEP)), ILLEGAL_MOVE),
        (replying_over_grpc(grpc.StatusCode.INTERNAL), INVALID_ANSWER),
        (replying_over_grpc(grpc.StatusCode.UNIMPLEMENTED), INVALID_ANSWER),
        (replying_over_grpc(b"\x12" + b"\xff\xff\x07" + b"x" * 131071), UNREACHABLE),
    ],
)  # fmt: skip
async def test_every_grpc_response_has_its_outcome(bot: Callable[[bytes], Awaitable[bytes]], outcome: str) -> None:
    async with grpc_bot(bot) as name:
        assert await outcome_of(name) == outcome


@EVERY_GAME
async def test_a_grpc_bot_is_sent_the_view_of_its_seat(codec: AnyCodec) -> None:
    received = []
    bot_call_of_game = bot_call(codec)

    async def choose(data: bytes) -> bytes:
        received.append(data)
        return bot_call_of_game.response_class(move=bot_call_of_game.request(0).moves[-1].move).SerializeToString()  # type: ignore

    async with grpc_bot(choose, codec) as name, remote_client(name) as remote:
        move = await remote.choose(bot_call_of_game, 5)
    assert codec.game.notation(move) == notation(bot_call_of_game, -1)
    request, wanted = type(bot_call_of_game.request(0)).FromString(received[0]), bot_call_of_game.request(0)
    request.ClearField("deadline")
    wanted.ClearField("deadline")
    assert request == wanted


@pytest.mark.parametrize("scheme", ["grpc:127.0.0.1:", "http://127.0.0.1:"])
async def test_a_bot_that_is_not_running_is_unreachable(scheme: str) -> None:
    assert await outcome_of(f"{scheme}{free_port()}") == UNREACHABLE


async def test_a_bot_that_restarts_in_time_is_called_again() -> None:
    port = free_port()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(choice_response(LEGAL_MOVE))
        await writer.drain()

    outcome = asyncio.ensure_future(outcome_of(f"http://127.0.0.1:{port}/", 3))
    await asyncio.sleep(0.4)
    async with tcp_server(serve, port):
        assert await outcome == LEGAL_MOVE


async def test_concurrent_calls_of_one_bot_are_limited() -> None:
    now, most = 0, 0

    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.05)
        now -= 1
        writer.write(choice_response(LEGAL_MOVE))

    async with webhook(handler) as url, remote_client(url, calls=3) as remote:
        moves = await asyncio.gather(*[remote.choose(BOT_CALL, 0.5) for _ in range(30)])
    assert (len(moves), most) == (30, 3)


@pytest.mark.parametrize("kind", ["grpc", "webhook"])
async def test_a_retired_bot_client_completes_the_calls_in_flight(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_BOTS", 1)

    async def slow(request: bytes, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.3)
        writer.write(choice_response(LEGAL_MOVE))

    async def slow_answer(data: bytes) -> bytes:
        await asyncio.sleep(0.3)
        return BOT_CALL.response_class(notation=LEGAL_MOVE).SerializeToString()

    async with webhook(slow) as url, grpc_bot(slow_answer) as name:
        bot = url if kind == "webhook" else name
        bots = RemoteBots([bot_address(bot), bot_address("http://127.0.0.1:1/")], calls=2)
        answers = [asyncio.ensure_future(bots.client_of(bot).choose(BOT_CALL, 5)) for _ in range(4)]
        await asyncio.sleep(0.1)
        bots.client_of("http://127.0.0.1:1/")
        assert {CODECS["fire_bulls"].game.notation(move) for move in await asyncio.gather(*answers)} == {LEGAL_MOVE}
        await bots.close()


async def test_a_retired_bot_client_is_closed_when_its_calls_are_cancelled() -> None:
    async with webhook(never_answer) as url:
        bot = remote_bot(bot_address(url))
        assert isinstance(bot, Webhook)
        asking = asyncio.ensure_future(bot.choose(BOT_CALL, 5))
        await asyncio.sleep(0.1)
        retiring = asyncio.ensure_future(bot.retire())
        await asyncio.sleep(0.1)
        for task in (asking, retiring):
            task.cancel()
        await asyncio.gather(asking, retiring, return_exceptions=True)
        assert bot._client.is_closed


async def test_bots_that_are_not_on_the_allow_list_are_not_called() -> None:
    bots = RemoteBots([bot_address("http://127.0.0.1:1/bots")])
    assert bots.client_of("http://127.0.0.1:1/bots/x") is bots.client_of("http://127.0.0.1:1/bots/x")
    with pytest.raises(ValueError, match="not allowed"):
        bots.client_of("http://127.0.0.1:2/bots/x")
    await bots.close()
