"""Calls are cancelled at every await: no caller gets the response to another call, and no connection is lost.

`make cancels` does so 10,000 times.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from random import Random
from typing import cast

import pytest
from fireside.match.v1.match_record_pb2 import MatchHeader
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from engine_core.errors import GameError
from services.engine.codecs import CODECS, AnyCodec
from services.engine.main import Engine
from services.engine.records.signing import SigningKeys
from services.engine.servicer import Servicer
from services.engine.settings import EngineSettings
from services.grpc_server.auth import SeatTokens
from services.grpc_server.calls import Behaviour
from services.store.matches.store import Store
from services.store.open import open_store
from services.watch.feed import Feed
from tests.soak.clients import ApiClient, CallRefused, GrpcClient, NoResponse
from tests.soak.log_check import check_logs
from tests.soak.random_matches import AcknowledgedMoves, RandomMatches

CANCEL_COUNT = int(os.environ.get("FIRESIDE_CANCELS", "1500"))
MATCHES_AT_ONCE = 12
READER_COUNT = 8
FINAL_CALLS = 256
"""Concurrent calls at the end."""
DAY_SECONDS = 24 * 60 * 60


class CancellingClient:
    """Calls through another client, and cancels after a number of steps of the event loop, at random."""

    def __init__(self, api: ApiClient, random: Random, counts: Counter[str]) -> None:
        self._api = api
        self._random = random
        self._counts = counts

    async def call(self, codec: AnyCodec, method: str, request: Message, token: str) -> Message:
        call = asyncio.ensure_future(self._api.call(codec, method, request, token))
        response = await cancel_at_random(call, self._random)
        if response is None:
            self._counts[f"cancelled {method}"] += 1
            raise NoResponse
        self._counts[f"answered {method}"] += 1
        requested_id, response_id = getattr(request, "match_id", ""), _match_id(response)
        assert not requested_id or response_id in ("", requested_id)
        return response


async def cancel_at_random(call: asyncio.Future[Message], random: Random) -> Message | None:
    """The response to a call, which is cancelled after a random number of steps of the event loop; None then."""
    for _ in range(random.randrange(1 << random.randrange(1, 9))):
        await asyncio.sleep(0)
    call.cancel()
    try:
        return await call
    except asyncio.CancelledError:
        return None


def _match_id(response: Message) -> str:
    shown = getattr(response, "match", response)
    return str(getattr(shown, "match_id", ""))


class InProcessClient:
    """Calls servicers in this process."""

    def __init__(self, store: Store) -> None:
        tokens = SeatTokens({}, store)
        feed, signing = Feed(store), SigningKeys({}, store)
        self._servicers = {codec: Servicer(codec, store, tokens, signing, feed) for codec in CODECS.values()}

    async def call(self, codec: AnyCodec, method: str, request: Message, token: str) -> Message:
        servicer = self._servicers[codec]
        behaviours = {
            "NewGame": servicer.new_game,
            "LegalMoves": servicer.positions.legal_moves,
            "Apply": servicer.apply,
            "GetMatch": servicer.positions.match,
        }
        try:
            response = await cast(Behaviour, behaviours[method])(request, f"Bearer {token}" if token else "")
        except GameError as error:
            raise CallRefused(str(error)) from error
        assert isinstance(response, bytes)
        return GetMessageClass(codec.service.methods_by_name[method].output_type).FromString(response)


@pytest.fixture
async def store(redis_url: str) -> AsyncIterator[Store]:
    store = open_store(redis_url, DAY_SECONDS)
    yield store
    await store.close()


@pytest.fixture
async def engine(redis_url: str) -> AsyncIterator[Engine]:
    engine = Engine(EngineSettings(port=0, redis_url=redis_url, grace_seconds=1))
    await engine.start()
    yield engine
    await engine.stop()


async def test_cancelled_calls_change_nothing_for_others(store: Store, engine: Engine) -> None:
    acknowledged, counts, stopping = AcknowledgedMoves(), Counter[str](), asyncio.Event()
    async with AsyncExitStack() as stack:
        grpc = GrpcClient([f"127.0.0.1:{engine.port}"], Random(0))
        stack.push_async_callback(grpc.close)
        players = [
            _random_player(number, [InProcessClient(store), grpc], acknowledged, counts)
            for number in range(MATCHES_AT_ONCE)
        ]
        playing = [asyncio.ensure_future(player.play(stopping)) for player in players]
        readers = [
            asyncio.ensure_future(_read_matches(store, acknowledged, Random(n), counts, stopping))
            for n in range(READER_COUNT)
        ]
        await _until_cancelled(counts, [*playing, *readers])
        stopping.set()
        await asyncio.gather(*playing, *readers)
    await _check_pool(store, acknowledged)
    findings = await check_logs(store, acknowledged)
    cancelled = sum(number for name, number in counts.items() if name.startswith("cancelled"))
    print(f"\ncancelled {cancelled}, {findings}, retries {acknowledged.counts['retries']}")
    print(", ".join(f"{name} {number}" for name, number in sorted(counts.items())))
    assert findings.stored > 0
    assert findings.is_correct, findings


def _random_player(
    number: int, apis: list[ApiClient], acknowledged: AcknowledgedMoves, counts: Counter[str]
) -> RandomMatches:
    random = Random(number)
    codecs = list(CODECS.values())
    return RandomMatches(
        codecs[number % len(codecs)], [CancellingClient(api, random, counts) for api in apis], random, acknowledged, 0.0
    )


async def _until_cancelled(counts: Counter[str], running: list[asyncio.Task[None]]) -> None:
    while sum(number for name, number in counts.items() if name.startswith("cancelled")) < CANCEL_COUNT:
        done, _ = await asyncio.wait(running, timeout=0.1, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()


async def _read_matches(
    store: Store, acknowledged: AcknowledgedMoves, random: Random, counts: Counter[str], stopping: asyncio.Event
) -> None:
    """Read matches at random; each must be the requested one, by its commitment."""
    commitments: dict[str, bytes] = {}
    while not stopping.is_set():
        await asyncio.sleep(0)
        if not acknowledged.by_match:
            continue
        match_id = random.choice(list(acknowledged.by_match))
        header = await cancel_at_random(asyncio.ensure_future(_stored_header(store, match_id)), random)
        if header is None:
            counts["cancelled reads"] += 1
            continue
        counts["answered reads"] += 1
        commitment = cast(MatchHeader, header).commitment
        assert commitments.setdefault(match_id, commitment) == commitment


async def _stored_header(store: Store, match_id: str) -> Message:
    snapshot, lines = await store.read_log(match_id, 0)
    assert len(lines) == snapshot.revision
    assert (await store.load(match_id)).header == snapshot.header
    return MatchHeader.FromString(snapshot.header)


async def _check_pool(store: Store, acknowledged: AcknowledgedMoves) -> None:
    """No reply is pending, and concurrent calls all get their own responses."""
    assert store._connection.pending_replies == 0
    wanted = (list(acknowledged.by_match) * FINAL_CALLS)[:FINAL_CALLS]
    headers = await asyncio.gather(*[store.load(match_id) for match_id in wanted])
    assert len({(match_id, found.header) for match_id, found in zip(wanted, headers, strict=True)}) == len(set(wanted))
    assert len({found.header for found in headers}) == len(set(wanted))
