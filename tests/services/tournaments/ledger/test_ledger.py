"""Ledgers of tournaments (Redis, file, embedded): creation, results, leases, deletion and outages."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import pytest
from redis import Redis

from services.tournaments.ledger.file import FileLedger
from services.tournaments.ledger.ledger import (
    LeaseLost,
    Ledger,
    LedgerUnavailable,
    ListPosition,
    ResultDiffers,
    Status,
    TournamentEnded,
    TournamentLeased,
    UnknownTournament,
    WrongWorker,
)
from services.tournaments.ledger.redis import RedisLedger, open_redis_ledger
from services.tournaments.plan.plan import Plan
from tests.redis_server import free_port, redis_server
from tests.services.tournaments.plans import SPEC, stored_elsewhere

LEASE_MS = 60_000


@pytest.fixture
def token(ledger: Ledger, tournament_id: str) -> int:
    assert ledger.create(tournament_id, SPEC, 1000)
    token = ledger.acquire(tournament_id, LEASE_MS)
    assert token is not None
    return token


def test_a_tournament_is_read_as_created(ledger: Ledger, tournament_id: str) -> None:
    assert ledger.create(tournament_id, SPEC, 1000)
    found = ledger.tournament(tournament_id)
    assert (found.id, found.plan, found.created_ms) == (tournament_id, SPEC, 1000)
    assert (found.status, found.done, found.alarms) == (Status.RUNNING, 0, ())


def test_an_id_can_be_used_only_once(ledger: Ledger, tournament_id: str, token: int) -> None:
    assert not ledger.create(tournament_id, SPEC, 2000)
    assert ledger.tournament(tournament_id).created_ms == 1000


def test_only_unfinished_tournaments_are_to_be_played(ledger: Ledger, tournament_id: str, token: int) -> None:
    assert tournament_id in ledger.unfinished(1000)
    ledger.cancel(tournament_id)
    assert tournament_id not in ledger.unfinished(1000)
    assert tournament_id in ledger.ids(1000)


def test_the_newest_tournament_is_listed_first(ledger: Ledger, tournament_id: str) -> None:
    now = time.time_ns() // 1_000_000 + 1
    for number in range(3):
        ledger.create(f"{tournament_id}-{number}", SPEC, now + number)
    assert ledger.ids(2) == [f"{tournament_id}-2", f"{tournament_id}-1"]


def test_a_list_continues_after_a_deleted_position(ledger: Ledger, tournament_id: str) -> None:
    front = ListPosition(4, "")
    places = [ListPosition(1 + number // 2, f"{tournament_id}-{number}") for number in range(6)]
    for place in places:
        ledger.create(place.id, SPEC, place.created_ms)
    first = ledger.positions(3, front)
    ledger.delete(first[-1].id)
    assert first + ledger.positions(3, first[-1]) == places[::-1]


def test_an_unknown_tournament_is_not_found(ledger: Ledger) -> None:
    for method in (ledger.tournament, ledger.cancel, ledger.delete):
        with pytest.raises(UnknownTournament, match="there is no tournament 'nowhere'"):
            method("nowhere")


def test_results_are_found_by_their_block(ledger: Ledger, tournament_id: str, token: int) -> None:
    assert ledger.record(tournament_id, token, [(1, b"one"), (3, b"three")]) == [1, 3]
    assert ledger.results(tournament_id, 0, 5) == [None, b"one", None, b"three", None]
    assert ledger.results(tournament_id, 3, 1) == [b"three"]
    assert ledger.results(tournament_id, 3, 0) == []
    assert ledger.tournament(tournament_id).done == 2


def test_recording_an_equal_result_changes_nothing(ledger: Ledger, tournament_id: str, token: int) -> None:
    ledger.record(tournament_id, token, [(1, b"one")])
    assert ledger.record(tournament_id, token, [(1, b"one"), (2, b"two")]) == [2]
    assert ledger.tournament(tournament_id).done == 2
    assert ledger.lines(tournament_id, 0, 10) == [(1, b"one"), (2, b"two")]


def test_a_different_result_is_a_conflict_and_the_first_remains(ledger: Ledger, tournament_id: str, token: int) -> None:
    ledger.record(tournament_id, token, [(1, b"one")])
    with pytest.raises(ResultDiffers, match=r"of block 1$") as caught:
        ledger.record(tournament_id, token, [(1, b"another"), (2, b"two")])
    assert caught.value.blocks == (1,)
    assert ledger.results(tournament_id, 1, 2) == [b"one", b"two"]
    assert ledger.tournament(tournament_id).alarms == ((1, b"another"),)


def test_concurrent_recordings_of_one_result_count_once(ledger: Ledger, tournament_id: str, token: int) -> None:
    lines = [(index, b"result %d" % index) for index in range(40)]
    with ThreadPoolExecutor(8) as pool:
        new = list(pool.map(lambda start: ledger.record(tournament_id, token, lines[start:]), range(0, 40, 2)))
    assert sorted(index for indices in new for index in indices) == list(range(40))
    assert ledger.tournament(tournament_id).done == 40


def test_only_one_coordinator_holds_the_lease(ledger: Ledger, tournament_id: str, token: int) -> None:
    assert ledger.acquire(tournament_id, LEASE_MS) is None
    ledger.release(tournament_id, token)
    following = ledger.acquire(tournament_id, LEASE_MS)
    assert following is not None
    assert following > token


def test_a_coordinator_without_the_lease_writes_nothing(ledger: Ledger, tournament_id: str, token: int) -> None:
    ledger.release(tournament_id, token)
    with pytest.raises(LeaseLost):
        ledger.record(tournament_id, token, [(1, b"one")])
    following = ledger.acquire(tournament_id, LEASE_MS)
    for deed in (
        lambda: ledger.record(tournament_id, token, [(1, b"one")]),
        lambda: ledger.finish(tournament_id, token),
    ):
        with pytest.raises(LeaseLost):
            deed()
    assert not ledger.renew(tournament_id, token, LEASE_MS)
    ledger.release(tournament_id, token)
    assert following is not None
    assert ledger.record(tournament_id, following, [(1, b"one")]) == [1]


def test_a_lease_expires_unless_it_is_renewed(ledger: Ledger, tournament_id: str) -> None:
    ledger.create(tournament_id, SPEC, 1000)
    token = ledger.acquire(tournament_id, 150)
    assert token is not None
    assert ledger.renew(tournament_id, token, 400)
    time.sleep(0.2)
    assert ledger.record(tournament_id, token, [(1, b"one")]) == [1]
    time.sleep(0.3)
    with pytest.raises(LeaseLost):
        ledger.record(tournament_id, token, [(2, b"two")])
    assert not ledger.renew(tournament_id, token, LEASE_MS)


def test_no_result_is_recorded_after_the_end(ledger: Ledger, tournament_id: str, token: int) -> None:
    ledger.cancel(tournament_id)
    with pytest.raises(TournamentEnded):
        ledger.record(tournament_id, token, [(1, b"one")])
    ledger.finish(tournament_id, token)
    assert ledger.tournament(tournament_id).status is Status.CANCELLED


def test_a_finished_tournament_cannot_be_cancelled(ledger: Ledger, tournament_id: str, token: int) -> None:
    ledger.finish(tournament_id, token)
    ledger.cancel(tournament_id)
    assert ledger.tournament(tournament_id).status is Status.OVER


def test_a_deleted_tournament_leaves_no_keys(ledger: Ledger, tournament_id: str, token: int) -> None:
    ledger.record(tournament_id, token, [(1, b"one"), (2, b"two")])
    with pytest.raises(ResultDiffers):
        ledger.record(tournament_id, token, [(1, b"another")])
    ledger.set_aside(tournament_id, token, WrongWorker("tcp://one", tournament_id, 2), [2])
    ledger.publish(tournament_id, token, b"summary")
    ledger.release(tournament_id, token)
    assert stored_key_count(ledger, tournament_id) > 0
    ledger.delete(tournament_id)
    assert ledger.acquire(tournament_id, LEASE_MS) is None
    assert stored_key_count(ledger, tournament_id) == 0
    assert tournament_id not in (*ledger.ids(1000), *ledger.unfinished(1000))
    assert (ledger.results(tournament_id, 1, 1), ledger.lines(tournament_id, 0, 10)) == ([None], [])
    for method in (ledger.tournament, ledger.delete):
        with pytest.raises(UnknownTournament):
            method(tournament_id)
    assert ledger.create(tournament_id, SPEC, 2000)
    assert ledger.tournament(tournament_id).done == 0


def test_a_fencing_token_of_a_deleted_tournament_is_never_reused(ledger: Ledger, tournament_id: str) -> None:
    ledger.create(tournament_id, SPEC, 1000)
    before = [acquired_token(ledger, tournament_id) for _ in range(3)]
    ledger.delete(tournament_id)
    ledger.create(tournament_id, replace(SPEC, seed=8), 2000)
    following = ledger.acquire(tournament_id, LEASE_MS)
    assert following is not None
    assert following > max(before)
    assert not ledger.renew(tournament_id, before[0], LEASE_MS)
    with pytest.raises(LeaseLost):
        ledger.record(tournament_id, before[0], [(1, b"one")])


def acquired_token(ledger: Ledger, tournament_id: str) -> int:
    """The token of a lease that is given up at once."""
    token = ledger.acquire(tournament_id, LEASE_MS)
    assert token is not None
    ledger.release(tournament_id, token)
    return token


def stored_key_count(ledger: Ledger, tournament_id: str) -> int:
    """How many keys or rows speak of a tournament."""
    if isinstance(ledger, RedisLedger):
        return len([*ledger._redis.scan_iter(f"*{tournament_id}*")])
    assert isinstance(ledger, FileLedger)
    tables = [("tournaments", "id")]
    tables += [(name, "tournament") for name in ("results", "alarms", "moves", "suspects", "wrong_workers")]
    counts = [f"(SELECT count(*) FROM {table} WHERE {column} = ?)" for table, column in tables]
    return int(ledger._database.execute(f"SELECT {' + '.join(counts)}", (tournament_id,) * len(tables)).fetchone()[0])


def test_writes_to_a_deleted_tournament_are_refused(ledger: Ledger, tournament_id: str, token: int) -> None:
    ledger.release(tournament_id, token)
    ledger.delete(tournament_id)
    for deed in (
        lambda: ledger.finish(tournament_id, token),
        lambda: ledger.fail(tournament_id, token, "why"),
        lambda: ledger.publish(tournament_id, token, b"summary"),
        lambda: ledger.record(tournament_id, token, [(1, b"one")]),
    ):
        with pytest.raises(LeaseLost):
            deed()
    assert stored_key_count(ledger, tournament_id) == 0


def test_a_tournament_is_deleted_when_a_lost_reply_makes_the_step_repeat(
    redis_url: str, tournament_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = open_redis_ledger(redis_url)
    ledger.create(tournament_id, SPEC, 1000)
    delete = ledger._delete

    def repeated_call(keys: Sequence[str], args: Sequence[str]) -> object:
        delete(keys=keys, args=args)
        return delete(keys=keys, args=args)

    monkeypatch.setattr(ledger, "_delete", repeated_call)
    ledger.delete(tournament_id)
    with pytest.raises(UnknownTournament):
        ledger.delete(tournament_id)
    ledger.close()


def test_a_running_tournament_cannot_be_deleted(ledger: Ledger, tournament_id: str, token: int) -> None:
    with pytest.raises(TournamentLeased, match=f"^tournament {tournament_id} is being played: stop that, or cancel it"):
        ledger.delete(tournament_id)
    assert ledger.record(tournament_id, token, [(1, b"one")]) == [1]


def test_deleting_one_tournament_changes_no_other(ledger: Ledger, tournament_id: str, token: int) -> None:
    ledger.record(tournament_id, token, [(1, b"one")])
    ledger.create(f"{tournament_id}-other", SPEC, 1000)
    ledger.delete(f"{tournament_id}-other")
    assert ledger.tournament(tournament_id).done == 1
    assert tournament_id in ledger.ids(1000)


def test_a_tournament_with_an_unreadable_plan_can_be_cancelled_and_deleted(ledger: Ledger, tournament_id: str) -> None:
    @dataclass(frozen=True)
    class NewerPlan(Plan):
        handicap: int = 3

    ledger.create(tournament_id, stored_elsewhere(NewerPlan(**asdict(SPEC))), 1000)
    ledger.cancel(tournament_id)
    assert tournament_id not in ledger.unfinished(1000)
    ledger.delete(tournament_id)
    assert tournament_id not in ledger.ids(1000)


def test_results_are_listed_in_the_order_of_recording(ledger: Ledger, tournament_id: str, token: int) -> None:
    ledger.record(tournament_id, token, [(4, b"four"), (2, b"two"), (9, b"nine")])
    assert ledger.lines(tournament_id, 0, 2) == [(4, b"four"), (2, b"two")]
    assert ledger.lines(tournament_id, 2, 10) == [(9, b"nine")]
    assert ledger.lines(tournament_id, 3, 10) == []


def test_a_ledger_file_is_read_by_the_next_process(tmp_path: Path) -> None:
    first = FileLedger(tmp_path / "folder" / "ledger.db")
    first.create("cup", SPEC, 1000)
    second = FileLedger(tmp_path / "folder" / "ledger.db")
    assert second.tournament("cup").plan == SPEC
    first.close()
    second.close()


def test_a_file_that_cannot_be_opened_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LedgerUnavailable, match="unable to open"):
        FileLedger(tmp_path)


def test_a_redis_without_persistence_is_logged_as_a_warning(redis_url: str, caplog: pytest.LogCaptureFixture) -> None:
    open_redis_ledger(redis_url).close()
    assert "stores nothing on disk" in caplog.text


def test_a_redis_with_persistence_logs_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with redis_server(tmp_path, "--appendonly", "yes") as url:
        open_redis_ledger(url).close()
    assert not caplog.records


def test_an_embedded_ledger_logs_that_it_is_not_durable(caplog: pytest.LogCaptureFixture) -> None:
    from fakeredis import FakeServer

    from services.tournaments.ledger.redis import embedded_ledger

    ledger = embedded_ledger(FakeServer())
    ledger.close()
    assert "gone when it stops" in caplog.text


def test_an_unreachable_redis_is_an_error() -> None:
    with pytest.raises(LedgerUnavailable, match="does not answer"):
        open_redis_ledger(f"redis://127.0.0.1:{free_port()}/0")


def test_a_read_only_redis_is_an_error(tmp_path: Path, tournament_id: str) -> None:
    with redis_server(tmp_path) as url:
        ledger = open_redis_ledger(url)
        with Redis.from_url(url) as operator:
            operator.replicaof("127.0.0.1", str(free_port()))
        with pytest.raises(LedgerUnavailable, match="ReadOnlyError"):
            ledger.create(tournament_id, SPEC, 1000)
        ledger.close()


def test_a_ledger_survives_a_short_outage_of_redis(tmp_path: Path, tournament_id: str) -> None:
    port = free_port()
    with redis_server(tmp_path, "--appendonly", "yes", port=port) as url:
        ledger = open_redis_ledger(url)
        ledger.create(tournament_id, SPEC, 1000)
        token = ledger.acquire(tournament_id, LEASE_MS)
        assert token is not None
        ledger.record(tournament_id, token, [(1, b"one")])
        time.sleep(1.1)  # written to disk every second
    with redis_server(tmp_path, "--appendonly", "yes", port=port):
        assert ledger.record(tournament_id, token, [(1, b"one"), (2, b"two")]) == [2]
    ledger.close()


def test_moves_are_stored_with_the_first_result_of_a_block(ledger: Ledger, tournament_id: str, token: int) -> None:
    ledger.record(tournament_id, token, [(1, b"one"), (2, b"two")], {1: b"moves"})
    assert [ledger.moves(tournament_id, block) for block in (0, 1, 2)] == [None, b"moves", None]
    ledger.record(tournament_id, token, [(1, b"one"), (2, b"two")], {1: b"compressed by another zlib", 2: b"late"})
    with pytest.raises(ResultDiffers):
        ledger.record(tournament_id, token, [(1, b"another")], {1: b"other moves"})
    assert [ledger.moves(tournament_id, block) for block in (0, 1, 2)] == [None, b"moves", None]


def test_moves_are_deleted_with_their_tournament(ledger: Ledger, tournament_id: str, token: int) -> None:
    ledger.record(tournament_id, token, [(1, b"one")], {1: b"moves"})
    ledger.release(tournament_id, token)
    ledger.delete(tournament_id)
    assert ledger.moves(tournament_id, 1) is None


def test_results_of_a_wrong_worker_are_set_aside_and_recorded_anew(
    ledger: Ledger, tournament_id: str, token: int
) -> None:
    ledger.record(tournament_id, token, [(1, b"one"), (4, b"four")], {1: b"moves"}, worker="tcp://wrong")
    ledger.record(tournament_id, token, [(2, b"two"), (3, b"three")], {2: b"moves"}, worker="tcp://right")
    assert ledger.blocks_played_by(tournament_id, "tcp://wrong") == [1, 4]
    wrong = WrongWorker("tcp://wrong", tournament_id, 4)
    ledger.set_aside(tournament_id, token, wrong, [1, 7], later_from=3)
    found = ledger.tournament(tournament_id)
    assert (found.done, found.wrong_workers, found.set_aside, found.alarms) == (1, (wrong,), 3, ())
    assert ledger.suspect_results(tournament_id) == [
        (1, "tcp://wrong", b"one"),
        (3, "tcp://right", b"three"),
        (4, "tcp://wrong", b"four"),
    ]
    ledger.set_aside(tournament_id, token, wrong, [7])
    assert ledger.blocks_played_by(tournament_id, "tcp://wrong") == []
    assert (ledger.moves(tournament_id, 1), ledger.moves(tournament_id, 2)) == (None, b"moves")
    assert ledger.record(tournament_id, token, [(1, b"right")], {1: b"right moves"}, "tcp://right") == [1]
    assert ledger.lines(tournament_id, 0, 10) == [(2, b"two"), (1, b"right")]
    assert ledger.moves(tournament_id, 1) == b"right moves"


def test_a_result_is_compared_without_its_worker(ledger: Ledger, tournament_id: str, token: int) -> None:
    ledger.record(tournament_id, token, [(1, b"one")], worker="tcp://one")
    assert ledger.record(tournament_id, token, [(1, b"one")], worker="tcp://other") == []
    assert ledger.blocks_played_by(tournament_id, "tcp://one") == [1]


def test_nothing_is_set_aside_without_the_lease_or_after_the_end(
    ledger: Ledger, tournament_id: str, token: int
) -> None:
    ledger.record(tournament_id, token, [(1, b"one")], worker="tcp://one")
    wrong = WrongWorker("tcp://one", tournament_id, 1)
    with pytest.raises(LeaseLost):
        ledger.set_aside(tournament_id, token + 1, wrong, [1])
    ledger.finish(tournament_id, token)
    with pytest.raises(TournamentEnded):
        ledger.set_aside(tournament_id, token, wrong, [1])
    assert ledger.results(tournament_id, 1, 1) == [b"one"]
