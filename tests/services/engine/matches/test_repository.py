"""Stored matches of earlier and later releases are read and played on."""

from __future__ import annotations

import asyncio
import json
from base64 import b64decode
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import TypedDict, cast

import grpc
import pytest
from fireside.match.v1.match_record_pb2 import MatchHeader, MatchProgress
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from redis.asyncio import Redis

from engine_core.chance import Luck
from engine_core.match import AnyMatch, Match
from services.bots.costs import QUICK_QUEUE
from services.bots.settings import BotSettings
from services.bots.turn import HostedSeats
from services.engine.codecs import CODECS_BY_VERSION, codec_of_version
from services.engine.main import Engine
from services.engine.records.reading import read
from services.engine.records.verification import verify
from services.engine.settings import EngineSettings
from services.store.keys import deadlines_key_of, match_keys
from services.store.matches.store import Store
from tests.conformance.game_setups import random_choice
from tests.redis_clients import redis_at
from tests.services.client import Client, Refusal
from tests.services.registry import GameClient, MatchDriver, field
from tests.services.stored import STORED_FOLDER, DumpedKeys, advance, dump_keys, restore

EVERY_STORED_FILE = pytest.mark.parametrize("path", sorted(STORED_FOLDER.glob("*.json")), ids=lambda path: path.stem)
UNKNOWN_FIELD_BYTES = b"\xc2\x3e\x05newer"
"""Field 1000, which no message has."""


class RepeatedRequest(TypedDict):
    """A request with an id, and its response."""

    token: str
    request: str
    answer: str


class SavedMatch(TypedDict):
    """A stored match, and the response of GetMatch to each seat that no bot plays."""

    matchId: str
    timed: bool
    hosted: bool
    tokens: list[str]
    told: list[str]
    repeat: RepeatedRequest | None


class SavedFile(TypedDict):
    """The Redis keys that a release left, and the matches in them."""

    keys: DumpedKeys
    matches: list[SavedMatch]
    states: dict[str, dict[str, object]]


@cache
def read_saved_file(path: Path) -> SavedFile:
    return cast(SavedFile, json.loads(path.read_text()))


@dataclass
class RestoredEngine:
    """An engine of this release on the Redis keys of another release."""

    redis: Redis
    store: Store
    game_client: GameClient

    def driver(self, saved: SavedMatch) -> MatchDriver:
        """A driver of a stored match with its tokens."""
        response_type = self.game_client.codec.service.methods_by_name["GetMatch"].output_type
        answer = GetMessageClass(response_type).FromString(b64decode(saved["told"][0]))
        return MatchDriver(self.game_client, saved["matchId"], saved["tokens"], field(answer, "match"))


@pytest.fixture
async def restored_engine(path: Path, redis_url: str) -> AsyncIterator[RestoredEngine]:
    redis = redis_at(redis_url)
    await redis.flushdb()
    await restore(redis, read_saved_file(path)["keys"])
    engine = Engine(EngineSettings(port=0, redis_url=redis_url, grace_seconds=1))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield RestoredEngine(redis, engine.store, GameClient(channel, codec_of_version(path.stem)))
    await engine.stop()
    await redis.aclose()


def saved_matches(path: Path, *, timed: bool = False, hosted: bool = False) -> list[SavedMatch]:
    return [each for each in read_saved_file(path)["matches"] if (each["timed"], each["hosted"]) == (timed, hosted)]


def includes(current: object, stored: object) -> bool:
    """Whether a response has all that an earlier one had; a later release may add fields."""
    if isinstance(current, dict) and isinstance(stored, dict):
        return all(key in current and includes(current[key], value) for key, value in stored.items())
    if isinstance(current, list) and isinstance(stored, list):
        return len(current) == len(stored) and all(map(includes, current, stored))
    return current == stored


async def play_to_the_end(driver: MatchDriver) -> None:
    """Play on for a while; then everybody leaves who can; and prove the record."""
    await advance(driver, Random(1), 12)
    for token in filter(None, driver.tokens):
        if not field(driver.match, "over"):
            with suppress(Refusal):  # of a seat that has left before
                driver.match = cast(Message, field(await driver.call("Leave", token), "match"))
    assert field(driver.match, "over")
    proved = verify(*read(await driver.record(driver.tokens[0])))
    assert proved.draws > 0


def test_every_version_of_the_rules_has_stored_matches() -> None:
    assert {path.stem for path in STORED_FOLDER.glob("*.json")} >= set(CODECS_BY_VERSION)


@EVERY_STORED_FILE
async def test_a_match_has_the_same_responses_as_when_it_was_stored(
    path: Path, restored_engine: RestoredEngine
) -> None:
    methods = restored_engine.game_client.codec.service.methods_by_name
    for saved in [*saved_matches(path), *saved_matches(path, hosted=True)]:
        match_responses = dict(zip(filter(None, saved["tokens"]), saved["told"], strict=True))
        kind = GetMessageClass(methods["GetMatch"].output_type)
        if repeat := saved["repeat"]:  # the last move, made after the responses to all seats were stored
            match_responses = {repeat["token"]: repeat["answer"]}
            kind = GetMessageClass(methods["Apply"].output_type)
        for token, stored_response in match_responses.items():
            now = await restored_engine.driver(saved).call("GetMatch", token)
            match = cast(Message, field(kind.FromString(b64decode(stored_response)), "match"))
            assert includes(MessageToDict(cast(Message, field(now, "match"))), MessageToDict(match))


@EVERY_STORED_FILE
async def test_a_repeated_request_has_its_stored_response(path: Path, restored_engine: RestoredEngine) -> None:
    client = Client(restored_engine.game_client.channel)
    repeats = [saved["repeat"] for saved in read_saved_file(path)["matches"] if saved["repeat"] and not saved["timed"]]
    assert repeats
    for repeat in repeats:
        method = f"/{restored_engine.game_client.codec.service.full_name}/Apply"
        assert await client.raw(method, b64decode(repeat["request"]), repeat["token"]) == b64decode(repeat["answer"])


@EVERY_STORED_FILE
async def test_a_stored_match_is_played_to_its_end(path: Path, restored_engine: RestoredEngine) -> None:
    for saved in saved_matches(path):
        driver = restored_engine.driver(saved)
        driver.match = cast(Message, field(await driver.call("GetMatch", saved["tokens"][0]), "match"))
        await play_to_the_end(driver)


@EVERY_STORED_FILE
async def test_default_moves_are_made_for_a_clock_that_expired_while_stored(
    path: Path, restored_engine: RestoredEngine
) -> None:
    [saved] = saved_matches(path, timed=True)
    match_progress = MatchProgress.FromString((await restored_engine.store.load(saved["matchId"])).match_progress)
    await restored_engine.redis.hset(
        match_keys(saved["matchId"])[0], "progress", with_past_deadline(match_progress).SerializeToString()
    )
    await restored_engine.redis.zadd(deadlines_key_of(path.stem, saved["matchId"]), {saved["matchId"]: 1})
    async with asyncio.timeout(20):
        while (await restored_engine.store.load(saved["matchId"])).revision == match_progress.revision:
            await asyncio.sleep(0.05)
    driver = restored_engine.driver(saved)
    driver.match = cast(Message, field(await driver.call("GetMatch", saved["tokens"][0]), "match"))
    await play_to_the_end(driver)


def with_past_deadline(match_progress: MatchProgress) -> MatchProgress:
    """The same with a deadline long ago."""
    changed = MatchProgress.FromString(match_progress.SerializeToString())
    changed.deadline_ms = 1
    return changed


@EVERY_STORED_FILE
async def test_the_turn_of_a_hosted_seat_is_played(path: Path, restored_engine: RestoredEngine) -> None:
    taken = await restored_engine.store.turn_queue(QUICK_QUEUE).claim(9)
    assert taken
    hosted = HostedSeats([restored_engine.game_client.codec], restored_engine.store, BotSettings(processes=1))
    before = await restored_engine.store.load(taken[-1].match_id)
    await hosted.play(taken[-1])
    await hosted.close()
    assert (await restored_engine.store.load(taken[-1].match_id)).revision > before.revision


@EVERY_STORED_FILE
def test_a_stored_state_of_every_stage_is_played_to_its_end(path: Path) -> None:
    codec = codec_of_version(path.stem)
    for saved_state in read_saved_file(path)["states"].values():
        message = ParseDict(saved_state, codec.messages.state())
        state = codec.read_state(message.SerializeToString())
        codec.check(state)
        assert MessageToDict(codec.messages.state.FromString(codec.write_inline_state(state))) == saved_state
        match: AnyMatch = Match(codec.game, state, Luck(bytes(32), []))
        match.begin()
        while not match.is_over():
            match.play(*random_choice(match, Random(match.revision)))


async def with_unknown_fields(redis: Redis, match_id: str) -> None:
    """What a version to come might have left: fields that this one does not know, in every message and every key."""
    key, log = match_keys(match_id)[0], match_keys(match_id)[1]
    for name in ("header", "state", "progress"):
        await redis.hset(key, name, cast(bytes, await redis.hget(key, name)) + UNKNOWN_FIELD_BYTES)
    await redis.hset(key, "newer", "kept")
    entries = cast(list[tuple[bytes, dict[bytes, bytes]]], await redis.xrange(log))
    await redis.delete(log)
    for entry, held in entries:
        await redis.xadd(log, {b"entry": held[b"entry"] + UNKNOWN_FIELD_BYTES, b"newer": b"kept"}, id=entry)


@EVERY_STORED_FILE
async def test_a_match_of_a_later_release_is_played_on(path: Path, restored_engine: RestoredEngine) -> None:
    for saved in saved_matches(path)[:3]:
        await with_unknown_fields(restored_engine.redis, saved["matchId"])
        driver = restored_engine.driver(saved)
        driver.match = cast(Message, field(await driver.call("GetMatch", saved["tokens"][0]), "match"))
        before = [
            line
            for key, line in (await dump_keys(restored_engine.redis)).items()
            if saved["matchId"] in key and "log" in key
        ]
        await play_to_the_end(driver)
        saved_keys = await dump_keys(restored_engine.redis)
        header = cast(bytes, await restored_engine.redis.hget(match_keys(saved["matchId"])[0], "header"))
        assert header.endswith(UNKNOWN_FIELD_BYTES)
        assert MatchHeader.FromString(header).rules_version == path.stem
        assert await restored_engine.redis.hget(match_keys(saved["matchId"])[0], "newer") == b"kept"
        log = cast(list[list[str]], saved_keys[match_keys(saved["matchId"])[1]])
        assert log[: len(before[0])] == before[0]


@EVERY_STORED_FILE
async def test_a_state_that_cannot_be_read_is_refused_and_not_changed(
    path: Path, restored_engine: RestoredEngine
) -> None:
    saved = saved_matches(path)[0]
    key = match_keys(saved["matchId"])[0]
    state = restored_engine.game_client.codec.messages.state.FromString(
        cast(bytes, await restored_engine.redis.hget(key, "state"))
    )
    state.stage = 99  # type: ignore[attr-defined] # every game's state has it
    await restored_engine.redis.hset(key, "state", state.SerializeToString())
    before = await dump_keys(restored_engine.redis)
    for name in ("GetMatch", "Leave"):
        with pytest.raises(Refusal) as caught:
            await restored_engine.driver(saved).call(name, saved["tokens"][0])
        assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")
    after = await dump_keys(restored_engine.redis)
    assert {name: held for name, held in after.items() if saved["matchId"] in name} == {
        name: held for name, held in before.items() if saved["matchId"] in name
    }
