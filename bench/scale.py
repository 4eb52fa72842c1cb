"""Growth: what a store with more and more matches in play costs, `make scale`.

The matches are copies of a few that were played, under other ids and with deadlines; those that are moved were begun
over the API. The engine runs in this process, so its times include those of its client: compare them between sizes.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from random import Random
from statistics import median, quantiles
from time import perf_counter
from typing import Final, NamedTuple, cast

import grpc
from fireside.match.v1.match_pb2 import SeatSpec
from redis.asyncio import Redis

from bench.harness.processes import redis_server
from bench.services.apply import EngineClient, StoredMatch
from services.engine.codecs import CODECS, AnyCodec
from services.engine.main import Engine
from services.engine.matches.new_matches import NewMatches
from services.engine.matches.repository import MatchRepository
from services.engine.settings import EngineSettings
from services.engine.tables.seating import Player
from services.store.keys import deadlines_key_of, match_keys
from services.store.matches.store import Store
from services.store.open import open_store

SIZES: Final = [int(size) for size in os.environ.get("FIRESIDE_SCALE", "1000,10000,100000,1000000").split(",")]
MATCHES_AT_ONCE: Final = 1000
MOVES: Final = 40
"""Choices in a match before it is copied: about the middle of most."""
PLAYED: Final = 16
CALLS: Final = 800
POLLS: Final = 50
DUE: Final = 100
WEEK_MS: Final = 7 * 24 * 60 * 60 * 1000
HOUR_SECONDS: Final = 3600
RULES: Final = "copied@1"
"""Rules of the copies' deadlines, which no engine has: only the measured polls claim them."""


class Dumped(NamedTuple):
    """A match as Redis dumps it: its hash and its log."""

    match: bytes
    log: bytes


class Measured(NamedTuple):
    """What one size costs."""

    matches: int
    bytes_a_match: float
    apply_ms: float
    slow_apply_ms: float
    poll_ms: float
    claim_ms: float
    first_move_ms: float


async def dump_match(store: Store, redis: Redis, codec: AnyCodec) -> Dumped:
    """A match with the fewest seats, after some random moves."""
    game, random = codec.game, Random(1)
    start = game.start(game.min_seats, next(iter(game.presets().values())))
    matches = MatchRepository(codec, store)
    stored = await NewMatches(codec, store).create(start, [Player(SeatSpec()) for _ in range(game.min_seats)], [])
    for _ in range(MOVES):
        if stored.match.is_over():
            break
        seat = random.choice(stored.match.to_move())
        await matches.commit(stored, stored.match.play(seat, random.choice(stored.match.legal_moves(seat))), None)
    match, log = match_keys(stored.facts.match_id)
    return Dumped(cast(bytes, await redis.dump(match)), cast(bytes, await redis.dump(log)))


async def fill(redis: Redis, dumped: Sequence[Dumped], first: int, end: int, now_ms: int) -> None:
    """Store copies, numbered from `first` to `end` - 1, with deadlines within a week from the next hour on."""
    for begin in range(first, end, MATCHES_AT_ONCE):
        async with redis.pipeline(transaction=False) as pipeline:
            for number in range(begin, min(end, begin + MATCHES_AT_ONCE)):
                copied, match_id = dumped[number % len(dumped)], f"copy-{number}"
                for key, value in zip(match_keys(match_id), copied, strict=True):
                    pipeline.restore(key, WEEK_MS, value)
                deadline = now_ms + 1000 * HOUR_SECONDS + number % WEEK_MS
                pipeline.zadd(deadlines_key_of(RULES, match_id), {match_id: deadline})
            await pipeline.execute()


async def apply_milliseconds(played: Sequence[StoredMatch], engine: EngineClient) -> list[float]:
    """How long each of many Apply calls takes, one after the other in some matches."""
    times = []
    for number in range(CALLS):
        call = await played[number % len(played)].call()
        begin = perf_counter()
        await engine.apply(call)
        times.append(1000 * (perf_counter() - begin))
    return times


async def clock_milliseconds(store: Store) -> tuple[float, float]:
    """How long a poll of clocks takes of which none is up, and one that claims a hundred matches."""
    times = []
    for _ in range(POLLS):
        begin = perf_counter()
        assert await store.claim_due(RULES, await store.now_ms(), 0, DUE) == []
        times.append(1000 * (perf_counter() - begin))
    now_ms = await store.now_ms()
    for number in range(DUE):
        await store.hint_deadline(RULES, f"due-{number}", now_ms)
    begin = perf_counter()
    claimed = await store.claim_due(RULES, now_ms, now_ms, DUE)
    claim_ms = 1000 * (perf_counter() - begin)
    assert len(claimed) == DUE
    for match_id in claimed:
        await store.correct_deadline(RULES, match_id, 0)
    return median(times), claim_ms


async def first_move_milliseconds(url: str) -> float:
    """How long a new engine takes from its start until a match has been begun and moved."""
    begin = perf_counter()
    engine = Engine(EngineSettings(port=0, redis_url=url, grace_seconds=0.1))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        client = EngineClient(channel)
        await client.apply(await StoredMatch(client, Random(1)).call())
        seconds = perf_counter() - begin
    await engine.stop()
    return 1000 * seconds


async def measure(url: str) -> list[Measured]:
    """Fill a store step by step, and measure each size."""
    store, redis, measured = open_store(url, HOUR_SECONDS), Redis.from_url(url), list[Measured]()
    dumped = [await dump_match(store, redis, codec) for codec in CODECS.values()]
    await redis.flushdb()
    engine = Engine(EngineSettings(port=0, redis_url=url, grace_seconds=0.1))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        client = EngineClient(channel)
        played = [StoredMatch(client, Random(seed)) for seed in range(PLAYED)]
        await apply_milliseconds(played, client)  # to warm up
        empty = (await redis.info("memory"))["used_memory"]
        for before, size in zip([0, *SIZES], SIZES, strict=False):
            await fill(redis, dumped, before, size, await store.now_ms())
            used = (await redis.info("memory"))["used_memory"] - empty
            times = await apply_milliseconds(played, client)
            poll_ms, claim_ms = await clock_milliseconds(store)
            slow = quantiles(times, n=100)[98]
            first = await first_move_milliseconds(url)
            measured.append(Measured(size, used / size, median(times), slow, poll_ms, claim_ms, first))
            print_row(measured[-1])
    await engine.stop()
    await redis.aclose()
    await store.close()
    return measured


def print_row(row: Measured) -> None:
    """Print what one size costs."""
    print(
        f"{row.matches:>9,} matches in play: {row.bytes_a_match:,.0f} bytes each;"
        f" Apply {row.apply_ms:.2f} ms, 99 % within {row.slow_apply_ms:.2f};"
        f" clocks: poll {row.poll_ms:.2f} ms, claim of {DUE} {row.claim_ms:.2f};"
        f" first move of a new engine {row.first_move_ms:.0f} ms",
        flush=True,
    )


if __name__ == "__main__":
    with redis_server() as redis_url:
        asyncio.run(measure(redis_url))
