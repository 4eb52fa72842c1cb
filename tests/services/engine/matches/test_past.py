"""Earlier positions of stored matches: checkpoints, damaged logs, and the time that the longest match takes."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from random import Random
from typing import Any, cast

import pytest
from fireside.match.v1.match_pb2 import SeatSpec

from engine_core.game import Game, Move, Options
from engine_core.games.fireship.state import FireshipOptions
from engine_core.match import Entry
from services.engine.codec import read_log_line
from services.engine.codecs import CODECS, AnyCodec
from services.engine.matches import past
from services.engine.matches.log import MatchLog
from services.engine.matches.new_matches import NewMatches
from services.engine.matches.past import INTERVAL, PastPositions
from services.engine.matches.repository import MatchRepository
from services.engine.matches.stored_match import StoredMatch
from services.engine.tables.seating import Player
from services.grpc_server.admission.long_work import LongWork
from services.grpc_server.errors import LogContradictsSnapshot
from services.store.keys import match_keys
from services.store.matches.store import Store
from services.store.open import open_store
from tests.redis_clients import redis_at

EVERY_GAME = pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))
LONGEST_OPTIONS: dict[str, Options] = {"fireship": FireshipOptions(fortification=False, rounds=100, movement_dice=3)}
"""Options by which a match has the most moves, where they count."""
ENDS_A_TURN = ("end_turn", "answer pass_turn")
MAX_LINES_OF_A_STEP = 300
MAX_SECONDS = 0.05
"""Seconds of processor time of a call; a log of 3,900 lines takes 35 ms where the rules are compiled."""

AnyStored = StoredMatch[Any, Any, Any, Any]


@pytest.fixture
async def store(redis_url: str) -> AsyncIterator[Store]:
    store = open_store(redis_url, 86400)
    yield store
    await store.close()


def choose_prolonging_move(game: Game[Any, Any, Any, Any], moves: list[Move], random: Random) -> Move:
    """A random move that prolongs the match, if there is one."""
    return random.choice([move for move in moves if not game.notation(move).startswith(ENDS_A_TURN)] or moves)


async def finished_match(codec: AnyCodec, store: Store, seed: int, options: Options | None = None) -> AnyStored:
    """A long random match of the most seats, in few steps; of the first preset without options."""
    game, random = codec.game, Random(seed)
    options = options or next(iter(game.presets().values()))
    repository = MatchRepository(codec, store)
    stored: AnyStored = await NewMatches(codec, store).create(
        game.start(game.max_seats, options), [Player(SeatSpec())] * game.max_seats, []
    )
    while not stored.match.is_over():
        entries: list[Entry] = []
        while not stored.match.is_over() and len(entries) < MAX_LINES_OF_A_STEP:
            seat = random.choice(stored.match.to_move())
            entries += stored.match.play(seat, choose_prolonging_move(game, stored.match.legal_moves(seat), random))
        assert await repository.commit(stored, entries, None) is None
    return stored


class Reader:
    """Reads earlier positions, and the views of all observers in them."""

    def __init__(self, codec: AnyCodec, store: Store) -> None:
        self.codec = codec
        self.matches = MatchRepository(codec, store)
        self.past = PastPositions(codec, store, self.matches, LongWork())

    async def position(self, match_id: str, revision: int) -> tuple[bytes, list[bytes]]:
        """The state at a revision, and the heads of all observers."""
        found = await self.past.position(await self.matches.peek(match_id), revision)
        assert found.match.revision == revision
        return self.codec.write_state(found.match.state), found.heads


@EVERY_GAME
async def test_every_order_of_revisions_gives_the_same_positions(codec: AnyCodec, store: Store) -> None:
    stored = await finished_match(codec, store, 1)
    last = stored.match.revision
    reader = Reader(codec, store)
    forward = [await reader.position(stored.match_id, revision) for revision in range(last)]
    _, added = await MatchLog(codec, reader.matches).lines_after(stored.match_id, 0)
    assert [heads for _, heads in forward[1:]] == [line.heads for line in added[: last - 1]]
    assert len({state for state, _ in forward}) > last // 2
    revisions = [*range(last)]
    Random(2).shuffle(revisions)
    for revision in revisions[:50]:
        assert await reader.position(stored.match_id, revision) == forward[revision]
    for revision in revisions[:3]:
        assert await Reader(codec, store).position(stored.match_id, revision) == forward[revision]


@EVERY_GAME
async def test_stepping_through_a_finished_match_reads_few_lines(
    codec: AnyCodec, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = await finished_match(codec, store, 1)
    reader = Reader(codec, store)
    await reader.position(stored.match_id, 1)
    read: list[bytes] = []
    monkeypatch.setattr(past, "read_log_line", lambda line: read.append(line) or read_log_line(line))  # type: ignore[func-returns-value]
    for revision in range(1, stored.match.revision, INTERVAL // 2):
        read.clear()
        await reader.position(stored.match_id, revision)
        assert len(read) <= INTERVAL


@EVERY_GAME
async def test_the_number_of_checkpoints_is_bounded(
    codec: AnyCodec, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(past, "MAX_CHECKPOINTS", 3)
    stored = await finished_match(codec, store, 1)
    reader = Reader(codec, store)
    for revision in range(1, stored.match.revision, 41):
        assert await reader.position(stored.match_id, revision) == await Reader(codec, store).position(
            stored.match_id, revision
        )
        assert len(reader.past._checkpoints) <= 3


@pytest.mark.parametrize("warm", [False, True])
@EVERY_GAME
async def test_a_damaged_log_is_an_internal_error(
    codec: AnyCodec, store: Store, redis_url: str, warm: bool, caplog: pytest.LogCaptureFixture
) -> None:
    stored = await finished_match(codec, store, 1)
    reader = Reader(codec, store)
    if warm:
        await reader.position(stored.match_id, 1)
    async with redis_at(redis_url) as redis:
        log = match_keys(stored.match_id)[1]
        entries = cast(list[tuple[bytes, dict[bytes, bytes]]], await redis.xrange(log))
        await redis.delete(log)
        for number, (entry, _) in enumerate(entries):
            line = entries[0 if number == 1 else number][1]  # the first line twice
            await redis.xadd(log, {"entry": line[b"entry"]}, id=entry)
    with pytest.raises(LogContradictsSnapshot):
        await reader.position(stored.match_id, 2)
    assert stored.match_id in caplog.text


@EVERY_GAME
async def test_a_position_of_the_longest_match_takes_less_than_50_ms(codec: AnyCodec, store: Store) -> None:
    options = LONGEST_OPTIONS.get(codec.game.name)
    matches = [await finished_match(codec, store, seed, options) for seed in range(3)]
    longest = max(matches, key=lambda each: each.match.revision)
    revisions = [0, 1, longest.match.revision // 2, longest.match.revision - 1]
    times = []
    for _ in range(3):
        reader = Reader(codec, store)
        for revision in revisions:
            start = time.process_time()
            await reader.position(longest.match_id, revision)
            times.append(time.process_time() - start)
    first_calls, later_calls = times[1 :: len(revisions)], times[2 :: len(revisions)] + times[3 :: len(revisions)]
    # Interpreted rules take three times as long.
    print(f"{codec.game.name}: {longest.match.revision} lines, {min(first_calls):.4f} s, then {min(later_calls):.4f} s")
    assert min(first_calls) < 3 * MAX_SECONDS
    assert min(later_calls) < MAX_SECONDS / 5
