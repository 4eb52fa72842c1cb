"""The memory that a real Redis needs for whole matches, with logs and stored responses."""

from __future__ import annotations

from random import Random

import pytest
from fireside.match.v1.match_pb2 import Clock, SeatSpec

from engine_core.explore import random_below
from services.engine.codecs import CODECS, AnyCodec
from services.engine.matches.new_matches import NewMatches
from services.engine.matches.repository import MatchRepository
from services.engine.responses import Responses
from services.engine.tables.seating import Player
from services.store.keys import match_keys
from services.store.matches.steps import REQUEST_KEY_LENGTH, STORED_REQUESTS, IdempotentRequest
from services.store.open import open_store
from tests.redis_clients import redis_at

MAX_BYTES = 400_000
"""What `docs/matches.md` promises for one match of any game."""
MAX_STORED_RESPONSE_BYTES = 4096
"""More than any answer to a move of a random match, which is kept for its repeat."""
WIDE_CHARACTER = "\N{GAME DIE}"
"""A character of four bytes."""
DAY_SECONDS = 86400


@pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))
async def test_a_whole_match_stays_within_its_memory_limit(codec: AnyCodec, redis_url: str) -> None:
    store = open_store(redis_url, DAY_SECONDS)
    redis = redis_at(redis_url)
    matches = MatchRepository(codec, store)
    responses = Responses(codec)
    seat_count = codec.game.max_seats
    random = Random(seat_count)
    for options in codec.game.presets().values():
        names = [Player(SeatSpec(name=WIDE_CHARACTER * 64))] * seat_count
        stored = await NewMatches(codec, store).create(
            codec.game.start(seat_count, options), names, ["s" * 256], Clock(move_seconds=60)
        )
        match_id = stored.facts.match_id
        move_count = largest = 0
        while not stored.match.is_over():
            seat = stored.match.to_move()[0]
            moves = stored.match.legal_moves(seat)
            entries = stored.match.play(seat, moves[random_below(len(moves), random.getrandbits)])
            events = [codec.write_event(entry, seat) for entry in entries]
            match = responses.match(stored.match, seat, stored.facts)
            largest = max(largest, len(responses.step(1, match, events, None)))
            await matches.commit(
                stored,
                entries,
                IdempotentRequest(f"{move_count:0{REQUEST_KEY_LENGTH}}", b"a" * MAX_STORED_RESPONSE_BYTES),
            )
            move_count += 1
        assert await redis.hlen(match_keys(match_id)[0]) <= 6 + STORED_REQUESTS
        sizes = [await redis.memory_usage(key, samples=0) or MAX_BYTES for key in match_keys(match_id)]
        print(
            f"{codec.game.name}: {seat_count} seats, {move_count} choices, {stored.match.revision} lines,"
            f" bytes {sizes}, {largest}"
        )
        assert largest < MAX_STORED_RESPONSE_BYTES
        assert sum(sizes) < MAX_BYTES
    await redis.aclose()
    await store.close()
