"""The worker of the archive: what it writes, and what happens when it cannot."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
import zstandard
from fireside.match.v1.archived_match_pb2 import ArchivedMatch

from cli.main import main
from runtime.telemetry import metrics
from services.archive import encoding
from services.archive.index import IndexEntry, paths_of
from services.archive.settings import ArchiveSettings
from services.store.archive.finished import FINISHED_KEYS
from services.store.keys import bucket, finished_key, match_keys
from services.store.matches.steps import Step
from services.store.open import open_store
from tests.services.archive.archiving import TAIL_SECONDS, Archiving, until

HEADER = b"\n\nfire_bulls"  # its game
EXPIRY = 5000


async def finish(redis_url: str, match_id: str) -> None:
    """Store a match that its second line ends."""
    store = open_store(redis_url, EXPIRY)
    assert await store.create(match_id, HEADER, b"state", b"progress", [b"line 1"])
    step = Step(1, 2, b"end", b"progress", [b"line 2"], over=True)
    assert await store.commit(match_id, step) is None
    await store.close()


def sample() -> ArchivedMatch:
    fields = {"header": HEADER, "state": b"end", "revision": b"2", "finished": b"1764547200123-4"}
    return ArchivedMatch(match_id="m-1", fields=fields, lines=[b"line 1", b"line 2"])


async def test_without_an_archive_a_finished_match_expires(archive: Archiving) -> None:
    await finish(archive.redis_url, "m")
    assert archive.redis.exists(*FINISHED_KEYS) == 0
    assert all(EXPIRY - 60 < seconds <= EXPIRY for seconds in archive.seconds_to_live("m"))
    assert archive.redis.hget(match_keys("m")[0], "finished") is None


async def test_a_finished_match_is_written_with_its_index_and_expires_soon(archive: Archiving) -> None:
    async with archive.worker():
        await finish(archive.redis_url, "m")
        await archive.is_done()
    [index, match] = archive.files()
    assert match.endswith("/m.zst")
    entry = IndexEntry.parse(Path(index).name)
    assert entry is not None
    assert (entry.game, entry.match_id) == ("fire_bulls", "m")
    assert all(0 < seconds <= TAIL_SECONDS for seconds in archive.seconds_to_live("m"))


async def test_a_match_in_play_is_not_archived(archive: Archiving) -> None:
    async with archive.worker():
        store = open_store(archive.redis_url, EXPIRY)
        await store.create("m", HEADER, b"state", b"progress", [b"line 1"])
        await store.commit("m", Step(1, 2, b"next", b"progress", [b"line 2"]))
        await store.close()
        assert archive.redis.xlen(finished_key(bucket("m"))) == 0
    assert all(seconds > TAIL_SECONDS for seconds in archive.seconds_to_live("m"))


async def test_a_place_that_fails_loses_nothing(archive: Archiving, caplog: pytest.LogCaptureFixture) -> None:
    archive.folder.write_text("no folder")
    failed = metrics.ARCHIVE_WRITES.labels(metrics.ARCHIVE_FAILED)._value
    before = failed.get()
    with caplog.at_level(logging.ERROR):
        async with archive.worker():
            await finish(archive.redis_url, "m")
            await until(lambda: failed.get() > before)
            assert archive.seconds_to_live("m") == [-1, -1]
            await until(lambda: metrics.ARCHIVE_LAG_MATCHES._value.get() == 1)
            archive.folder.unlink()
            await archive.is_done()
            await until(lambda: metrics.ARCHIVE_LAG_MATCHES._value.get() == 0)
    assert "finished matches stay in Redis, since they cannot be archived" in caplog.text
    assert len(archive.files()) == 2
    assert all(0 < seconds <= TAIL_SECONDS for seconds in archive.seconds_to_live("m"))


async def test_a_match_that_has_changed_since_is_not_forgotten(archive: Archiving) -> None:
    async with archive.store() as (store, _):
        matches = store.finished_matches()
        await matches.create()
        await finish(archive.redis_url, "m")
        [entry] = await matches.take("process", 10)
        read = await matches.read("m")
        assert read is not None
        archive.redis.hset(match_keys("m")[0], "seating", b"another")
        assert await matches.forget(entry, read, TAIL_SECONDS) is False
        assert archive.seconds_to_live("m") == [-1, -1]
        assert archive.redis.xlen(finished_key(bucket("m"))) == 1


async def test_a_match_with_another_entry_is_not_forgotten(archive: Archiving) -> None:
    async with archive.store() as (store, _):
        matches = store.finished_matches()
        await matches.create()
        await finish(archive.redis_url, "m")
        [entry] = await matches.take("process", 10)
        archive.redis.hincrby(match_keys("m")[0], "unarchived", 1)  # as a replaced token does
        read = await matches.read("m")
        assert read is not None
        assert await matches.forget(entry, read, TAIL_SECONDS)
        assert archive.seconds_to_live("m") == [-1, -1]
        assert await matches.forget(entry, read, TAIL_SECONDS)  # again, by a process that was slow: counts only once
        assert archive.seconds_to_live("m") == [-1, -1]


async def test_an_entry_is_taken_by_one_process_and_later_by_another(archive: Archiving) -> None:
    async with archive.store() as (store, _):
        matches = store.finished_matches()
        await matches.create()
        await finish(archive.redis_url, "m")
        [entry] = await matches.take("first", 10)
        assert entry.match_id == "m"
        assert await matches.take("second", 10) == []
        assert await matches.take_over("second", 60_000, 10) == []
        assert await matches.take_over("second", 0, 10) == [entry]
        await matches.drop(entry)
        assert await matches.take_over("first", 0, 10) == []


async def test_a_stream_that_redis_has_lost_is_made_again(archive: Archiving) -> None:
    async with archive.worker():
        archive.redis.flushdb()
        await until(lambda: archive.redis.exists(*FINISHED_KEYS) == len(FINISHED_KEYS))
        await finish(archive.redis_url, "m")
        await archive.is_done()
    assert len(archive.files()) == 2


async def test_an_entry_without_a_match_is_dropped(archive: Archiving) -> None:
    async with archive.worker():
        archive.redis.xadd(finished_key(bucket("gone")), {"match": match_keys("gone")[0]})
        await archive.is_done()
    assert archive.files() == []


def test_an_object_has_the_match_and_any_program_for_zstd_reads_it() -> None:
    match = sample()
    data = encoding.encode(match)
    assert data == encoding.encode(sample())
    assert encoding.decode("m-1", data) == match
    with zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True) as reader:
        assert ArchivedMatch.FromString(reader.read()) == match


@pytest.mark.parametrize("place", [0, 10, 45, -1])
def test_a_changed_object_is_damaged(place: int) -> None:
    data = bytearray(encoding.encode(sample()))
    data[place] ^= 1
    with pytest.raises(encoding.DamagedObject):
        encoding.decode("m-1", bytes(data))


def test_an_object_of_another_match_is_damaged() -> None:
    with pytest.raises(encoding.DamagedObject, match="it is of match 'm-1'"):
        encoding.decode("m-2", encoding.encode(sample()))


def test_names_of_the_index_follow_from_the_match() -> None:
    [path] = paths_of(sample())
    assert path == "index/days/2025-12-01/fire_bulls/1764547200123-000004.fire_bulls.m-1"
    assert IndexEntry.parse(path.rpartition("/")[2]) == IndexEntry(1764547200123, 4, "fire_bulls", "m-1")
    assert IndexEntry.parse("a file of somebody") is None


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"FIRESIDE_ARCHIVE": "folder"}, "REDIS_URL: the archive takes the finished matches of a Redis"),
        ({"REDIS_URL": "redis://127.0.0.1:1"}, "FIRESIDE_ARCHIVE: a folder or an address must be given"),
        ({"FIRESIDE_ARCHIVE_TAIL_SECONDS": "19"}, "FIRESIDE_ARCHIVE_TAIL_SECONDS: '19' is below 20"),
    ],
)
def test_a_process_without_its_settings_does_not_start(
    environment: dict[str, str],
    expected: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for variable in ("REDIS_URL", "FIRESIDE_ARCHIVE"):
        monkeypatch.delenv(variable, raising=False)
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)
    assert main(["archive"]) == 2
    assert expected in capsys.readouterr().err


def test_settings_are_read() -> None:
    environment = {
        "REDIS_URL": "redis://store:6379/0",
        "FIRESIDE_ARCHIVE": "s3://bucket/folder",
        "FIRESIDE_ARCHIVE_TAIL_SECONDS": "60",
        "FIRESIDE_ARCHIVE_TAKEOVER_SECONDS": "2.5",
    }
    settings = ArchiveSettings.from_environment(environment)
    assert (settings.archive, settings.tail_seconds, settings.takeover_seconds) == ("s3://bucket/folder", 60, 2.5)
    assert ArchiveSettings.from_environment({}) == ArchiveSettings()
