"""Move clocks: the deadline of each choice, and the default moves after it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Never, cast

import pytest
from fakeredis import FakeAsyncRedis, FakeServer
from fireside.match.v1.match_pb2 import Clock, SeatSpec
from redis.asyncio import Redis

from engine_core.game import Game, Move, Options, Over, Phase, State, Turn, View
from engine_core.match import AnyMatch, Match
from services.engine.clocks.poller import CLAIM_MS, MAX_CLAIMED_MATCHES, AnyRepository, ClockPoller, time_out
from services.engine.codecs import CODECS, AnyCodec
from services.engine.matches.new_matches import NewMatches
from services.engine.matches.repository import MatchRepository
from services.engine.tables.seating import Player
from services.grpc_server.errors import UnknownMatch
from services.store.embedded import EmbeddedStore
from services.store.keys import DEADLINE_SETS, deadlines_key, match_keys
from services.store.matches.steps import LostRace
from services.store.matches.store import Store
from tests.redis_clients import redis_at
from tests.services.store.stores import server_of

MOVE_SECONDS = 60
START_MS = 1_800_000_000_000
DAY_SECONDS = 86400
EVERY_GAME = pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))


class SetTime:
    """The clock of a store; it stands still until it is set."""

    time_ms = START_MS

    async def now_ms(self) -> int:
        return self.time_ms


class SetStore(SetTime, Store):
    """A store on Redis whose clock is set by the test."""


class SetEmbeddedStore(SetTime, EmbeddedStore):
    """An embedded store whose clock is set by the test."""


class Engines:
    """The clocks of three engines on one store, each with its own connection."""

    def __init__(self, redis: Redis, url: str) -> None:
        self.redis = redis
        self.stores = [
            SetEmbeddedStore(DAY_SECONDS, 2 * DAY_SECONDS, server_of(redis))
            if isinstance(redis, FakeAsyncRedis)
            else SetStore(redis_at(url), DAY_SECONDS, 2 * DAY_SECONDS)
            for _ in range(3)
        ]
        self.clocks = [
            ClockPoller([MatchRepository(codec, store) for codec in CODECS.values()], store) for store in self.stores
        ]

    def matches(self, codec: AnyCodec, engine: int = 0) -> AnyRepository:
        """The match repository of one of the engines."""
        return MatchRepository(codec, self.stores[engine])

    def set_time(self, milliseconds: int) -> None:
        """Set the time, in milliseconds after the start."""
        for store in self.stores:
            store.time_ms = START_MS + milliseconds

    async def look(self) -> None:
        """Let the clocks of all engines check for due deadlines, until none is left."""
        while any(await asyncio.gather(*[clocks.play_due() for clocks in self.clocks])):
            pass

    async def begin(self, codec: AnyCodec, clock: Clock | None) -> str:
        """Begin a match at the time that is set."""
        options = next(iter(codec.game.presets().values()))
        seat_count = codec.game.min_seats
        stored = await NewMatches(codec, self.stores[0]).create(
            codec.game.start(seat_count, options), [Player(SeatSpec())] * seat_count, [], clock
        )
        return stored.facts.match_id

    async def deadline_ms(self, codec: AnyCodec, match_id: str) -> int:
        """The deadline in milliseconds after the start."""
        stored, _ = await self.matches(codec).checkout(match_id)
        return stored.facts.deadline_ms - START_MS

    async def match(self, codec: AnyCodec, match_id: str) -> AnyMatch:
        """The stored match, decoded."""
        stored, _ = await self.matches(codec).checkout(match_id)
        return stored.match

    async def hints(self, codec: AnyCodec) -> dict[str, int]:
        """When each match is looked at next, in milliseconds after the start."""
        scores = {}
        for index in [deadlines_key(codec.rules_version, number) for number in range(DEADLINE_SETS)]:
            found = cast("list[tuple[bytes, float]]", await self.redis.zrange(index, 0, -1, withscores=True))
            for name, score in found:
                scores[name.decode()] = round(score) - START_MS
        return scores


@pytest.fixture
async def engines(store_url: str) -> AsyncIterator[Engines]:
    redis = redis_at(store_url) if store_url else FakeAsyncRedis(server=FakeServer())
    await redis.flushdb()
    engines = Engines(redis, store_url)
    yield engines
    await redis.aclose()
    for store in engines.stores:
        await store.close()


def move_clock(seconds: int = MOVE_SECONDS) -> Clock:
    return Clock(move_seconds=seconds)


async def play_default(matches: AnyRepository, match_id: str, expected_revision: int | None = None) -> None:
    """Make one move as its player would; none if the match is no longer at the expected revision."""
    stored, _ = await matches.checkout(match_id)
    match = stored.match
    if expected_revision not in (None, match.revision):
        return
    seat = match.to_move()[0]
    entries = match.play(seat, match.game.default_move(match.state, seat))
    await matches.commit(stored, entries, None)


@EVERY_GAME
async def test_without_a_clock_there_is_no_deadline(engines: Engines, codec: AnyCodec) -> None:
    match_id = await engines.begin(codec, None)
    await play_default(engines.matches(codec), match_id)
    engines.set_time(10 * 365 * DAY_SECONDS * 1000)
    before = await engines.match(codec, match_id)
    await engines.look()
    stored, _ = await engines.matches(codec).checkout(match_id)
    assert stored.facts.deadline_ms == 0
    assert stored.match.revision == before.revision
    assert await engines.hints(codec) == {}


@EVERY_GAME
async def test_a_new_phase_has_the_full_time(engines: Engines, codec: AnyCodec) -> None:
    match_id = await engines.begin(codec, move_clock())
    assert await engines.deadline_ms(codec, match_id) == MOVE_SECONDS * 1000
    phase_start = (await engines.match(codec, match_id)).phase_start
    engines.set_time(20_000)
    while (await engines.match(codec, match_id)).phase_start == phase_start:
        assert await engines.deadline_ms(codec, match_id) == MOVE_SECONDS * 1000
        await play_default(engines.matches(codec), match_id)
    assert await engines.deadline_ms(codec, match_id) == 20_000 + MOVE_SECONDS * 1000


@EVERY_GAME
async def test_no_default_move_is_made_before_the_deadline(engines: Engines, codec: AnyCodec) -> None:
    match_id = await engines.begin(codec, move_clock())
    before = await engines.match(codec, match_id)
    engines.set_time(MOVE_SECONDS * 1000 - 1)
    await engines.look()
    assert (await engines.match(codec, match_id)).revision == before.revision


@EVERY_GAME
async def test_a_check_before_the_deadline_is_postponed_to_it(engines: Engines, codec: AnyCodec) -> None:
    match_id = await engines.begin(codec, move_clock())
    await engines.stores[0].hint_deadline(codec.rules_version, match_id, START_MS - 1)
    await engines.look()
    assert await engines.hints(codec) == {match_id: MOVE_SECONDS * 1000}


@EVERY_GAME
async def test_of_three_engines_one_makes_the_default_move_of_each_deadline(engines: Engines, codec: AnyCodec) -> None:
    ids = [await engines.begin(codec, move_clock()) for _ in range(2 * MAX_CLAIMED_MATCHES + 1)]
    before = {match_id: await engines.match(codec, match_id) for match_id in ids}
    engines.set_time(MOVE_SECONDS * 1000)
    await engines.look()
    await engines.look()
    for match_id in ids:
        default_moves = await moves_after(engines, codec, match_id, before[match_id].revision)
        assert default_moves == expected_default_moves(before[match_id])
        assert await engines.deadline_ms(codec, match_id) == 2 * MOVE_SECONDS * 1000


def expected_default_moves(match: AnyMatch) -> list[tuple[int, str]]:
    """The default moves of the phase that stands, which are made in `match` itself."""
    entries = [entry for entry in time_out(match) if entry.seat >= 0]
    return [(entry.seat, match.game.notation(entry.move)) for entry in entries]


async def moves_after(engines: Engines, codec: AnyCodec, match_id: str, revision: int) -> list[tuple[int, str]]:
    """The seats' moves in the log behind a revision; it has no gap and no line twice."""
    stored, lines = await engines.matches(codec).peek_log(match_id, revision)
    events = []
    for line in lines:
        entry = codec.messages.log_entry.FromString(line)
        events.append(entry.event)  # type: ignore[attr-defined]
    assert [event.revision for event in events] == list(range(revision + 1, stored.match.revision + 1))
    return [(event.seat, event.notation) for event in events if event.HasField("seat")]


@EVERY_GAME
async def test_concurrent_checks_of_one_match_make_one_default_move(engines: Engines, codec: AnyCodec) -> None:
    match_id = await engines.begin(codec, move_clock())
    before = await engines.match(codec, match_id)
    now_ms = START_MS + MOVE_SECONDS * 1000
    engines.set_time(MOVE_SECONDS * 1000)
    looks = [
        engines.clocks[number % 3].check_match(engines.matches(codec, number % 3), match_id, now_ms)
        for number in range(30)
    ]
    await asyncio.gather(*looks)
    default_moves = await moves_after(engines, codec, match_id, before.revision)
    assert default_moves == expected_default_moves(before)


@EVERY_GAME
async def test_a_player_and_the_clock_at_the_same_time_make_one_move(engines: Engines, codec: AnyCodec) -> None:
    for number in range(1, 11):
        engines.set_time(number * DAY_SECONDS * 1000)
        match_id = await engines.begin(codec, move_clock())
        before = await engines.match(codec, match_id)
        engines.set_time(number * DAY_SECONDS * 1000 + MOVE_SECONDS * 1000)

        async def play_as_player(match_id: str = match_id, revision: int = before.revision) -> None:
            with suppress(LostRace):
                await play_default(engines.matches(codec, 2), match_id, revision)

        await asyncio.gather(engines.clocks[0].play_due(), engines.clocks[1].play_due(), play_as_player())
        new_moves = await moves_after(engines, codec, match_id, before.revision)
        assert new_moves == expected_default_moves(before)


@EVERY_GAME
async def test_an_engine_that_dies_while_checking_a_match_is_replaced_by_another(
    engines: Engines, codec: AnyCodec
) -> None:
    match_id = await engines.begin(codec, move_clock())
    before = await engines.match(codec, match_id)
    now = MOVE_SECONDS * 1000
    engines.set_time(now)
    dying = engines.stores[2]
    taken = await dying.claim_due(codec.rules_version, START_MS + now, START_MS + now + CLAIM_MS, 1)
    assert taken == [match_id]
    await engines.look()
    assert (await engines.match(codec, match_id)).revision == before.revision
    engines.set_time(now + CLAIM_MS)
    await engines.look()
    assert await moves_after(engines, codec, match_id, before.revision) == expected_default_moves(before)


@EVERY_GAME
async def test_an_engine_that_dies_between_hint_and_step_delays_no_deadline(engines: Engines, codec: AnyCodec) -> None:
    match_id = await engines.begin(codec, move_clock())
    before = await engines.match(codec, match_id)
    engines.set_time(MOVE_SECONDS * 1000 - 1)
    stored, _ = await engines.matches(codec).checkout(match_id)
    time_out(stored.match)
    await engines.matches(codec).deadlines.update(stored)  # and then it dies
    engines.set_time(MOVE_SECONDS * 1000)
    await engines.look()
    assert await moves_after(engines, codec, match_id, before.revision) == expected_default_moves(before)


@EVERY_GAME
async def test_an_abandoned_match_is_played_to_its_end_by_default_moves(engines: Engines, codec: AnyCodec) -> None:
    match_id = await engines.begin(codec, move_clock())
    deadlines = 0
    while not (await engines.match(codec, match_id)).is_over():
        before = await engines.match(codec, match_id)
        engines.set_time(await engines.deadline_ms(codec, match_id))
        await engines.look()
        assert (await engines.match(codec, match_id)).revision > before.revision
        deadlines += 1
    stored, _ = await engines.matches(codec).checkout(match_id)
    assert deadlines > 1
    assert stored.facts.deadline_ms == 0
    assert await engines.hints(codec) == {}
    assert await engines.redis.ttl(match_keys(match_id)[1]) > DAY_SECONDS


@EVERY_GAME
async def test_the_deadline_of_an_expired_match_is_removed(engines: Engines, codec: AnyCodec) -> None:
    match_id = await engines.begin(codec, move_clock())
    await engines.redis.delete(match_keys(match_id)[0], match_keys(match_id)[1])
    engines.set_time(MOVE_SECONDS * 1000)
    await engines.look()
    assert await engines.hints(codec) == {}
    with pytest.raises(UnknownMatch):
        await engines.match(codec, match_id)


@EVERY_GAME
async def test_a_match_is_stored_longer_than_its_deadline(engines: Engines, codec: AnyCodec) -> None:
    match_id = await engines.begin(codec, move_clock(7 * DAY_SECONDS))
    for _ in range(2):
        for key in match_keys(match_id):
            assert await engines.redis.ttl(key) > 7 * DAY_SECONDS + 60
        await play_default(engines.matches(codec), match_id)


@EVERY_GAME
async def test_a_match_that_cannot_be_read_does_not_stop_the_others(
    engines: Engines, codec: AnyCodec, caplog: pytest.LogCaptureFixture
) -> None:
    broken, whole = [await engines.begin(codec, move_clock()) for _ in range(2)]
    await engines.redis.hset(match_keys(broken)[0], "header", b"\xff")
    before = await engines.match(codec, whole)
    engines.set_time(MOVE_SECONDS * 1000)
    await engines.look()
    assert (await engines.match(codec, whole)).revision > before.revision
    assert "the default moves of a match failed" in caplog.text
    assert (await engines.hints(codec))[broken] == MOVE_SECONDS * 1000 + CLAIM_MS


class OwedMove(Move):
    """The only move of the game."""


class OwedMoves(State):
    """The state of the game: how many moves each seat owes."""

    def __init__(self, owed_moves: list[int]) -> None:
        self.owed_moves = owed_moves

    def copy(self) -> OwedMoves:
        return OwedMoves([*self.owed_moves])


def not_called(*_: object, **named: object) -> Never:
    """What time does not ask of a game."""
    raise AssertionError


class SimultaneousGame(Game[OwedMoves, OwedMove, Options, View]):
    """Every seat moves at once, as many times as it owes moves; then the match is over."""

    presets = start = weights = pool_item = copy = leave = has_left = score = evaluate = not_called
    view = determinize = notation = parse = sentence = not_called

    def seat_count(self, state: OwedMoves) -> int:
        return len(state.owed_moves)

    def phase(self, state: OwedMoves) -> Phase:
        seats = tuple(seat for seat, owed_moves in enumerate(state.owed_moves) if owed_moves)
        return Turn(seats) if seats else Over("done")

    def legal_moves(self, state: OwedMoves, seat: int) -> list[OwedMove]:
        return [OWED_MOVE] if state.owed_moves[seat] else []

    def apply(self, state: OwedMoves, seat: int, move: OwedMove) -> None:
        state.owed_moves[seat] -= 1

    def default_move(self, state: OwedMoves, seat: int) -> OwedMove:
        return OWED_MOVE


OWED_MOVE = OwedMove()


def simultaneous_match(*owed_moves: int) -> Match[OwedMoves, OwedMove, Options, View]:
    return Match(SimultaneousGame(), OwedMoves(list(owed_moves)), None)


def test_only_seats_that_have_not_chosen_get_their_default_move() -> None:
    match = simultaneous_match(1, 1, 1, 1)
    match.play(1, OWED_MOVE)
    assert [(entry.seat, entry.move) for entry in time_out(match)] == [(0, OWED_MOVE), (2, OWED_MOVE), (3, OWED_MOVE)]
    assert match.is_over()


def test_a_seat_with_a_new_choice_has_the_full_time_again() -> None:
    match = simultaneous_match(2)
    assert [entry.seat for entry in time_out(match)] == [0]
    assert match.to_move() == (0,)
