"""Benchmark of memory in Redis: bytes of a snapshot at every move of random matches, and of a finished match.

A snapshot is the hash of a match: the sizes of all its fields and their names. A finished match is the memory that
Redis reports for both its keys, log included.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from random import Random
from statistics import mean
from typing import Any, Final

from fireside.match.v1.match_pb2 import SeatSpec
from redis.asyncio import Redis

from bench.harness.processes import redis_server
from bench.harness.results import Goal, Result
from services.engine.codecs import CODECS, AnyCodec
from services.engine.matches.new_matches import NewMatches
from services.engine.matches.repository import MatchRepository
from services.engine.tables.seating import Player
from services.store.keys import match_keys
from services.store.open import open_store

MATCHES: Final = 1
"""Random matches for each number of seats."""
SIZE_LIMITS: Final = {"fire_bulls": 1280}
DEFAULT_LIMIT: Final = 2048
EXPIRY_SECONDS: Final = 3600
GOAL: Final = Goal(1.0, is_maximum=True)
UNIT: Final = "bytes"


@dataclass
class SnapshotSizes:
    """The measured sizes, in bytes."""

    snapshots: list[int] = field(default_factory=list)
    matches: list[int] = field(default_factory=list)
    moves: list[int] = field(default_factory=list)


async def measure_game(url: str, codec: AnyCodec) -> SnapshotSizes:
    """Play random matches of a game, with every number of seats, and measure them."""
    store, redis = open_store(url, EXPIRY_SECONDS), Redis.from_url(url)
    matches = MatchRepository(codec, store)
    sizes = SnapshotSizes()
    game = codec.game
    for seat_count in range(game.min_seats, game.max_seats + 1):
        for number in range(MATCHES):
            start = game.start(seat_count, next(iter(game.presets().values())))
            stored = await NewMatches(codec, store).create(start, [Player(SeatSpec()) for _ in range(seat_count)], [])
            await _play_match(matches, redis, stored.facts.match_id, Random(number), sizes)
    await redis.aclose()
    await store.close()
    return sizes


async def _play_match(
    matches: MatchRepository[Any, Any, Any, Any], redis: Redis, match_id: str, random: Random, sizes: SnapshotSizes
) -> None:
    match_key, log_key = match_keys(match_id)[0], match_keys(match_id)[1]
    while True:
        stored, _ = await matches.checkout(match_id)
        fields = await redis.hgetall(match_key)
        sizes.snapshots.append(sum(len(name) + len(value) for name, value in fields.items()))
        if stored.match.is_over():
            break
        seat = random.choice(stored.match.to_move())
        entries = stored.match.play(seat, random.choice(stored.match.legal_moves(seat)))
        await matches.commit(stored, entries, None)
    sizes.matches.append(await _memory_usage(redis, match_key) + await _memory_usage(redis, log_key))
    sizes.moves.append(stored.match.revision)


async def _memory_usage(redis: Redis, key: str) -> int:
    return int(await redis.memory_usage(key, 0) or 0)


def result_rows(name: str, sizes: SnapshotSizes) -> list[Result]:
    """The largest and the mean snapshot, and a finished match with its log."""
    limit = SIZE_LIMITS.get(name, DEFAULT_LIMIT)
    largest, average = max(sizes.snapshots), mean(sizes.snapshots)
    least = min(sizes.snapshots)
    whole, snapshot = mean(sizes.matches), mean(sizes.snapshots)
    moves = mean(sizes.moves)
    return [
        Result(
            f"{name} snapshot, the largest (mean {average:,.0f})",
            largest,
            UNIT,
            "its limit",
            limit,
            GOAL,
            largest / limit,
            (least / limit, largest / limit),
        ),
        Result(
            f"{name} match over, with its log of {moves:,.0f} moves",
            whole,
            UNIT,
            "the mean snapshot",
            snapshot,
            None,
            whole / snapshot,
            (min(sizes.matches) / snapshot, max(sizes.matches) / snapshot),
        ),
    ]


def measure() -> list[Result]:
    """Two rows for every game."""
    with redis_server() as url:
        return [
            row for name, codec in CODECS.items() for row in result_rows(name, asyncio.run(measure_game(url, codec)))
        ]
