"""Tournaments with remote bots: slow bots, bots that die, and bots that are not allowed."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event
from uuid import uuid4

import pytest

from services.bots.remote.allowed import allowed_addresses
from services.tournaments.ledger.file import FileLedger
from services.tournaments.ledger.ledger import Status
from services.tournaments.plan.plan import Block, InvalidSpec, Spec
from services.tournaments.play.chunks import Chunk, ChunkResult
from services.tournaments.play.remote_bots import RemotePlayers
from services.tournaments.play.remote_chunks import Cancelled, RemoteChunk
from services.tournaments.play.worker_pool import MAX_REMOTE_CHUNKS, WorkerPool
from services.tournaments.progress import TournamentProgress
from services.tournaments.runner import Coordinator
from services.tournaments.settings import TournamentSettings
from tests.services.bots.third_parties import choice_response, webhook

SPEC = Spec("fire_bulls", ("random", "random"), 2, blocks=2, seed=3)
CALL_SECONDS = 1.5


def last_move(request: bytes) -> bytes:
    """The answer of a bot that takes the last of its moves."""
    moves = json.loads(request.partition(b"\r\n\r\n")[2])["moves"]
    return choice_response(moves[-1]["notation"])


async def play_tournament(ledger: FileLedger, spec: Spec, allow: str) -> tuple[str, TournamentProgress]:
    """A whole tournament."""
    settings = TournamentSettings(
        bot_allow=allowed_addresses(allow), bot_seconds=CALL_SECONDS, bot_failures=2, lease_seconds=2
    )
    remote_bots = RemotePlayers(settings)
    pool = WorkerPool(1, remote_bots=remote_bots.play)
    tournament_id = uuid4().hex
    ledger.create(tournament_id, spec, 0)
    try:
        return tournament_id, await asyncio.to_thread(Coordinator(ledger, pool).run, tournament_id)
    finally:
        await asyncio.to_thread(pool.close)
        await asyncio.to_thread(remote_bots.close)


@pytest.mark.timeout(120)
async def test_a_tournament_with_a_slow_and_a_dying_bot_ends_by_the_rules(tmp_path: Path) -> None:
    calls = {"slow": 0, "dying": 0}

    async def respond_slowly(request: bytes, writer: asyncio.StreamWriter) -> None:
        calls["slow"] += 1
        await asyncio.sleep(0.01)
        writer.write(last_move(request))

    async def respond_then_die(request: bytes, writer: asyncio.StreamWriter) -> None:
        calls["dying"] += 1
        if calls["dying"] > 30:
            writer.close()
            return
        writer.write(last_move(request))

    ledger = FileLedger(tmp_path / "ledger.db")
    async with webhook(respond_slowly) as slow_url, webhook(respond_then_die) as dying_url:
        spec = replace(SPEC, entrants=("random", slow_url, dying_url))
        tournament_id, progress = await play_tournament(ledger, spec, f"{slow_url},{dying_url}")
    tournament = ledger.tournament(tournament_id)
    assert (tournament.status, tournament.done) == (Status.OVER, 6)
    rows = {row.label: row for row in progress.standings.rows()}
    assert rows[dying_url].forfeits > 0
    assert (rows[slow_url].forfeits, rows["random"].forfeits) == (0, 0)
    assert rows[dying_url].played == rows[slow_url].played == 8
    ledger.close()


async def test_a_bot_that_never_responds_forfeits_each_match(tmp_path: Path) -> None:
    async def never_respond(request: bytes, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(60)

    ledger = FileLedger(tmp_path / "ledger.db")
    async with webhook(never_respond) as url:
        _, progress = await play_tournament(ledger, replace(SPEC, entrants=("random", url), blocks=1), url)
    rows = {row.label: row for row in progress.standings.rows()}
    assert (rows[url].forfeits, rows["random"].win_share) == (2, 1.0)
    ledger.close()


async def test_a_bot_that_is_not_allowed_forfeits_and_is_not_called(tmp_path: Path) -> None:
    async def fail_if_called(request: bytes, writer: asyncio.StreamWriter) -> None:
        raise AssertionError("it was called")

    ledger = FileLedger(tmp_path / "ledger.db")
    async with webhook(fail_if_called) as url:
        _, progress = await play_tournament(ledger, replace(SPEC, entrants=("random", url), blocks=1), "")
    assert {row.label: row.forfeits for row in progress.standings.rows()} == {url: 2, "random": 0}
    ledger.close()


def test_a_malformed_address_is_refused() -> None:
    with pytest.raises(InvalidSpec) as caught:
        replace(SPEC, entrants=("random", "https://user:secret@bots.example/"))
    assert caught.value.field == "entrants[1]"


async def test_a_block_is_given_up_when_its_remote_bots_are_closed() -> None:
    called = asyncio.Event()

    async def never_respond(request: bytes, writer: asyncio.StreamWriter) -> None:
        called.set()
        await asyncio.sleep(60)

    async with webhook(never_respond) as url:
        remote_bots = RemotePlayers(TournamentSettings(bot_allow=allowed_addresses(url), bot_seconds=60))
        spec = replace(SPEC, entrants=("random", url))
        with ThreadPoolExecutor(1) as threads:
            block = threads.submit(remote_bots.play, RemoteChunk(Chunk(spec.to_json(), (Block(0, (0, 1)),))))
            await asyncio.wait_for(called.wait(), 20)
            await asyncio.to_thread(remote_bots.close)
            with pytest.raises(Cancelled):
                block.result(timeout=10)


async def test_cancelled_blocks_wait_for_no_remote_bot() -> None:
    called, given_up = asyncio.Event(), Event()

    async def never_respond(request: bytes, writer: asyncio.StreamWriter) -> None:
        called.set()
        await asyncio.sleep(60)

    async with webhook(never_respond) as url:
        remote_bots = RemotePlayers(TournamentSettings(bot_allow=allowed_addresses(url), bot_seconds=60))

        def play(chunk: RemoteChunk) -> ChunkResult:
            try:
                return remote_bots.play(chunk)
            except Cancelled:
                given_up.set()
                raise

        pool = WorkerPool(1, remote_bots=play)
        pool.submit(Chunk(replace(SPEC, entrants=("random", url)).to_json(), (Block(0, (0, 1)),)))
        await asyncio.wait_for(called.wait(), 20)
        pool.cancel_all()
        assert await asyncio.to_thread(given_up.wait, 10)
        assert pool.in_flight == 0
        pool.close()
        await asyncio.to_thread(remote_bots.close)


def test_a_local_bot_stops_when_its_remote_chunk_is_cancelled() -> None:
    remote_bots = RemotePlayers(TournamentSettings())
    chunk = RemoteChunk(Chunk(SPEC.to_json(), (Block(0, (0, 1)),)))
    chunk.cancel()
    with pytest.raises(Cancelled):
        remote_bots.play(chunk)
    remote_bots.close()


def test_slow_remote_bots_leave_capacity_for_worker_blocks() -> None:
    thinking = Event()

    def wait_for_release(chunk: RemoteChunk) -> ChunkResult:
        thinking.wait(30)
        return ChunkResult((), 0.0, by_remote_bots=True)

    pool = WorkerPool(1, remote_bots=wait_for_release)
    spec = replace(SPEC, entrants=("http://127.0.0.1:1/", "random"))
    for index in range(MAX_REMOTE_CHUNKS):
        assert pool.has_room
        pool.submit(Chunk(spec.to_json(), (Block(index, (0, 1)),)))
    assert not pool.has_room
    thinking.set()
    pool.close()
