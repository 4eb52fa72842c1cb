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
SECONDS = 1.5


def last_move(request: bytes) -> bytes:
    """The answer of a bot that takes the last of its moves."""
    moves = json.loads(request.partition(b"\r\n\r\n")[2])["moves"]
    return choice_response(moves[-1]["notation"])


async def played(ledger: FileLedger, spec: Spec, allow: str) -> tuple[str, TournamentProgress]:
    """A whole tournament."""
    settings = TournamentSettings(
        bot_allow=allowed_addresses(allow), bot_seconds=SECONDS, bot_failures=2, lease_seconds=2
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
async def test_a_tournament_with_a_slow_bot_and_one_that_dies_ends_by_rule(tmp_path: Path) -> None:
    asked = {"slow": 0, "dying": 0}

    async def slow(request: bytes, writer: asyncio.StreamWriter) -> None:
        asked["slow"] += 1
        await asyncio.sleep(0.01)
        writer.write(last_move(request))

    async def dying(request: bytes, writer: asyncio.StreamWriter) -> None:
        asked["dying"] += 1
        if asked["dying"] > 30:
            writer.close()
            return
        writer.write(last_move(request))

    ledger = FileLedger(tmp_path / "ledger.db")
    async with webhook(slow) as slow_url, webhook(dying) as dying_url:
        spec = replace(SPEC, entrants=("random", slow_url, dying_url))
        tournament_id, progress = await played(ledger, spec, f"{slow_url},{dying_url}")
    tournament = ledger.tournament(tournament_id)
    assert (tournament.status, tournament.done) == (Status.OVER, 6)
    rows = {row.label: row for row in progress.standings.rows()}
    assert rows[dying_url].forfeits > 0
    assert (rows[slow_url].forfeits, rows["random"].forfeits) == (0, 0)
    assert rows[dying_url].played == rows[slow_url].played == 8
    ledger.close()


async def test_a_bot_that_never_answers_forfeits_each_match(tmp_path: Path) -> None:
    async def silent(request: bytes, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(60)

    ledger = FileLedger(tmp_path / "ledger.db")
    async with webhook(silent) as url:
        _, progress = await played(ledger, replace(SPEC, entrants=("random", url), blocks=1), url)
    rows = {row.label: row for row in progress.standings.rows()}
    assert (rows[url].forfeits, rows["random"].win_share) == (2, 1.0)
    ledger.close()


async def test_a_bot_that_may_not_be_called_forfeits_and_is_not_called(tmp_path: Path) -> None:
    async def unwanted(request: bytes, writer: asyncio.StreamWriter) -> None:
        raise AssertionError("it was called")

    ledger = FileLedger(tmp_path / "ledger.db")
    async with webhook(unwanted) as url:
        _, progress = await played(ledger, replace(SPEC, entrants=("random", url), blocks=1), "")
    assert {row.label: row.forfeits for row in progress.standings.rows()} == {url: 2, "random": 0}
    ledger.close()


def test_an_address_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(InvalidSpec) as caught:
        replace(SPEC, entrants=("random", "https://user:secret@bots.example/"))
    assert caught.value.field == "entrants[1]"


async def test_who_waits_for_a_guest_gives_the_block_up_when_the_guests_go() -> None:
    asked = asyncio.Event()

    async def silent(request: bytes, writer: asyncio.StreamWriter) -> None:
        asked.set()
        await asyncio.sleep(60)

    async with webhook(silent) as url:
        remote_bots = RemotePlayers(TournamentSettings(bot_allow=allowed_addresses(url), bot_seconds=60))
        spec = replace(SPEC, entrants=("random", url))
        with ThreadPoolExecutor(1) as threads:
            block = threads.submit(remote_bots.play, RemoteChunk(Chunk(spec.to_json(), (Block(0, (0, 1)),))))
            await asyncio.wait_for(asked.wait(), 20)
            await asyncio.to_thread(remote_bots.close)
            with pytest.raises(Cancelled):
                block.result(timeout=10)


async def test_blocks_that_are_not_wanted_any_more_wait_for_no_guest() -> None:
    asked, given_up = asyncio.Event(), Event()

    async def silent(request: bytes, writer: asyncio.StreamWriter) -> None:
        asked.set()
        await asyncio.sleep(60)

    async with webhook(silent) as url:
        remote_bots = RemotePlayers(TournamentSettings(bot_allow=allowed_addresses(url), bot_seconds=60))

        def play(chunk: RemoteChunk) -> ChunkResult:
            try:
                return remote_bots.play(chunk)
            except Cancelled:
                given_up.set()
                raise

        pool = WorkerPool(1, remote_bots=play)
        pool.submit(Chunk(replace(SPEC, entrants=("random", url)).to_json(), (Block(0, (0, 1)),)))
        await asyncio.wait_for(asked.wait(), 20)
        pool.cancel_all()
        assert await asyncio.to_thread(given_up.wait, 10)
        assert pool.in_flight == 0
        pool.close()
        await asyncio.to_thread(remote_bots.close)


def test_a_bot_of_ours_stops_with_a_visit_that_is_called_off() -> None:
    remote_bots = RemotePlayers(TournamentSettings())
    chunk = RemoteChunk(Chunk(SPEC.to_json(), (Block(0, (0, 1)),)))
    chunk.cancel()
    with pytest.raises(Cancelled):
        remote_bots.play(chunk)
    remote_bots.close()


def test_guests_who_think_leave_room_for_what_workers_play() -> None:
    thinking = Event()

    def think(chunk: RemoteChunk) -> ChunkResult:
        thinking.wait(30)
        return ChunkResult((), 0.0, by_remote_bots=True)

    pool = WorkerPool(1, remote_bots=think)
    spec = replace(SPEC, entrants=("http://127.0.0.1:1/", "random"))
    for index in range(MAX_REMOTE_CHUNKS):
        assert pool.has_room
        pool.submit(Chunk(spec.to_json(), (Block(index, (0, 1)),)))
    assert not pool.has_room
    thinking.set()
    pool.close()
