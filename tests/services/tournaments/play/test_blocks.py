"""Blocks of matches: rotation of seats, the same bytes from the same seed, failing bots and endless matches."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from random import Random

import pytest

from engine_core.bots import BOTS, BotKind
from engine_core.bots.observation import Observation
from engine_core.game import Move, Options, State, View
from engine_core.games import GAMES
from services.tournaments.plan.plan import Block, InvalidSpec, Spec
from services.tournaments.play.blocks import play_block
from services.tournaments.play.chunks import Chunk, ChunkResult, ChunkSizer, play_chunk
from services.tournaments.play.remote_chunks import Cancelled
from tests.services.processes import ROOT
from tests.services.tournaments.plans import SPEC

AnyObservation = Observation[State, Move, Options, View]


class RaisingBot:
    """Raises at its third choice."""

    def __init__(self) -> None:
        self._left = 3

    def choose(self, observation: AnyObservation, random: Random) -> Move:
        self._left -= 1
        if not self._left:
            raise ZeroDivisionError
        return observation.legal_moves()[0]


class IllegalMoveBot:
    """Makes an illegal move."""

    def choose(self, observation: AnyObservation, random: Random) -> Move:
        return Move()


class OutOfMemoryBot:
    """Runs out of memory, for which the machine is to blame."""

    def choose(self, observation: AnyObservation, random: Random) -> Move:
        raise MemoryError


@pytest.fixture
def _failing_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in (RaisingBot, IllegalMoveBot, OutOfMemoryBot):
        monkeypatch.setitem(BOTS, kind.__name__.lower(), BotKind(kind))


@pytest.mark.parametrize(("bot", "calls"), [("random", 4), ("greedy", 5)])
def test_a_chunk_is_cancelled_before_a_match_and_within_a_search(bot: str, calls: int) -> None:
    checks = 0

    def check() -> None:
        nonlocal checks
        checks += 1
        if checks == calls:  # two seats in each of two matches are checked once before it
            raise Cancelled

    spec = Spec("fire_bulls", (bot, bot), 2, blocks=1, seed=7)
    with pytest.raises(Cancelled):
        play_chunk(Chunk(spec.to_json(), (Block(0, (0, 1)),)), check)


@pytest.mark.parametrize("name", GAMES)
def test_a_block_plays_every_rotation_of_its_table_to_the_end(name: str) -> None:
    game = GAMES[name]
    spec = replace(SPEC, game=name, rules_version="", table_size=game.max_seats, entrants=("random", "greedy"))
    table = (0, 1, 0, 1, 0)[: game.max_seats]
    result = play_block(spec, Block(3, table))
    assert len(result.matches) == game.max_seats
    for match in result.matches:
        assert sorted(match.entrants) == sorted(table)
        assert len(match.points) == len(match.ranks) == game.max_seats
        assert min(match.ranks) == 1
        assert match.reason != "move_limit"
        assert match.forfeits == ()


@pytest.mark.parametrize("name", GAMES)
def test_the_same_block_gives_the_same_bytes(name: str) -> None:
    spec = replace(SPEC, game=name, rules_version="")
    block = Block(5, (0, 2))
    assert play_block(spec, block).encode() == play_block(spec, block).encode()
    assert play_block(spec, Block(6, (0, 2))).encode() != play_block(spec, block).encode()
    assert play_block(replace(spec, seed=8), block).encode() != play_block(spec, block).encode()


def test_an_endless_match_is_cut_off_and_scored_as_it_is() -> None:
    result = play_block(SPEC, Block(0, (0, 2)), move_limit=30)
    assert {match.reason for match in result.matches} == {"move_limit"}
    assert all(30 <= match.moves < 60 for match in result.matches)


@pytest.mark.usefixtures("_failing_bots")
@pytest.mark.parametrize("bot", ["raisingbot", "illegalmovebot"])
@pytest.mark.parametrize("seat_count", [2, 3])
def test_a_failing_bot_forfeits_and_ranks_below_all_others(bot: str, seat_count: int) -> None:
    spec = replace(SPEC, entrants=(bot, "random", "random"), table_size=seat_count)
    for match in play_block(spec, Block(0, tuple(range(seat_count)))).matches:
        seat = match.entrants.index(0)
        assert match.forfeits == (seat,)
        assert match.ranks[seat] == seat_count
        assert sorted(match.ranks)[-2] < seat_count


@pytest.mark.usefixtures("_failing_bots")
def test_a_match_ends_when_all_bots_have_failed() -> None:
    spec = replace(SPEC, entrants=("illegalmovebot", "raisingbot"))
    for match in play_block(spec, Block(0, (0, 1))).matches:
        assert match.reason != "move_limit"


@pytest.mark.usefixtures("_failing_bots")
def test_out_of_memory_is_not_blamed_on_a_bot() -> None:
    with pytest.raises(MemoryError):
        play_block(replace(SPEC, entrants=("outofmemorybot", "random")), Block(0, (0, 1)))


def test_a_chunk_has_the_results_of_its_blocks() -> None:
    blocks = (Block(0, (0, 1)), Block(1, (0, 2)))
    played = play_chunk(Chunk(SPEC.to_json(), blocks))
    assert played.lines == tuple((block.index, play_block(SPEC, block).encode()) for block in blocks)
    assert played.seconds > 0


def empty_results(count: int) -> tuple[tuple[int, bytes], ...]:
    return tuple((index, b"") for index in range(count))


def test_chunks_grow_to_the_target_time() -> None:
    chunk_sizer = ChunkSizer(target=2.0)
    sizes = []
    for _ in range(6):
        sizes.append(chunk_sizer.next_size())
        chunk_sizer.add_measurement(ChunkResult(empty_results(sizes[-1]), 0.01 * sizes[-1]))
    assert sizes == [1, 4, 16, 64, 200, 200]


def test_chunks_shrink_when_blocks_take_longer() -> None:
    chunk_sizer = ChunkSizer(target=2.0)
    chunk_sizer.add_measurement(ChunkResult(empty_results(100), 1.0))
    chunk_sizer.add_measurement(ChunkResult(empty_results(100), 100.0))
    assert 1 <= chunk_sizer.next_size() < 10


def test_slow_remote_bots_do_not_make_chunks_smaller() -> None:
    chunk_sizer = ChunkSizer(target=2.0)
    chunk_sizer.add_measurement(ChunkResult(empty_results(100), 1.0))
    before = chunk_sizer.next_size()
    chunk_sizer.add_measurement(ChunkResult(empty_results(1), 100.0, by_remote_bots=True))
    assert chunk_sizer.next_size() == before


def test_chunks_of_fast_blocks_grow_gradually() -> None:
    chunk_sizer = ChunkSizer()
    for _ in range(20):
        chunk_sizer.add_measurement(ChunkResult(empty_results(chunk_sizer.next_size()), 0.0))
    assert chunk_sizer.next_size() == 2048


def test_a_worker_needs_no_store_and_no_network_modules() -> None:
    code = "import services.tournaments.play.chunks, sys; print({'grpc', 'redis', 'google'} & set(sys.modules))"
    environment = {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_an_unknown_bot_is_refused_by_its_name() -> None:
    with pytest.raises(InvalidSpec, match=r"entrants\[0\]"):
        replace(SPEC, entrants=("deep_blue", "random"))
