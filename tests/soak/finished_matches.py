"""Finished matches in a Redis: a few that were played, and any number of copies of what is stored of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any, NamedTuple, cast

import grpc
from fireside.match.v1.archived_match_pb2 import ArchivedMatch
from fireside.match.v1.match_pb2 import SeatSpec
from redis import Redis

from services.engine.codecs import CODECS
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from services.store.archive.archived_match import NOT_ARCHIVED
from services.store.archive.finished import FINISHED_KEYS
from services.store.keys import bucket, finished_key, match_keys
from services.store.scripts import script
from tests.services.client import Refusal
from tests.services.engine.tables.test_calls import KNOWN_KEYS, OUR_KEY
from tests.services.registry import GameClient, MatchDriver

MATCHES_AT_ONCE = 200
MOVES = 30
READS = ("GetMatch", "History", "GetRecord", "Score")
COPY = (
    script("archive/add.lua")
    + """
for place = 2, 1 + 2 * ARGV[1], 2 do
  redis.call('HSET', KEYS[1], ARGV[place], ARGV[place + 1])
end
for place = 2 + 2 * ARGV[1], #ARGV do
  redis.call('XADD', KEYS[2], '*', 'entry', ARGV[place])
end
add_finished(KEYS[3], KEYS[1], KEYS[2])
"""
)


class StoredFields(NamedTuple):
    """What a Redis has of a finished match: the fields of its hash, and its log."""

    fields: dict[str, bytes]
    lines: list[bytes]

    def archived(self, match_id: str, finished: bytes) -> ArchivedMatch:
        """What the archive has to have of a copy that ended then."""
        return ArchivedMatch(match_id=match_id, fields={**self.fields, "finished": finished}, lines=self.lines)


def read_fields(redis: Redis, match_id: str) -> StoredFields:
    """What a Redis has of a match, without what its copies have of their own."""
    match_key, log_key = match_keys(match_id)
    fields = {name.decode(): value for name, value in cast("dict[bytes, bytes]", redis.hgetall(match_key)).items()}
    entries = cast("list[tuple[bytes, dict[bytes, bytes]]]", redis.xrange(log_key))
    without = {name: value for name, value in fields.items() if name not in NOT_ARCHIVED | {"finished"}}
    return StoredFields(without, [entry[b"entry"] for _, entry in entries])


def copy_matches(redis: Redis, originals: list[StoredFields], first: int, number: int) -> list[str]:
    """Store copies as finished matches that the archive has to take; their ids."""
    copy = redis.register_script(COPY)
    ids = [f"copy-{index}" for index in range(first, first + number)]
    for start in range(0, number, MATCHES_AT_ONCE):
        with redis.pipeline(transaction=False) as pipeline:
            for index, match_id in enumerate(ids[start : start + MATCHES_AT_ONCE], start):
                stored = originals[index % len(originals)]
                fields = [part for field in stored.fields.items() for part in field]
                keys = [*match_keys(match_id), finished_key(bucket(match_id))]
                copy(keys, [len(stored.fields), *fields, *stored.lines], pipeline)
            pipeline.execute()
    return ids


def waiting_for_archive(redis: Redis) -> int:
    """Number of matches that the archive has to take."""
    return sum([redis.xlen(key) for key in FINISHED_KEYS])


class PlayedMatches:
    """Matches that were played over the API of an engine."""

    def __init__(self, clients: list[GameClient]) -> None:
        self._clients = clients
        self.drivers: list[MatchDriver] = []

    async def play(self) -> None:
        """Play a match of every game, public and private, until all seats leave."""
        for number, client in enumerate(self._clients):
            for private in (False, True):
                seats = [SeatSpec(player_id="ada"), *[SeatSpec()] * (client.codec.game.min_seats - 1)]
                new = cast(Any, await client.call("NewGame", seats=seats, private=private))
                driver = MatchDriver(client, new.match_id, [seat.token for seat in new.seats], new.match)
                await driver.play(Random(number), MOVES)
                while not cast(Any, driver.match).over:
                    left = await driver.call("Leave", driver.tokens[cast(Any, driver.match).to_move[0]])
                    driver.match = cast(Any, left).match
                self.drivers.append(driver)

    async def answers(self) -> list[str]:
        """What the API tells of the matches to each seat and to nobody, refusals included."""
        found = []
        for driver in self.drivers:
            for token in (*driver.tokens, ""):
                for call in READS:
                    try:
                        found.append(str(await driver.call(call, token)))
                    except Refusal as refusal:
                        found.append(f"{refusal.reason} {refusal.message}")
        return found


@asynccontextmanager
async def played_matches(redis_url: str, archive: str) -> AsyncIterator[PlayedMatches]:
    """Matches played at an engine with this archive."""
    settings = EngineSettings(port=0, redis_url=redis_url, archive=archive, grace_seconds=1, api_keys=KNOWN_KEYS)
    engine = Engine(settings)
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        clients = [GameClient(channel, codec) for codec in CODECS.values()]
        for client in clients:
            client.metadata = [("x-api-key", OUR_KEY)]
        yield PlayedMatches(clients)
    await engine.stop()
