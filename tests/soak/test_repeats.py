"""Idempotency: a request that is sent many times makes one move, also if an engine crashes before its reply."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from random import Random
from typing import TypeAlias, cast

import httpx
import pytest
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from services.engine.codecs import CODECS, AnyCodec
from services.store.matches.store import Store
from services.store.open import open_store
from tests.soak.clients import ApiClient, CallRefused, GrpcClient, RestClient
from tests.soak.killable_stack import CommandProcess, ServiceStack
from tests.soak.random_matches import AcknowledgedMoves, ResponseMessage, RetryingPlayer
from tests.tcp_server import tcp_server

REPEAT_COUNT = 100
Body: TypeAlias = dict[str, str | int]
DAY_SECONDS = 24 * 60 * 60


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceStack]:
    with ServiceStack(tmp_path_factory.mktemp("repeats")) as service:
        yield service


@pytest.fixture
async def store(service: ServiceStack) -> AsyncIterator[Store]:
    store = open_store(service.redis.url, DAY_SECONDS)
    yield store
    await store.close()


@asynccontextmanager
async def open_clients(*addresses: str, url: str = "") -> AsyncIterator[list[ApiClient]]:
    grpc = GrpcClient(addresses, Random(1))
    rest = RestClient(url) if url else None
    yield [grpc, rest] if rest else [grpc]
    await grpc.close()
    if rest:
        await rest.close()


class FirstMove:
    """The first move of a new match, which any player can send."""

    def __init__(self, codec: AnyCodec, new_match: ResponseMessage, notation: str, other: str) -> None:
        """`notation` and `other` are moves that can be made, which may be the same."""
        self.codec = codec
        self.match_id = new_match.match_id
        self.revision = new_match.match.revision
        self.token = new_match.seats[new_match.match.to_move[0]].token
        self.body: Body = {"notation": notation}
        self.other: Body = {"notation": other, "seat": new_match.match.to_move[0]}

    async def send(self, player: RetryingPlayer) -> ResponseMessage:
        """Send it; the response."""
        return await player.call(
            self.codec,
            "Apply",
            self.token,
            match_id=self.match_id,
            **self.body,
            request_id="again",
            expected_revision=self.revision,
        )


async def new_first_move(codec: AnyCodec, player: RetryingPlayer) -> FirstMove:
    """Start a match, and choose its first move."""
    new_match = await player.call(codec, "NewGame", seats=[{}] * codec.game.max_seats)
    token = new_match.seats[new_match.match.to_move[0]].token
    moves = (await player.call(codec, "LegalMoves", token, match_id=new_match.match_id)).moves
    return FirstMove(codec, new_match, moves[-1].notation, moves[0].notation)


async def check_applied_once(store: Store, request: FirstMove, answers: list[ResponseMessage]) -> None:
    """All responses are equal, and the log has one move with the chance draws after it."""
    assert all(answer == answers[0] for answer in answers)
    snapshot, lines = await store.read_log(request.match_id, request.revision)
    assert [event.revision for event in answers[0].events] == list(
        range(request.revision + 1, request.revision + 1 + len(lines))
    )
    assert snapshot.revision == answers[0].match.revision == request.revision + len(lines)


@pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)
async def test_concurrent_repeats_over_every_api_make_one_move(
    codec: AnyCodec, service: ServiceStack, store: Store
) -> None:
    async with open_clients(*[engine.address for engine in service.engines], url=service.gateway.url) as clients:
        player = RetryingPlayer(clients, Random(2), AcknowledgedMoves(), 0.5)
        request = await new_first_move(codec, player)
        answers = await asyncio.gather(*[request.send(player) for _ in range(REPEAT_COUNT)])
        await check_applied_once(store, request, list(answers))


class MoveSender:
    """Sends a first move over REST with an `Idempotency-Key`, or with the same id over gRPC."""

    def __init__(self, rest: httpx.AsyncClient, engine: GrpcClient, request: FirstMove) -> None:
        self._rest, self._engine, self._request = rest, engine, request

    async def send_rest(self, body: Body) -> httpx.Response:
        request = self._request
        headers = {"Authorization": f"Bearer {request.token}", "Idempotency-Key": "again"}
        path = f"/v1/{request.codec.game.name.replace('_', '-')}/matches/{request.match_id}/moves"
        headers["If-Match"] = f'"{request.revision}"'
        return await self._rest.post(path, json=body, headers=headers)

    async def call(self, body: Body) -> Message:
        kind = GetMessageClass(self._request.codec.service.methods_by_name["Apply"].input_type)
        fields = {"match_id": self._request.match_id, "expected_revision": self._request.revision}
        message = kind(request_id="again", **fields, **body)
        return await self._engine.call(self._request.codec, "Apply", message, self._request.token)


@asynccontextmanager
async def move_sender(codec: AnyCodec, service: ServiceStack) -> AsyncIterator[tuple[MoveSender, FirstMove]]:
    """A new match, and a client that makes its first move."""
    limits = httpx.Limits(max_connections=None)
    async with (
        open_clients(*[engine.address for engine in service.engines]) as clients,
        httpx.AsyncClient(base_url=service.gateway.url, timeout=30, limits=limits) as rest,
    ):
        request = await new_first_move(codec, RetryingPlayer(clients, Random(4), AcknowledgedMoves(), 0.5))
        yield MoveSender(rest, cast(GrpcClient, clients[0]), request), request


@pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)
async def test_repeats_by_idempotency_key_make_one_move(codec: AnyCodec, service: ServiceStack, store: Store) -> None:
    async with move_sender(codec, service) as (sender, request):
        answers = await asyncio.gather(*[sender.send_rest(request.body) for _ in range(REPEAT_COUNT)])
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.content for answer in answers}) == 1
        response = cast(ResponseMessage, await sender.call(request.body))  # the key is the same request id
        await check_applied_once(store, request, [response])
        assert answers[0].json()["revision"] == response.match.revision


@pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)
@pytest.mark.parametrize("first", ["REST", "gRPC"])
async def test_another_body_with_the_same_id_is_refused_and_changes_nothing(
    codec: AnyCodec, service: ServiceStack, store: Store, first: str
) -> None:
    async with move_sender(codec, service) as (sender, request):
        await (sender.send_rest(request.body) if first == "REST" else sender.call(request.body))
        made = await store.read_log(request.match_id, 0)
        refused = await sender.send_rest(request.other)
        assert (refused.status_code, refused.json()["reason"]) == (400, "REQUEST_ID_REUSED")
        assert refused.json()["metadata"] == {"requestId": "again"}
        with pytest.raises(CallRefused) as caught:
            await sender.call(request.other)
        assert caught.value.reason == "REQUEST_ID_REUSED"
        assert await store.read_log(request.match_id, 0) == made
        assert (await sender.send_rest(request.body)).status_code == 200  # which has its first answer still


@pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)
async def test_one_of_two_concurrent_bodies_with_one_id_is_applied(
    codec: AnyCodec, service: ServiceStack, store: Store
) -> None:
    async with move_sender(codec, service) as (sender, request):
        bodies = [request.body, request.other] * (REPEAT_COUNT // 4)
        answers = await asyncio.gather(*[sender.send_rest(body) for body in bodies])
        for body in (request.body, request.other):
            statuses = {answer.status_code for answer, sent in zip(answers, bodies, strict=True) if sent == body}
            assert len(statuses) == 1
        assert {answer.status_code for answer in answers} == {200, 400}
        made = next(answer.json() for answer in answers if answer.status_code == 200)
        assert (await store.load(request.match_id)).revision == made["revision"]


@pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)
async def test_an_engine_that_dies_between_commit_and_reply_has_made_one_move(
    codec: AnyCodec, service: ServiceStack, store: Store
) -> None:
    """Replies of Redis to the engine are held back before it is killed: the move is made, but not acknowledged."""
    async with RedisProxy(service.redis.url) as proxy:
        crashing = CommandProcess("crashing", ["engine"], REDIS_URL=proxy.url)
        await asyncio.to_thread(crashing.start)
        try:
            answers, request = await _responses_across_crash(codec, crashing, proxy, service, store)
        finally:
            crashing.kill()
    await check_applied_once(store, request, answers)


async def _responses_across_crash(
    codec: AnyCodec, crashing: CommandProcess, proxy: RedisProxy, service: ServiceStack, store: Store
) -> tuple[list[ResponseMessage], FirstMove]:
    healthy = [engine.address for engine in service.engines]
    async with open_clients(crashing.address) as before, open_clients(*healthy, url=service.gateway.url) as after:
        player = RetryingPlayer(before, Random(3), AcknowledgedMoves(), 0.5)
        await (await new_first_move(codec, player)).send(
            player
        )  # which loads the script: only then one call makes a move
        request = await new_first_move(codec, player)
        clients = list(before)
        acknowledged = AcknowledgedMoves()
        proxy.holds_replies = True
        first = [
            asyncio.ensure_future(request.send(RetryingPlayer(clients, Random(n), acknowledged, 0.2)))
            for n in range(REPEAT_COUNT // 2)
        ]
        await _until_committed(store, request)
        assert not any(task.done() for task in first)
        crashing.kill()
        clients[:] = after
        second = [request.send(RetryingPlayer(after, Random(n), acknowledged, 0.2)) for n in range(REPEAT_COUNT // 2)]
        answers = await asyncio.wait_for(asyncio.gather(*first, *second), 60)
        assert acknowledged.counts["retries"] >= len(first)
        return list(answers), request


async def _until_committed(store: Store, request: FirstMove) -> None:
    async with asyncio.timeout(30):
        while (await store.load(request.match_id)).revision == request.revision:
            await asyncio.sleep(0.01)


class RedisProxy:
    """TCP proxy in front of Redis; with `holds_replies`, it forwards no reply any more once a script was called.

    Not on other connections either: a repeat that reads the match would learn the first answer there.
    """

    def __init__(self, url: str) -> None:
        self._port = int(url.rsplit(":", 1)[1].partition("/")[0])
        self._exits = AsyncExitStack()
        self._script_called = asyncio.Event()
        self.holds_replies = False
        self.url = ""

    async def __aenter__(self) -> RedisProxy:
        port = await self._exits.enter_async_context(tcp_server(self._connected))
        self.url = f"redis://127.0.0.1:{port}/0"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._exits.aclose()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        reader_of_server, writer_to_server = await asyncio.open_connection("127.0.0.1", self._port)
        transfers = [self._forward(reader, writer_to_server), self._forward_replies(reader_of_server, writer)]
        tasks = [asyncio.ensure_future(until_disconnected(transfer)) for transfer in transfers]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            writer_to_server.close()

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(1 << 16):
            if self.holds_replies and b"EVALSHA" in data:
                self._script_called.set()
            writer.write(data)
            await writer.drain()

    async def _forward_replies(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(1 << 16):
            if not self._script_called.is_set():
                writer.write(data)
                await writer.drain()


async def until_disconnected(transfer: Coroutine[None, None, None]) -> None:
    """Forward until either end is closed, as happens when an engine is killed."""
    with suppress(ConnectionError):
        await transfer
