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
from services.bots.costs import QUICK
from services.bots.settings import BotSettings
from services.bots.turn import Hosted
from services.engine.codecs import VERSIONS, codec_of
from services.engine.main import Engine
from services.engine.records.reading import read
from services.engine.records.verification import verify
from services.engine.settings import EngineSettings
from services.store.match_store import Store
from tests.conformance.tables import random_choice
from tests.services.client import Client, Refusal
from tests.services.registry import GameClient, GameTable, field
from tests.services.stored import STORED, Kept, advance, dumped, restore

FILES = pytest.mark.parametrize("path", sorted(STORED.glob("*.json")), ids=lambda path: path.stem)
NEWER = b"\xc2\x3e\x05newer"
"""Field 1000, which no message has."""


class Repeat(TypedDict):
    """A request that had an id, and its answer."""

    token: str
    request: str
    answer: str


class Story(TypedDict):
    """A match that was stored, and what was told of it to each seat that no bot plays."""

    matchId: str
    timed: bool
    hosted: bool
    tokens: list[str]
    told: list[str]
    repeat: Repeat | None


class File(TypedDict):
    """What a version left."""

    keys: Kept
    matches: list[Story]
    states: dict[str, dict[str, object]]


@cache
def file(path: Path) -> File:
    return cast(File, json.loads(path.read_text()))


@dataclass
class Found:
    """An engine of this version on what another one left."""

    redis: Redis
    store: Store
    game_client: GameClient

    def table(self, story: Story) -> GameTable:
        told = self.game_client.codec.service.methods_by_name["GetMatch"].output_type
        answer = GetMessageClass(told).FromString(b64decode(story["told"][0]))
        return GameTable(self.game_client, story["matchId"], story["tokens"], field(answer, "match"))


@pytest.fixture
async def found(path: Path, redis_url: str) -> AsyncIterator[Found]:
    redis = Redis.from_url(redis_url)
    await redis.flushdb()
    await restore(redis, file(path)["keys"])
    engine = Engine(EngineSettings(port=0, redis_url=redis_url, grace_seconds=1))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield Found(redis, engine.store, GameClient(channel, codec_of(path.stem)))
    await engine.stop()
    await redis.aclose()


def stories(path: Path, *, timed: bool = False, hosted: bool = False) -> list[Story]:
    return [each for each in file(path)["matches"] if (each["timed"], each["hosted"]) == (timed, hosted)]


def says(now: object, then: object) -> bool:
    """Whether all that was said then is said now; a later version may say more."""
    if isinstance(now, dict) and isinstance(then, dict):
        return all(key in now and says(now[key], value) for key, value in then.items())
    if isinstance(now, list) and isinstance(then, list):
        return len(now) == len(then) and all(map(says, now, then))
    return now == then


async def ended(table: GameTable) -> None:
    """Play on for a while; then everybody leaves who can; and prove the record."""
    await advance(table, Random(1), 12)
    for token in filter(None, table.tokens):
        if not field(table.match, "over"):
            with suppress(Refusal):  # of a seat that has left before
                table.match = cast(Message, field(await table.call("Leave", token), "match"))
    assert field(table.match, "over")
    proved = verify(*read(await table.record(table.tokens[0])))
    assert proved.draws > 0


def test_every_version_of_the_rules_has_stored_matches() -> None:
    assert {path.stem for path in STORED.glob("*.json")} >= set(VERSIONS)


@FILES
async def test_a_match_is_told_as_it_was(path: Path, found: Found) -> None:
    methods = found.game_client.codec.service.methods_by_name
    for story in [*stories(path), *stories(path, hosted=True)]:
        told = dict(zip(filter(None, story["tokens"]), story["told"], strict=True))
        kind = GetMessageClass(methods["GetMatch"].output_type)
        if repeat := story["repeat"]:  # the last move, made after all seats were told
            told = {repeat["token"]: repeat["answer"]}
            kind = GetMessageClass(methods["Apply"].output_type)
        for token, then in told.items():
            now = await found.table(story).call("GetMatch", token)
            match = cast(Message, field(kind.FromString(b64decode(then)), "match"))
            assert says(MessageToDict(cast(Message, field(now, "match"))), MessageToDict(match))


@FILES
async def test_a_repeat_has_the_answer_of_then(path: Path, found: Found) -> None:
    client = Client(found.game_client.channel)
    repeats = [story["repeat"] for story in file(path)["matches"] if story["repeat"] and not story["timed"]]
    assert repeats
    for repeat in repeats:
        method = f"/{found.game_client.codec.service.full_name}/Apply"
        assert await client.raw(method, b64decode(repeat["request"]), repeat["token"]) == b64decode(repeat["answer"])


@FILES
async def test_a_match_is_played_to_its_end(path: Path, found: Found) -> None:
    for story in stories(path):
        table = found.table(story)
        table.match = cast(Message, field(await table.call("GetMatch", story["tokens"][0]), "match"))
        await ended(table)


@FILES
async def test_a_clock_that_ran_out_meanwhile_is_made_up_for(path: Path, found: Found) -> None:
    [story] = stories(path, timed=True)
    progress = MatchProgress.FromString((await found.store.load(story["matchId"])).progress)
    await found.redis.hset(f"fireside:match:{{{story['matchId']}}}", "progress", past(progress).SerializeToString())
    await found.redis.zadd(f"fireside:deadlines:{path.stem}", {story["matchId"]: 1})
    async with asyncio.timeout(20):
        while (await found.store.load(story["matchId"])).revision == progress.revision:
            await asyncio.sleep(0.05)
    table = found.table(story)
    table.match = cast(Message, field(await table.call("GetMatch", story["tokens"][0]), "match"))
    await ended(table)


def past(progress: MatchProgress) -> MatchProgress:
    """The same with a deadline long ago."""
    changed = MatchProgress.FromString(progress.SerializeToString())
    changed.deadline_ms = 1
    return changed


@FILES
async def test_the_turn_of_a_hosted_seat_is_played(path: Path, found: Found) -> None:
    taken = await found.store.turns(QUICK).take(9)
    assert taken
    hosted = Hosted([found.game_client.codec], found.store, BotSettings(processes=1))
    before = await found.store.load(taken[-1].match_id)
    await hosted.play(taken[-1])
    await hosted.close()
    assert (await found.store.load(taken[-1].match_id)).revision > before.revision


@FILES
def test_a_state_of_every_stage_is_played_to_its_end(path: Path) -> None:
    codec = codec_of(path.stem)
    for told in file(path)["states"].values():
        message = ParseDict(told, codec.messages.state())
        state = codec.read_state(message.SerializeToString())
        codec.check(state)
        assert MessageToDict(codec.messages.state.FromString(codec.write_inline_state(state))) == told
        match: AnyMatch = Match(codec.game, state, Luck(bytes(32), []))
        match.begin()
        while not match.is_over():
            match.play(*random_choice(match, Random(match.revision)))


async def newer(redis: Redis, match_id: str) -> None:
    """What a version to come might have left: fields that this one does not know, in every message and every key."""
    key, log = f"fireside:match:{{{match_id}}}", f"fireside:log:{{{match_id}}}"
    for name in ("header", "state", "progress"):
        await redis.hset(key, name, cast(bytes, await redis.hget(key, name)) + NEWER)
    await redis.hset(key, "newer", "kept")
    entries = cast(list[tuple[bytes, dict[bytes, bytes]]], await redis.xrange(log))
    await redis.delete(log)
    for entry, held in entries:
        await redis.xadd(log, {b"entry": held[b"entry"] + NEWER, b"newer": b"kept"}, id=entry)


@FILES
async def test_a_match_of_a_version_to_come_is_played_on(path: Path, found: Found) -> None:
    for story in stories(path)[:3]:
        await newer(found.redis, story["matchId"])
        table = found.table(story)
        table.match = cast(Message, field(await table.call("GetMatch", story["tokens"][0]), "match"))
        before = [line for key, line in (await dumped(found.redis)).items() if story["matchId"] in key and "log" in key]
        await ended(table)
        kept = await dumped(found.redis)
        header = cast(bytes, await found.redis.hget(f"fireside:match:{{{story['matchId']}}}", "header"))
        assert header.endswith(NEWER)
        assert MatchHeader.FromString(header).rules_version == path.stem
        assert await found.redis.hget(f"fireside:match:{{{story['matchId']}}}", "newer") == b"kept"
        log = cast(list[list[str]], kept[f"fireside:log:{{{story['matchId']}}}"])
        assert log[: len(before[0])] == before[0]


@FILES
async def test_a_state_that_cannot_be_read_is_refused_and_left_as_it_is(path: Path, found: Found) -> None:
    story = stories(path)[0]
    key = f"fireside:match:{{{story['matchId']}}}"
    state = found.game_client.codec.messages.state.FromString(cast(bytes, await found.redis.hget(key, "state")))
    state.stage = 99  # type: ignore[attr-defined] # every game's state has it
    await found.redis.hset(key, "state", state.SerializeToString())
    before = await dumped(found.redis)
    for name in ("GetMatch", "Leave"):
        with pytest.raises(Refusal) as caught:
            await found.table(story).call(name, story["tokens"][0])
        assert (caught.value.code, caught.value.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")
    after = await dumped(found.redis)
    assert {name: held for name, held in after.items() if story["matchId"] in name} == {
        name: held for name, held in before.items() if story["matchId"] in name
    }
