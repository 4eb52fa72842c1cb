"""Command `fireside records archive`: the records of archived matches, by day, by player, and those that are listed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from cli.main import main
from engine_core.games import GAMES
from services.engine.records.reading import read
from services.engine.records.verification import verify
from services.store.keys import match_keys
from tests.services.archive.archiving import Archiving
from tests.soak.finished_matches import played_matches


@pytest.fixture
def archive(redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Archiving]:
    with Redis.from_url(redis_url) as redis:
        redis.flushdb()
        found = Archiving(redis, redis_url, tmp_path / "archive")
        monkeypatch.setenv("FIRESIDE_ARCHIVE", str(found.folder))
        yield found


async def records(folder: Path, *words: str) -> dict[str, str]:
    """The games of the records that the command writes, by match."""
    out = folder / "out.ndjson"
    assert await asyncio.to_thread(main, ["records", "archive", *words, "--out", str(out)]) == 0
    for line in out.read_bytes().splitlines():
        verify(*read(line))
    found: list[dict[str, Any]] = [json.loads(line) for line in out.read_bytes().splitlines()]
    return {record["matchId"]: record["game"] for record in found}


async def test_the_archive_gives_records_by_day_and_by_player(
    archive: Archiving, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with archive.worker(), played_matches(archive.redis_url, str(archive.folder)) as played:
        await played.play()
        await archive.is_done()
    ids = [driver.match_id for driver in played.drivers]
    for match_id in ids:
        archive.redis.delete(*match_keys(match_id))
    everything = await records(tmp_path, "--all")
    assert sorted(everything) == sorted(ids)
    assert set(everything.values()) == set(GAMES)
    assert await records(tmp_path) == {}  # none of them is in the public list
    today = datetime.now(UTC).date()
    yesterday = today - timedelta(days=1)  # they may have ended before midnight
    assert await records(tmp_path, "--all", "--day", f"{yesterday}..{today}") == everything
    assert await records(tmp_path, "--all", "--day", "2020-02-29") == {}
    one_game = {match_id: game for match_id, game in everything.items() if game == "fireship"}
    assert await records(tmp_path, "--all", "--game", "fireship") == one_game
    assert await records(tmp_path, "--all", "--platform", "ours", "--player", "ada") == everything
    assert await records(tmp_path, "--all", "--platform", "other", "--player", "ada") == {}
    first = next(iter(everything))
    assert [first, *await records(tmp_path, "--all", "--after", first)] == list(everything)
    [damaged] = archive.folder.glob(f"matches/*/{first}.zst")
    damaged.write_bytes(damaged.read_bytes()[:-1])
    capsys.readouterr()
    assert [first, *await records(tmp_path, "--all")] == list(everything)
    assert f"match {first} is left out: the log of the match is damaged" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "archive_url", "expected"),
    [
        ([], "", "FIRESIDE_ARCHIVE: it must name the archive of the service"),
        ([], "s4://bucket", "FIRESIDE_ARCHIVE: "),
        (["--player", "ada"], "folder", "--player: it needs --platform"),
        (["--day", "yesterday"], "folder", "argument --day: invalid"),
    ],
)
def test_wrong_settings_are_reported(
    words: list[str],
    archive_url: str,
    expected: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("FIRESIDE_ARCHIVE", archive_url)
    try:
        code = main(["records", "archive", *words])
    except SystemExit as error:
        code = int(str(error.code))
    assert code == 2
    assert expected in capsys.readouterr().err
