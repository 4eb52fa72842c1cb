"""Command `fireside records`: what each source gives, in both formats, and what the loader makes of it."""

from __future__ import annotations

import asyncio
import io
import json
import os
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, cast

import grpc
import pyarrow as pa
import pytest
from fireside.match.v1.match_record_pb2 import MatchHeader
from google.protobuf.message import Message
from pyarrow.parquet import read_table, write_table
from redis import Redis

from cli.main import main
from cli.records.parquet import row_of
from cli.records.sample import ENTRANTS, sample_matches
from engine_core.games import GAMES
from environments.data import read_decisions
from environments.match_table import NO_ACTION, SCHEMA
from services.engine.codecs import CODECS
from services.engine.main import Engine
from services.engine.records.reading import read
from services.engine.records.verification import verify
from services.engine.settings import EngineSettings
from services.store.keys import match_keys
from services.tournaments.ledger.file import FileLedger
from services.tournaments.plan.plan import Block, Spec
from services.tournaments.play.blocks import play_block
from tests.services.registry import GameClient, field
from tests.services.tournaments.plans import SPEC

CORPUS = [
    path
    for path in sorted((Path(__file__).parents[2] / "data" / "records").glob("*.json"))
    if path.name.partition("@")[0] in GAMES
]


def written(*words: str | Path, out: Path) -> Path:
    """The file that the command writes."""
    assert main(["records", *map(str, words), "--out", str(out)]) == 0
    return out


def lines_of(path: Path) -> list[bytes]:
    """The lines of an NDJSON file, compressed or not."""
    with io.BufferedReader(pa.input_stream(str(path))) as stream:
        return stream.readlines()


def ids_of(path: Path) -> list[str]:
    return [json.loads(line)["matchId"] for line in lines_of(path)]


def record_of(path: Path) -> Any:
    return read(path.read_bytes())[1]


def returns_of(record: Any) -> list[float]:
    """The returns by seat: winners share 1, and the others -1."""
    seats, winners = len(record.seats), list(record.result.winners)
    if len(winners) in (0, seats):
        return [0.0] * seats
    return [1 / len(winners) if seat in winners else -1 / (seats - len(winners)) for seat in range(seats)]


@pytest.mark.parametrize("game", GAMES)
def test_a_sample_verifies_line_by_line(game: str, tmp_path: Path) -> None:
    words = ["sample", "--game", game, "--matches", "2", "--seed", "7"]
    lines = lines_of(written(*words, out=tmp_path / "sample.ndjson.zst"))
    assert len(lines) == 2
    for line in lines:
        codec, record = read(line)
        verify(codec, record)
        assert {cast(Any, seat).bot for seat in record.seats} == {"random", "greedy"}


def test_a_sample_is_played_match_by_match_and_the_same_for_the_same_seed() -> None:
    spec = Spec("spring_festival", ENTRANTS, 2, seed=5)
    [first] = [match.read() for match in islice(sample_matches(spec, 10**12), 1)]
    assert [match.read() for match in sample_matches(spec, 1)] == [first]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus as Parquet: every game and preset, with the fewest seats and with the most, of which one left."""
    return written("files", *CORPUS, out=tmp_path_factory.mktemp("data") / "corpus.parquet")


def test_a_table_has_the_rows_of_its_records(table: Path) -> None:
    rows = read_table(table).to_pylist()
    for row, record in zip(rows, map(record_of, CORPUS), strict=True):
        assert row == row_of(record, 0)
        assert row["moves"] == [event.notation for event in record.events]
        assert row["move_count"] == len(row["movers"]) == len(row["actions"]) == len(record.events)
        assert (row["names"], row["winners"]) == ([seat.name for seat in record.seats], list(record.result.winners))


def test_the_loader_gives_every_choice_as_a_legal_action_and_the_result_of_the_record(table: Path) -> None:
    rows = read_table(table).to_pylist()
    for row, decisions, path in zip(rows, read_decisions(table), CORPUS, strict=True):
        left: set[int] = set()
        expected = []
        for mover, notation, action in zip(row["movers"], row["moves"], row["actions"], strict=True):
            if notation == "leave":
                left.add(mover)
            elif action != NO_ACTION and mover not in left:
                assert decisions.encoding.game.notation(decisions.encoding.move(action)) == notation
                expected.append((mover, action))
        assert list(zip(decisions.seats.tolist(), decisions.actions.tolist(), strict=True)) == expected
        assert decisions.observations.shape == (len(expected), decisions.encoding.observation_size)
        legal = zip(decisions.legal_decisions.tolist(), decisions.legal_actions.tolist(), strict=True)
        assert set(legal).issuperset(enumerate(decisions.actions.tolist()))
        returns = returns_of(record_of(path))
        assert decisions.returns.tolist() == pytest.approx([returns[seat] for seat, _ in expected])


def test_a_table_with_moves_that_cannot_follow_names_the_match(tmp_path: Path) -> None:
    row = row_of(record_of(CORPUS[0]), 0)
    cast(list[str], row["moves"]).reverse()
    write_table(pa.Table.from_pylist([row], SCHEMA), tmp_path / "wrong.parquet")
    with pytest.raises(ValueError, match="match fire_bulls-fr-2: "):
        list(read_decisions(tmp_path / "wrong.parquet"))


def test_a_tournament_is_written_from_any_match_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = FileLedger(tmp_path / "ledger.db")
    ledger.create("cup", SPEC, 1000)
    token = ledger.acquire("cup", 60_000)
    assert token is not None
    blocks = [play_block(SPEC, Block(0, (0, 2))), play_block(SPEC, Block(1, (0, 2)), move_limit=30)]
    results = [(block.index, block.encode()) for block in blocks]
    ledger.record("cup", token, results, {block.index: block.encode_moves() for block in blocks})
    ledger.close()
    words = ["tournament", "cup", "--ledger", str(tmp_path / "ledger.db")]
    whole = written(*words, out=tmp_path / "whole.ndjson")
    errors = capsys.readouterr().err
    assert "match cup-2 is left out: the match is not over yet" in errors  # the limit of moves ended it
    assert "Records written: 2; matches left out: 2" in errors
    for line in lines_of(whole):
        verify(*read(line))
    assert ids_of(whole) == ["cup-0", "cup-1"]
    assert ids_of(written(*words, "--after", "cup-0", out=tmp_path / "rest.ndjson.zst")) == ["cup-1"]
    parts = written("files", tmp_path, out=tmp_path / "parts.parquet")  # a folder: `rest`, then `whole`
    assert read_table(parts)["match_id"].to_pylist() == ["cup-1", "cup-0", "cup-1"]


async def test_a_store_gives_listed_matches_that_are_over_and_all_only_if_wanted(
    redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REDIS_URL", redis_url)
    before = datetime.now(UTC) - timedelta(seconds=1)  # stored in milliseconds
    engine = Engine(EngineSettings(port=0, redis_url=redis_url, grace_seconds=1))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        game = GameClient(channel, CODECS["spring_festival"])
        listed, damaged = await game.begin(listed=True), await game.begin(listed=True)
        private = await game.begin(private=True)
        for driver in (listed, damaged, private):
            answer = await driver.call("Leave", driver.tokens[1])
            driver.match = cast(Message, field(answer, "match"))
            await driver.play(Random(1))
        in_play, headless, unknown = [await game.begin(listed=True) for _ in range(3)]
        expected = [read(text)[1] for text in (await listed.record(), await private.record(private.tokens[0]))]
    await engine.stop()
    with Redis.from_url(redis_url) as redis:
        redis.delete(match_keys(damaged.match_id)[1])  # its log
        redis.hset(match_keys(headless.match_id)[0], "header", b"\xff")
        header = MatchHeader(listed=True, game="spring_festival", rules_version="spring_festival@0")
        redis.hset(match_keys(unknown.match_id)[0], "header", header.SerializeToString())
    words = ["store", "--game", "spring_festival"]
    table = await asyncio.to_thread(written, *words, out=tmp_path / "listed.parquet")
    errors = capsys.readouterr().err
    assert f"match {damaged.match_id} is left out: the log of the match is damaged" in errors
    assert f"match {unknown.match_id} is left out: this version does not know the rules spring_festival@0" in errors
    rows = {row["match_id"]: row for row in read_table(table).to_pylist()}
    assert not rows.keys() & {damaged.match_id, in_play.match_id, private.match_id}
    row = rows[listed.match_id]
    assert before <= row["create_time"] <= datetime.now(UTC)
    assert {**row, "create_time": None} == row_of(cast(Any, expected[0]), 0)
    everything = await asyncio.to_thread(written, "store", "--all", out=tmp_path / "all.ndjson")
    assert f"match {headless.match_id} is left out: the log of the match is damaged" in capsys.readouterr().err
    lines = {json.loads(line)["matchId"]: line for line in lines_of(everything)}
    assert [read(lines[driver.match_id])[1] for driver in (listed, private)] == expected


def test_a_reader_that_has_enough_ends_the_command_quietly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as closed:
        monkeypatch.setattr("sys.stdout", closed)
        assert main(["records", "files", str(CORPUS[0])]) == 141
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["files", "bad.ndjson"], "bad.ndjson:2: this is no match record in JSON"),
        (["files", "cut.ndjson.zst"], "cut.ndjson.zst: Truncated compressed stream"),
        (["files", "missing.ndjson"], "missing.ndjson: "),
        (["files", "empty"], "empty has no files *.json, *.ndjson, *.ndjson.zst"),
        (["files", str(CORPUS[0]), "--after", "x"], "--after: there is no match 'x' here"),
        (["files", "odd.json", "--out", "odd.parquet"], "match fire_bulls-fr-2: "),
        (["tournament", "cup", "--ledger", "missing.db"], "--ledger: there is no file missing.db"),
        (["store"], "REDIS_URL: it must name the store of the service"),
        (["sample", "--game", "chess"], "there is no game 'chess'"),
        (["sample", "--game", "fireship", "--matches", "0"], "--matches: at least 1, not 0"),
        (["sample", "--game", "fireship", "--seats", "0"], "table_size: 2 to 4, not 0"),
        (["files", str(CORPUS[0]), "--out", "a.csv"], "--out: the name of the file must end in .ndjson, "),
    ],
)
def test_bad_input_is_reported_in_one_line(
    words: list[str],
    expected: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REDIS_URL", "")
    (tmp_path / "empty").mkdir()
    line = json.dumps(json.loads(CORPUS[0].read_bytes())).encode() + b"\n"
    (tmp_path / "bad.ndjson").write_bytes(line + line[:100])
    (tmp_path / "odd.json").write_bytes(line.replace(b'"notation": "', b'"notation": "odd ', 500))
    (tmp_path / "cut.ndjson.zst").write_bytes(pa.compress(line, "zstd", asbytes=True)[:-10])
    assert main(["records", *words]) == 2
    errors = capsys.readouterr().err
    assert errors.startswith(f"fireside: {expected}")
    assert errors.count("\n") == 1


def test_a_store_that_does_not_answer_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1/0")
    assert main(["records", "store"]) == 2
    assert "fireside: the store does not answer\n" in capsys.readouterr().err
