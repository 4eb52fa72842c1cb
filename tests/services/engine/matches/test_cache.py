"""Cache of decoded matches: a cached match is used only if the store says that it is current."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any, cast

import grpc
import pytest
from fireside.match.v1.match_pb2 import Clock, SeatSpec
from fireside.match.v1.match_record_pb2 import MatchProgress
from google.protobuf.message import Message

from engine_core.match import Entry
from services.engine.codecs import CODECS, AnyCodec
from services.engine.main import Engine
from services.engine.matches.cache import MatchCache
from services.engine.matches.new_matches import NewMatches
from services.engine.matches.repository import MatchRepository
from services.engine.matches.stored_match import StoredMatch
from services.engine.settings import EngineSettings
from services.engine.tables.seating import Player
from services.grpc_server.errors import StoreUnavailable
from services.store.keys import match_keys
from services.store.matches.steps import LostRace, Snapshot
from services.store.matches.store import Store
from services.store.open import open_store
from tests.redis_clients import redis_at
from tests.redis_server import free_port, redis_server
from tests.services.client import Refusal
from tests.services.registry import GameClient, MatchDriver, field

DAY_SECONDS = 86400
EVERY_GAME = pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))


@pytest.fixture
async def channels(redis_url: str) -> AsyncIterator[list[grpc.aio.Channel]]:
    """Two engines on one Redis."""
    async with AsyncExitStack() as stack:
        opened = []
        for _ in range(2):
            engine = Engine(EngineSettings(port=0, redis_url=redis_url, grace_seconds=1))
            await engine.start()
            stack.push_async_callback(engine.stop)
            opened.append(await stack.enter_async_context(grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}")))
        yield opened


async def same_match_at_two_engines(channels: list[grpc.aio.Channel], codec: AnyCodec) -> list[MatchDriver]:
    """One match at both engines, some moves made, so that the first one keeps it."""
    first = await GameClient(channels[0], codec).begin()
    await first.play(Random(1), 5)
    return [first, MatchDriver(GameClient(channels[1], codec), first.match_id, first.tokens, first.match)]


async def token_and_move(driver: MatchDriver) -> tuple[str, dict[str, object]]:
    """The token of a seat that is to move, and a choice of it."""
    match = cast(Message, field(await driver.call("GetMatch"), "match"))
    token = driver.tokens[cast(list[int], field(match, "to_move"))[0]]
    moves = cast(list[Message], field(await driver.call("LegalMoves", token), "moves"))
    return token, {"notation": field(moves[0], "notation")}


def match_bytes(answer: Message) -> tuple[object, bytes]:
    match = cast(Message, field(answer, "match"))
    return field(match, "revision"), match.SerializeToString(deterministic=True)


@EVERY_GAME
async def test_moves_through_two_engines_in_turn_are_all_made(
    channels: list[grpc.aio.Channel], codec: AnyCodec
) -> None:
    drivers = await same_match_at_two_engines(channels, codec)
    random = Random(2)
    while not field(drivers[0].match, "over"):
        driver = random.choice(drivers)
        driver.match = drivers[0].match
        await driver.play(random, random.randrange(1, 4))
        drivers[0].match = driver.match
        for name in ("GetMatch", "Score", "LegalMoves", "History"):
            answers = [await each.call(name, each.tokens[0]) for each in drivers]
            assert answers[0] == answers[1], name
    records = [await each.record() for each in drivers]
    assert records[0] == records[1]


@EVERY_GAME
async def test_a_move_on_an_outdated_cached_match_is_refused_with_the_current_revision(
    channels: list[grpc.aio.Channel], codec: AnyCodec
) -> None:
    first, second = await same_match_at_two_engines(channels, codec)
    token, choice = await token_and_move(first)
    before = int(str(field(first.match, "revision")))
    while int(str(field(second.match, "revision"))) < before + 8 and not field(second.match, "over"):
        await second.play(Random(3), 1)
    with pytest.raises(Refusal) as caught:
        await first.call("Apply", token, expected_revision=before, **choice)
    assert caught.value.reason == "STALE_REVISION"
    assert caught.value.metadata["revision"] == str(field(second.match, "revision"))


@EVERY_GAME
async def test_a_request_repeated_on_two_engines_has_one_response(
    channels: list[grpc.aio.Channel], codec: AnyCodec
) -> None:
    first, second = await same_match_at_two_engines(channels, codec)
    token, choice = await token_and_move(first)
    answers = [await each.call("Apply", token, request_id="one", **choice) for each in (first, second, first)]
    second.match = cast(Message, field(answers[0], "match"))
    await second.play(Random(4), 1)
    answers += [await each.call("Apply", token, request_id="one", **choice) for each in (first, second)]
    assert all(answer == answers[0] for answer in answers)
    assert field(await first.call("GetMatch"), "match", "revision") == field(second.match, "revision")


@EVERY_GAME
async def test_of_concurrent_moves_on_one_revision_exactly_one_is_made(
    channels: list[grpc.aio.Channel], codec: AnyCodec
) -> None:
    drivers = await same_match_at_two_engines(channels, codec)
    token, choice = await token_and_move(drivers[0])
    revision = field(await drivers[0].call("GetMatch"), "match", "revision")
    calls = [drivers[n % 2].call("Apply", token, expected_revision=revision, **choice) for n in range(20)]
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(isinstance(outcome, Message) for outcome in outcomes) == 1
    assert all(isinstance(outcome, Message | Refusal) for outcome in outcomes)
    assert match_bytes(await drivers[0].call("GetMatch")) == match_bytes(await drivers[1].call("GetMatch"))


@EVERY_GAME
async def test_an_expired_match_is_unknown_even_if_it_is_cached(
    channels: list[grpc.aio.Channel], codec: AnyCodec, redis_url: str
) -> None:
    first, _ = await same_match_at_two_engines(channels, codec)
    token, choice = await token_and_move(first)
    async with redis_at(redis_url) as redis:
        await redis.delete(match_keys(first.match_id)[0], match_keys(first.match_id)[1])
    for name, fields in {"Apply": choice, "GetMatch": {}, "LegalMoves": {}, "Score": {}}.items():
        with pytest.raises(Refusal) as caught:
            await first.call(name, token, **fields)
        assert caught.value.code is grpc.StatusCode.NOT_FOUND
    async with redis_at(redis_url) as redis:
        assert not await redis.exists(match_keys(first.match_id)[0])


@EVERY_GAME
@pytest.mark.parametrize("name", ["state", "progress"])
async def test_a_store_with_a_different_history_invalidates_the_cache(
    codec: AnyCodec, name: str, redis_url: str
) -> None:
    """As after a failover that lost a step, when another one was made: the revision is the same, the rest is not."""
    store = open_store(redis_url, DAY_SECONDS)
    matches = MatchRepository(codec, store)
    cached = await new_stored_match(store, codec, codec.game.min_seats)
    async with redis_at(redis_url) as redis:
        await redis.hset(match_keys(cached.match_id)[0], name, b"of another past")
    truth = await store.load(cached.match_id)
    seat = cached.match.to_move()[0]
    entries = cached.match.play(seat, cached.match.legal_moves(seat)[0])
    with pytest.raises(LostRace):
        await matches.commit(cached, entries, None, guessed=True)
    assert await store.load(cached.match_id) == truth
    await store.close()


async def new_stored_match(
    store: Store,
    codec: AnyCodec,
    seat_count: int,
    seed: str = "",
    clock: Clock | None = None,
) -> StoredMatch[Any, Any, Any, Any]:
    """A match of the first preset, with nobody in particular."""
    state = codec.game.start(seat_count, next(iter(codec.game.presets().values())))
    return await NewMatches(codec, store).create(
        state, [Player(SeatSpec())] * seat_count, [seed] if seed else [], clock
    )


def drawn_and_taken(match_progress: MatchProgress) -> tuple[dict[str, int], dict[str, dict[str, int]]]:
    return dict(match_progress.drawn), {pool: dict(left.copies) for pool, left in match_progress.taken.items()}


@EVERY_GAME
async def test_cached_matches_equal_the_stored_ones(codec: AnyCodec) -> None:
    """After every step of a match, to the last byte, with its clock."""
    store = open_store("", DAY_SECONDS)
    matches = MatchRepository(codec, store)
    random = Random(5)
    stored = await new_stored_match(store, codec, codec.game.max_seats, "seed", Clock(move_seconds=60))
    match_id = stored.match_id
    while not stored.match.is_over():
        matches.put(stored)
        cached = matches.checkout_cached(match_id)
        assert cached is not None
        fresh = await MatchRepository(codec, store).peek(match_id)
        assert cached.encode_progress() == fresh.encode_progress()
        assert drawn_and_taken(MatchProgress.FromString(cached.encode_progress())) == (
            cached.luck.draw_counts,
            cached.luck.taken_copies,
        )
        assert codec.write_state(cached.match.state) == codec.write_state(fresh.match.state)
        assert (cached.facts, cached.needs_deadline()) == (fresh.facts, fresh.needs_deadline())
        seat = random.choice(cached.match.to_move())
        entries = cached.match.play(seat, random.choice(cached.match.legal_moves(seat)))
        await matches.commit(cached, entries, None, guessed=True)
        stored = cached
    matches.put(stored)
    assert matches.checkout_cached(match_id) is None  # over: nobody plays on
    await store.close()


@EVERY_GAME
async def test_unchanged_parts_are_reused_after_moves_of_other_engines(codec: AnyCodec) -> None:
    """And nature draws the same as for one that reads the match for the first time."""
    store = open_store("", DAY_SECONDS)
    engines = [MatchRepository(codec, store), MatchRepository(codec, store)]
    random = Random(6)
    first = stored = await new_stored_match(store, codec, codec.game.max_seats, "seed")
    engines[0].put(first)
    while not stored.match.is_over():
        number = random.randrange(2)
        stored, _ = await engines[number].checkout(first.match_id)
        fresh = await MatchRepository(codec, store).peek(first.match_id)
        if number == 0:
            assert stored.header is first.header
            assert stored.luck.digests is first.luck.digests
        seat = random.choice(stored.match.to_move())
        move = random.choice(stored.match.legal_moves(seat))
        entries = stored.match.play(seat, move)
        fresh.match.play(seat, move)
        assert (stored.encode_progress(), codec.write_state(stored.match.state)) == (
            fresh.encode_progress(),
            codec.write_state(fresh.match.state),
        )
        await engines[number].commit(stored, entries, None)
        engines[number].put(stored)
    await store.close()


def first_choice(stored: StoredMatch[Any, Any, Any, Any]) -> list[Entry]:
    """Play on."""
    seat = stored.match.to_move()[0]
    return stored.match.play(seat, stored.match.legal_moves(seat)[0])


async def test_a_match_with_a_clock_is_guessed_current_if_the_last_guess_was_right() -> None:
    codec = CODECS["fire_bulls"]
    store = open_store("", DAY_SECONDS)
    here, elsewhere = MatchRepository(codec, store), MatchRepository(codec, store)
    match_id = (await new_stored_match(store, codec, 2, clock=Clock(move_seconds=60))).match_id

    async def move(matches: MatchRepository[Any, Any, Any, Any]) -> bool:
        """Whether it will be guessed at there next."""
        stored, _ = await matches.checkout(match_id)
        await matches.commit(stored, first_choice(stored), None)
        matches.put(stored)
        if (guess := matches.checkout_cached(match_id)) is None:
            return False
        matches.put(guess)
        return True

    assert not await move(elsewhere)
    assert not await move(here)
    assert await move(here)
    assert not await move(elsewhere)
    assert not await move(here)
    await store.close()


@EVERY_GAME
async def test_a_wrong_guess_is_refused_with_the_current_revision(codec: AnyCodec) -> None:
    """And plays on from there, without a read, as who reads it for the first time does."""
    store = open_store("", DAY_SECONDS)
    engines = [MatchRepository(codec, store), MatchRepository(codec, store)]
    random = Random(8)
    stored = await new_stored_match(store, codec, codec.game.max_seats, "seed")
    engines[0].put(stored)
    engines[1].put(await engines[1].peek(stored.match_id))
    right = engines
    while not stored.match.is_over():
        matches = random.choice(engines)
        fresh = await MatchRepository(codec, store).peek(stored.match_id)
        guess = matches.checkout_cached(stored.match_id)
        assert guess is not None
        entries = first_choice(guess)
        if matches in right:
            stored = guess
        else:
            with pytest.raises(LostRace) as caught:
                await matches.commit(guess, entries, None, guessed=True)
            stored = matches.reload_after_conflict(caught.value, guess)
            entries = first_choice(stored)
        first_choice(fresh)
        assert stored.encode_progress() == fresh.encode_progress()
        assert codec.write_state(stored.match.state) == codec.write_state(fresh.match.state)
        await matches.commit(stored, entries, None, guessed=True)
        matches.put(stored)
        right = [matches]
    await store.close()


async def test_a_failed_step_leaves_no_position_in_the_cache(tmp_path: Path) -> None:
    codec = CODECS["fire_bulls"]
    port = free_port()
    with redis_server(tmp_path, port=port) as url:
        store = open_store(url, DAY_SECONDS)
        matches = MatchRepository(codec, store)
        stored = await new_stored_match(store, codec, 2)
        matches.put(stored)
    cached = matches.checkout_cached(stored.match_id)
    assert cached is not None
    seat = cached.match.to_move()[0]
    entries = cached.match.play(seat, cached.match.legal_moves(seat)[0])
    with pytest.raises(StoreUnavailable):
        await matches.commit(cached, entries, None, guessed=True)
    matches.put(cached)  # which it refuses: the store has not come so far
    assert matches.checkout_cached(stored.match_id) is None
    await store.close()


class SizedMatch:
    """A cached value of a given size."""

    def __init__(self, match_id: str, size: int) -> None:
        self.match_id = match_id
        self.stored_snapshot = Snapshot(b"", bytes(size), b"", 1, None)


def test_the_cache_stays_within_its_size() -> None:
    cache: MatchCache[SizedMatch] = MatchCache(most=10, bytes_most=1000)
    for number in range(1000):
        cache.put(SizedMatch(str(number % 37), 10 + number % 300))
        assert len(cache) <= 10
        assert cache.size <= 1000
    assert cache.peek(str(999 % 37)) is not None
    for number in range(37):
        cache.checkout(str(number))
    assert (len(cache), cache.size) == (0, 0)
