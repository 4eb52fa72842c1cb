"""Hash chain heads: clients compute from the events the heads that match, event and history contain."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from random import Random
from typing import cast

import grpc
import pytest
from fireside.match.v1.match_pb2 import Clock
from fireside.match.v1.match_record_pb2 import MatchHeader, MatchProgress
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from services.engine.codecs import CODECS, AnyCodec
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from services.store.keys import match_keys
from tests.conformance.records.chains import canonical_bytes, empty_head, heads_after
from tests.redis_clients import redis_at
from tests.services.client import Refusal
from tests.services.registry import GameClient, MatchDriver, field

EVERY_GAME = pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))
MOVE_COUNT = 25


@pytest.fixture
async def channel(redis_url: str) -> AsyncIterator[grpc.aio.Channel]:
    engine = Engine(EngineSettings(port=0, redis_url=redis_url, grace_seconds=1))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield channel
    await engine.stop()


async def history_of(driver: MatchDriver, token: str, after: int = 0) -> list[Message]:
    answer = await driver.call("History", token, from_revision=after)
    return list(cast(Sequence[Message], field(answer, "events")))


async def first_events_of_stream(driver: MatchDriver, token: str, after: int, most: int) -> list[Message]:
    """The first events of a stream."""
    method = driver.game_client.codec.service.methods_by_name["Watch"]
    stub = driver.game_client.channel.unary_stream(
        f"/{driver.game_client.codec.service.full_name}/Watch",
        request_serializer=GetMessageClass(method.input_type).SerializeToString,
        response_deserializer=GetMessageClass(method.output_type).FromString,
    )
    request = GetMessageClass(method.input_type)(match_id=driver.match_id, from_revision=after)
    call = stub(request, metadata=[("authorization", f"Bearer {token}")] if token else [])
    found = []
    async for answer in call:
        found.append(cast(Message, field(answer, "event")))
        if len(found) == most:
            call.cancel()
            break
    return found


@EVERY_GAME
async def test_fault15_every_observer_can_compute_its_head_from_its_events(
    codec: AnyCodec, channel: grpc.aio.Channel
) -> None:
    random = Random(codec.game.name)
    driver = await GameClient(channel, codec).begin(3, client_seed="Ada", clock=Clock(move_seconds=600))
    await driver.play(random, MOVE_COUNT)
    driver.match = cast(Message, field(await driver.call("Leave", driver.tokens[1]), "match"))
    await driver.play(random)
    record = cast(Message, field(await driver.call("GetRecord"), "record"))
    heads, logs = set(), set()
    for token in ["", *driver.tokens]:
        lines = await history_of(driver, token)
        expected = heads_after(empty_head(record), lines)
        assert [field(line, "head") for line in lines] == expected
        assert field(await driver.call("GetMatch", token), "match", "head") == expected[-1]
        assert field(await driver.call("History", token), "head") == expected[-1]
        heads.add(expected[-1])
        logs.add(b"".join(canonical_bytes(line, ["head"]) for line in lines))
    assert len(heads) == len(logs)


@EVERY_GAME
async def test_fault15_responses_streams_and_histories_have_the_same_heads(
    codec: AnyCodec, channel: grpc.aio.Channel
) -> None:
    random = Random(codec.game.name)
    driver = await GameClient(channel, codec).begin(2)
    after = []
    for _ in range(MOVE_COUNT):
        seat = cast(Sequence[int], field(driver.match, "to_move"))[0]
        token = driver.tokens[seat]
        before = cast(int, field(await driver.call("GetMatch", token), "match", "revision"))
        moves = cast(Sequence[Message], field(await driver.call("LegalMoves", token), "moves"))
        answer = await driver.call("Apply", token, notation=field(random.choice(moves), "notation"))
        driver.match = cast(Message, field(answer, "match"))
        new_events = list(cast(Sequence[Message], field(answer, "events")))
        assert await history_of(driver, token, before) == new_events
        assert field(new_events[-1], "head") == field(answer, "match", "head")
        after.append(before)
    for token in ["", *driver.tokens]:
        whole = await history_of(driver, token)
        for start in (0, after[3], after[-1]):
            assert await history_of(driver, token, start) == whole[start:]
            assert await first_events_of_stream(driver, token, start, len(whole) - start) == whole[start:]


@EVERY_GAME
async def test_fault29_a_log_that_contradicts_its_snapshot_is_not_sent(
    codec: AnyCodec, channel: grpc.aio.Channel, redis_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    driver = await GameClient(channel, codec).begin(2)
    await driver.play(Random(codec.game.name))
    whole = await history_of(driver, "")
    log = match_keys(driver.match_id)[1]
    async with redis_at(redis_url) as redis:
        entries = cast(list[tuple[bytes, dict[bytes, bytes]]], await redis.xrange(log))
        lines = [fields[b"entry"] for _, fields in entries]
        await redis.delete(log)
        for number, line in enumerate([*lines[:-3], *lines[-4:-1]], 1):  # the third from the end is the one before it
            await redis.xadd(log, {"entry": line}, id=f"{number}-0")
        for call in (
            driver.call("GetRecord"),
            history_of(driver, ""),
            history_of(driver, "", len(lines) - 5),
        ):
            with pytest.raises(Refusal) as caught:
                await call
            assert caught.value.reason == "LOG_CONTRADICTS_SNAPSHOT"
        with pytest.raises(grpc.aio.AioRpcError) as broken:
            await first_events_of_stream(driver, "", 0, len(whole))
        assert broken.value.code() is grpc.StatusCode.DATA_LOSS
        assert driver.match_id in caplog.text
        await redis.delete(log)
        for number, line in enumerate(lines, 1):
            await redis.xadd(log, {"entry": line}, id=f"{number}-0")
    assert await history_of(driver, "") == whole


@EVERY_GAME
async def test_fault29_a_missing_log_is_not_an_empty_one(
    codec: AnyCodec, channel: grpc.aio.Channel, redis_url: str
) -> None:
    driver = await GameClient(channel, codec).begin(2)
    await driver.play(Random(codec.game.name))
    revision = len(await history_of(driver, ""))
    async with redis_at(redis_url) as redis:
        await redis.delete(match_keys(driver.match_id)[1])
    for call in (driver.call("GetRecord"), history_of(driver, ""), history_of(driver, "", revision - 1)):
        with pytest.raises(Refusal) as caught:
            await call
        assert caught.value.reason == "LOG_CONTRADICTS_SNAPSHOT"
    assert await history_of(driver, "", revision) == []


@EVERY_GAME
async def test_fault29_a_move_onto_a_log_with_extra_lines_changes_nothing(
    codec: AnyCodec, channel: grpc.aio.Channel, redis_url: str
) -> None:
    random = Random(codec.game.name)
    driver = await GameClient(channel, codec).begin(2)
    await driver.play(random, MOVE_COUNT)
    whole = await history_of(driver, "")
    match, log = match_keys(driver.match_id)[0], match_keys(driver.match_id)[1]
    async with redis_at(redis_url) as redis:
        await redis.xadd(log, {"entry": b"further"}, id=f"{len(whole) + 1}-0")
        before = await redis.hgetall(match)
        with pytest.raises(Refusal) as caught:
            await driver.play(random, 1)
        assert caught.value.reason == "LOG_CONTRADICTS_SNAPSHOT"
        assert await redis.hgetall(match) == before
        assert await redis.xlen(log) == len(whole) + 1


@EVERY_GAME
async def test_fault29_a_seed_without_its_commitment_draws_nothing(
    codec: AnyCodec, channel: grpc.aio.Channel, redis_url: str
) -> None:
    random = Random(codec.game.name)
    driver = await GameClient(channel, codec).begin(2)
    await driver.play(random, MOVE_COUNT)
    match = match_keys(driver.match_id)[0]
    async with redis_at(redis_url) as redis:
        header = MatchHeader.FromString(cast(bytes, await redis.hget(match, "header")))
        header.secret_seed = bytes(32)
        await redis.hset(match, "header", header.SerializeToString())
        before = await redis.hgetall(match)
        with pytest.raises(Refusal) as caught:
            await driver.play(random, 1)
        assert caught.value.code is grpc.StatusCode.INTERNAL
        assert await redis.hgetall(match) == before


@EVERY_GAME
async def test_fault29_a_record_with_an_invalid_signature_is_not_sent(
    codec: AnyCodec, channel: grpc.aio.Channel, redis_url: str
) -> None:
    driver = await GameClient(channel, codec).begin(2)
    await driver.play(Random(codec.game.name))
    match = match_keys(driver.match_id)[0]
    async with redis_at(redis_url) as redis:
        match_progress = MatchProgress.FromString(cast(bytes, await redis.hget(match, "progress")))
        match_progress.attestation.signature = bytes(64)
        await redis.hset(match, "progress", match_progress.SerializeToString())
    with pytest.raises(Refusal) as caught:
        await driver.call("GetRecord")
    assert caught.value.reason == "LOG_CONTRADICTS_SNAPSHOT"


async def test_fault29_a_match_with_two_revisions_is_not_sent(channel: grpc.aio.Channel, redis_url: str) -> None:
    driver = await GameClient(channel, CODECS["fireship"]).begin(2)
    async with redis_at(redis_url) as redis:
        await redis.hincrby(match_keys(driver.match_id)[0], "revision", 1)
    with pytest.raises(Refusal) as caught:
        await driver.call("GetMatch")
    assert caught.value.code is grpc.StatusCode.INTERNAL


async def test_an_inline_state_has_no_head(channel: grpc.aio.Channel) -> None:
    answer = await GameClient(channel, CODECS["fireship"]).call("NewGame", seats=[{}, {}], ephemeral=True)
    assert field(answer, "match", "head") == ""
